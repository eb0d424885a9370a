import { expect } from 'vitest';
import type { TestApp } from './app.ts';
import { callTool } from './tools.ts';

/** A refusal, as the door tells it that adds nothing to it. */
export type Refusal = {
  readonly type: string;
  readonly code: string;
  readonly field: string;
  /** What the message says of the field. */
  readonly told: string;
  /** What both doors add. */
  readonly details?: Readonly<Record<string, unknown>>;
  /** What MCP adds alone; GraphQL has a type of the failure, with fields of its own. */
  readonly more?: Readonly<Record<string, unknown>>;
};

export const invalid = (field: string, expected: string, received: string): Refusal => ({
  type: 'InvalidInput',
  code: 'INVALID_INPUT',
  field,
  told: `expected ${expected}, but got ${received}.`,
  details: { expected, received },
});

export const missing = (field: string, asked: string): Refusal => ({
  type: 'NotFound',
  code: 'NOT_FOUND',
  field,
  told: `expected ${asked}, but found none.`,
  details: {},
  more: { asked },
});

/** As GraphQL answers it, of a value of the input. */
export const toFailure = ({ type, code, field, told, details }: Refusal, place: string) => ({
  __typename: type,
  code,
  message: `${place}.${field}: ${told}`,
  retryable: false,
  field: `${place}.${field}`,
  ...details,
});

/** As MCP answers it, of an argument. */
export const toErrorResult = ({ code, field, told, details, more }: Refusal) => {
  const message = `${field}: ${told}`;
  return {
    isError: true,
    content: [{ type: 'text', text: `${code}: ${message}` }],
    structuredContent: {
      error: { code, message, retryable: false, field, ...details, ...more },
    },
  };
};

/** Asserts the whole of a refused argument, at both doors. */
export async function expectRefused(
  app: TestApp,
  name: string,
  args: unknown,
  refusal: Refusal,
): Promise<void> {
  const answer = await callTool(app, name, args);
  const result = await callOverMcp(app, name, JSON.stringify(args));

  expect(answer).toEqual(toFailure(refusal, 'input.arguments'));
  expect(result).toEqual(toErrorResult(refusal));
}

/** The result of a call over MCP, or its error; arguments as the text that is sent. */
export async function callOverMcp(app: TestApp, name: string, args: string): Promise<unknown> {
  const tool = JSON.stringify(name.replace('.', '_'));
  const params = `{"name":${tool},"arguments":${args}}`;
  const response = await app.fetch(
    new Request('http://causeway/mcp', {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${params}}`,
    }),
  );
  const { result, error } = await response.json();
  return result ?? error;
}
