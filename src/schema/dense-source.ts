import {
  DENSE_SOURCES,
  type DenseSource,
  NO_VECTOR_CODES,
  type NoVector,
  type NoVectorCode,
} from '../memory/query-meaning.ts';
import { builder } from './builder.ts';
import { describe } from './enums.ts';

export const DenseSourceRef = builder.enumType('DenseSource', {
  description: 'Where the vector of a query came from.',
  values: describe(DENSE_SOURCES, {
    EMBEDDED: 'The text was embedded for this answer.',
    PREPARED: 'This very query was prepared.',
    NARROWED: 'The named query was prepared, and this one only narrows it to people.',
    NONE: 'There was none: words and edges alone answered.',
  } satisfies { [Key in DenseSource]: string }),
});

const DenseReasonCodeRef = builder.enumType('DenseReasonCode', {
  description: 'Why a query had no vector.',
  values: describe(NO_VECTOR_CODES, {
    HISTORICAL: 'It reads the past, which has no vectors.',
    NOTHING_TO_EMBED: 'Its text says nothing that could be searched for by meaning.',
    FAILED: 'The encoder did not answer, or not in time.',
    RUN_ENDED:
      'There is no such run any more: it was closed, its lease is over, or another process has it.',
    NOT_PREPARED:
      'Nothing is prepared under this name: it never was, or newer queries took its place.',
    ADMISSION_WITHDRAWN: 'The caller may not read the project of the run any more.',
    GRANTS_CHANGED: 'Scopes, projects or clearance of the caller changed since it was prepared.',
    PROJECTS_CHANGED: 'It searches other projects than when it was prepared.',
    MODEL_CHANGED: 'The encoder changed since it was prepared.',
    CHECKPOINT_MOVED: 'Something was recorded in these projects since it was prepared.',
    PARENT_HAS_PEOPLE: 'The prepared query names people itself.',
    NO_PEOPLE: 'It is another query than the prepared one, and names no people.',
    WIDENED: 'It asks for more than the prepared query; `field` says where.',
    DIFFERENT: 'It differs from the prepared query where both must be equal; `field` says where.',
  } satisfies { [Key in NoVectorCode]: string }),
});

export const DenseReasonRef = builder.objectRef<NoVector>('DenseReason').implement({
  description: 'Why a query had no vector.',
  fields: (t) => ({
    code: t.expose('code', { type: DenseReasonCodeRef, description: 'The first reason.' }),
    field: t.string({
      nullable: true,
      description:
        'The field of `RecallInput` that stands against it, or `tenant` or `principal`; null where none does.',
      resolve: ({ field }) => (field === null ? null : (PUBLIC_NAMES[field] ?? field)),
    }),
  }),
});

/** Fields that callers know by another name. */
const PUBLIC_NAMES: { readonly [field: string]: string | undefined } = {
  kinds: 'beliefTypes',
  projectIds: 'projects',
};
