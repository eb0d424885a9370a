import { readFile } from 'node:fs/promises';
import { parse, print } from 'graphql';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createToolBox } from '../../src/tools/tool-box.ts';
import { openTestApp, type TestApp } from '../support/app.ts';
import { callTool } from '../support/tools.ts';

const read = (path: string) => readFile(new URL(`../../${path}`, import.meta.url), 'utf8');

let app: TestApp;
let guide: string;
beforeAll(async () => {
  app = await openTestApp();
  guide = await read('docs/agents.md');
  await app.ask(await read('examples/1-load-incident-history.graphql'));
});
afterAll(() => app.close());

test('the guide for agents shows a call and the answer that it gets', async () => {
  const [, call = '', answer] =
    /```json\n(\{ "name".*?)\n```\n\n```\n(.*?)\n```\n/su.exec(guide) ?? [];
  const { name, arguments: args } = JSON.parse(call);

  const { text } = await callTool(app, name.replace('_', '.'), args);

  expect(answer).toBe(text);
});

test('the guide for agents names every tool that models are told of', () => {
  const toolBox = createToolBox({ maxDepth: 4, hintsEnabled: () => false, defaultProject: null });

  const rows = [...guide.matchAll(/^\| `(memory\.\w+)` +\| ([\d.]+) .*`(memory:\w+)` +\|$/gmu)];

  expect(rows.map(([, ...told]) => told).toSorted()).toEqual(
    toolBox.list().map(({ name, version, scope }) => [name, version, scope]),
  );
});

test('the operations of a run in the guide for agents work one after the other', async () => {
  const [, block = ''] = /```graphql\n(mutation Open .*?)```\n/su.exec(guide) ?? [];
  const [open, prepare, ask] = parse(block).definitions.map(print);

  const opened = await app.ask<{ openRun: { run: { id: string } } }>(open ?? '');
  const run = opened.data.openRun.run.id;
  const prepared = await app.ask<{ prepareRecall: { digest: string } }>(prepare ?? '', { run });
  const { digest } = prepared.data.prepareRecall;
  const { data } = await app.ask(ask ?? '', { run, digest });

  expect(data.recall).toMatchObject({
    denseSource: 'PREPARED',
    denseReason: null,
    run: { searchesLeft: 19 },
  });
});
