import { expect } from 'vitest';
import type { Principal } from '../../src/memory/principal.ts';
import type { TestApp } from './app.ts';

/** An incident, what caused it, what fixed it and what disputes that, in the project `ops`; and one page in `lab`. */
const PAGES = [
  {
    path: 'incidents/checkout',
    title: 'Checkout timed out',
    kind: 'PROBLEM',
    body: 'Payments hung for 40 minutes. See [[causes/pool]].',
    tags: ['sev1'],
  },
  {
    path: 'causes/pool',
    title: 'Connection pool was exhausted',
    kind: 'FACT',
    body: 'Ten connections for 400 workers.\n\n- causes [[incidents/checkout]]',
  },
  {
    path: 'causes/deploy',
    title: 'Deploy doubled the workers',
    kind: 'EVENT',
    body: '- causes [[causes/pool]]',
  },
  {
    path: 'fixes/pool-size',
    title: 'Pool of 50 ends checkout timeouts',
    kind: 'FIX',
    body: '- fixes [[incidents/checkout]]',
  },
  {
    path: 'notes/doubt',
    title: 'The pool was never full',
    body: 'Metrics say otherwise.\n\n- contradicts [[causes/pool]]',
  },
  { path: 'notes/lunch', title: 'Lunch menu', body: 'Soup on Mondays.' },
];

export async function seedOps(app: Pick<TestApp, 'ask'>): Promise<void> {
  for (const name of ['ops', 'lab']) {
    await app.ask(`mutation { createProject(input: { name: "${name}" }) { __typename } }`);
  }
  const write = `mutation ($input: WritePagesInput!) { writePages(input: $input) { __typename } }`;
  const pages = PAGES;
  const { data } = await app.ask<{ writePages: { __typename: string } }>(write, {
    input: { project: 'ops', pages },
  });
  expect(data.writePages.__typename).toBe('WritePagesSuccess');
  await app.ask(write, {
    input: { project: 'lab', pages: [{ path: 'trial', title: 'A trial of checkout' }] },
  });
}

const CALL = `mutation Call($input: CallToolInput!) { callTool(input: $input) {
  __typename
  ... on CallToolSuccess { name version result text }
  ... on Failure { code message retryable }
  ... on InvalidInput { field expected received }
  ... on NotFound { field }
  ... on LimitExceeded { field limit received }
  ... on VersionConflict { path expectedVersion currentVersion }
} }`;

/** An answer of any tool, as far as tests read it. */
export type ToolCall = {
  readonly __typename: string;
  readonly message?: string;
  readonly version: string;
  readonly text: string;
  readonly result: {
    readonly title: string;
    readonly body: string;
    readonly from: string;
    readonly hits: readonly { readonly page: string }[];
    readonly edges: readonly string[];
    readonly reached: readonly object[];
    readonly notes?: readonly string[];
  };
};

/** Calls a tool over GraphQL as a principal; the local one when left out. */
export async function callTool(
  app: TestApp,
  name: string,
  args: unknown,
  { version = null, as }: { version?: string | null; as?: Principal } = {},
): Promise<ToolCall> {
  const input = { name, version, arguments: args };
  const { data, errors } = await app.ask<{ callTool: ToolCall }>(CALL, { input }, as);
  expect(errors).toBeUndefined();
  return data.callTool;
}
