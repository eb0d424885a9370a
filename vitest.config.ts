import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/** Suites that a store of either profile must pass: they run once on each. */
const CONTRACT = [
  'test/postgres/**/*.test.ts',
  'test/memory/**/*.test.ts',
  'test/api/**/*.test.ts',
];

/** Of these, what asks nothing of a store, or is about the embedded one. */
const EMBEDDED_ONLY = [
  'test/postgres/embedded.test.ts',
  'test/postgres/stem-english.test.ts',
  'test/postgres/tsvector.test.ts',
  'test/postgres/wand-query.test.ts',
  'test/postgres/catalogue.test.ts',
  'test/api/graphql-http.test.ts',
  'test/api/cross-site.test.ts',
  'test/api/limits.test.ts',
];

/** Suites that need both services. */
const SERVER_ONLY = ['test/neo4j/**/*.test.ts', 'test/faults/**/*.test.ts'];

/** Suites that open no store would do the same thing twice. */
function pureSuites(): string[] {
  const root = fileURLToPath(new URL('.', import.meta.url));
  return globSync(CONTRACT, { cwd: root }).filter(
    (file) => !/openTest(?:Database|App)/u.test(readFileSync(`${root}${file}`, 'utf8')),
  );
}

const isEmbeddedAlone = process.env.TEST_PROFILE === 'embedded';

export default defineConfig({
  resolve: {
    // Two builds of graphql in one process would break `instanceof GraphQLError`.
    alias: {
      graphql: fileURLToPath(new URL('./node_modules/graphql/index.js', import.meta.url)),
    },
  },
  test: {
    reporters: ['default', './test/support/closing-line.ts'],
    // Two busy cores slow a test down five times and more; one that hangs is told all the same.
    testTimeout: 45_000,
    hookTimeout: 180_000,
    server: { deps: { inline: [/pothos/, /graphql/, /yoga/] } },
    projects: [
      {
        extends: true,
        test: {
          name: 'embedded',
          include: ['test/**/*.test.ts'],
          exclude: SERVER_ONLY,
          globalSetup: ['test/support/embedded-setup.ts'],
          provide: { profile: 'embedded' },
        },
      },
      ...(isEmbeddedAlone
        ? []
        : [
            {
              extends: true as const,
              test: {
                name: 'server',
                include: [...CONTRACT, ...SERVER_ONLY],
                exclude: [...EMBEDDED_ONLY, ...pureSuites()],
                globalSetup: ['test/support/server-setup.ts'],
                provide: { profile: 'server' as const },
              },
            },
          ]),
    ],
  },
});
