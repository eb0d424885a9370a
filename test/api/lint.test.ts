import { parse, validate } from 'graphql';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { LOCAL_PRINCIPAL, type Principal } from '../../src/memory/principal.ts';
import { schema } from '../../src/schema/index.ts';
import { openTestApp, type TestApp } from '../support/app.ts';
import { seedEdges, seedPages, seedProject } from '../support/seed.ts';

let app: TestApp;

beforeAll(async () => {
  app = await openTestApp();
  const project = await seedProject(app.stores, 'notes');
  const ids = await seedPages(app.stores, project, {
    claim: '',
    doubt: '- contradicts [[claim]]',
    old: '',
    'new/a': '- supersedes [[old]]',
    'new/b': '- supersedes [[old]]',
    bug: { body: '', archived: true },
    workaround: 'See [[missing]].',
    secret: { body: '- contradicts [[claim]]', sensitivity: 'RESTRICTED' },
  });
  await seedEdges(app.stores, [[ids.workaround, 'FIXES', ids.bug]]);
});
afterAll(() => app.close());

const PLAIN: Principal = { ...LOCAL_PRINCIPAL, name: 'plain', clearance: 'INTERNAL' };
const STRANGER: Principal = { ...LOCAL_PRINCIPAL, name: 'stranger', projects: [] };

const LINT = `query ($project: String!, $rules: [LintRule!], $first: Int, $after: String) {
  lint(project: $project, rules: $rules, first: $first, after: $after) {
    edges { cursor node { rule severity message pageCount pages { path } mend { text mutation variables } } }
    pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
  }
}`;

type Told = {
  readonly edges: readonly {
    readonly cursor: string;
    readonly node: {
      readonly rule: string;
      readonly mend: { readonly mutation: string | null; readonly variables: object | null };
    };
  }[];
  readonly pageInfo: { readonly endCursor: string | null };
};

async function lint(variables: object = {}, as?: Principal) {
  const asked = { project: 'notes', ...variables };
  const { data, errors } = await app.ask<{ lint: Told }>(LINT, asked, as);
  if (errors !== undefined) throw new Error(JSON.stringify(errors));
  return data.lint;
}

test('lists findings with their pages, and goes on from a cursor', async () => {
  const whole = await lint({ first: 200 });

  const first = await lint({ first: 2 });
  const rest = await lint({ first: 200, after: first.pageInfo.endCursor });

  expect(first.pageInfo).toMatchObject({ hasNextPage: true, hasPreviousPage: false });
  expect(rest.pageInfo).toMatchObject({ hasNextPage: false, hasPreviousPage: true });
  expect([...first.edges, ...rest.edges]).toEqual(whole.edges);
  expect(whole.edges.map(({ node }) => node.rule)).toEqual([
    'UNRESOLVED_CONTRADICTION',
    'UNRESOLVED_CONTRADICTION',
    'RIVAL_SUCCESSORS',
    'DANGLING_LINK',
    'FIX_WITHOUT_PROBLEM',
  ]);
  expect(whole.edges[2]?.node).toMatchObject({
    severity: 'WARNING',
    pageCount: 3,
    pages: [{ path: 'old' }, { path: 'new/a' }, { path: 'new/b' }],
  });
});

test('offers mutations of this schema, which mend what they were offered for', async () => {
  const { edges } = await lint({ first: 200 });
  const offered = edges.flatMap(({ node: { rule, mend } }) =>
    mend.mutation === null ? [] : [{ rule, mutation: mend.mutation, variables: mend.variables }],
  );
  expect(offered).toHaveLength(5);

  const decided: Readonly<Record<string, object>> = {
    UNRESOLVED_CONTRADICTION: { outcome: 'UPHELD' },
    DANGLING_LINK: { title: 'It came' },
  };
  for (const { rule, mutation, variables } of offered) {
    expect(validate(schema, parse(mutation))).toEqual([]);
    const { data, errors } = await app.ask(mutation, { ...variables, ...decided[rule] });
    expect(errors).toBeUndefined();
    expect(JSON.stringify(data)).toContain('Success');
  }

  expect((await lint({ first: 200 })).edges).toEqual([]);
});

test('a caller is told of nothing that they may not see, neither named nor counted', async () => {
  const project = await app.stores.projects.list('local', ['notes']);
  const [notes] = project;
  if (notes === undefined) throw new Error('Expected the project.');
  await seedPages(app.stores, notes, {
    fact: '',
    hidden: { title: 'fact', body: '- contradicts [[fact]]', sensitivity: 'RESTRICTED' },
  });

  const seen = await lint({ first: 200 });
  const seenByPlain = await lint({ first: 200 }, PLAIN);

  expect(JSON.stringify(seen)).toContain('"hidden\\"');
  expect(JSON.stringify(seenByPlain)).not.toContain('hidden');
  expect(seenByPlain.edges.map(({ node }) => node.rule)).toEqual(['ORPHAN_PAGE']);
});

test('a project that is not there, or not for the caller, is null', async () => {
  expect(await lint({ project: 'nowhere' })).toBeNull();
  expect(await lint({}, STRANGER)).toBeNull();
});

test('refuses more than it lists, and a cursor of another list, each by name', async () => {
  const ask = (variables: object) => app.ask(LINT, { project: 'notes', ...variables });

  expect((await ask({ first: 201 })).errors?.[0]?.extensions.code).toBe('LIMIT_EXCEEDED');
  expect((await ask({ first: 0 })).errors?.[0]?.extensions).toMatchObject({
    ...{ code: 'INVALID_INPUT', field: 'first' },
  });
  expect((await ask({ after: 'x' })).errors?.[0]?.extensions).toMatchObject({
    ...{ code: 'INVALID_INPUT', field: 'after' },
  });
});
