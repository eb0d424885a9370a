import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  resolve: {
    // Two builds of graphql in one process would break `instanceof GraphQLError`.
    alias: {
      graphql: fileURLToPath(new URL('./node_modules/graphql/index.js', import.meta.url)),
    },
  },
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    reporters: ['default', './test/support/closing-line.ts'],
    testTimeout: 15_000,
    hookTimeout: 60_000,
    server: { deps: { inline: [/pothos/, /graphql/, /yoga/] } },
  },
});
