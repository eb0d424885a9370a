import { afterAll, beforeAll, expect, test } from 'vitest';
import { LOCAL_PRINCIPAL, type Principal } from '../../src/memory/principal.ts';
import { openTestApp, type TestApp } from '../support/app.ts';
import { seedPages, seedProject } from '../support/seed.ts';

let app: TestApp;

beforeAll(async () => {
  app = await openTestApp();
  const project = await seedProject(app.stores, 'notes');
  await seedPages(app.stores, project, {
    'standing/deploy': { title: 'How do we deploy?', body: 'With the script.' },
    rule: { title: 'No deploys on Friday', body: 'Never.', kind: 'RULE' },
    bug: { title: 'Uploads fail', body: 'Above 2 GB.', kind: 'PROBLEM' },
    claim: { title: 'It is the proxy', body: 'Its limit is 2 GB.' },
    doubt: { title: 'It is the disk', body: '- contradicts [[claim]]' },
  });
});
afterAll(() => app.close());

const STRANGER: Principal = { ...LOCAL_PRINCIPAL, name: 'stranger', projects: [] };

const BRIEFING = `query ($project: String!, $settledFirst: Boolean, $tokenBudget: Int) {
  briefing(project: $project, settledFirst: $settledFirst, tokenBudget: $tokenBudget) {
    text tokens truncated
    sections { kind items {
      reason text isCut page { path } contradiction { resolution from { path } to { path } }
    } }
  }
}`;

type Told = {
  readonly text: string;
  readonly tokens: number;
  readonly truncated: boolean;
  readonly sections: readonly {
    readonly kind: string;
    readonly items: readonly {
      readonly page: { readonly path: string };
      readonly contradiction: unknown;
    }[];
  }[];
};

const brief = async (variables: object = {}, as?: Principal) => {
  const { data, errors } = await app.ask<{ briefing: Told }>(
    BRIEFING,
    { project: 'notes', ...variables },
    as,
  );
  if (errors !== undefined) throw new Error(JSON.stringify(errors));
  return data.briefing;
};

test('is one text ready for a prompt, and the same in parts with the pages', async () => {
  const { text, sections, tokens } = await brief({ settledFirst: true });

  expect(text).toBe(`# Briefing: notes

## Settled
- No deploys on Friday [rule] (RULE, confidence 0.00 from 0 sessions): Never.

## Standing answers
- How do we deploy? [standing/deploy]: With the script.

## Open problems
- Uploads fail [bug]: Above 2 GB.

## Unresolved contradictions
- It is the proxy [claim] (disputed by "doubt" (It is the disk)): Its limit is 2 GB.
`);
  expect(tokens).toBe(Math.ceil(Buffer.byteLength(text) / 4));
  expect(sections.map(({ kind, items }) => [kind, items[0]?.page.path])).toEqual([
    ['SETTLED', 'rule'],
    ['STANDING_ANSWERS', 'standing/deploy'],
    ['OPEN_PROBLEMS', 'bug'],
    ['UNRESOLVED_CONTRADICTIONS', 'claim'],
  ]);
  expect(sections[3]?.items[0]?.contradiction).toEqual({
    ...{ resolution: 'UNRESOLVED', from: { path: 'doubt' }, to: { path: 'claim' } },
  });
});

test('leaves what is settled out unless asked, and keeps within the budget', async () => {
  const whole = await brief();
  const small = await brief({ tokenBudget: 30 });

  expect(whole.text).not.toContain('Settled');
  expect(whole.truncated).toBe(false);
  expect(small.truncated).toBe(true);
  expect(small.tokens).toBeLessThanOrEqual(30);
  expect(small.sections).toHaveLength(1);
});

test('a project that is not there, or not for the caller, is null', async () => {
  expect(await brief({ project: 'nowhere' })).toBeNull();
  expect(await brief({}, STRANGER)).toBeNull();
});

test.each([
  [0, 'INVALID_INPUT'],
  [32_001, 'LIMIT_EXCEEDED'],
])('refuses a budget of %d', async (tokenBudget, code) => {
  const { errors } = await app.ask(BRIEFING, { project: 'notes', tokenBudget });

  expect(errors?.[0]?.extensions).toMatchObject({ code, field: 'tokenBudget' });
});
