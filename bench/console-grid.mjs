// What the console's grid takes in a browser: `node bench/console-grid.mjs [rows] [columns]`. Needs a build and Chromium.
// The pages of the build, over rows that this script makes up: how long the first screen takes once the server has said that
// the sheet is checked, and the longest frames while a million rows are scrolled.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

const [rows = 1_000_000, columns = 16] = process.argv.slice(2).map(Number);
const PAGES =
  process.env.LICENSE_SYNC_TEST_PAGES ?? fileURLToPath(new URL('../dist/console/pages', import.meta.url));
const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';
const TYPES = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml' };
const letter = (at) => String.fromCharCode(65 + at);
const headers = Array.from({ length: columns }, (_, at) => ({
  column: at + 1,
  letter: letter(at),
  text: `Header ${letter(at)}`,
  field: `field.${at}`,
}));

function row(number) {
  const isFaulty = number % 50 === 0;
  return {
    row: number,
    status: isFaulty ? 'invalid' : 'valid',
    cells: headers.map((_, at) => `${letter(at)}${number} text`),
    faults: isFaulty
      ? [{ column: 3, text: '"Chian" is not allowed here; did you mean China?', code: 'x' }]
      : [],
    corrected: [],
  };
}

function answer(url, total, looks) {
  if (url.pathname === '/api/v1/session') {
    return { who: 'bench', roles: ['maker'], ledger: { kind: 'sqlite', people: false } };
  }
  if (url.pathname.endsWith('/columns')) return { headers, rowCount: total };
  if (url.pathname.endsWith('/rows')) {
    const [from, count] = ['from', 'count'].map((it) => Number(url.searchParams.get(it)));
    const items = Array.from({ length: Math.min(count, total - from) }, (_, at) => row(from + at + 2));
    return { items, total };
  }
  const invalid = Math.floor(total / 50);
  return {
    import: 'i1',
    job: 'jobs/bench.yaml',
    name: 'bench.xlsx',
    state: looks > 0 ? 'checking' : 'checked',
    version: 1,
    counts: { valid: total - invalid, invalid },
    progress: { done: 1, total },
    faults: [{ kind: 'region', text: 'Region: "Chian" is not allowed here', count: invalid, first: 50 }],
    corrections: { cells: 0, canUndo: false, canRedo: false },
    warnings: [],
  };
}

function serve(total) {
  let looks = 3;
  const server = createServer((request, response) => {
    const url = new URL(request.url, 'http://x');
    if (url.pathname.startsWith('/api/')) {
      if (url.pathname === '/api/v1/imports/i1') looks -= 1;
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(answer(url, total, looks)));
      return;
    }
    const file = path.extname(url.pathname) === '' ? '/index.html' : url.pathname;
    response.setHeader('content-type', TYPES[path.extname(file)] ?? 'text/plain');
    response.end(readFileSync(path.join(PAGES, path.normalize(file))));
  });
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)));
}

/** Milliseconds from the answer that says `checked` to the first frame with rows. */
async function firstScreen(browser, total) {
  const server = await serve(total);
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  await page.addInitScript(() => {
    performance.setResourceTimingBufferSize(1000);
    const seen = new MutationObserver(() => {
      if (!document.querySelector('[role=rowheader]')?.textContent.match(/\d/)) return;
      seen.disconnect();
      requestAnimationFrame(() => setTimeout(() => (window.drawn = performance.now())));
    });
    seen.observe(document, { subtree: true, childList: true, characterData: true });
  });
  await page.goto(`http://127.0.0.1:${server.address().port}/imports/i1`);
  await page.waitForFunction(() => window.drawn !== undefined);
  const took = await page.evaluate(() => {
    const answers = performance.getEntriesByType('resource').filter((it) => it.name.endsWith('/imports/i1'));
    return window.drawn - answers.at(-1).responseEnd;
  });
  await page.close();
  server.close();
  return took;
}

