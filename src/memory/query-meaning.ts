export type QueryVector = { readonly vector: Float32Array; readonly model: string };

/** Where the vector of a query came from. */
export const DENSE_SOURCES = ['EMBEDDED', 'PREPARED', 'NARROWED', 'NONE'] as const;
export type DenseSource = (typeof DENSE_SOURCES)[number];

/** Why a query had no vector. */
export const NO_VECTOR_CODES = [
  'HISTORICAL',
  'NOTHING_TO_EMBED',
  'FAILED',
  'RUN_ENDED',
  'NOT_PREPARED',
  'ADMISSION_WITHDRAWN',
  'GRANTS_CHANGED',
  'PROJECTS_CHANGED',
  'MODEL_CHANGED',
  'CHECKPOINT_MOVED',
  'PARENT_HAS_PEOPLE',
  'NO_PEOPLE',
  'WIDENED',
  'DIFFERENT',
] as const;
export type NoVectorCode = (typeof NO_VECTOR_CODES)[number];

export type NoVector = {
  readonly code: NoVectorCode;
  /** The field of the query that stands against it, where one does. */
  readonly field: string | null;
};

/** The vector of a query, or why there is none. */
export type QueryMeaning =
  | {
      readonly source: Exclude<DenseSource, 'NONE'>;
      readonly vector: QueryVector;
      readonly reason: null;
    }
  | { readonly source: 'NONE'; readonly vector: null; readonly reason: NoVector };

export function withoutVector(code: NoVectorCode, field: string | null = null): QueryMeaning {
  return { source: 'NONE', vector: null, reason: { code, field } };
}

/** What of a query the encoder gets, to the byte. */
export function encodedText({ text }: { readonly text: string }): string {
  return text;
}
