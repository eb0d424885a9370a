import { type Caller, requireScope } from './caller.ts';
import { InvalidInputError } from './errors.ts';
import { toIdempotency } from './idempotency.ts';
import type { PageId } from './page.ts';
import type { AssignmentState, PersonId } from './person.ts';
import { parseStoredText, type Redactor } from './redaction.ts';
import type { Stores } from './stores.ts';

/** Longest name or alias, characters. */
export const MAX_NAME_CHARACTERS = 128;
export const MAX_ALIASES = 32;

export type PersonInput = {
  /** The person to change; a new one when left out. */
  readonly id?: PersonId | null | undefined;
  readonly name: string;
  readonly aliases?: readonly string[] | null | undefined;
  readonly idempotencyKey?: string | null | undefined;
};

/**
 * Makes a person, or gives one another name and other aliases: what is left out is none.
 *
 * @throws {ForbiddenError} without the scope `memory:write`
 * @throws {InvalidInputError} naming the field; nothing is stored
 * @throws {NotFoundError} if there is no person of that id
 */
export async function putPerson(
  { people, redactor }: Pick<Stores, 'people' | 'redactor'>,
  caller: Caller,
  { id, idempotencyKey, ...input }: PersonInput,
): Promise<PersonId> {
  requireScope(caller, 'memory:write');
  const name = parseName(input.name, 'name', redactor);
  const given = (input.aliases ?? []).map((alias, index) =>
    parseName(alias, `aliases.${index}`, redactor),
  );
  const aliases = [...new Set(given)].filter((alias) => alias !== name);
  if (aliases.length > MAX_ALIASES) {
    throw new InvalidInputError(
      'aliases',
      `at most ${MAX_ALIASES} aliases`,
      `${aliases.length} aliases`,
    );
  }
  const person = { name, aliases };
  if (id != null) return people.replace(caller.view, { ...person, id });
  const idempotency = toIdempotency(caller, 'putPerson', idempotencyKey, person);
  return people.create(caller.view, person, idempotency);
}

/**
 * Says whether a person has to do with a page; the later of two states counts.
 *
 * @throws {ForbiddenError} without the scope `memory:write`
 * @throws {NotFoundError} if there is no such person, or the caller sees no such page
 */
export async function assignPerson(
  { people }: Pick<Stores, 'people'>,
  caller: Caller,
  assignment: {
    readonly personId: PersonId;
    readonly pageId: PageId;
    readonly state: AssignmentState;
  },
): Promise<void> {
  requireScope(caller, 'memory:write');
  await people.assign(caller.view, assignment);
}

/** In NFC, so that one name is found however it was typed. */
function parseName(value: string, field: string, redactor: Redactor): string {
  const rule = { field, allowBlank: false, maxCharacters: MAX_NAME_CHARACTERS, redactor };
  return parseStoredText(parseStoredText(value, rule).normalize('NFC'), rule);
}
