import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest';
import { StoreUnavailableError } from '../../src/memory/errors.ts';
import { connectNeo4j } from '../../src/neo4j/driver.ts';
import { readCypher } from '../../src/neo4j/read-cypher.ts';
import { connectPostgres } from '../../src/postgres/connect.ts';
import { throughPort } from '../support/proxy.ts';
import { type LocalServer, type Neo4jAccess, startNeo4j } from '../support/services.ts';
import { startTlsFront, type TlsFront } from '../support/tls-front.ts';

const run = promisify(execFile);
const FIND_VERSION = readCypher('server_find_version');
const NOTE = readCypher('migration_note');
/** A server that has just started takes seconds for its first answer. */
const COLD_MS = 30_000;

let folder: string;
let certificate: string;
let front: TlsFront;
let neo4j: LocalServer & Neo4jAccess;
const warnings: string[] = [];
const onWarning = ({ message }: Error) => warnings.push(message);

beforeAll(async () => {
  process.on('warning', onWarning);
  folder = await mkdtemp(join(tmpdir(), 'causeway-tls-'));
  certificate = join(folder, 'server.crt');
  const key = join(folder, 'server.key');
  // Its own authority, and of one name: not of 127.0.0.1.
  await run('openssl', [
    ...['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=localhost'],
    ...['-addext', 'subjectAltName=DNS:localhost', '-keyout', key, '-out', certificate],
  ]);
  const port = Number(new URL(inject('server').databaseUrl).port);
  front = await startTlsFront(port, {
    key: await readFile(key),
    cert: await readFile(certificate),
  });
  vi.stubEnv('NEO4J_TLS', '1');
  neo4j = await startNeo4j();
  vi.unstubAllEnvs();
});

afterAll(async () => {
  process.off('warning', onWarning);
  await front.close();
  await neo4j.remove();
  await rm(folder, { recursive: true, force: true });
});

/** Whether the connection was encrypted; else the code, or the message, of what came in its place. */
async function askPostgres(
  url: string,
  options: Record<string, string>,
): Promise<boolean | string> {
  const address = new URL(url);
  for (const [name, value] of Object.entries({ host: 'localhost', ...options })) {
    if (name === 'host') address.hostname = value;
    else address.searchParams.set(name, value);
  }
  const before = front.seen.encrypted;
  const database = connectPostgres({ url: address.href, maxConnections: 1 });
  try {
    await database.query({ text: 'select 1' });
    return front.seen.encrypted > before;
  } catch (error) {
    return toReason(error);
  } finally {
    await database.close();
  }
}

function toReason(error: unknown): string {
  if (!(error instanceof StoreUnavailableError)) throw error;
  const { cause } = error;
  if (!(cause instanceof Error)) throw error;
  return 'code' in cause ? String(cause.code) : cause.message;
}

test('asks Postgres for TLS as sslmode says, and takes no certificate that is not known', async () => {
  const known = { sslrootcert: certificate };
  const ask = (options: Record<string, string>) =>
    askPostgres(throughPort(inject('server').databaseUrl, front.port), options);

  expect(await ask({})).toBe(false);
  expect(await ask({ sslmode: 'disable' })).toBe(false);
  expect(await ask({ sslmode: 'no-verify' })).toBe(true);
  for (const sslmode of ['prefer', 'require', 'verify-ca', 'verify-full']) {
    expect(await ask({ sslmode, ...known })).toBe(true);
    expect(await ask({ sslmode })).toBe('DEPTH_ZERO_SELF_SIGNED_CERT');
    expect(await ask({ sslmode, ...known, host: '127.0.0.1' })).toBe(
      'ERR_TLS_CERT_ALTNAME_INVALID',
    );
  }
  expect(await ask({ sslmode: 'require', sslrootcert: `${certificate}.gone` })).toBe('ENOENT');
  expect(warnings).toEqual([]);
});

test('never goes on without TLS where it was asked for', async () => {
  const { databaseUrl } = inject('server');
  for (const sslmode of ['prefer', 'require', 'no-verify']) {
    expect(await askPostgres(databaseUrl, { sslmode, host: '127.0.0.1' })).toBe(
      'The server does not support SSL connections',
    );
  }
});

/** The version of the server, after a write; else the code of what came in its place. */
async function askNeo4j(access: Neo4jAccess, scheme: string): Promise<string> {
  const { host } = new URL(access.uri);
  const graph = connectNeo4j({ ...access, uri: `${scheme}://${host}`, timeoutMs: COLD_MS });
  try {
    await graph.write({ name: NOTE.name, text: 'CREATE (p:Ping) DELETE p' }, (each) =>
      each({ name: NOTE.name, text: 'CREATE (p:Ping) DELETE p' }, {}),
    );
    const [row] = await graph.read(FIND_VERSION, (each) =>
      each<{ version: string }>(FIND_VERSION, {}),
    );
    return row?.version ?? 'no row';
  } catch (error) {
    return toReason(error);
  } finally {
    await graph.close();
  }
}

test('asks Neo4j for TLS as its address says, directly and by routing', async () => {
  const version = expect.stringMatching(/^\d+\.\d+/u);

  expect(await askNeo4j(neo4j, 'bolt+ssc')).toEqual(version);
  expect(await askNeo4j(neo4j, 'neo4j+ssc')).toEqual(version);
  expect(await askNeo4j(neo4j, 'bolt+s')).toBe('ServiceUnavailable');
  expect(await askNeo4j(neo4j, 'neo4j+s')).toBe('ServiceUnavailable');
  expect(await askNeo4j(neo4j, 'bolt')).toBe('ServiceUnavailable');
});

test('reads and writes by routing, and never goes on without TLS where it was asked for', async () => {
  const plain = inject('server').neo4j;

  expect(await askNeo4j(plain, 'neo4j')).toMatch(/^\d+\.\d+/u);
  for (const scheme of ['bolt+s', 'bolt+ssc', 'neo4j+s', 'neo4j+ssc']) {
    expect(await askNeo4j(plain, scheme)).toBe('ServiceUnavailable');
  }
});