/** Of the page's main thread, in milliseconds of CPU. */
function longestTask(events) {
  const threads = events.filter((it) => it.name === 'thread_name' && it.args.name === 'CrRendererMain');
  const own = new Set(threads.map(({ pid, tid }) => `${pid}:${tid}`));
  const tasks = events.filter((it) => it.tdur && own.has(`${it.pid}:${it.tid}`));
  return Math.max(0, ...tasks.map((it) => it.tdur / 1000));
}

/** Scrolls as people do, and hears how long each frame was held up. */
async function scrolling(browser) {
  const server = await serve(rows);
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  await page.goto(`http://127.0.0.1:${server.address().port}/imports/i1`);
  const grid = page.getByRole('grid');
  await grid.waitFor();
  await page.getByRole('gridcell').first().click();
  await page.evaluate(() => {
    window.frames_ = [];
    window.held = [];
    let last;
    const frame = (now) => {
      if (last !== undefined) window.frames_.push(now - last);
      last = now;
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
    new PerformanceObserver((list) =>
      window.held.push(...list.getEntries().map((it) => it.duration)),
    ).observe({
      type: 'longtask',
    });
  });
  const results = [];
  const measure = async (name, work) => {
    await page.waitForTimeout(300);
    await browser.startTracing(page, { categories: ['toplevel', 'devtools.timeline'] });
    await page.evaluate(() => {
      window.frames_.length = 0;
      window.held.length = 0;
    });
    await work();
    await page.waitForTimeout(300);
    const { frames, held } = await page.evaluate(() => ({
      frames: [...window.frames_],
      held: [...window.held],
    }));
    const busiest = longestTask(JSON.parse(await browser.stopTracing()).traceEvents);
    frames.sort((a, b) => a - b);
    const at = (share) =>
      (frames[Math.min(frames.length - 1, Math.floor(frames.length * share))] ?? 0).toFixed(1);
    results.push({
      what: name,
      frames: frames.length,
      'median ms': at(0.5),
      'p99 ms': at(0.99),
      'longest ms': at(1),
      'over 50 ms': frames.filter((it) => it > 50).length,
      'tasks over 50 ms': held.length,
      // What the page itself takes: the clock also counts what else the machine does.
      'longest task, ms of CPU': busiest.toFixed(1),
    });
  };
  const box = await grid.boundingBox();
  await page.mouse.move(box.x + 300, box.y + 200);
  await measure('wheel, 200 turns', async () => {
    for (let turn = 0; turn < 200; turn += 1) {
      await page.mouse.wheel(0, 120);
      await page.waitForTimeout(8);
    }
  });
  await measure('scrollbar, from end to end in 300 steps', () =>
    grid.evaluate(async (it) => {
      for (let step = 0; step <= 300; step += 1) {
        it.scrollTop = ((it.scrollHeight - it.clientHeight) * step) / 300;
        await new Promise((resolve) => requestAnimationFrame(resolve));
      }
    }),
  );
  await measure('PageUp, 150 times', async () => {
    await page.keyboard.press('Control+End');
    for (let turn = 0; turn < 150; turn += 1) await page.keyboard.press('PageUp');
  });
  await measure('sideways, 100 steps', () =>
    grid.evaluate(async (it) => {
      for (let step = 0; step <= 100; step += 1) {
        it.scrollLeft = ((it.scrollWidth - it.clientWidth) * step) / 100;
        await new Promise((resolve) => requestAnimationFrame(resolve));
      }
    }),
  );
  await page.close();
  server.close();
  return results;
}

const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
try {
  const took = [];
  for (let turn = 0; turn < 7; turn += 1) took.push(await firstScreen(browser, 100_000));
  took.sort((a, b) => a - b);
  console.log(
    `first screen of 100,000 rows after the answer: median ${took[3].toFixed(0)} ms, longest ${took[6].toFixed(0)} ms`,
  );
  console.log(`scrolling ${rows.toLocaleString('en')} rows of ${columns} columns:`);
  console.table(await scrolling(browser));
} finally {
  await browser.close();
}
