import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { launchBrowser, NO_BROWSER, type OpenedPage, openPage } from '../../support/browser.js';
import { type FakeConsole, type FakeRoutes, startFakeConsole } from '../../support/fake-console.js';

interface Stage {
  /** Opens a page over an API of these routes; it is closed after the test, and must not have complained of anything. */
  open(routes: FakeRoutes, path: string, looks?: Parameters<typeof openPage>[2]): Promise<Page>;
  /** The fake behind the page that was opened last. */
  readonly fake: FakeConsole;
}

/** A browser for the tests of a file, and for each a page over a fake console. */
export function stage(): Stage {
  let browser: Browser;
  let opened: OpenedPage[] = [];
  let fakes: FakeConsole[] = [];
  beforeAll(async () => {
    if (!NO_BROWSER) browser = await launchBrowser();
  });
  afterAll(() => browser?.close());
  afterEach(async () => {
    const complaints = opened.flatMap((it) => it.complaints);
    for (const it of opened) await it.leave();
    for (const it of fakes) await it.close();
    [opened, fakes] = [[], []];
    expect(complaints).toEqual([]);
  });
  return {
    async open(routes, path, looks) {
      const fake = await startFakeConsole(routes);
      fakes.push(fake);
      const page = await openPage(browser, fake.origin + path, looks);
      opened.push(page);
      return page.page;
    },
    get fake() {
      return fakes.at(-1)!;
    },
  };
}
