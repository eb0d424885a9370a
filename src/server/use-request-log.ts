import { getOperationAST, type OperationTypeNode } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { MemoryError } from '../memory/errors.ts';
import type { Stores } from '../memory/stores.ts';
import { countCalls } from './count-calls.ts';

/** What the log keeps of one request. No text that a caller wrote is in it, but for the operation's name. */
export type RequestRecord = {
  readonly status: number;
  /** From the request's arrival to its answer, before that is sent; to a tenth. */
  readonly durationMs: number;
  /** The operation that ran; null where none was understood. */
  readonly type: OperationTypeNode | null;
  /** Its name, or the tool or method of MCP, shortened; null where it has none. */
  readonly operation: string | null;
  readonly storeCalls: number;
  /** Codes of the errors in the answer, each once. */
  readonly errorCodes: readonly string[];
};

export type RequestLog = {
  readonly plugin: Plugin;
  /**
   * The stores as this request should call them: its calls are counted, and none begins once the client
   * has left. The embedded engine has one connection, for which others wait meanwhile.
   */
  readonly countedFor: (request: Request, stores: Stores) => Stores;
  /** Of a request that is no GraphQL: what it asked for, and the code of a failure. */
  readonly note: (
    request: Request,
    noted: { readonly operation?: string; readonly errorCode?: string },
  ) => void;
};

/** Nobody waits for the answer any more. */
class CallerLeftError extends MemoryError {
  override readonly name = 'CallerLeftError';
  readonly code = 'CALLER_LEFT';

  constructor() {
    super('Expected a client that waits for the answer, but it has closed the request.');
  }
}

const MAX_NAME = 80;

type Noted = {
  readonly startedAt: number;
  type: OperationTypeNode | null;
  operation: string | null;
  storeCalls: number;
  errorCodes: readonly string[];
};

/** Hands out one record for each request, whatever became of it. */
export function createRequestLog(log: (record: RequestRecord) => void): RequestLog {
  const running = new WeakMap<Request, Noted>();

  return {
    countedFor(request, stores) {
      const noted = running.get(request);
      if (noted === undefined) return stores;
      return countCalls(stores, () => {
        if (request.signal.aborted) throw new CallerLeftError();
        noted.storeCalls += 1;
      });
    },

    note(request, { operation, errorCode }) {
      const noted = running.get(request);
      if (noted === undefined) return;
      if (operation !== undefined) noted.operation = operation.slice(0, MAX_NAME);
      if (errorCode === undefined) return;
      noted.errorCodes = [...new Set([...noted.errorCodes, errorCode])];
    },

    plugin: {
      instrumentation: {
        request({ request }, handle) {
          running.set(request, {
            startedAt: performance.now(),
            type: null,
            operation: null,
            storeCalls: 0,
            errorCodes: [],
          });
          return handle();
        },
      },

      onParse({ context: { request, params } }) {
        return ({ result }) => {
          const noted = running.get(request);
          if (noted === undefined || result === null || !('definitions' in result)) return;
          const found = getOperationAST(result, params.operationName);
          noted.type = found?.operation ?? null;
          noted.operation = found?.name?.value.slice(0, MAX_NAME) ?? null;
        };
      },

      onResultProcess({ request, result }) {
        const noted = running.get(request);
        if (noted !== undefined) noted.errorCodes = codesOf(result);
      },

      onResponse({ request, response }) {
        const noted = running.get(request);
        if (noted === undefined) return;
        const { startedAt, ...known } = noted;
        const durationMs = Math.round((performance.now() - startedAt) * 10) / 10;
        log({ status: response.status, durationMs, ...known });
      },
    },
  };
}

function codesOf(result: unknown): string[] {
  if (typeof result !== 'object' || result === null || !('errors' in result)) return [];
  const errors: unknown[] = Array.isArray(result.errors) ? result.errors : [];
  const codes = errors.map(codeOf).filter((code) => code !== null);
  return [...new Set(codes)];
}

function codeOf(error: unknown): string | null {
  if (typeof error !== 'object' || error === null || !('extensions' in error)) return null;
  const { extensions } = error;
  if (typeof extensions !== 'object' || extensions === null || !('code' in extensions)) return null;
  return String(extensions.code);
}
