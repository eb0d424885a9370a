import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import { connectNeo4j, type Graph, type Patience } from '../../src/neo4j/driver.ts';
import { readCypher } from '../../src/neo4j/read-cypher.ts';
import { startProxy, type TcpProxy, throughPort } from '../support/proxy.ts';

const FIND_VERSION = readCypher('server_find_version');

let proxy: TcpProxy;
const graphs: Graph[] = [];

beforeEach(async () => {
  proxy = await startProxy(Number(new URL(inject('server').neo4j.uri).port));
});

afterEach(async () => {
  for (const graph of graphs.splice(0)) await graph.close();
  await proxy.close();
});

function ask(patience: Patience): Promise<object[]> {
  const { neo4j } = inject('server');
  const uri = throughPort(neo4j.uri, proxy.port);
  const graph = connectNeo4j({ ...neo4j, uri, patience, timeoutMs: 15_000 });
  graphs.push(graph);
  return graph.read(FIND_VERSION, (run) => run(FIND_VERSION, {}));
}

test('a reader gives up a server that takes its time to let anyone in; who carries changes is let in', async () => {
  proxy.hold();
  const carried = ask('CARRIER');

  await expect(ask('READER')).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
  proxy.release();

  expect(await carried).toHaveLength(1);
  expect(await ask('READER')).toHaveLength(1);
});

test('what is running when the connection is closed ends with it, over a network that stands still too', async () => {
  proxy.hold();
  const carried = ask('CARRIER');

  await graphs[0]?.close();

  await expect(carried).rejects.toMatchObject({
    code: 'STORE_UNAVAILABLE',
    cause: { name: 'GraphClosedError' },
  });
});
