import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { launchBrowser, NO_BROWSER, violations } from '../support/browser.js';
import { bins, written } from '../support/run-page.js';

if (NO_BROWSER) console.log('the page of a run in a browser: skipped, as LICENSE_SYNC_NO_BROWSER says');

const HOSTILE = [
  '<script>document.title = "owned"</script>',
  '"><img src=x onerror="document.title = \'owned\'">',
  '</style></title><svg onload="document.title = \'owned\'">',
  "javascript:document.title='owned'",
  `${'没有空格的很长的说明'.repeat(20)}${'x'.repeat(300)}`,
];

function hostilePage(language: 'en' | 'zh', count = 400): string {
  const rows = Array.from({ length: count }, (_, index) => ({
    row: index + 2,
    status: index % 4 === 0 ? ('unknown' as const) : ('rejected' as const),
    code: String(13000 + (index % 3)),
    message: HOSTILE[index % HOSTILE.length] ?? '',
    ...(index === 7 ? { licenseOrderId: 'LO-Needle-7' } : {}),
  }));
  return written(
    {
      language,
      counts: [
        { status: 'succeeded', rows: 1_234_567 },
        { status: 'rejected', rows: 300 },
        { status: 'unknown', rows: 100 },
      ],
      messages: [
        {
          status: 'rejected',
          rows: 300,
          groups: HOSTILE.map((text, index) => ({ text, code: '13004', rows: 9 - index, firstRow: 2 })),
          others: 1,
        },
      ],
      steps: [{ text: 'Do:', commands: [`license-sync run '${HOSTILE[4]}'`] }],
      figures: {
        kinds: [{ event: 'reply', httpStatus: 200, sent: true, attempts: 9, settled: 9 }],
        timeline: bins(60, (bin) => (bin === 20 ? { pauseMs: 7_200_000, others: 3 } : { settled: 100 })),
        latency: { p50: 20, p90: 40, p99: 90 },
      },
      problems: { rows, left: [{ status: 'rejected', rows: 12 }] },
      warnings: HOSTILE,
    },
    {
      job: 'new-buy',
      sandbox: true,
      inputFile: `/data/${HOSTILE[0]}/${HOSTILE[4]}.xlsx`,
      output: HOSTILE[3] ?? '',
    },
  );
}

