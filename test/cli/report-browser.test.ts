import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Browser, CHROMIUM } from '../support/chromium.js';
import { bins, written } from '../support/run-page.js';

if (CHROMIUM === undefined) console.log('the page of a run in a browser: skipped, Chromium is not there');

const HOSTILE = [
  '<script>document.title = "owned"</script>',
  '"><img src=x onerror="document.title = \'owned\'">',
  '</style></title><svg onload="document.title = \'owned\'">',
  "javascript:document.title='owned'",
  `${'没有空格的很长的说明'.repeat(20)}${'x'.repeat(300)}`,
];

function hostilePage(language: 'en' | 'zh'): string {
  const rows = Array.from({ length: 400 }, (_, index) => ({
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

describe.skipIf(CHROMIUM === undefined)('the page of a run in a browser', () => {
  let browser: Browser;
  let folder: string;
  let server: Server;
  let served: string;
  const asked: string[] = [];
  const file = (language: string): string => `file://${path.join(folder, `${language}.html`)}`;

  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'license-sync-page-'));
    for (const language of ['en', 'zh'] as const) {
      await writeFile(path.join(folder, `${language}.html`), hostilePage(language));
    }
    server = createServer((request, response) => {
      asked.push(request.url ?? '');
      response.setHeader('content-type', 'text/html').end(hostilePage('en'));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    served = `http://127.0.0.1:${(server.address() as AddressInfo).port}/run.html`;
    browser = await Browser.open(CHROMIUM ?? '');
  });
  afterAll(async () => {
    await browser?.close();
    server?.closeAllConnections();
    server?.close();
    await rm(folder, { recursive: true, force: true });
  });

  it.each(['en', 'zh'])(
    'asks for nothing, complains of nothing, and runs nothing of what it shows (%s)',
    async (language) => {
      await browser.load(file(language));
      await browser.evaluate('new Promise((done) => setTimeout(done, 200))');
      expect(browser.complaints).toEqual([]);
      // The empty icon stands in the page itself.
      expect(browser.requests.filter((it) => !it.startsWith('data:'))).toEqual([file(language)]);
      expect(await browser.evaluate('document.title')).toMatch(/^SANDBOX · /);
      expect(
        await browser.evaluate('document.querySelectorAll("img, iframe, script:not(:last-child)").length'),
      ).toBe(0);
      const shown = await browser.evaluate<string>('document.body.textContent');
      for (const text of HOSTILE) expect(shown).toContain(text);
    },
  );

  it('asks a server that holds it for nothing else either', async () => {
    await browser.load(served);
    await browser.evaluate('new Promise((done) => setTimeout(done, 200))');
    expect(asked).toEqual(['/run.html']);
    expect(browser.complaints).toEqual([]);
  });

  it('forbids what it would not do: a script put in later, an address fetched', async () => {
    await browser.load(file('en'));
    await browser.evaluate(`(() => {
      const script = document.createElement('script');
      script.textContent = 'document.title = "owned"';
      document.body.append(script);
      const image = document.createElement('img');
      image.src = 'http://example.com/x.png';
      document.body.append(image);
      return fetch('http://example.com/').catch(() => {});
    })()`);
    expect(await browser.evaluate('document.title')).not.toBe('owned');
    expect(browser.complaints.join('\n')).toContain('Content Security Policy');
  });

  const visible =
    'Array.from(document.querySelectorAll("#problem-rows tbody tr")).filter((it) => it.getClientRects().length > 0).length';
  const settle = 'new Promise((done) => setTimeout(done, 250))';

  it('searches and filters, by the keyboard alone', async () => {
    await browser.load(file('en'));
    expect(await browser.evaluate(visible)).toBe(400);
    await browser.evaluate('document.querySelector("nav li:last-child a").focus()');
    await browser.press('Tab');
    for (let steps = 0; steps < 20; steps += 1) {
      if ((await browser.evaluate('document.activeElement.id')) === 'search-text') break;
      await browser.press('Tab');
    }
    await browser.type('needle 13001');
    await browser.evaluate(settle);
    expect(await browser.evaluate(visible)).toBe(1);
    expect(await browser.evaluate('document.getElementById("search-shown").textContent')).toBe(
      '1 of 400 rows shown',
    );
    await browser.evaluate('document.getElementById("search-clear").click()');
    expect(await browser.evaluate(visible)).toBe(400);
    await browser.evaluate(`(() => {
      const status = document.getElementById('search-status');
      status.value = 'unknown';
      status.dispatchEvent(new Event('change'));
    })()`);
    expect(await browser.evaluate(visible)).toBe(100);
    await browser.evaluate('document.getElementById("search-text").focus()');
    await browser.type('<script>');
    await browser.evaluate(settle);
    expect(await browser.evaluate(visible)).toBe(20);
    await browser.type(' nothing like it');
    await browser.evaluate(settle);
    expect(await browser.evaluate(visible)).toBe(0);
  });

  it('shows all without scripts, and no search that would do nothing', async () => {
    await browser.load(file('en'), { script: false });
    expect(await browser.evaluate(visible)).toBe(400);
    expect(await browser.evaluate('document.getElementById("search").getClientRects().length')).toBe(0);
  });

  it.each([
    ['en', 360, false],
    ['zh', 360, true],
    ['en', 1200, true],
  ])('fits the screen (%s, %d wide)', async (language, width, dark) => {
    await browser.load(file(language), { width, dark });
    await browser.evaluate('document.querySelector("details").open = true');
    expect(await browser.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
    const outside = await browser.evaluate<string[]>(`Array.from(document.querySelectorAll('main *'))
      .filter((it) => !it.closest('.scroll') && !it.closest('thead') && it.getBoundingClientRect().right > innerWidth + 1)
      .map((it) => it.outerHTML.slice(0, 80))`);
    expect(outside).toEqual([]);
    const ground = await browser.evaluate('getComputedStyle(document.body).backgroundColor');
    expect(ground === 'rgb(251, 251, 250)').toBe(!dark);
  });

  it('is told to those who can’t see it: headings in order, tables with headers, charts with words', async () => {
    await browser.load(file('en'), { width: 360 });
    const levels = await browser.evaluate<number[]>(
      'Array.from(document.querySelectorAll("h1, h2, h3")).map((it) => Number(it.tagName[1]))',
    );
    expect(levels[0]).toBe(1);
    expect(levels.filter((it) => it === 1)).toHaveLength(1);
    expect(levels.every((level, index) => level <= (levels[index - 1] ?? 0) + 1)).toBe(true);
    const nameless = await browser.evaluate<string[]>(`[
      ...document.querySelectorAll('svg[role=img]:not([aria-label])'),
      ...document.querySelectorAll('svg:not([role=img]):not([aria-hidden])'),
      ...document.querySelectorAll('table:not(:has(thead th[scope=col]))'),
      ...[...document.querySelectorAll('input, select')].filter((it) => it.labels.length === 0),
    ].map((it) => it.outerHTML.slice(0, 80))`);
    expect(nameless).toEqual([]);
  });

  it('prints on paper without what only a screen can use', async () => {
    await browser.load(file('en'), { dark: true });
    const pdf = await browser.pdf();
    expect(pdf.subarray(0, 5).toString()).toBe('%PDF-');
    expect(browser.complaints).toEqual([]);
  });
});
