import './scalars.ts';
import './errors.ts';
import './model-errors.ts';
import './run-errors.ts';
import './viewer.ts';
import './project.ts';
import './projects.ts';
import './page.ts';
import './session.ts';
import './evidence.ts';
import './person.ts';
import './nodes.ts';
import './entities.ts';
import './page-edges.ts';
import './page-history.ts';
import './pages.ts';
import './page-graph.ts';
import './traverse.ts';
import './recall.ts';
import './lint.ts';
import './briefing.ts';
import './status.ts';
import './create-project.ts';
import './write-pages.ts';
import './write-page.ts';
import './link-pages.ts';
import './resolve-contradiction.ts';
import './purge-page.ts';
import './write-sessions.ts';
import './give-feedback.ts';
import './write-runs.ts';
import './reflect.ts';
import './put-person.ts';
import './tools.ts';
import './call-tool.ts';
import './subscriptions.ts';
import { builder } from './builder.ts';

/** The whole public schema: a Federation 2 subgraph. */
export const schema = builder.toSubGraphSchema({
  linkUrl: 'https://specs.apollo.dev/federation/v2.6',
});
