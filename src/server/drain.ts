import type { Server } from 'node:http';

/** Between two looks for connections that have nothing more to answer; they would stay open to be used again. */
const LOOK_EVERY_MS = 50;

/**
 * Takes no new work and waits until running requests are answered, at most `patienceMs`; then it cuts
 * the connections that are left.
 *
 * @returns whether all were answered in time
 */
export async function drain(server: Server, patienceMs: number): Promise<boolean> {
  let inTime = true;
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  const looking = setInterval(() => server.closeIdleConnections(), LOOK_EVERY_MS);
  const ending = setTimeout(() => {
    inTime = false;
    server.closeAllConnections();
  }, patienceMs);
  try {
    await closed;
  } finally {
    clearInterval(looking);
    clearTimeout(ending);
  }
  return inTime;
}
