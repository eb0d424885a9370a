import { z } from 'zod';
import {
  type LanguageModel,
  MAX_ANSWER_BYTES,
  ModelAnswerInvalidError,
  ModelRefusedError,
  type ModelRequest,
  ModelUnavailableError,
} from '../memory/language-model.ts';

export type ModelSettings = {
  /** Address of the API, to which `/chat/completions` is added: `http://127.0.0.1:11434/v1`. */
  readonly url: string;
  /** What the endpoint calls the model. */
  readonly model: string;
  /** Null where the endpoint asks for none. */
  readonly key: string | null;
};

/** A small model on a laptop takes minutes for a long prompt; one that takes longer is stuck. */
const TIMEOUT_MS = 180_000;

/** A list of models needs no model. */
const CHECK_TIMEOUT_MS = 5_000;

/** In bytes as they come: JSON escapes, and what stands around the answer, take some too. */
const MAX_RESPONSE_BYTES = 2 * MAX_ANSWER_BYTES;

/** The endpoint does not understand the request: many take no schema. */
const NOT_UNDERSTOOD = [400, 422];
/** It is the endpoint's own fault, or too much at once: both may pass. */
const PASSING = [408, 425, 429];

const CompletionSchema = z.object({
  choices: z
    .array(
      z.object({
        finish_reason: z.string().nullish(),
        message: z.object({ content: z.string().nullish() }),
      }),
    )
    .min(1),
});

/**
 * A model behind any endpoint that speaks OpenAI's chat completions. The answer is asked for with the
 * schema, and once more without where the endpoint does not understand it. Redirects are not followed:
 * pages and key go to the configured address alone. Neither the key nor what the endpoint says of an
 * error, which may repeat both, is ever shown.
 */
export function createOpenAiCompatible(
  { url, model, key }: ModelSettings,
  { timeoutMs = TIMEOUT_MS }: { readonly timeoutMs?: number } = {},
): LanguageModel {
  const post = ({ system, prompt, schema }: ModelRequest): Promise<Reply> =>
    send(toEndpoint(url, 'chat/completions'), key, timeoutMs, {
      method: 'POST',
      body: JSON.stringify({
        model,
        messages: [
          { role: 'system', content: system },
          { role: 'user', content: prompt },
        ],
        ...(schema && {
          response_format: {
            type: 'json_schema',
            json_schema: { name: 'answer', strict: true, schema },
          },
        }),
      }),
    });

  return {
    async complete(request) {
      const first = await post(request);
      const isRepeated = request.schema !== undefined && NOT_UNDERSTOOD.includes(first.status);
      const { schema: _, ...plain } = request;
      return readCompletion(isRepeated ? await post(plain) : first);
    },
  };
}

/**
 * Whether the endpoint answers and takes the key, without asking a model anything: lists the models.
 * One that has no such list is fine too.
 *
 * @throws {ModelUnavailableError} if it does not answer within 5 s
 * @throws {ModelRefusedError} if it does not take the key
 */
export async function checkEndpoint({ url, key }: ModelSettings): Promise<void> {
  const { status } = await send(toEndpoint(url, 'models'), key, CHECK_TIMEOUT_MS, {});
  const error = toStatusError(status);
  if (error instanceof ModelUnavailableError || [401, 403].includes(status)) throw error;
}

/** Keeps a query, which some hosts want for their version. */
function toEndpoint(base: string, name: string): URL {
  const url = new URL(base);
  url.pathname = `${url.pathname.replace(/\/+$/u, '')}/${name}`;
  return url;
}

type Reply = { readonly status: number; readonly body: string };

async function send(
  url: URL,
  key: string | null,
  timeoutMs: number,
  request: RequestInit,
): Promise<Reply> {
  const signal = AbortSignal.timeout(timeoutMs);
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json',
    ...(key !== null && { authorization: `Bearer ${key}` }),
  };
  try {
    const response = await fetch(url, { ...request, headers, redirect: 'manual', signal });
    if (response.status === 200) return { status: 200, body: await readBounded(response) };
    await response.body?.cancel();
    return { status: response.status, body: '' };
  } catch (error) {
    if (error instanceof ModelAnswerInvalidError) throw error;
    const came = signal.aborted ? `none within ${timeoutMs / 1_000} s` : reasonOf(error);
    throw new ModelUnavailableError(came, error);
  }
}

/** @throws {ModelAnswerInvalidError} once more came than an answer may have; the rest is not read */
async function readBounded(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > MAX_RESPONSE_BYTES) {
      throw new ModelAnswerInvalidError(`at most ${MAX_RESPONSE_BYTES} bytes`, 'more');
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function readCompletion({ status, body }: Reply): string {
  if (status !== 200) throw toStatusError(status);
  const parsed = CompletionSchema.safeParse(parseJson(body));
  const choice = parsed.data?.choices[0];
  if (choice === undefined) {
    throw new ModelAnswerInvalidError('a chat completion', 'something else');
  }
  if (choice.finish_reason === 'length') {
    throw new ModelAnswerInvalidError('a whole answer', 'one that ends at its limit of tokens');
  }
  const { content } = choice.message;
  if (content == null || content === '') {
    throw new ModelAnswerInvalidError('an answer in text', 'none');
  }
  return content;
}

function toStatusError(status: number): ModelUnavailableError | ModelRefusedError {
  const came = `status ${status}`;
  if (status >= 500 || PASSING.includes(status)) return new ModelUnavailableError(came);
  if (status === 401 || status === 403) {
    return new ModelRefusedError(came, 'Look at CAUSEWAY_MODEL_KEY.');
  }
  if (NOT_UNDERSTOOD.includes(status) || status === 413) {
    return new ModelRefusedError(came, 'The model may have too small a context, or another name.');
  }
  return new ModelRefusedError(came, 'Look at CAUSEWAY_MODEL_URL and CAUSEWAY_MODEL.');
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** `fetch` wraps what went wrong; its code names no address. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : null;
  const isCoded = cause instanceof Error && 'code' in cause && typeof cause.code === 'string';
  return isCoded ? `no connection (${cause.code})` : 'no connection';
}
