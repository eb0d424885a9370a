import { z } from 'zod';
import './scalars.ts';
import './errors.ts';
import './viewer.ts';
import './project.ts';
import './projects.ts';
import './page.ts';
import './page-edges.ts';
import './page-history.ts';
import './pages.ts';
import './page-graph.ts';
import './traverse.ts';
import './recall.ts';
import './create-project.ts';
import './write-pages.ts';
import './link-pages.ts';
import './purge-page.ts';
import { builder } from './builder.ts';
import { toComposedSdl } from './composed-sdl.ts';

/** The whole public schema: a Federation 2 subgraph. */
export const schema = builder.toSubGraphSchema({
  linkUrl: 'https://specs.apollo.dev/federation/v2.6',
});

const ServiceSchema = z.object({ sdl: z.string() });

composeWithoutNode();

/** The text that gateways ask for is made once. */
function composeWithoutNode(): void {
  const { _service: service } = schema.getQueryType()?.getFields() ?? {};
  const whole = service?.resolve;
  if (service === undefined || whole === undefined) return;
  let sdl: string | null = null;
  service.resolve = async (...args) => {
    sdl ??= toComposedSdl(ServiceSchema.parse(await whole(...args)).sdl);
    return { sdl };
  };
}
