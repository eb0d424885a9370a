import { readdirSync, readFileSync } from 'node:fs';

const FOLDER = new URL('../../examples/', import.meta.url);

/** The ready operations of the README, in their order: what GraphiQL opens with. */
export const GRAPHIQL_TABS: { query: string }[] = readdirSync(FOLDER)
  .filter((name) => name.endsWith('.graphql'))
  .sort()
  .map((name) => ({ query: readFileSync(new URL(name, FOLDER), 'utf8') }));
