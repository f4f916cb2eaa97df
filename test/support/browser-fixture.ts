import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll } from 'vitest';
import { launchBrowser, NO_BROWSER } from './browser.js';
import { officePlatform } from './console-fixture.js';
import type { FakePlatform } from './fake-platform.js';

interface BrowserFixture {
  browser: Browser;
  platform: FakePlatform;
  /** What is closed after the test, the last one first. */
  readonly closing: (() => unknown)[];
  /** From now on the platform answers so many requests, and others once what is given is called. */
  holdAfter(count: number): () => void;
}

/** A browser and the fixture's platform for a suite. */
export function useBrowserFixture(): BrowserFixture {
  const here = { closing: [], holdAfter } as unknown as BrowserFixture;
  function holdAfter(count: number): () => void {
    const { answer, seen } = here.platform;
    const last = seen.length + count;
    let letGo = (): void => {};
    const over = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    here.platform.answer = async (it, at) => {
      if (at > last) await over;
      return answer(it, at);
    };
    // Closing waits for what is in flight, also where the test failed.
    here.closing.push(() => {
      here.platform.answer = answer;
      letGo();
    });
    return letGo;
  }
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
