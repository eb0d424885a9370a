import { type Config, hintsEnabled, readConfig } from '../config.ts';
import { createAccess } from '../memory/access.ts';
import type { Project } from '../memory/page.ts';
import { LOCAL_PRINCIPAL } from '../memory/principal.ts';
import type { Stores } from '../memory/stores.ts';
import { type OpenStores, openStores } from '../open-stores.ts';
import { DataFolderLockedError } from '../postgres/embedded/errors.ts';
import { DEFAULT_LIMITS } from '../server/limits.ts';
import { createLineTransport, type LineTransport } from '../tools/mcp/line-transport.ts';
import { serveMcpOverStdio } from '../tools/mcp/serve-stdio.ts';
import { createToolBox } from '../tools/tool-box.ts';
import { VERSION } from '../version.ts';
import { findOrCreateProject } from './find-or-create-project.ts';
import { createLog, reportTo } from './log.ts';
import { onceAsked } from './once-asked.ts';

/** Most time for the answers that are due once the client is gone, or the end was asked for. */
const DRAIN_MS = 10_000;

/**
 * Opens the store and answers one MCP client over standard input and output, until it goes or a signal
 * comes; what it asked for before is done and answered. Nothing but the protocol is written to standard
 * output.
 */
export async function mcp({ project }: { readonly project?: string }): Promise<void> {
  // First of all, since a client may go while the store opens.
  const transport = createLineTransport({
    input: process.stdin,
    output: process.stdout,
    maxLineBytes: DEFAULT_LIMITS.maxBodyBytes,
    drainMs: DRAIN_MS,
  });
  try {
    await serveOver(transport, project);
  } catch (error) {
    await transport.close();
    throw error;
  }
}

async function serveOver(transport: LineTransport, project: string | undefined): Promise<void> {
  const config = readConfig(process.env);
  const log = createLog(2);
  const { stores, close } = await openStoresOrHint({
    ...config,
    report: (message, error) => log.error({ err: error }, message),
  });
  const home = await findHome(stores, project).catch(async (error: unknown) => {
    await close();
    throw error;
  });
  const reportError = reportTo(log);
  const reporting = { ...stores, reportFailure: (error: unknown) => reportError(null, error) };

  onceAsked(async () => transport.finish());
  serveMcpOverStdio(transport, {
    tools: createToolBox({
      maxDepth: config.maxDepth,
      hintsEnabled: () => hintsEnabled(process.env),
      defaultProject: home?.name ?? null,
    }),
    version: VERSION,
    openAccess: () => createAccess(reporting, LOCAL_PRINCIPAL),
    reportError,
    // A log of each call would fill what clients show of standard error.
    note: () => {},
  });
  await transport.closed;
  try {
    await stores.changes.close();
    await close();
  } catch (error) {
    log.error({ err: error }, 'the store did not close');
    process.exit(1);
  }
  // Work that was given up may hold the process.
  process.exit(0);
}

async function findHome(stores: Stores, project: string | undefined): Promise<Project | null> {
  return project === undefined ? null : findOrCreateProject(stores, project);
}

/** An embedded store has one process; a server that has it answers agents too. */
async function openStoresOrHint(
  options: Config & Parameters<typeof openStores>[0],
): Promise<OpenStores> {
  try {
    return await openStores(options);
  } catch (error) {
    if (error instanceof DataFolderLockedError) {
      process.stderr.write(
        `Where that is \`causeway serve\`, connect the agent to it instead: http://${options.host}:${options.port}/mcp\n`,
      );
    }
    throw error;
  }
}
