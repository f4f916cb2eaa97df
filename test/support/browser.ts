import { AxeBuilder } from '@axe-core/playwright';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { CHROMIUM } from './chromium.js';

/** How somebody looks at a page. */
interface Looks {
  readonly width?: number;
  readonly height?: number;
  readonly dark?: boolean;
  /** `en-GB`, `zh-CN`: the browser's own. */
  readonly locale?: string;
  /** `name=value`, as a console gives it. */
  readonly cookie?: string;
}

/** A page, and what it complained of: uncaught errors and refused scripts or styles. */
export interface OpenedPage {
  readonly page: Page;
  readonly context: BrowserContext;
  readonly complaints: string[];
}

/** A browser for the tests of one file. @throws where there is none, saying how it is had */
export async function launchBrowser(): Promise<Browser> {
  if (CHROMIUM === undefined) {
    throw new Error(
      'These tests want Chromium: apt-get install chromium, or name one by CHROMIUM=/path/to/it. LICENSE_SYNC_NO_BROWSER=1 leaves them out.',
    );
  }
  return chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox', '--disable-dev-shm-usage'] });
}

/** True where whoever runs the tests said that there is no browser. */
export const NO_BROWSER: boolean = process.env.LICENSE_SYNC_NO_BROWSER === '1';

export async function openPage(browser: Browser, address: string, looks: Looks = {}): Promise<OpenedPage> {
  const { width = 1280, height = 800, dark = false, locale = 'en-GB', cookie } = looks;
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme: dark ? 'dark' : 'light',
    locale,
    timezoneId: 'Asia/Shanghai',
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  context.setDefaultTimeout(15_000);
  if (cookie !== undefined) {
    const [name = '', value = ''] = cookie.split('=');
    await context.addCookies([{ name, value, url: new URL(address).origin }]);
  }
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('console', (said) => {
    if (said.type() === 'error' && !/Failed to load resource/.test(said.text())) complaints.push(said.text());
  });
  await page.goto(address);
  return { page, context, complaints };
}

/**
 * Violations of WCAG 2.2 AA and axe's own best practices, told so that the place is found. What its `legacy mode` leaves
 * out are frames of other origins, which no page has, and a further page for each call, which takes longer than the rules.
 */
export async function violations(page: Page): Promise<string[]> {
  const { violations: found } = await new AxeBuilder({ page })
    .setLegacyMode(true)
    .options({ resultTypes: ['violations'] })
    .analyze();
  return found.flatMap((it) =>
    it.nodes.map((node) => `${it.id}: ${node.target.join(' ')}: ${node.failureSummary}`),
  );
}

/** Writes a picture where TEST_PICTURES names a folder, for somebody to look at. */
export async function picture(page: Page, name: string): Promise<void> {
  const folder = process.env.TEST_PICTURES;
  if (folder !== undefined) await page.screenshot({ path: `${folder}/${name}.png` });
}
