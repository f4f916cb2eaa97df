import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { launchBrowser, NO_BROWSER, type OpenedPage, openPage } from '../../support/browser.js';
import { type FakeConsole, type FakeRoutes, startFakeConsole } from '../../support/fake-console.js';

interface Stage {
  /** Opens a page over an API of these routes; it is closed after the test, and must not have complained of anything. */
  open(routes: FakeRoutes, path: string, looks?: Parameters<typeof openPage>[2]): Promise<Page>;
  /** The fake behind the pages. */
  readonly fake: FakeConsole;
}

/**
 * A browser and a fake console for the tests of a file, and for each a page over it. The console keeps its address, so that
 * the browser loads the scripts once.
 */
export function stage(): Stage {
  let browser: Browser;
  let opened: OpenedPage[] = [];
  let fake: FakeConsole;
  beforeAll(async () => {
    if (NO_BROWSER) return;
    browser = await launchBrowser();
    fake = await startFakeConsole({});
  });
  afterAll(async () => {
    await browser?.close();
    await fake?.close();
  });
  afterEach(async () => {
    const complaints = opened.flatMap((it) => it.complaints);
    for (const it of opened) await it.leave();
    opened = [];
    expect(complaints).toEqual([]);
  });
  return {
    async open(routes, path, looks) {
      fake.use(routes);
      const page = await openPage(browser, fake.origin + path, looks);
      opened.push(page);
      return page.page;
    },
    get fake() {
      return fake;
    },
  };
}
