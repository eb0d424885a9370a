import { serverAudits } from 'graphql-http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApp, type TestApp } from '../support/app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

const audits = serverAudits({
  url: 'http://causeway/graphql',
  fetchFn: (input: string, init: RequestInit) => app.fetch(new Request(input, init)),
});

test('has the 61 audits of GraphQL over HTTP', () => {
  expect(audits).toHaveLength(61);
});

for (const audit of audits) {
  test(`${audit.id}: ${audit.name}`, async () => {
    const result = await audit.fn();

    expect(result).toMatchObject({ status: 'ok' });
  });
}
