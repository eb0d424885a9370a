import {
  AlreadyExistsError,
  ForbiddenError,
  HintsDisabledError,
  InvalidInputError,
  LimitExceededError,
  type MemoryError,
  NotFoundError,
} from '../memory/errors.ts';
import {
  ModelAnswerInvalidError,
  ModelNotConfiguredError,
  ModelRefusedError,
  ModelUnavailableError,
} from '../memory/language-model.ts';
import { RunLimitError } from '../memory/run.ts';
import {
  AnswerPurgedError,
  EdgeRetractedError,
  IdempotencyConflictError,
  SessionEndedError,
  SupersessionCycleError,
  VersionConflictError,
} from '../memory/write-conflicts.ts';
import { builder } from './builder.ts';

export const FailureRef = builder.interfaceRef<MemoryError>('Failure').implement({
  description: 'Why a write was refused. Nothing of it was stored.',
  fields: (t) => ({
    code: t.exposeString('code', { description: 'Stable, upper snake case.' }),
    message: t.exposeString('message', { description: 'What was expected and what came.' }),
    retryable: t.exposeBoolean('retryable', {
      description: 'Whether the same call may work later, unchanged.',
    }),
  }),
});

builder.objectType(InvalidInputError, {
  name: 'InvalidInput',
  description: 'A value breaks a rule.',
  interfaces: [FailureRef],
  fields: (t) => ({
    field: t.exposeString('field', {
      description: 'Where, as a dotted path: `input.pages.3.title`.',
    }),
    expected: t.exposeString('expected', { description: 'What would have been right.' }),
    received: t.exposeString('received', { description: 'What came, shortened.' }),
  }),
});

builder.objectType(LimitExceededError, {
  name: 'LimitExceeded',
  description: 'A value is above a limit.',
  interfaces: [FailureRef],
  fields: (t) => ({
    field: t.exposeString('field', { description: 'Where, as a dotted path.' }),
    limit: t.exposeInt('limit', { description: 'The limit.' }),
    // A text, as of every failure, so that one query may ask all members of a union for it.
    received: t.string({
      description: 'What came.',
      resolve: ({ received }) => String(received),
    }),
  }),
});

builder.objectType(NotFoundError, {
  name: 'NotFound',
  description: 'Something that the write needs is not there, or not for the caller.',
  interfaces: [FailureRef],
  fields: (t) => ({
    field: t.exposeString('field', { description: 'Which argument named it.' }),
  }),
});

builder.objectType(AlreadyExistsError, {
  name: 'AlreadyExists',
  description: 'The name is taken.',
  interfaces: [FailureRef],
});

builder.objectType(ForbiddenError, {
  name: 'Forbidden',
  description: 'The caller lacks a scope or a clearance.',
  interfaces: [FailureRef],
});

builder.objectType(VersionConflictError, {
  name: 'VersionConflict',
  description: 'The page has moved on since the caller read it.',
  interfaces: [FailureRef],
  fields: (t) => ({
    path: t.exposeString('path', { description: 'The path of the page.' }),
    expectedVersion: t.exposeInt('expectedVersion', { description: 'What the caller named.' }),
    currentVersion: t.exposeInt('currentVersion', {
      description: 'What is current; 0 when there is no such page.',
    }),
  }),
});

builder.objectType(IdempotencyConflictError, {
  name: 'IdempotencyConflict',
  description: 'The key was used before, for another request.',
  interfaces: [FailureRef],
});

builder.objectType(AnswerPurgedError, {
  name: 'AnswerPurged',
  description:
    'The key was used before, and a page of its answer was purged since: a late retry does not make it again.',
  interfaces: [FailureRef],
});

builder.objectType(SupersessionCycleError, {
  name: 'SupersessionCycle',
  description: 'The edge would close a circle of pages that replace each other.',
  interfaces: [FailureRef],
  fields: (t) => ({
    cycle: t.exposeStringList('cycle', {
      description: 'Paths of the circle that the caller can see, each page replacing the next.',
    }),
  }),
});

builder.objectType(EdgeRetractedError, {
  name: 'EdgeRetracted',
  description: 'The edge is not asserted any more.',
  interfaces: [FailureRef],
  fields: (t) => ({
    field: t.exposeString('field', { description: 'Which argument named it.' }),
    activeEdge: t.exposeID('activeEdge', {
      nullable: true,
      description:
        'The edge that took its place, as after a correction of its valid time; null for none.',
    }),
  }),
});

builder.objectType(HintsDisabledError, {
  name: 'HintsDisabled',
  description: 'The write carries hints, and this server takes none.',
  interfaces: [FailureRef],
  fields: (t) => ({
    field: t.exposeString('field', { description: 'Where, as a dotted path.' }),
  }),
});

builder.objectType(SessionEndedError, {
  name: 'SessionEnded',
  description: 'The session is over: it takes no more observations and pages.',
  interfaces: [FailureRef],
  fields: (t) => ({
    field: t.exposeString('field', { description: 'Which argument named it.' }),
  }),
});

/** What any write may answer with. */
const ANY_WRITE = [InvalidInputError, ForbiddenError] as const;

/** The failures of each write, for its result union. */
export const FAILURES = {
  createProject: [...ANY_WRITE, AlreadyExistsError],
  writePage: [
    ...ANY_WRITE,
    NotFoundError,
    IdempotencyConflictError,
    AnswerPurgedError,
    VersionConflictError,
    SupersessionCycleError,
    HintsDisabledError,
    SessionEndedError,
  ],
  writePages: [
    ...ANY_WRITE,
    LimitExceededError,
    NotFoundError,
    IdempotencyConflictError,
    AnswerPurgedError,
    VersionConflictError,
    SupersessionCycleError,
    HintsDisabledError,
    SessionEndedError,
  ],
  linkPages: [
    ...ANY_WRITE,
    LimitExceededError,
    NotFoundError,
    IdempotencyConflictError,
    AnswerPurgedError,
    SupersessionCycleError,
  ],
  callTool: [
    ...ANY_WRITE,
    LimitExceededError,
    NotFoundError,
    IdempotencyConflictError,
    AnswerPurgedError,
    VersionConflictError,
    SupersessionCycleError,
    HintsDisabledError,
  ],
  unlinkPages: [...ANY_WRITE, LimitExceededError],
  resolveContradiction: [
    ...ANY_WRITE,
    NotFoundError,
    EdgeRetractedError,
    IdempotencyConflictError,
    AnswerPurgedError,
  ],
  purgePage: [...ANY_WRITE, NotFoundError],
  startSession: [...ANY_WRITE, NotFoundError, IdempotencyConflictError, AnswerPurgedError],
  recordObservation: [
    ...ANY_WRITE,
    LimitExceededError,
    NotFoundError,
    IdempotencyConflictError,
    AnswerPurgedError,
    SessionEndedError,
  ],
  openRun: [...ANY_WRITE, LimitExceededError, NotFoundError, RunLimitError],
  closeRun: [NotFoundError],
  prepareRecall: [...ANY_WRITE, LimitExceededError, NotFoundError],
  giveFeedback: [...ANY_WRITE, NotFoundError, IdempotencyConflictError, AnswerPurgedError],
  putPerson: [...ANY_WRITE, NotFoundError, IdempotencyConflictError, AnswerPurgedError],
  assignPerson: [...ANY_WRITE, NotFoundError],
  endSession: [...ANY_WRITE, NotFoundError],
  reflect: [
    ...ANY_WRITE,
    NotFoundError,
    ModelNotConfiguredError,
    ModelUnavailableError,
    ModelRefusedError,
    ModelAnswerInvalidError,
  ],
};
