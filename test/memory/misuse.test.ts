import { describe, expect, test } from 'vitest';
import {
  AlreadyExistsError,
  DepthLimitExceededError,
  ForbiddenError,
  HintsDisabledError,
  InvalidInputError,
  LimitExceededError,
  MemoryError,
  NotFoundError,
  StoreUnavailableError,
} from '../../src/memory/errors.ts';
import { parseInstant } from '../../src/memory/instant.ts';
import {
  ModelAnswerInvalidError,
  ModelNotConfiguredError,
  ModelRefusedError,
  ModelUnavailableError,
} from '../../src/memory/language-model.ts';
import { parsePagePath } from '../../src/memory/page-path.ts';
import { PeopleUnavailableError } from '../../src/memory/people-scope.ts';
import { RunLimitError, SearchBudgetSpentError } from '../../src/memory/run.ts';
import { parseText } from '../../src/memory/text-input.ts';
import {
  IdempotencyConflictError,
  SessionBusyError,
  SessionEndedError,
  SupersessionCycleError,
  VersionConflictError,
} from '../../src/memory/write-conflicts.ts';

describe('a refusal says what was expected and what came', () => {
  test.each<[MemoryError, string, string]>([
    [
      new InvalidInputError('pages.3.title', 'a text that is not empty', ''),
      'INVALID_INPUT',
      'pages.3.title: expected a text that is not empty, but got an empty text.',
    ],
    [
      new InvalidInputError('name', 'a short name', `a\nb\u202e\ud800${'x'.repeat(100)}`),
      'INVALID_INPUT',
      `name: expected a short name, but got a\ufffdb\ufffd\ufffd${'x'.repeat(74)}….`,
    ],
    [
      new NotFoundError('project', 'the project "notes"'),
      'NOT_FOUND',
      'project: expected the project "notes", but found none.',
    ],
    [
      new VersionConflictError('notes/a', 2, 3),
      'VERSION_CONFLICT',
      'expectedVersion: expected 2 to be current for page notes/a, but 3 is.',
    ],
    [
      new IdempotencyConflictError('key-1'),
      'IDEMPOTENCY_CONFLICT',
      'idempotencyKey: expected the request that first used "key-1", but got another request.',
    ],
    [
      new AlreadyExistsError('name', 'the project "notes"'),
      'ALREADY_EXISTS',
      'name: expected a name that is free, but the project "notes" exists.',
    ],
    [
      new ModelNotConfiguredError(),
      'MODEL_NOT_CONFIGURED',
      'Expected a language model to ask, but this server has none. Set CAUSEWAY_MODEL_URL and CAUSEWAY_MODEL, or let an agent do it with the MCP prompt reflect. Nothing else needs a model.',
    ],
    [
      new ModelUnavailableError('status 503'),
      'MODEL_UNAVAILABLE',
      'Expected an answer from the model, but got status 503. Try again later.',
    ],
    [
      new ModelRefusedError('status 401', 'Look at CAUSEWAY_MODEL_KEY.'),
      'MODEL_REFUSED',
      'Expected an answer from the model, but got status 401. Look at CAUSEWAY_MODEL_KEY.',
    ],
    [
      new ModelAnswerInvalidError('a whole answer', 'none'),
      'MODEL_ANSWER_INVALID',
      'Expected a whole answer from the model, but got none.',
    ],
    [
      new SupersessionCycleError(['a', 'b']),
      'SUPERSESSION_CYCLE',
      'SUPERSEDES: expected no page to replace itself through others, but got a -> b -> a.',
    ],
    [
      new SupersessionCycleError([...'abcdefghij']),
      'SUPERSESSION_CYCLE',
      'SUPERSEDES: expected no page to replace itself through others, but got a -> b -> c -> d -> e -> f -> g -> h -> 2 more -> a.',
    ],
    [
      new LimitExceededError('first', 100, 101),
      'LIMIT_EXCEEDED',
      'first: expected at most 100, but got 101.',
    ],
    [
      new DepthLimitExceededError('depth', 4, 5),
      'DEPTH_LIMIT_EXCEEDED',
      'depth: expected at most 4, but got 5.',
    ],
    [
      new ForbiddenError('the scope memory:write'),
      'FORBIDDEN',
      'Expected a caller with the scope memory:write.',
    ],
    [
      new HintsDisabledError('pages.0.hints'),
      'HINTS_DISABLED',
      'pages.0.hints: expected no hints, since CAUSEWAY_HINTS_ENABLED is off.',
    ],
    [
      new SessionEndedError(),
      'SESSION_ENDED',
      'session: expected a session that goes on, but it has ended.',
    ],
    [
      new SearchBudgetSpentError('run', 5),
      'SEARCH_BUDGET_SPENT',
      'run: expected at most 5 searches of this run, but all of them are made.',
    ],
    [
      new RunLimitError(),
      'RUN_LIMIT_REACHED',
      'Expected at most 1000 open runs of one caller, but as many are open. Close some, or wait for a lease to end.',
    ],
    [
      new PeopleUnavailableError(new Error('socket closed')),
      'PEOPLE_UNAVAILABLE',
      'Expected an answer from the people of pages, but it is not available. Try again later, or ask without people.',
    ],
    [
      new SessionBusyError(),
      'SESSION_BUSY',
      'Expected a session that rests for a moment, but more was recorded in it each time.',
    ],
    [
      new StoreUnavailableError('neo4j', new Error('socket closed')),
      'STORE_UNAVAILABLE',
      'Expected an answer from neo4j, but it is not available. Try again later.',
    ],
  ])('%s', (error, code, message) => {
    const isRetryable = [
      'SESSION_BUSY',
      'RUN_LIMIT_REACHED',
      'PEOPLE_UNAVAILABLE',
      'STORE_UNAVAILABLE',
      'MODEL_UNAVAILABLE',
      'MODEL_ANSWER_INVALID',
    ].includes(code);

    expect(error).toMatchObject({ name: error.constructor.name, code, retryable: isRetryable });
    expect(error.message).toBe(message);
  });
});

