import type { StepDirection } from '../memory/edge.ts';
import type { GraphVia } from '../memory/graph-arm.ts';

type ViaKind = GraphVia['edge'];

/** How an edge reads from the page that it begins at, and from the page that it leads to. */
const WORDS: { readonly [Kind in ViaKind]: readonly [from: string, to: string] } = {
  CAUSES: ['causes', 'caused by'],
  FIXES: ['fixes', 'fixed by'],
  CONTRADICTS: ['contradicts', 'contradicted by'],
  SUPERSEDES: ['supersedes', 'superseded by'],
  REFERENCES: ['references', 'referenced by'],
  FOLLOWS: ['follows in its session', 'followed in its session by'],
};

/** `fixes` or `fixed by`, as said of the page that a step set out from. */
export function saidOfStart(kind: ViaKind, direction: StepDirection): string {
  return WORDS[kind][direction === 'OUT' ? 0 : 1];
}

/** `fixed by` or `fixes`, as said of the page that a step came to. */
export function saidOfEnd(kind: ViaKind, direction: StepDirection): string {
  return WORDS[kind][direction === 'OUT' ? 1 : 0];
}
