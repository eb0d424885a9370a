import type { PageId, PageKind } from './page.ts';
import type { PageFacts } from './recall-store.ts';
import { salience } from './salience.ts';

/** One reason why a page counts for more or less. */
export type AuthorityFactor = {
  readonly name: string;
  /** Added to the 1.0 that every page starts from. */
  readonly multiplier: number;
  readonly reason: string;
};

/** A ceiling on authority, and what put it there. */
export type AuthorityCap = {
  readonly name: 'DO_NOT_ANSWER_FROM' | 'SUPERSEDED' | 'CONTRADICTED' | 'HISTORICAL';
  readonly limit: number;
  /** The challengers, for `CONTRADICTED`; else empty. */
  readonly by: readonly PageId[];
};

/** What the fused score of a page is multiplied with, and why. */
export type Authority = {
  readonly value: number;
  readonly factors: readonly AuthorityFactor[];
  /** The first cap that matches; null when none does. It may be above the sum, and then cuts nothing. */
  readonly cap: AuthorityCap | null;
};

/** What the rules look at. */
export type AuthorityInput = Omit<PageFacts, 'id'> & {
  /** Challengers that count against the page; empty where the profile leaves contradictions out. */
  readonly challengedBy: readonly PageId[];
  /** What a page that asks loses, 0 or below; 0 where the profile leaves it out. */
  readonly askingTerm: number;
};

export const MIN_AUTHORITY = 0.55;
export const MAX_AUTHORITY = 1.5;

const KIND_WEIGHTS: { readonly [Kind in PageKind]?: number } = {
  RULE: 0.15,
  DECISION: 0.15,
  PROCEDURE: 0.12,
  PREFERENCE: 0.12,
  FIX: 0.12,
  FACT: 0.07,
  PROBLEM: 0.07,
  PROCEDURE_POINTER: 0.07,
  SESSION: -0.15,
};

/**
 * How much a page's word counts: starts at 1.0, sums its terms, applies the first cap that matches,
 * and stays within 0.55 to 1.50. It can turn the order of near equals, not make a page an answer.
 */
export function authority(page: AuthorityInput): Authority {
  const factors = factorsOf(page);
  const cap = capOf(page);
  const total = factors.reduce((sum, { multiplier }) => sum + multiplier, 1);
  const capped = cap === null ? total : Math.min(total, cap.limit);
  return { value: Math.min(MAX_AUTHORITY, Math.max(MIN_AUTHORITY, capped)), factors, cap };
}

function factorsOf({
  kind,
  tags,
  path,
  feedback,
  asks,
  askingTerm,
}: AuthorityInput): AuthorityFactor[] {
  const factors: AuthorityFactor[] = [];
  const weight = KIND_WEIGHTS[kind];
  if (weight !== undefined) {
    factors.push({ name: 'KIND', multiplier: weight, reason: `It is a ${kind}.` });
  }
  if (tags.includes('pinned')) {
    factors.push({ name: 'PINNED', multiplier: 0.08, reason: 'It is tagged "pinned".' });
  }
  const source = ['canonical', 'source-of-truth'].find((tag) => tags.includes(tag));
  if (source !== undefined) {
    factors.push({ name: 'CANONICAL', multiplier: 0.2, reason: `It is tagged "${source}".` });
  }
  const value = salience(feedback);
  if (value !== 0) {
    const { useful, notUseful, wrong } = feedback;
    const reason = `Feedback: ${useful} useful, ${notUseful} not useful, ${wrong} wrong.`;
    factors.push({ name: 'SALIENCE', multiplier: value, reason });
  }
  if (path.startsWith('_lint/')) {
    factors.push({ name: 'PATH', multiplier: -0.2, reason: 'Its path is under "_lint/".' });
  }
  if (path.startsWith('investigations/')) {
    factors.push({
      name: 'PATH',
      multiplier: -0.05,
      reason: 'Its path is under "investigations/".',
    });
  }
  if (asks && askingTerm !== 0) {
    const reason = 'It ends in a question, so its neighbour may be the answer.';
    factors.push({ name: 'ASKS', multiplier: askingTerm, reason });
  }
  return factors;
}

function capOf({ tags, isSuperseded, challengedBy }: AuthorityInput): AuthorityCap | null {
  if (tags.includes('do-not-answer-from') || tags.includes('test-fixture')) {
    return { name: 'DO_NOT_ANSWER_FROM', limit: 0.55, by: [] };
  }
  if (isSuperseded) return { name: 'SUPERSEDED', limit: 0.65, by: [] };
  if (challengedBy.length > 0) return { name: 'CONTRADICTED', limit: 0.65, by: challengedBy };
  if (tags.includes('historical')) return { name: 'HISTORICAL', limit: 0.8, by: [] };
  return null;
}
