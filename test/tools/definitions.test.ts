import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { expect, test } from 'vitest';
import type { JsonValue } from '../../src/memory/attributes.ts';
import { createToolBox } from '../../src/tools/tool-box.ts';

const settings = { hintsEnabled: () => false, defaultProject: null };
const toolBox = createToolBox({ ...settings, maxDepth: 4 });
const tools = toolBox.list({ includeUnadvertised: true });
const advertised = toolBox.list();

/** As a client hands them to a model. */
const tokensOf = ({ name, description, inputSchema }: (typeof tools)[number]): number =>
  encode(JSON.stringify({ name, description, inputSchema })).length;

test('models are told of these tools and of no other', () => {
  const names = tools.map(({ name, version, isAdvertised }) => [
    `${name}@${version}`,
    isAdvertised,
  ]);

  expect(names).toEqual([
    ['memory.briefing@1.0.0', true],
    ['memory.link@1.0.0', true],
    ['memory.page@1.0.0', true],
    ['memory.search@2.0.0', true],
    ['memory.search@1.1.0', false],
    ['memory.traverse@1.0.0', true],
    ['memory.write@1.0.0', true],
  ]);
});

test('what models are told fits into 1,600 tokens, and the search into 380', () => {
  const all = advertised.reduce((sum, tool) => sum + tokensOf(tool), 0);
  const search = advertised.find(({ name }) => name === 'memory.search');

  expect(all).toBeLessThanOrEqual(1_600);
  expect(search && tokensOf(search)).toBeLessThanOrEqual(380);
});

test.each(tools)('$name@$version takes nothing that it does not name, and shows a call', (tool) => {
  const { inputSchema, description } = tool;

  expect(objectsIn(inputSchema).filter((each) => each.additionalProperties !== false)).toEqual([]);
  expect(inputSchema.examples).toHaveLength(1);
  expect(description).not.toBe('');
});

test('models are told how far a walk may go on this server, and no further', () => {
  const deep = createToolBox({ ...settings, maxDepth: 8 }).find('memory.traverse', null);
  const shallow = createToolBox({ ...settings, maxDepth: 1 }).find('memory.traverse', null);

  expect(deep.inputSchema.properties).toMatchObject({
    depth: { maximum: 8, description: 'Hops; 2 when left out.' },
  });
  expect(shallow.inputSchema.properties).toMatchObject({
    depth: { maximum: 1, description: 'Hops; 1 when left out.' },
  });
});

test('an argument that several tools take is told in the same words', () => {
  const told = new Map<string, Set<string>>();
  for (const { inputSchema } of tools) {
    for (const [name, schema] of Object.entries(inputSchema.properties ?? {})) {
      if (!['as_of', 'project', 'subjects', 'query', 'projects'].includes(name)) continue;
      told.set(name, (told.get(name) ?? new Set()).add(JSON.stringify(schema)));
    }
  }

  expect([...told.values()].map(({ size }) => size)).toEqual([1, 1, 1, 1, 1]);
});

/** Every schema of an object whose properties are named. */
function objectsIn(schema: JsonValue): { readonly [key: string]: JsonValue }[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const inner = Object.entries(schema).flatMap(([name, value]) =>
    name === 'examples' ? [] : objectsIn(value),
  );
  return 'properties' in schema && !Array.isArray(schema) && 'type' in schema
    ? [schema as { readonly [key: string]: JsonValue }, ...inner]
    : inner;
}
