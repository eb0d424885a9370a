import { EmbedderMismatchError } from '../memory/errors.ts';
import type { Embedder } from '../memory/stores.ts';
import type { Connection } from './connect.ts';

type Encoder = Pick<Embedder, 'model' | 'dimensions'>;

/**
 * Refuses an embedder whose vectors can't be compared with those of the store. The first one is
 * written down.
 *
 * @throws {EmbedderMismatchError} naming both, and the command that makes all vectors anew
 */
export async function requireEmbedder(
  connection: Connection,
  { model, dimensions }: Encoder,
): Promise<void> {
  const [kept] = await connection.query<Encoder>({
    name: 'embedder_keep_first',
    text: `
      with made as (
        insert into embedder (model, dimensions) values ($1, $2)
        on conflict do nothing returning model, dimensions
      )
      select model, dimensions from made
      union all select model, dimensions from embedder limit 1
    `,
    values: [model, dimensions],
  });
  // Another process wrote its own at the same moment.
  if (kept === undefined) return requireEmbedder(connection, { model, dimensions });
  if (kept.model !== model || kept.dimensions !== dimensions) {
    throw new EmbedderMismatchError(toText(kept), toText({ model, dimensions }));
  }
}

/** To be called once every vector is of this embedder. */
export async function noteEmbedder(
  connection: Connection,
  { model, dimensions }: Encoder,
): Promise<void> {
  await connection.query({
    name: 'embedder_note',
    text: `
      insert into embedder (model, dimensions) values ($1, $2)
      on conflict (is_only) do update set model = excluded.model, dimensions = excluded.dimensions
    `,
    values: [model, dimensions],
  });
}

function toText({ model, dimensions }: Encoder): string {
  return `${model} with ${dimensions} dimensions`;
}
