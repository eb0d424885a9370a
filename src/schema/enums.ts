import { DIRECTIONS, EDGE_KINDS, RESOLUTIONS } from '../memory/edge.ts';
import { PAGE_KINDS, PAGE_STATUSES, SENSITIVITIES } from '../memory/page.ts';
import { builder } from './builder.ts';

export const PageKindRef = builder.enumType('PageKind', {
  description: 'What kind of belief a page holds.',
  values: describe(PAGE_KINDS, {
    FACT: 'Something that is so.',
    DECISION: 'Something that was decided.',
    RULE: 'Something that must be kept to.',
    PREFERENCE: 'What somebody would rather have.',
    PROCEDURE: 'How something is done.',
    PROCEDURE_POINTER: 'Where a procedure is found.',
    PROBLEM: 'Something that is wrong; open until a `FIXES` edge points at it.',
    FIX: 'What was done against a problem.',
    EVENT: 'Something that happened.',
    SESSION: 'What one session of an agent came to.',
    NOTE: 'Anything else.',
  }),
});

export const SensitivityRef = builder.enumType('Sensitivity', {
  description: 'Who may read a page. A clearance reads its own level and all below.',
  values: describe(SENSITIVITIES, {
    PUBLIC: 'Everyone.',
    INTERNAL: 'Everyone inside; what a page has when its writer names nothing.',
    CONFIDENTIAL: 'Those who need it.',
    RESTRICTED: 'The few.',
  }),
});

export const PageStatusRef = builder.enumType('PageStatus', {
  description:
    'Derived at each read, but for `ARCHIVED`: the first that holds of `ARCHIVED`, `SUPERSEDED`, `EXPIRED`, `ACTIVE`.',
  values: describe(PAGE_STATUSES, {
    ACTIVE: 'None of the others.',
    SUPERSEDED: 'An active `SUPERSEDES` edge points at it.',
    EXPIRED: 'Its valid time is over.',
    ARCHIVED: 'Its writer put it away.',
  }),
});

export const EdgeKindRef = builder.enumType('EdgeKind', {
  description: 'What one page claims about another.',
  values: describe(EDGE_KINDS, {
    CAUSES: '`from` brought about `to`.',
    FIXES: '`from` remedies `to`.',
    CONTRADICTS: '`from`, the challenger, disputes `to`, the challenged.',
    SUPERSEDES: '`from` replaces `to`.',
    REFERENCES: '`from` mentions `to`: the one bare, untyped kind.',
  }),
});

export const DirectionRef = builder.enumType('Direction', {
  description: 'Which way edges are followed.',
  values: describe(DIRECTIONS, {
    OUT: 'From `from` to `to`.',
    IN: 'From `to` to `from`.',
    BOTH: 'Either way.',
  }),
});

export const ResolutionRef = builder.enumType('Resolution', {
  description: 'The state of a contradiction.',
  values: describe(RESOLUTIONS, {
    UNRESOLVED: 'Nobody has settled it.',
    UPHELD: 'The challenger holds.',
    DISMISSED: 'The challenged holds.',
    RECONCILED: 'Both stand.',
  }),
});

/** The values of an enum with a description each; the compiler asks for every one. */
export function describe<Value extends string>(
  values: readonly Value[],
  descriptions: { readonly [Key in Value]: string },
): { [Key in Value]: { description: string } } {
  const entries = values.map((value) => [value, { description: descriptions[value] }]);
  return Object.fromEntries(entries);
}
