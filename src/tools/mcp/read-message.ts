import {
  type JSONRPCMessage,
  ProtocolErrorCode,
  parseJSONRPCMessage,
  type RequestId,
} from '@modelcontextprotocol/server';

/** A message, or the answer to what is none. */
export type ReadMessage =
  | { readonly kind: 'MESSAGE'; readonly message: JSONRPCMessage }
  | { readonly kind: 'REFUSED'; readonly answer: Refusal };

/** An error of JSON-RPC. Its id is null where nobody knows what asked. */
export type Refusal = {
  readonly jsonrpc: '2.0';
  readonly id: RequestId | null;
  readonly error: { readonly code: number; readonly message: string };
};

/** The message of one line; null for a blank one. */
export function readMessage(line: Buffer): ReadMessage | null {
  // Some programs put a mark before UTF-8, which the decoder takes away.
  const text = new TextDecoder().decode(line).trim();
  if (text === '') return null;
  const value = parseJson(text);
  if (value === undefined) return refuse(ProtocolErrorCode.ParseError, 'Expected a line of JSON.');
  try {
    return { kind: 'MESSAGE', message: parseJSONRPCMessage(value) };
  } catch {
    const expected = 'Expected one message of JSON-RPC 2.0.';
    return refuse(ProtocolErrorCode.InvalidRequest, expected, idOf(value));
  }
}

export function refuse(code: number, message: string, id: RequestId | null = null): ReadMessage {
  return { kind: 'REFUSED', answer: { jsonrpc: '2.0', id, error: { code, message } } };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Of what was meant as a request. That of an answer counts the requests of this side. */
function idOf(value: unknown): RequestId | null {
  if (typeof value !== 'object' || value === null || !('id' in value)) return null;
  if ('result' in value || 'error' in value) return null;
  const { id } = value;
  if (typeof id === 'string') return id;
  return typeof id === 'number' && Number.isInteger(id) ? id : null;
}
