import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { expect, test } from 'vitest';

/** Which folders of src a folder may import, beside itself. Files at the root of src wire everything. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  memory: [],
  schema: ['memory'],
  tools: ['memory'],
  server: ['memory', 'schema'],
  postgres: ['memory'],
  embedding: ['memory'],
  models: ['memory'],
  importing: ['memory'],
};

/** Drivers and libraries that stay in one folder. */
const OWNED_PACKAGES: Readonly<Record<string, readonly string[]>> = {
  pg: ['postgres'],
  '@electric-sql/pglite': ['postgres'],
  graphql: ['schema', 'server', 'cli'],
  'graphql-yoga': ['server', 'app.ts'],
  '@pothos/core': ['schema'],
  jose: ['server'],
  commander: ['cli'],
  '@modelcontextprotocol/server': ['tools'],
  '@modelcontextprotocol/server/stdio': ['tools'],
};

const files = globSync('src/**/*.ts').map((file) => normalize(file));

test('finds the source', () => {
  expect(files.length).toBeGreaterThan(40);
});

test('keeps every folder to what it may import', () => {
  const strays = imports().filter(({ from, to }) => {
    const allowed = MAY_IMPORT[roomOf(from)];
    return to.startsWith('src/') && allowed && ![roomOf(from), ...allowed].includes(roomOf(to));
  });

  expect(strays).toEqual([]);
});

test('keeps each driver in its folder', () => {
  const strays = imports().filter(({ from, to }) => {
    const owners = OWNED_PACKAGES[to];
    return owners !== undefined && !owners.includes(roomOf(from));
  });

  expect(strays).toEqual([]);
});

test('has no folder that is named for nothing', () => {
  const names = /\b(utils?|helpers?|common|lib|types|interfaces|misc|shared)\b/u;

  expect(files.filter((file) => names.test(file))).toEqual([]);
});

test('has no file with a second idea: none is past 250 lines', () => {
  const long = files.filter((file) => readFileSync(file, 'utf8').split('\n').length > 250);

  expect(long).toEqual([]);
});

function roomOf(file: string): string {
  return file.split('/')[1] ?? '';
}

function imports(): { from: string; to: string }[] {
  return files.flatMap((from) => {
    const text = readFileSync(from, 'utf8');
    const specifiers = [...text.matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/gu)];
    return specifiers.map(([, specifier = '']) => ({
      from,
      to: specifier.startsWith('.') ? join(dirname(from), specifier) : specifier,
    }));
  });
}
