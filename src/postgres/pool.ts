import { type ClientBase, Pool, type PoolConfig, TypeOverrides } from 'pg';
import { PREPARE_TENANT } from './tenant-role.ts';

/**
 * Plans are for the average tenant, see `TransactionMode`. Compiling one takes ten milliseconds and more, each
 * time anew: longer than most reads.
 */
const SETTINGS = `set plan_cache_mode = force_generic_plan; set jit = off; ${PREPARE_TENANT}`;

const INT8 = 20;
const INT8_ARRAY = 1016;

/** A pool that reads types as this project does and outlives the loss of an idle connection. */
export function createPool(config: PoolConfig): Pool {
  const types = new TypeOverrides();
  types.setTypeParser(INT8, 'text', toSafeInteger);
  types.setTypeParser(INT8_ARRAY, 'text', toSafeIntegers);

  async function onConnect(client: ClientBase): Promise<void> {
    await client.query({
      text: SETTINGS,
      // The pool's own limit ends with the handshake.
      ...(config.connectionTimeoutMillis && { query_timeout: config.connectionTimeoutMillis }),
    });
    await config.onConnect?.(client);
  }
  const pool = new Pool({ ...config, types, onConnect });
  // The pool has dropped the client already; without a listener the process would end.
  pool.on('error', () => undefined);
  return pool;
}

function toSafeInteger(text: string): number {
  const value = Number(text);
  if (Number.isSafeInteger(value)) return value;
  throw new RangeError(`An int8 must be a safe integer to be read, but is ${text}.`);
}

/** Of an array with one dimension: `{1,2,NULL}`. */
function toSafeIntegers(text: string): (number | null)[] {
  if (text === '{}') return [];
  const items = text.slice(1, -1).split(',');
  return items.map((item) => (item === 'NULL' ? null : toSafeInteger(item)));
}
