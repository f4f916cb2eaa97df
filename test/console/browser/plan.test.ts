import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { NO_BROWSER, picture, violations } from '../../support/browser.js';
import { problem } from '../../support/fake-console.js';
import { fakeRuns } from './fake-runs.js';
import { stage } from './stage.js';

const on = stage();

const PLAN = '/plans/20261123-012000-77d0aa';

const sends = (): number => on.fake.asked.filter((it) => /^POST .*\/send$/.test(it)).length;

async function openSend(page: Page) {
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  return page.getByRole('dialog');
}

describe.skipIf(NO_BROWSER)('a plan', () => {
  it('says what will be sent, the first requests, what is excluded and why, and who made it', async () => {
    const page = await on.open(fakeRuns().routes, PLAN);
    await page.getByText('112 items would be sent to production.').waitFor();
    await expect.poll(() => page.getByRole('heading', { level: 1 }).textContent()).toBe('Plan');
    const operations = page.getByRole('region', { name: 'What will be sent' });
    expect(
      await operations.getByRole('row', { name: /order.new_buy 100 100 cannot be reverted/ }).count(),
    ).toBe(1);
    const requests = page.getByRole('button', { name: 'Show requests' });
    expect(await requests.getAttribute('aria-expanded')).toBe('false');
    expect(await page.getByText('"orderNo": "SO-10241"').count()).toBe(0);
    await requests.click();
    await page.getByText('"orderNo": "SO-10241"').waitFor();
    await page.getByText('"Sued" is not a region').waitFor();
    await page.getByText('7, 9, 12, …').waitFor();
    await page.getByText('Wang Fang').first().waitFor();
    expect(
      await page.getByText('9f2c4b7d1e88a0c35f6e7d90aa41b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3').count(),
    ).toBe(1);
    expect(await violations(page)).toEqual([]);
    await picture(page, 'plan');
  });

  it('shows how it differs from the one that was asked for last', async () => {
    const { routes } = fakeRuns();
    const plan = routes['GET /plans/([^/]+)']!;
    const lines = [
      { kind: 'changed', depth: 0, text: '~ 1 changed' },
      { kind: 'changed', depth: 1, text: 'row 10: channelOrderId SO-9; customerName Ann -> Anne' },
    ];
    let approved = false;
    const reported = async (request: Parameters<typeof plan>[0]) => ({
      ...((await plan(request)) as object),
      sinceAsked: { run: 'p0', approved, lines },
    });
    const page = await on.open({ ...routes, 'GET /plans/([^/]+)': reported }, PLAN);
    await page.getByRole('heading', { name: 'Changed since approval was last requested' }).waitFor();
    await expect
      .poll(() => page.getByText('row 10: channelOrderId SO-9; customerName Ann -> Anne').isVisible())
      .toBe(true);
    const then = page.getByRole('link', { name: 'The plan for which approval was requested then' });
    await expect.poll(() => then.getAttribute('href')).toBe('/plans/p0');
    expect(await violations(page)).toEqual([]);
    approved = true;
    await page.reload();
    await page.getByRole('heading', { name: 'Changed since the last approved plan' }).waitFor();
    await page.getByRole('link', { name: 'The last approved plan' }).waitFor();
  });

  it('shows its rows with the columns of the sheet, corrections and resulting fields, page by page', async () => {
    const page = await on.open(fakeRuns().routes, PLAN);
    const table = page.getByRole('table', { name: 'Rows of the plan' });
    await expect
      .poll(() => table.getByRole('columnheader').allTextContents())
      .toEqual(['Row', '订单号', '客户', '开始日期', 'Resulting fields']);
    const corrected = table
      .getByRole('row')
      .filter({ has: page.getByRole('rowheader', { name: '3', exact: true }) });
    expect(await corrected.getByRole('deletion').textContent()).toBe('海天');
    expect(await corrected.getByRole('insertion').textContent()).toBe('海天酒店');
    await corrected.getByText('limitStartDate: 2026-12-01 00:00:00 Asia/Shanghai').waitFor();
    await page.getByRole('link', { name: 'Next page' }).click();
    await table.getByRole('rowheader', { name: '53', exact: true }).waitFor();
    expect(await page.getByRole('link', { name: 'Next page' }).count()).toBe(0);
    await page.goBack();
    await table.getByRole('rowheader', { name: '2', exact: true }).waitFor();
    expect(await violations(page)).toEqual([]);
  });

  it('leads to the rehearsal that is in progress already, and reports one that invalid rows withhold', async () => {
    const { routes } = fakeRuns();
    const plan = routes['GET /plans/([^/]+)']!;
    const reported = async (request: Parameters<typeof plan>[0]) => ({
      ...((await plan(request)) as object),
      state: 'invalid',
      counts: { invalid: 3, valid: 112 },
      may: { rehearse: true, send: '3 rows are invalid' },
    });
    const refused = () => problem(409, 'p1 is being rehearsed already', 'rehearse.under_way');
    const page = await on.open(
      { 'POST /runs/[^/]+/rehearse': refused, ...routes, 'GET /plans/([^/]+)': reported },
      PLAN,
    );
    await page.getByText('Nothing would be sent to production.').waitFor();
    await page.getByRole('region', { name: 'What would be sent if no row were invalid' }).waitFor();
    expect(await page.getByRole('region', { name: 'What will be sent' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Rehearse' }).click();
    await page.waitForURL('**/rehearsal');
  });

  it('is sent after a second word that names how many and where; a double click is one', async () => {
    const runs = fakeRuns();
    const page = await on.open(runs.routes, PLAN);
    const dialog = await openSend(page);
    await expect.poll(() => dialog.getByRole('heading').textContent()).toBe('Send 112 items to production?');
    await dialog.getByText('Cannot be reverted: 100 of order.new_buy').waitFor();
    await dialog.getByText('licences.example.com').waitFor();
    expect(await violations(page)).toEqual([]);
    await dialog.getByRole('button', { name: /^Send/ }).dblclick();
    await page.waitForURL(/\/runs\/20261123-012000-77d0aa$/);
    expect(runs.written).toEqual([['send', { items: 112, connection: 'production' }]]);
    expect(sends()).toBe(1);
    await page.goBack();
    await page.getByText('Sent by Wang Fang').waitFor();
    await expect.poll(() => page.getByRole('button', { name: 'Send' }).count()).toBe(0);
    await page.reload();
    await page.getByText('Sent by Wang Fang').waitFor();
    await expect.poll(() => page.getByRole('button', { name: 'Send' }).count()).toBe(0);
    expect(await violations(page)).toEqual([]);
  });

  it('is not sent by the Enter that opened the question, held or pressed again', async () => {
    const runs = fakeRuns();
    const page = await on.open(runs.routes, PLAN);
    await page.getByRole('button', { name: 'Send', exact: true }).focus();
    for (let repeats = 0; repeats < 20; repeats += 1) await page.keyboard.down('Enter');
    await page.keyboard.up('Enter');
    await page.getByRole('dialog').waitFor();
    for (let again = 0; again < 3; again += 1) await page.keyboard.press('Enter');
    await page.waitForTimeout(300);
    expect(sends()).toBe(0);
    await expect.poll(() => page.locator(':focus').textContent()).toBe('Send 112 items to production?');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await expect.poll(() => page.locator(':focus').textContent()).toBe('Send');
  });

  it('requires the number typed where it deletes, and takes the canary', async () => {
    const runs = fakeRuns({
      plan: {
        items: 1200,
        operations: [
          { operation: 'asset.delete', items: 1200, requests: 12, irreversible: true, deletes: true },
        ],
      },
    });
    const page = await on.open(runs.routes, PLAN);
    const dialog = await openSend(page);
    const yes = dialog.getByRole('button', { name: /^Send/ });
    await expect.poll(() => yes.isDisabled()).toBe(true);
    const field = dialog.getByLabel('Number to confirm');
    await field.fill('12');
    await expect.poll(() => yes.isDisabled()).toBe(true);
    await expect.poll(() => field.getAttribute('aria-invalid')).toBe('true');
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press('Enter');
    expect(sends()).toBe(0);
    await field.fill('1,200');
    await dialog.getByLabel('Send a test batch first').check();
    await expect.poll(() => yes.isDisabled()).toBe(true);
    await dialog.getByLabel('Test batch size').fill('5');
    await dialog.getByLabel('Send a test batch first').uncheck();
    await dialog.getByLabel('Send a test batch first').check();
    await picture(page, 'send');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/runs\//);
    expect(runs.written).toEqual([
      ['send', { items: 1200, connection: 'production', confirmNumber: 1200, canary: 5 }],
    ]);
  });

  it('is looked up when no answer comes: it was sent', async () => {
    const runs = fakeRuns();
    runs.sendFails = 'unanswered';
    const page = await on.open(runs.routes, PLAN);
    await (await openSend(page)).getByRole('button', { name: /^Send/ }).click();
    await page.waitForURL(/\/runs\//);
    // Chromium itself may have asked more often.
    expect(runs.written).toEqual([['send', { items: 112, connection: 'production' }]]);
  });

  it('is looked up when no answer comes: it was not sent, and is offered again', async () => {
    const runs = fakeRuns();
    runs.sendFails = 'lost';
    const page = await on.open(runs.routes, PLAN);
    const dialog = await openSend(page);
    await dialog.getByRole('button', { name: /^Send/ }).click();
    await dialog.getByText('the plan has not been sent').waitFor();
    expect(runs.written).toEqual([]);
    expect(await violations(page)).toEqual([]);
    runs.sendFails = undefined;
    await dialog.getByRole('button', { name: /^Send/ }).click();
    await page.waitForURL(/\/runs\//);
    expect(runs.written.length).toBe(1);
  });

  it('keeps the button off while the network is dead, because the outcome is not known', async () => {
    const runs = fakeRuns();
    const page = await on.open(runs.routes, PLAN);
    const dialog = await openSend(page);
    on.fake.online = false;
    await dialog.getByRole('button', { name: /^Send/ }).click();
    await dialog.getByText('Checking whether it was sent').first().waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Enter');
    await expect.poll(() => dialog.getByRole('button', { name: /^Send/ }).isDisabled()).toBe(true);
    await expect.poll(() => dialog.getByRole('button', { name: 'Cancel' }).isDisabled()).toBe(true);
    // Whatever moves takes its time from now on, so that what is read is in between.
    await page.evaluate(`document.documentElement.style.setProperty('--quick', '30s')`);
    on.fake.online = true;
    await dialog.getByText('the plan has not been sent').waitFor();
    expect(runs.written).toEqual([]);
    expect(await dialog.getByRole('button', { name: /^Send/ }).isEnabled()).toBe(true);
    // It is enabled as soon as this is reported, and can be read.
    expect(await violations(page)).toEqual([]);
  });

  it('does not say that it was not sent where looking it up failed', async () => {
    const runs = fakeRuns();
    runs.sendFails = 'lost';
    const plan = runs.routes['GET /plans/([^/]+)']!;
    const answers = [() => problem(503, 'The ledger is away'), () => problem(500, 'Something broke')];
    let asked = false;
    const page = await on.open(
      {
        ...runs.routes,
        'POST /plans/[^/]+/send': (request) => {
          asked = true;
          return runs.routes['POST /plans/[^/]+/send']!(request);
        },
        'GET /plans/([^/]+)': (request) => (asked && answers.shift()?.()) || plan(request),
      },
      PLAN,
    );
    const dialog = await openSend(page);
    await dialog.getByRole('button', { name: /^Send/ }).click();
    await page
      .getByText('Something broke')
      .or(page.getByText('the plan has not been sent'))
      .first()
      .waitFor();
    expect(await page.getByText('the plan has not been sent').count()).toBe(0);
  });

  it('reports what the console refuses, and shows what another tab did in the meantime', async () => {
    const runs = fakeRuns();
    const page = await on.open(
      {
        ...runs.routes,
        'POST /plans/[^/]+/send': () => {
          runs.plan.sent = { by: 'Li Na', at: '2026-11-23T01:30:00Z', requests: 102, goesOn: false };
          return problem(
            409,
            'This plan was applied already; a plan is executed once.',
            'run.applied_already',
          );
        },
      },
      PLAN,
    );
    const dialog = await openSend(page);
    await dialog.getByRole('button', { name: /^Send/ }).click();
    await dialog.getByText('a plan is executed once').waitFor();
    await page.keyboard.press('Escape');
    await page.getByText('Sent by Li Na').waitFor();
    await expect.poll(() => page.getByRole('button', { name: 'Send' }).count()).toBe(0);
  });
});

describe.skipIf(NO_BROWSER)('approval', () => {
  const waiting = {
    approval: {
      needed: true,
      state: 'waiting',
      by: 'Wang Fang',
      lines: [{ act: 'request', by: 'Wang Fang', at: '2026-11-23T01:21:00Z', comment: 'November orders' }],
    },
    sinceAsked: { run: '20261122-1', lines: [{ kind: 'changed', depth: 0, text: 'row 7 was left out' }] },
    may: { approve: true, reject: true, send: 'Nobody has approved it yet.' },
  };

  it('is asked for with a comment; Escape leaves, and the focus is where it was', async () => {
    const runs = fakeRuns({
      plan: {
        approval: { needed: true, state: 'not_asked', lines: [] },
        may: { request: true, send: 'Nobody has approved it yet.' },
      },
    });
    const page = await on.open(runs.routes, PLAN);
    await page.getByText('Nobody has approved it yet.').waitFor();
    await expect.poll(() => page.getByRole('button', { name: 'Send' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Request approval' }).focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Request approval' });
    await dialog.locator('textarea:focus').waitFor();
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await page.locator('button:focus', { hasText: 'Request approval' }).waitFor();
    await page.keyboard.press('Enter');
    await dialog.locator('textarea:focus').waitFor();
    await page.keyboard.type('November orders');
    await dialog.getByRole('button', { name: 'Request approval' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(runs.written).toEqual([['request', { comment: 'November orders', planHash: runs.plan.hash }]]);
  });

  it('is given of exactly what is shown, with the difference to what was asked last', async () => {
    const runs = fakeRuns({ plan: waiting });
    const page = await on.open(runs.routes, PLAN);
    await page.getByText('Changed since approval was last requested').waitFor();
    await page.getByText('row 7 was left out').waitFor();
    await page.getByText('“November orders”').or(page.getByText('November orders')).first().waitFor();
    expect(await violations(page)).toEqual([]);
    await picture(page, 'plan-waiting');
    await page.getByRole('button', { name: 'Approve' }).click();
    const dialog = page.getByRole('dialog', { name: 'Approve' });
    await dialog.getByText('112 items to production, 8 rows excluded, plan hash 9f2c4b7d1e88').waitFor();
    await dialog.getByLabel('Comment').fill('fine');
    await dialog.getByRole('button', { name: 'Approve' }).dblclick();
    await dialog.waitFor({ state: 'detached' });
    expect(runs.written).toEqual([['approve', { comment: 'fine', planHash: runs.plan.hash, maxAge: '24h' }]]);
  });

  it('is shown by itself when another user rejects', async () => {
    const runs = fakeRuns();
    const page = await on.open(runs.routes, PLAN);
    await page.getByRole('button', { name: 'Send', exact: true }).waitFor();
    const line = { act: 'reject', by: 'Li Na', at: '2026-11-23T01:30:00Z', comment: 'Row 7 first.' };
    runs.plan.version = '2';
    runs.plan.approval = { needed: true, state: 'rejected', ...line, lines: [line] };
    runs.plan.may = { send: 'another user must approve it first' };
    await page.getByText('Rejected by Li Na').waitFor();
    await page.getByText('Row 7 first.').waitFor();
    expect(await page.getByRole('button', { name: 'Send', exact: true }).count()).toBe(0);
  });

  it('is refused with a comment only', async () => {
    const runs = fakeRuns({ plan: waiting });
    const page = await on.open(runs.routes, PLAN);
    await page.getByRole('button', { name: 'Reject' }).click();
    const dialog = page.getByRole('dialog', { name: 'Reject' });
    const yes = dialog.getByRole('button', { name: 'Reject' });
    await expect.poll(() => yes.isDisabled()).toBe(true);
    await dialog.getByLabel('Comment').fill('Row 7 first.');
    await yes.click();
    await dialog.waitFor({ state: 'detached' });
    expect(runs.written).toEqual([['reject', { comment: 'Row 7 first.', planHash: runs.plan.hash }]]);
  });
});

describe.skipIf(NO_BROWSER)('a plan in other states', () => {
  it('says that it no longer exists', async () => {
    const page = await on.open(fakeRuns().routes, '/plans/20250101-000000-000000');
    await page.getByText('This plan no longer exists').waitFor();
    expect(await violations(page)).toEqual([]);
  });

  it('does not say that no row is excluded where not all were looked through', async () => {
    const page = await on.open(fakeRuns({ plan: { skipped: [], skippedUntil: 412_000 } }).routes, PLAN);
    await page.getByText('rows after 412,000 were not examined').waitFor();
    expect(await page.getByText('No row is excluded').count()).toBe(0);
    expect(await violations(page)).toEqual([]);
  });

  it('shows a plan that is being made, and then what it is', async () => {
    const runs = fakeRuns({ plan: { state: 'planning', operations: [], first: [], skipped: [], items: 0 } });
    const page = await on.open(runs.routes, PLAN);
    await page.getByText('The plan is being created …').waitFor();
    expect(await page.getByText('Nothing would be sent').count()).toBe(0);
    expect(await page.getByText('No row is excluded').count()).toBe(0);
    await expect.poll(() => page.getByRole('button', { name: 'Send' }).count()).toBe(0);
    expect(await violations(page)).toEqual([]);
    Object.assign(runs.plan, fakeRuns().plan);
    await page.getByRole('button', { name: 'Send' }).waitFor();
  });
});