describe('a path', () => {
  test.each([
    ['', 'a path of at least one byte, but got an empty text'],
    ['sessions/', 'a path without a trailing /, but got "sessions/"'],
    ['/a', 'a path without a leading /, but got "/a"'],
    ['/', 'a path without a leading /, but got "/"'],
    ['a//b', 'a path without an empty segment, but got "a//b"'],
    ['../x', 'a path without a .. segment, but got "../x"'],
    ['a/./b', 'a path without a . segment, but got "a/./b"'],
    ['a\tb', 'a path without control characters, but got "a\ufffdb"'],
    ['a\0b', 'a path without control characters, but got "a\ufffdb"'],
    ['a\u0085', 'a path without control characters, but got "a\ufffd"'],
    ['a\ud800', 'a path without lone surrogates, but got "a\ufffd"'],
    ['x'.repeat(513), 'a path of at most 512 bytes of UTF-8, but got 513 bytes'],
    ['é'.repeat(257), 'a path of at most 512 bytes of UTF-8, but got 514 bytes'],
    ['x'.repeat(1_000_000), 'a path of at most 512 bytes of UTF-8, but got 1000000 bytes'],
  ])('%# is refused by its rule', (value, rule) => {
    const parse = () => parsePagePath(value, 'pages.0.path');

    expect(messageOf(parse)).toBe(`pages.0.path: expected ${rule}.`);
  });

  test('is named path when the caller names no field', () => {
    const parse = () => parsePagePath('a//b');

    expect(messageOf(parse)).toBe(
      'path: expected a path without an empty segment, but got "a//b".',
    );
  });
});

describe('a text', () => {
  test.each([
    ['ab\0', {}, 'a text without NUL, but got NUL at offset 2'],
    ['a\udc00', {}, 'a text of whole Unicode characters, but got a lone surrogate at offset 1'],
    ['', { allowBlank: false }, 'a text that is not empty, but got an empty text'],
    [' \n\u3000', { allowBlank: false }, 'a text that is not blank, but got white space alone'],
    ['👍👍👍', { maxCharacters: 2 }, 'at most 2 characters, but got 3 characters'],
    ['あ'.repeat(70), { maxBytes: 200 }, 'at most 200 bytes of UTF-8, but got 210 bytes'],
  ])('%j is refused by its rule', (value, rule, expected) => {
    const parse = () => parseText(value, { field: 'pages.0.title', ...rule });

    expect(messageOf(parse)).toBe(`pages.0.title: expected ${expected}.`);
  });
});

