import type { Answer, Fields } from './app.ts';

/** A running subscription, read event by event. */
export type Subscription = {
  readonly status: number;
  /** The next event; null when the server has completed the stream. */
  readonly next: <Event extends Fields>() => Promise<Answer<Event> | null>;
  /** Goes away without a word, as a client does that is closed. */
  readonly leave: () => Promise<void>;
};

/** Sends a subscription over server-sent events. Resolves when the server has begun to answer. */
export async function subscribe(
  fetch: (request: Request) => Promise<Response>,
  query: string,
  variables: object = {},
  { caller = '', url = 'http://causeway/graphql' } = {},
): Promise<Subscription> {
  const response = await fetch(
    new Request(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'text/event-stream',
        'x-caller': caller,
      },
      body: JSON.stringify({ query, variables }),
    }),
  );
  if (response.body === null) throw new Error('Expected a stream, but got no body.');
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  let buffer = '';

  return {
    status: response.status,
    async next() {
      for (;;) {
        const end = buffer.indexOf('\n\n');
        if (end < 0) {
          const { value, done } = await reader.read();
          if (done) return null;
          buffer += decoder.decode(value, { stream: true });
          continue;
        }
        const block = buffer.slice(0, end);
        buffer = buffer.slice(end + 2);
        if (block.startsWith('event: complete')) return null;
        const data = block.split('\n').find((line) => line.startsWith('data: '));
        if (data !== undefined) return JSON.parse(data.slice('data: '.length));
      }
    },
    leave: () => reader.cancel(),
  };
}
