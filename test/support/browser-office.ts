import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll } from 'vitest';
import { launchBrowser, NO_BROWSER } from './browser.js';
import { officePlatform } from './console-office.js';
import type { FakePlatform } from './fake-platform.js';

interface BrowserOffice {
  browser: Browser;
  platform: FakePlatform;
  /** What is closed after the test, the last one first. */
  readonly closing: (() => Promise<unknown>)[];
}

/** A browser and the office's platform for a suite. */
export function useBrowserOffice(): BrowserOffice {
  const here = { closing: [] } as unknown as BrowserOffice;
  beforeAll(async () => {
    if (NO_BROWSER) return;
    here.browser = await launchBrowser();
    here.platform = await officePlatform();
  });
  afterEach(async () => {
    for (const close of here.closing.splice(0).reverse()) await close();
  });
  afterAll(async () => {
    await here.browser?.close();
    await here.platform?.stop();
  });
  return here;
}
