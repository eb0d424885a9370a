import { afterAll, beforeAll, expect, test } from 'vitest';
import { GRAPHIQL_TABS } from '../../src/server/graphiql-tabs.ts';
import { BROWSER, openTab } from '../support/browser.ts';
import { openTestSocket, type TestSocket } from '../support/socket.ts';

let socket: TestSocket;
beforeAll(async () => {
  socket = await openTestSocket();
});
afterAll(() => socket.close());

const url = (): string => `http://127.0.0.1:${socket.port}/graphql`;

const TABS = "[...document.querySelectorAll('.graphiql-tab')]";

test.skipIf(BROWSER === null)(
  'opens each ready operation at the first click on its tab (needs Chromium)',
  async () => {
    const tab = await openTab(BROWSER ?? '', url());
    try {
      await tab.until(`${TABS}.length === ${GRAPHIQL_TABS.length}`);
      await tab.until("document.querySelector('.graphiql-query-editor .view-line') !== null");

      const opened: unknown[] = [];
      for (const place of [1, 2, 3, 4, 0]) {
        const box = await tab.run(
          `(({ x, y, height }) => ({ x: x + 20, y: y + height / 2 }))(${TABS}[${place}].getBoundingClientRect())`,
        );
        await tab.click(box as { x: number; y: number });
        opened.push(await tab.run(`${TABS}.findIndex((tab) => tab.ariaSelected === 'true')`));
      }

      expect(opened).toEqual([1, 2, 3, 4, 0]);
    } finally {
      await tab.close();
    }
  },
);
