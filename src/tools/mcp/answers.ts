import {
  type CallToolResult,
  ProtocolError,
  ProtocolErrorCode,
} from '@modelcontextprotocol/server';
import { type ToldError, tellError } from '../../memory/error-details.ts';
import { MemoryError } from '../../memory/errors.ts';

/** What the log of a request is told, beside what it sees itself. */
export type Noted = { readonly operation?: string; readonly errorCode?: string };

export type Reports = {
  /** Takes what callers do not see, with the id that they do. */
  readonly reportError: (errorId: string, error: unknown) => void;
  /** Takes what was asked for, and the code of each failure. */
  readonly note: (noted: Noted) => void;
};

type Told = ToldError['details'] & { readonly message: string };

export type Answers = {
  /** The answer of a tool. A failure is one too, with what a model needs to mend its call. */
  readonly toResult: (work: () => Promise<CallToolResult>) => Promise<CallToolResult>;
  /** The answer of anything else. @throws {ProtocolError} in place of whatever was thrown */
  readonly orProtocolError: <Answer>(work: () => Promise<Answer>) => Promise<Answer>;
};

/** What a bug says stays here, and why a store is away: it is reported whole, and the client gets an id. */
export function createAnswers({ reportError, note }: Reports): Answers {
  const tell = (error: unknown): Told => {
    const { message, details } = tellError(error, reportError);
    note({ errorCode: details.code });
    return { ...details, message };
  };

  // Nothing else is told in the words of the protocol within.
  const notFound = (error: ProtocolError): ProtocolError => {
    note({ errorCode: 'NOT_FOUND' });
    return error;
  };

  return {
    async toResult(work) {
      try {
        return await work();
      } catch (error) {
        if (error instanceof ProtocolError) throw notFound(error);
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
        if (error instanceof ProtocolError) throw notFound(error);
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
