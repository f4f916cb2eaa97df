import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { NO_BROWSER, picture, violations } from '../../support/browser.js';
import { problem } from '../../support/fake-console.js';
import { fakeRuns } from './fake-runs.js';
import { stage } from './stage.js';

const on = stage();

const RUN = '/runs/20261123-012410-4f9a21';
const GOING = {
  state: 'executing',
  ended: undefined,
  counts: { succeeded: 40, not_sent: 72 },
  may: { stop: true, retry: 'The run has not finished.' },
};

function news(succeeded: number) {
  const counts = { succeeded, not_sent: 112 - succeeded };
  return {
    state: 'executing',
    counts,
    done: succeeded,
    total: 112,
    rate: 2,
    etaMs: 30_000,
    series: Array.from({ length: 10 }, (_, at) => [
      at * 1000,
      { succeeded: Math.round((succeeded * at) / 9) },
    ]),
  };
}

const asked = (what: RegExp): string[] => on.fake.asked.filter((it) => what.test(it));

describe.skipIf(NO_BROWSER)('a run in progress', () => {
  it('is followed live, and a stream that was cut continues from the last event', async () => {
    const runs = fakeRuns({ run: GOING });
    const page = await on.open(runs.routes, RUN);
    await page.getByText('40 succeeded').first().waitFor();
    await expect.poll(() => page.getByRole('heading', { level: 1 }).textContent()).toBe('Run');
    await expect.poll(() => runs.events.size).toBe(1);
    runs.tell(7, 'run', news(60));
    await page.getByText('60 succeeded').first().waitFor();
    await page.getByText('60 of 112').waitFor();
    await page.getByText('2 per second').waitFor();
    await page.getByText('about 30 sec').waitFor();
    await page.getByRole('img', { name: /After 9 sec.*60 succeeded.*of 112/ }).waitFor();
    await expect
      .poll(() => page.getByRole('progressbar', { name: 'Progress' }).getAttribute('value'))
      .toBe('60');
    expect(await violations(page)).toEqual([]);
    await picture(page, 'run-live');
    runs.cut();
    await expect.poll(() => runs.events.size).toBe(1);
    expect(runs.resumedFrom).toEqual([null, '7']);
    runs.tell(8, 'run', news(90));
    await page.getByText('90 succeeded').first().waitFor();
    Object.assign(runs.run, fakeRuns().run);
    runs.tell(9, 'over', {});
    await page.getByText('completed', { exact: true }).waitFor();
    await expect.poll(() => page.getByRole('button', { name: 'Stop' }).count()).toBe(0);
  });

  it('offers what may be done with it now, though it was opened before it began', async () => {
    const runs = fakeRuns({ run: { ...GOING, state: 'planned', may: {} } });
    const page = await on.open(runs.routes, RUN);
    await expect.poll(() => runs.events.size).toBe(1);
    Object.assign(runs.run, GOING);
    runs.tell(1, 'run', news(60));
    await page.getByRole('button', { name: 'Stop' }).waitFor();
  });

  it('is stopped while everything else hangs, and continues', async () => {
    const runs = fakeRuns({ run: GOING });
    const never = () => new Promise(() => {});
    const page = await on.open(
      { ...runs.routes, 'GET /runs/[^/]+/rows': never, 'GET /runs/[^/]+/events': never },
      RUN,
    );
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByText('stopped').first().waitFor();
    expect(asked(/stop/).length).toBe(1);
    await page.getByRole('button', { name: 'Resume' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Resume' }).dblclick();
    await page.getByRole('button', { name: 'Stop' }).waitFor();
    expect(asked(/resume/).length).toBe(1);
  });

  it('is shown as it was read, whatever late news say; and followed again where a user resumed it at once', async () => {
    const runs = fakeRuns({ run: GOING });
    const page = await on.open(runs.routes, RUN);
    await expect.poll(() => runs.events.size).toBe(1);
    // Over, and running again before the page has asked.
    runs.tell(1, 'run', news(60));
    runs.tell(2, 'over', {});
    runs.cut();
    await expect.poll(() => runs.events.size).toBe(1);
    // News in a stream as the run stops under it: as many as the page can take.
    let over = false;
    const late = (async () => {
      for (; !over; await page.evaluate('0')) runs.tell(3, 'run', news(70));
    })();
    try {
      await page.getByText('70 succeeded').first().waitFor();
      await page.getByRole('button', { name: 'Stop' }).click();
      await page.getByRole('button', { name: 'Resume' }).waitFor();
      await page.waitForTimeout(300);
    } finally {
      over = true;
      await late;
    }
    expect(await page.getByText('running', { exact: true }).count()).toBe(0);
    await expect.poll(() => page.getByText('stopped', { exact: true }).count()).toBe(1);
  });

  it('is stopped even where the network is away at first', async () => {
    const runs = fakeRuns({ run: GOING });
    const page = await on.open(runs.routes, RUN);
    await page.getByRole('button', { name: 'Stop' }).waitFor();
    on.fake.online = false;
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByText('the stop is requested again').waitFor();
    on.fake.online = true;
    await page.getByText('stopped').first().waitFor();
    expect(runs.written.map(([act]) => act)).toEqual(['stop']);
  });
});

describe.skipIf(NO_BROWSER)('a run that is over', () => {
  it('reports its counts, its picture and its rows, and what can be done with it', async () => {
    const page = await on.open(fakeRuns().routes, RUN);
    await page.getByText('108 succeeded').first().waitFor();
    await page.getByText('120 rows').waitFor();
    await expect
      .poll(() => page.getByRole('link', { name: 'Download result' }).getAttribute('href'))
      .toBe(`/api/v1${RUN}/result?format=xlsx`);
    await expect
      .poll(() => page.getByRole('link', { name: 'Report' }).getAttribute('href'))
      .toBe(`/api/v1${RUN}/report`);
    await page.getByText('What can’t be done, and why').click();
    await page.getByText('It is completed: nothing is left to send.').waitFor();
    expect(await violations(page)).toEqual([]);
    await picture(page, 'run');
    await page.getByRole('button', { name: 'Retry failed rows' }).click();
    await page.waitForURL(/\/plans\/20261123-012000-77d0aa/);
  });

  it('has its picture after a reload, as the ledger reports it', async () => {
    const series = [
      [1000, {}],
      [2000, { succeeded: 60 }],
      [4000, { succeeded: 108, failed: 5 }],
    ];
    const { routes } = fakeRuns();
    const page = await on.open({ ...routes, 'GET /runs/[^/]+/timeline': () => ({ series }) }, RUN);
    const chart = page.getByRole('img', { name: /108 succeeded/ });
    await chart.waitFor();
    await expect.poll(() => chart.getAttribute('aria-label')).toContain('3 s');
    expect(await violations(page)).toEqual([]);
  });

  it('has rows to search, filter and turn over, in its address', async () => {
    const page = await on.open(fakeRuns().routes, RUN);
    await page.getByText('120 rows').waitFor();
    await page.getByRole('link', { name: 'Next page' }).click();
    await page.getByRole('link', { name: 'Row 52' }).waitFor();
    await page.getByLabel('Search rows').fill('sued');
    await page.getByText('2 rows', { exact: true }).waitFor();
    await page.getByLabel('Search rows').fill('');
    await page.getByLabel('Status').selectOption('rejected');
    await page.getByText('4012 · the customer is not known').first().waitFor();
    expect(new URL(page.url()).search).toBe('?status=rejected');
    await page.reload();
    await page.getByText('4012 · the customer is not known').first().waitFor();
    await page.getByLabel('Search rows').fill('nothing of this kind');
    await page.getByText('No row matches').waitFor();
    expect(await violations(page)).toEqual([]);
  });

  it('reports the story of a row, by keyboard', async () => {
    const page = await on.open(fakeRuns().routes, RUN);
    await page.getByRole('link', { name: 'Row 3', exact: true }).focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'History of row 3' });
    await dialog.getByText('Nothing: it is through.').waitFor();
    await dialog.getByText('海天酒店').first().waitFor();
    await dialog.getByText('answered · 200').waitFor();
    await dialog.getByText('customer.id: requested from customer.list').click();
    await dialog.getByText('from this record').waitFor();
    expect(await violations(page)).toEqual([]);
    // In the middle, and its act in view, however long the story is.
    await page.setViewportSize({ width: 900, height: 420 });
    const { y, height } = (await dialog.boundingBox())!;
    expect(Math.abs(y - (420 - y - height))).toBeLessThan(2);
    const close = (await dialog.getByRole('button', { name: 'Close' }).boundingBox())!;
    expect(close.y + close.height).toBeLessThan(y + height);
    await picture(page, 'story');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await expect.poll(() => page.locator(':focus').textContent()).toBe('Row 3');
    // The history has an address of its own.
    await page.goto(`${on.fake.origin}${RUN}?row=7`);
    await page.getByRole('dialog', { name: 'History of row 7' }).waitFor();
  });

  it('names who stopped it, and when', async () => {
    const stopped = { by: 'zhang', at: '2026-11-23T01:30:00.000Z' };
    const page = await on.open(fakeRuns({ run: { state: 'stopped', stopped } }).routes, RUN);
    await page.getByText(/Stopped by zhang,/).waitFor();
  });

  it('closes the history of a row by Back, and names what a row is about', async () => {
    const page = await on.open(fakeRuns().routes, RUN);
    await page.getByRole('row').filter({ hasText: 'Row 3' }).getByText('SO-10242 · 海天酒店').waitFor();
    await page.getByRole('link', { name: 'Row 3', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'History of row 3' });
    await dialog.waitFor();
    await page.goBack();
    await dialog.waitFor({ state: 'detached' });
    const attention = page.getByRole('link', { name: 'Download rows that need attention' });
    expect(await attention.getAttribute('href')).toMatch(/\/result\?rows=attention$/);
  });

  it('has unknown rows resolved by the platform, or by a word with its reason', async () => {
    const runs = fakeRuns();
    const page = await on.open(runs.routes, `${RUN}?status=unknown`);
    await page.getByRole('button', { name: 'Resolve Row 41' }).click();
    const dialog = page.getByRole('dialog', { name: 'Resolve row 41' });
    await dialog.getByText('no answer came after it was sent').waitFor();
    await dialog.getByRole('heading', { name: 'What to look for in the platform' }).waitFor();
    await dialog.getByText('SO-10280').waitFor();
    await dialog.getByRole('button', { name: 'Resolve' }).click();
    await dialog.getByText('the platform has no record by that number').waitFor();
    await dialog.getByLabel('It was executed').check();
    await expect.poll(() => dialog.getByRole('button', { name: 'Resolve' }).isDisabled()).toBe(true);
    await dialog.getByLabel('Licence order ID').fill('LO-7');
    await dialog.getByLabel('How do you know?').fill('seen on the platform');
    expect(await violations(page)).toEqual([]);
    await picture(page, 'resolve');
    await dialog.getByRole('button', { name: 'Resolve' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(runs.written).toEqual([
      ['resolve', { row: 41, verify: true }],
      ['resolve', { row: 41, as: 'succeeded', note: 'seen on the platform', licenseOrderId: 'LO-7' }],
    ]);
  });

  it('shows a run of several steps with its parts', async () => {
    const steps = [
      {
        name: 'customer',
        operation: 'customer.add',
        status: 'completed',
        rows: 120,
        counts: { succeeded: 120 },
        requests: 120,
        retries: 0,
      },
      {
        name: 'order',
        operation: 'order.new_buy',
        status: 'going',
        rows: 120,
        counts: { succeeded: 20 },
        requests: 20,
        retries: 0,
      },
      {
        name: 'activate',
        operation: 'lock.activate',
        status: 'waiting',
        rows: 0,
        counts: {},
        requests: 0,
        retries: 0,
      },
    ];
    const page = await on.open(fakeRuns({ run: { steps } }).routes, RUN);
    const parts = page.getByRole('region', { name: 'Steps' });
    await parts.getByText('120 succeeded').waitFor();
    await parts.getByText('waiting').waitFor();
    expect(await violations(page)).toEqual([]);
  });

  it('that stopped before a step has the buttons of its approval', async () => {
    const run = RUN.slice('/runs/'.length);
    const may = { request: true, resume: 'another user must approve it first' };
    const approval = { needed: true, state: 'not_asked', lines: [] };
    const runs = fakeRuns({
      run: { state: 'stopped', may, approval, planHash: 'f'.repeat(64) },
      plan: {
        run,
        approval,
        state: 'stopped',
        may: { request: true, approve: 'you cannot approve your own plans' },
      },
    });
    const page = await on.open(runs.routes, RUN);
    await page.getByText('you cannot approve your own plans').waitFor();
    expect(await page.getByRole('button', { name: 'Resume' }).count()).toBe(0);
    expect(await violations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Request approval' }).click();
    const dialog = page.getByRole('dialog', { name: 'Request approval' });
    await dialog.getByLabel('Comment').fill('22 locks');
    await dialog.getByRole('button', { name: 'Request approval' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(runs.written).toEqual([['request', { comment: '22 locks', planHash: runs.plan.hash }]]);
  });

  it('is printed without the frame and its controls', async () => {
    const page = await on.open(fakeRuns().routes, RUN);
    await page.getByText('120 rows').waitFor();
    await page.emulateMedia({ media: 'print' });
    for (const hidden of [
      page.getByRole('navigation'),
      page.getByRole('button', { name: 'Retry failed rows' }),
    ]) {
      await expect.poll(() => hidden.isVisible()).toBe(false);
    }
    await page.getByText('108 succeeded').first().waitFor();
  });

  it('says that it no longer exists, and what the console refuses', async () => {
    const runs = fakeRuns();
    const refusal = { 'POST /runs/[^/]+/retry': () => problem(403, 'Li Na may look only.', 'people.denied') };
    const page = await on.open({ ...refusal, ...runs.routes }, RUN);
    await page.getByRole('button', { name: 'Retry failed rows' }).click();
    await page.getByRole('alert').getByText('Li Na may look only.').waitFor();
    expect(await violations(page)).toEqual([]);
    await page.goto(`${on.fake.origin}/runs/20250101-000000-000000`);
    await page.getByText('This run no longer exists').waitFor();
    expect(await violations(page)).toEqual([]);
  });

  it('reads well while it continues, in Chinese, in the dark, at 400 px', async () => {
    const looks = { locale: 'zh-CN', dark: true, width: 400 };
    const page: Page = await on.open(fakeRuns({ run: GOING }).routes, RUN, looks);
    await page.getByRole('table').waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
    expect(await violations(page)).toEqual([]);
  });
});
