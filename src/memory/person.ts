export type PersonId = string;

/** Somebody whom pages have to do with. People belong to the tenant, not to a project. */
export type Person = {
  readonly id: PersonId;
  readonly name: string;
  /** What else they are called. */
  readonly aliases: readonly string[];
};

/**
 * How sure it is that a person belongs to a page. `RESOLVED` alone lets the page through a filter by
 * people; a `HIDDEN` assignment is shown to nobody.
 */
export const ASSIGNMENT_STATES = ['RESOLVED', 'UNRESOLVED', 'HIDDEN'] as const;
export type AssignmentState = (typeof ASSIGNMENT_STATES)[number];
