import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type axe from 'axe-core';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';

/** Where a Chromium lies on this machine. */
const CHROMIUM: string | undefined = [
  process.env.CHROMIUM,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
].find((it) => it !== undefined && existsSync(it));

/** How a user looks at a page. */
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
  /** Keeps the page for the next test: empty, and no user is signed in there. */
  leave(): Promise<void>;
}

/** Pages that were left, by what can't be changed about one. To make another takes four times what it takes to load it. */
const left = new WeakMap<Browser, Map<string, Page[]>>();
/** What a test may have set at a page that is used again. */
const AS_LAUNCHED = { media: null, reducedMotion: null, forcedColors: null, contrast: null } as const;
/** What tests listen to. */
const HEARD = ['pageerror', 'console', 'dialog', 'filechooser', 'download', 'request', 'response'] as const;

/** A browser for the tests of one file. @throws where there is none, saying how it is had */
export async function launchBrowser(): Promise<Browser> {
  if (CHROMIUM === undefined) {
    throw new Error(
      'These tests want Chromium: apt-get install chromium, or name one by CHROMIUM=/path/to/it. LICENSE_SYNC_NO_BROWSER=1 leaves them out.',
    );
  }
  return chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox', '--disable-dev-shm-usage'] });
}

/** True where the user who runs the tests said that there is no browser. */
export const NO_BROWSER: boolean = process.env.LICENSE_SYNC_NO_BROWSER === '1';

export async function openPage(browser: Browser, address: string, looks: Looks = {}): Promise<OpenedPage> {
  const { width = 1280, height = 800, dark = false, locale = 'en-GB', cookie } = looks;
  const idle = left.get(browser)?.get(locale)?.pop();
  const page = idle ?? (await newPage(browser, locale));
  const context = page.context();
  page.setDefaultTimeout(150_000);
  await page.setViewportSize({ width, height });
  await page.emulateMedia({ ...AS_LAUNCHED, colorScheme: dark ? 'dark' : 'light' });
  if (cookie !== undefined) {
    const [name = '', value = ''] = cookie.split('=');
    await context.addCookies([{ name, value, url: new URL(address).origin }]);
  }
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('console', (said) => {
    if (said.type() === 'error' && !/Failed to load resource/.test(said.text())) complaints.push(said.text());
  });
  await page.goto(address);
  return { page, context, complaints, leave: () => leave(browser, locale, page) };
}

async function newPage(browser: Browser, locale: string): Promise<Page> {
  const context = await browser.newContext({
    locale,
    timezoneId: 'Asia/Shanghai',
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  return context.newPage();
}

async function leave(browser: Browser, locale: string, page: Page): Promise<void> {
  const context = page.context();
  for (const it of HEARD) page.removeAllListeners(it);
  for (const it of context.pages()) if (it !== page) await it.close();
  await page.mouse.move(0, 0);
  // By the page itself: an address that is typed in would get a process of its own.
  // Storage is cleared last: the next test's console may have the same address.
  await page.evaluate(`
    addEventListener('pagehide', () => [localStorage, sessionStorage].forEach((it) => it.clear()));
    location.replace('about:blank');
  `);
  await page.waitForURL('about:blank', { waitUntil: 'commit' });
  await context.setOffline(false);
  await context.clearCookies();
  const all = left.get(browser) ?? new Map<string, Page[]>();
  left.set(browser, all.set(locale, [...(all.get(locale) ?? []), page]));
}

/** Half of what `axe.source` has, which each document has to compile. */
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** By default axe does not check the size of targets, nor whether a control's name contains its label. */
const AXE_OPTIONS = {
  resultTypes: ['violations'],
  runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
  rules: {
    'target-size': { enabled: true },
    'label-content-name-mismatch': { enabled: true },
    'css-orientation-lock': { enabled: true },
    'p-as-heading': { enabled: true },
    'table-fake-caption': { enabled: true },
    'td-has-header': { enabled: true },
    'focus-order-semantics': { enabled: true },
  },
} as const;

/**
 * Violations of WCAG 2.2 AA and axe's own best practices, reported so that the place is found. No page has frames, into which
 * axe would have to be brought, too.
 */
export async function violations(page: Page): Promise<string[]> {
  if (page.frames().length > 1) throw new Error('axe looks at the page alone, not into its frames');
  if (!(await page.evaluate(`typeof axe === 'object'`))) await page.evaluate(AXE);
  const found = await page.evaluate<axe.Result[]>(
    `axe.run(document, ${JSON.stringify(AXE_OPTIONS)}).then(({ violations }) => violations)`,
  );
  return found.flatMap((it) =>
    it.nodes.map((node) => `${it.id}: ${node.target.join(' ')}: ${node.failureSummary}`),
  );
}

/** Writes a picture where TEST_PICTURES names a folder, for a user to look at. */
export async function picture(page: Page, name: string): Promise<void> {
  const folder = process.env.TEST_PICTURES;
  if (folder !== undefined) await page.screenshot({ path: `${folder}/${name}.png` });
}
