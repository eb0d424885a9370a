import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, constants } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** The Chromium of this machine, by `CHROME_BIN` or by name; null when it has none. */
export const BROWSER: string | null = findBrowser();

export type Tab = {
  /** Runs an expression in the page and gives back its value. */
  readonly run: (expression: string) => Promise<unknown>;
  /** Waits until an expression is true. */
  readonly until: (expression: string) => Promise<void>;
  /** Presses and releases the mouse, as a hand does: over what lies there at either moment. */
  readonly click: (at: { readonly x: number; readonly y: number }) => Promise<void>;
  readonly close: () => Promise<void>;
};

/** Opens a page in a browser without a window, spoken to over its debugging protocol. */
export async function openTab(program: string, url: string): Promise<Tab> {
  const folder = await mkdtemp(join(tmpdir(), 'causeway-browser-'));
  const child = spawn(
    program,
    [
      ...['--headless=new', '--no-sandbox', '--disable-gpu', '--no-first-run'],
      ...['--remote-debugging-port=0', `--user-data-dir=${folder}`, '--window-size=1400,900'],
      'about:blank',
    ],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  const { host } = new URL(await addressOf(child));
  const targets = await (await fetch(`http://${host}/json`)).json();
  const page = targets.find(({ type }: { type: string }) => type === 'page');
  const socket = new WebSocket(page.webSocketDebuggerUrl);
  await once(socket, 'open');

  let last = 0;
  const waiting = new Map<number, (message: { result?: never; error?: unknown }) => void>();
  socket.addEventListener('message', ({ data }) => {
    const message = JSON.parse(String(data));
    waiting.get(message.id)?.(message);
    waiting.delete(message.id);
  });
  const send = (method: string, params: object): Promise<Record<string, unknown>> => {
    last += 1;
    const answered = new Promise<Record<string, unknown>>((resolve, reject) => {
      waiting.set(last, ({ result, error }) => (result ? resolve(result) : reject(error)));
    });
    socket.send(JSON.stringify({ id: last, method, params }));
    return answered;
  };
  const run = async (expression: string): Promise<unknown> => {
    const answer = await send('Runtime.evaluate', { expression, returnByValue: true });
    const { result } = answer as { result: { value?: unknown } };
    return result.value;
  };

  await send('Page.navigate', { url });
  return {
    run,
    async until(expression) {
      while ((await run(expression)) !== true) {
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
    },
    async click({ x, y }) {
      const button = { x, y, button: 'left', clickCount: 1 };
      await send('Input.dispatchMouseEvent', { type: 'mouseMoved', x, y });
      await send('Input.dispatchMouseEvent', { type: 'mousePressed', ...button, buttons: 1 });
      await send('Input.dispatchMouseEvent', { type: 'mouseReleased', ...button });
    },
    async close() {
      socket.close();
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
      await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
    },
  };
}

/** Where the browser says that it listens. */
async function addressOf(child: ChildProcess): Promise<string> {
  let said = '';
  for await (const chunk of child.stderr ?? []) {
    said += chunk;
    const [, address] = /listening on (ws:\S+)/u.exec(said) ?? [];
    if (address !== undefined) return address;
  }
  throw new Error(`Expected a browser that listens, but got: ${said}`);
}

function findBrowser(): string | null {
  const folders = (process.env.PATH ?? '').split(delimiter);
  const named = folders.flatMap((folder) => NAMES.map((name) => join(folder, name)));
  const wanted = process.env.CHROME_BIN;
  return [...(wanted ? [wanted] : []), ...named].find(isProgram) ?? null;
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