describe.skipIf(NO_BROWSER)('the page of a run in a browser', () => {
  let browser: Browser;
  let page: Page;
  let complaints: string[];
  let requests: string[];
  let folder: string;
  let server: Server;
  let served: string;
  const asked: string[] = [];
  const file = (language: string): string => `file://${path.join(folder, `${language}.html`)}`;

  async function load(url: string, { width = 1200, dark = false, script = true } = {}): Promise<void> {
    const colorScheme = dark ? 'dark' : 'light';
    page = await browser.newPage({
      viewport: { width, height: 800 },
      colorScheme,
      javaScriptEnabled: script,
    });
    complaints = [];
    requests = [];
    page.on('request', (it) => requests.push(it.url()));
    page.on('console', (it) => complaints.push(it.text()));
    page.on('pageerror', (error) => complaints.push(String(error)));
    page.on('dialog', (it) => complaints.push(it.message()));
    await page.goto(url);
  }

  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'license-sync-page-'));
    for (const language of ['en', 'zh'] as const) {
      await writeFile(path.join(folder, `${language}.html`), hostilePage(language));
    }
    // To look through all of 400 rows for accessibility takes ten times as long, and reports no more.
    await writeFile(path.join(folder, 'few.html'), hostilePage('en', 12));
    server = createServer((request, response) => {
      asked.push(request.url ?? '');
      response.setHeader('content-type', 'text/html').end(hostilePage('en'));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    served = `http://127.0.0.1:${(server.address() as AddressInfo).port}/run.html`;
    browser = await launchBrowser();
  });
  afterEach(() => page.close());
  afterAll(async () => {
    await browser?.close();
    server?.closeAllConnections();
    server?.close();
    await rm(folder, { recursive: true, force: true });
  });

  it.each(['en', 'zh'])(
    'asks for nothing, complains of nothing, and runs nothing of what it shows (%s)',
    async (language) => {
      await load(file(language));
      await page.waitForTimeout(200);
      expect(complaints).toEqual([]);
      // The empty icon is in the page itself.
      expect(requests.filter((it) => !it.startsWith('data:'))).toEqual([file(language)]);
      expect(await page.evaluate('document.title')).toMatch(/^SANDBOX · /);
      expect(
        await page.evaluate('document.querySelectorAll("img, iframe, script:not(:last-child)").length'),
      ).toBe(0);
      const shown = await page.evaluate<string>('document.body.textContent');
      for (const text of HOSTILE) expect(shown).toContain(text);
    },
  );

  it('asks a server that holds it for nothing else either', async () => {
    await load(served);
    await page.waitForTimeout(200);
    expect(asked).toEqual(['/run.html']);
    expect(complaints).toEqual([]);
  });

  it('forbids what it would not do: a script put in later, an address fetched', async () => {
    await load(file('en'));
    await page.evaluate(`(() => {
      const script = document.createElement('script');
      script.textContent = 'document.title = "owned"';
      document.body.append(script);
      const image = document.createElement('img');
      image.src = 'http://example.com/x.png';
      document.body.append(image);
      return fetch('http://example.com/').catch(() => {});
    })()`);
    expect(await page.evaluate('document.title')).not.toBe('owned');
    expect(complaints.join('\n')).toContain('Content Security Policy');
  });

  const visible =
    'Array.from(document.querySelectorAll("#problem-rows tbody tr")).filter((it) => it.getClientRects().length > 0).length';
  const shows = (rows: number): Promise<void> => expect.poll(() => page.evaluate(visible)).toBe(rows);

  it('searches and filters, by the keyboard alone', async () => {
    await load(file('en'));
    await shows(400);
    await page.evaluate('document.querySelector("nav li:last-child a").focus()');
    await page.keyboard.press('Tab');
    for (let steps = 0; steps < 20; steps += 1) {
      if ((await page.evaluate('document.activeElement.id')) === 'search-text') break;
      await page.keyboard.press('Tab');
    }
    await page.keyboard.insertText('needle 13001');
    await shows(1);
    expect(await page.evaluate('document.getElementById("search-shown").textContent')).toBe(
      '1 of 400 rows shown',
    );
    await page.evaluate('document.getElementById("search-clear").click()');
    await shows(400);
    await page.evaluate(`(() => {
      const status = document.getElementById('search-status');
      status.value = 'unknown';
      status.dispatchEvent(new Event('change'));
    })()`);
    await shows(100);
    await page.evaluate('document.getElementById("search-text").focus()');
    await page.keyboard.insertText('<script>');
    await shows(20);
    await page.keyboard.insertText(' nothing like it');
    await shows(0);
  });

  it('shows all without scripts, and no search that would do nothing', async () => {
    await load(file('en'), { script: false });
    await shows(400);
    expect(await page.evaluate('document.getElementById("search").getClientRects().length')).toBe(0);
  });

  it.each([
    ['en', 360, false],
    ['zh', 360, true],
    ['en', 1200, true],
  ])('fits the screen (%s, %d wide)', async (language, width, dark) => {
    await load(file(language), { width, dark });
    await page.evaluate('document.querySelector("details").open = true');
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
    const outside = await page.evaluate<string[]>(`Array.from(document.querySelectorAll('main *'))
      .filter((it) => !it.closest('.scroll') && !it.closest('thead') && it.getBoundingClientRect().right > innerWidth + 1)
      .map((it) => it.outerHTML.slice(0, 80))`);
    expect(outside).toEqual([]);
    const ground = await page.evaluate('getComputedStyle(document.body).backgroundColor');
    expect(ground === 'rgb(251, 251, 250)').toBe(!dark);
  });

  it('is accessible to those who can’t see it: headings in order, tables with headers, charts with words', async () => {
    await load(file('few'), { width: 360 });
    const levels = await page.evaluate<number[]>(
      'Array.from(document.querySelectorAll("h1, h2, h3")).map((it) => Number(it.tagName[1]))',
    );
    expect(levels[0]).toBe(1);
    expect(levels.filter((it) => it === 1)).toHaveLength(1);
    expect(levels.every((level, index) => level <= (levels[index - 1] ?? 0) + 1)).toBe(true);
    expect(await violations(page)).toEqual([]);
  });

  it('prints on paper without what only a screen can use', async () => {
    await load(file('en'), { dark: true });
    const pdf = await page.pdf({ format: 'A4' });
    expect(pdf.subarray(0, 5).toString()).toBe('%PDF-');
    expect(complaints).toEqual([]);
  });
});