describe('an instant', () => {
  test.each([
    ['2026-03-01T10:00:00', 'an instant with an offset, such as Z or +01:00'],
    ['2026-03-01', 'an RFC 3339 instant such as 2026-03-01T10:00:00Z'],
    ['2026-03-01 10:00:00Z', 'an RFC 3339 instant such as 2026-03-01T10:00:00Z'],
    ['2026-3-1T10:00:00Z', 'an RFC 3339 instant such as 2026-03-01T10:00:00Z'],
    ['2026-03-01T10:00Z', 'an RFC 3339 instant such as 2026-03-01T10:00:00Z'],
    ['2026-03-01T10:00:00+0100', 'an RFC 3339 instant such as 2026-03-01T10:00:00Z'],
    ['2026-03-01T10:00:00.Z', 'an RFC 3339 instant such as 2026-03-01T10:00:00Z'],
    ['+010000-01-01T00:00:00Z', 'an RFC 3339 instant such as 2026-03-01T10:00:00Z'],
    ['yesterday', 'an RFC 3339 instant such as 2026-03-01T10:00:00Z'],
    ['', 'an RFC 3339 instant such as 2026-03-01T10:00:00Z'],
    ['2026-02-30T10:00:00Z', 'a day that the calendar has'],
    ['2025-02-29T10:00:00Z', 'a day that the calendar has'],
    ['2026-13-01T10:00:00Z', 'a day that the calendar has'],
    ['2026-00-01T10:00:00Z', 'a day that the calendar has'],
    ['2026-01-00T10:00:00Z', 'a day that the calendar has'],
    ['2026-03-01T24:00:00Z', 'an hour from 00 to 23'],
    ['2026-03-01T10:60:00Z', 'a minute from 00 to 59'],
    ['2026-03-01T10:00:61Z', 'a second from 00 to 59'],
    ['2016-12-31T23:59:60Z', 'a second from 00 to 59 (leap seconds have no place here)'],
    ['2026-03-01T10:00:00+24:00', 'an offset from -23:59 to +23:59'],
    ['2026-03-01T10:00:00-01:60', 'an offset from -23:59 to +23:59'],
    ['0000-12-31T23:59:59Z', 'a year from 0001 to 9999'],
    ['0001-01-01T00:00:00+00:01', 'an instant in the years 0001 to 9999 UTC'],
    ['9999-12-31T23:59:59-00:01', 'an instant in the years 0001 to 9999 UTC'],
  ])('%j is refused by its rule', (value, expected) => {
    const parse = () => parseInstant(value, 'asOf.validAt');

    expect(messageOf(parse)).toBe(`asOf.validAt: expected ${expected}, but got "${value}".`);
  });
});

function messageOf(work: () => unknown): string | null {
  try {
    work();
    return null;
  } catch (error) {
    if (error instanceof MemoryError) return error.message;
    throw error;
  }
}

test.each([
  [new InvalidInputError('title', 'a short text', 'x'.repeat(200))],
  [new InvalidInputError('title', 'a short text', '')],
  [new NotFoundError('title', 'a page')],
  [new AlreadyExistsError('title', 'the project "notes"')],
  [new LimitExceededError('title', 4, 5)],
  [new DepthLimitExceededError('title', 4, 5)],
  [new HintsDisabledError('title')],
  [new SearchBudgetSpentError('title', 5)],
])('a failure told from outside is the same, of a place further in: %s', (inner) => {
  const outer = inner.under('input');

  expect(outer).toBeInstanceOf(inner.constructor);
  expect(outer.message).toBe(`input.${inner.message}`);
  expect({ ...outer }).toEqual({ ...inner, field: 'input.title' });
});
