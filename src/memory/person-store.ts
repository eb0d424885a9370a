import type { Idempotency } from './memory-writer.ts';
import type { PageId } from './page.ts';
import type { AssignmentState, Person, PersonId } from './person.ts';
import type { View } from './view.ts';

/** The place of a person in a list: by name, in the order of its bytes, then by id. */
export type PersonPosition = { readonly name: string; readonly id: PersonId };

export type AssignedPerson = { readonly person: Person; readonly state: AssignmentState };

export type PersonStore = {
  /** Makes a person. */
  create(
    view: View,
    person: Omit<Person, 'id'>,
    idempotency: Idempotency | null,
  ): Promise<PersonId>;
  /** Gives a person another name and other aliases. @throws {NotFoundError} naming `id` */
  replace(view: View, person: Person): Promise<PersonId>;
  /**
   * Joins a person and a page; the later of two states counts.
   *
   * @throws {NotFoundError} naming `person`, or `page` where the view sees none
   */
  assign(
    view: View,
    assignment: {
      readonly personId: PersonId;
      readonly pageId: PageId;
      readonly state: AssignmentState;
    },
  ): Promise<void>;
  /** People in the order of `ids`; null where the tenant has none. One statement. */
  findMany(view: View, ids: readonly PersonId[]): Promise<(Person | null)[]>;
  /** By name. @param named  only those with this name or alias, exactly; null for all */
  list(
    view: View,
    query: {
      readonly named: string | null;
      readonly first: number;
      readonly after: PersonPosition | null;
    },
  ): Promise<{ people: Person[]; hasMore: boolean }>;
  count(view: View, named: string | null): Promise<number>;
  /**
   * The people of pages, by name, without hidden assignments; none for a page that the view does not
   * see. For each request in order. One statement for all.
   */
  listOfPages(
    view: View,
    requests: readonly {
      readonly pageId: PageId;
      readonly first: number;
      readonly after: PersonPosition | null;
    }[],
  ): Promise<{ people: AssignedPerson[]; hasMore: boolean; total: number }[]>;
};
