import { randomUUID } from 'node:crypto';
import {
  type CallToolResult,
  ProtocolError,
  ProtocolErrorCode,
} from '@modelcontextprotocol/server';
import { detailsOf } from '../../memory/error-details.ts';
import { MemoryError } from '../../memory/errors.ts';

export type ReportError = (errorId: string, error: unknown) => void;

/** An error as a client is told of it. */
type Told = { readonly code: string; readonly message: string; readonly [detail: string]: unknown };

export type Answers = {
  /** The answer of a tool. A failure is one too, with what a model needs to mend its call. */
  readonly toResult: (work: () => Promise<CallToolResult>) => Promise<CallToolResult>;
  /** The answer of anything else. @throws {ProtocolError} in place of whatever was thrown */
  readonly orProtocolError: <Answer>(work: () => Promise<Answer>) => Promise<Answer>;
};

/** What a bug says stays here, and why a store is away: it is reported whole, and the client gets an id. */
export function createAnswers(reportError: ReportError): Answers {
  const report = (error: unknown): { readonly errorId: string } => {
    const errorId = randomUUID();
    reportError(errorId, error);
    return { errorId };
  };
  const tell = (error: unknown): Told => {
    if (!(error instanceof MemoryError)) {
      const message = 'Unexpected error.';
      return { code: 'INTERNAL_SERVER_ERROR', message, ...report(error) };
    }
    const { code, message, retryable } = error;
    return { code, message, retryable, ...detailsOf(error), ...(retryable && report(error)) };
  };

  return {
    async toResult(work) {
      try {
        return await work();
      } catch (error) {
        if (error instanceof ProtocolError) throw error;
        const told = tell(error);
        return {
          isError: true,
          content: [{ type: 'text', text: `${told.code}: ${told.message}` }],
          structuredContent: { error: told },
        };
      }
    },
    async orProtocolError(work) {
      try {
        return await work();
      } catch (error) {
        if (error instanceof ProtocolError) throw error;
        const told = tell(error);
        const isOfRequest = error instanceof MemoryError && !error.retryable;
        const code = isOfRequest
          ? ProtocolErrorCode.InvalidParams
          : ProtocolErrorCode.InternalError;
        throw new ProtocolError(code, told.message, told);
      }
    },
  };
}
