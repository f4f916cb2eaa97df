import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { NO_BROWSER, type OpenedPage, openPage, picture, violations } from '../../support/browser.js';
import { useBrowserFixture } from '../../support/browser-fixture.js';
import { ConsoleFixture, type ConsolePerson, FAULTS, ORDERS } from '../../support/console-fixture.js';
import { postgresPlace } from '../../support/postgres/shared-server.js';
import { readSheet } from '../../support/read-sheet.js';

const here = useBrowserFixture();

/** A user at a browser of their own, who signs in with their API token. */
async function signIn(console_: string, { name, token }: ConsolePerson): Promise<OpenedPage> {
  const opened = await openPage(here.browser, `${new URL(console_).origin}/`);
  here.closing.push(() => opened.leave());
  here.closing.push(() => picture(opened.page, `way-last-${name}`));
  const folder = process.env.TEST_PICTURES;
  if (folder !== undefined) {
    await opened.context.tracing.start({ screenshots: true, snapshots: true });
    here.closing.push(() => opened.context.tracing.stop({ path: `${folder}/whole-way-${name}.zip` }));
  }
  const { page } = opened;
  await page.getByLabel('API token').fill(token);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { level: 1, name: 'Runs' }).waitFor();
  return opened;
}

async function drop(page: Page, file: string): Promise<void> {
  const content = (await readFile(file)).toString('base64');
  const transfer = await page.evaluateHandle(
    ({ content, name }) => {
      const { DataTransfer: Held } = globalThis as unknown as {
        DataTransfer: new () => { readonly items: { add(file: File): void } };
      };
      const held = new Held();
      held.items.add(new File([Uint8Array.from(atob(content), (it) => it.charCodeAt(0))], name));
      return held;
    },
    { content, name: path.basename(file) },
  );
  await page.locator('.drop').dispatchEvent('drop', { dataTransfer: transfer });
}

/** A cell by its Excel address; the row must be in view. */
function cell(page: Page, at: string): Locator {
  const [, letter = '', row = ''] = /^([A-Z])(\d+)$/.exec(at) ?? [];
  return page
    .getByRole('row')
    .filter({ has: page.getByRole('rowheader', { name: row, exact: true }) })
    .getByRole('gridcell')
    .nth(letter.charCodeAt(0) - 65);
}

async function type(page: Page, at: string, text: string): Promise<void> {
  await cell(page, at).dblclick();
  await page.keyboard.type(text);
  await page.keyboard.press('Enter');
}

const idOf = (page: Page): string => new URL(page.url()).pathname.split('/').at(-1) ?? '';
const reported = (page: Page, text: string): Promise<void> => page.getByText(text, { exact: true }).waitFor();
const press = (page: Page, name: string | RegExp): Promise<void> =>
  page.getByRole('button', { name, exact: true }).click();

/** From the dropped sheet to a plan that waits for a user: what a maker does. */
async function makePlan(page: Page, fixture: ConsoleFixture): Promise<{ import: string; plan: string }> {
  await page.getByRole('link', { name: 'New import', exact: true }).click();
  await page.getByLabel('Job').selectOption('jobs/orders.yaml');
  await drop(page, fixture.sheet);
  await press(page, 'Check');
  await reported(page, '46 ready');
  const id = idOf(page);
  await reported(page, '14 invalid');
  await picture(page, 'way-check');
  expect(await violations(page)).toEqual([]);

  await page.getByLabel('Only rows with errors').check();
  await expect.poll(() => page.getByRole('grid').getAttribute('aria-rowcount')).toBe('15');
  await expect.poll(() => cell(page, 'F7').getAttribute('aria-invalid')).toBe('true');
  for (const [kind, count, after] of [
    ['Type', 6, '8 invalid'],
    ['Licence', 4, '4 invalid'],
  ] as const) {
    await page.getByRole('button', { name: new RegExp(`^Fix all: .*${kind}`) }).click();
    await picture(page, `way-mend-${kind}`);
    await press(page, `Fix ${count} cells`);
    await reported(page, after);
  }
  await press(page, 'Undo');
  await reported(page, '8 invalid');
  await press(page, 'Redo');
  await reported(page, '4 invalid');
  // The list follows the counts while the pointer is not over the grid: until then a cell may move before it is clicked.
  await expect.poll(() => page.getByRole('grid').getAttribute('aria-rowcount')).toBe('5');
  for (const at of Object.keys(FAULTS).filter((it) => !/^[CD]/.test(it))) {
    await type(page, at, FAULTS[at]!.corrected);
    await page.getByText('Saving').waitFor({ state: 'detached' });
  }
  await reported(page, '60 ready');
  await page.getByText('No rows with errors are left.').waitFor();
  await page.getByText('checking again').waitFor({ state: 'detached' });
  await picture(page, 'way-mended');
  const corrected = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Download corrected workbook' }).click();
  expect((await corrected).suggestedFilename()).toBe('orders-corrected.xlsx');
  expect(await violations(page)).toEqual([]);
  await press(page, 'Plan');
  await page.waitForURL('**/plans/*');
  await page.getByText('60 items would be sent to office.').waitFor();
  return { import: id, plan: idOf(page) };
}

interface Way {
  readonly hash: string;
  readonly result: readonly Record<string, string>[];
  /** As the console gave them to be taken home. */
  readonly corrections: string;
}

/** An order, sent, is seen by the platform once. */
function orders(): Record<string, number> {
  const times: Record<string, number> = {};
  for (const { body } of here.platform.seen) {
    const number = String(body.channelOrderId);
    times[number] = (times[number] ?? 0) + 1;
  }
  return times;
}

const ONCE = Object.fromEntries(Array.from({ length: ORDERS }, (_, at) => [`SO-${at + 2}`, 1]));

/** What is the same whenever, wherever and by whom a result was made. */
async function plainResult(file: string): Promise<readonly Record<string, string>[]> {
  return (await readSheet(file)).map(({ run: _, ...rest }) => rest);
}

async function people(fixture: ConsoleFixture): Promise<{ maker: ConsolePerson; checker: ConsolePerson }> {
  const chen = await fixture.add('chen', 'admin');
  return {
    maker: await fixture.add('wang', 'maker', chen),
    checker: await fixture.add('li', 'maker,checker', chen),
  };
}

/** The whole way at the pages, by two people at two browsers. */
async function atThePages(ledger: string): Promise<Way> {
  here.platform.seen.length = 0;
  const fixture = await ConsoleFixture.open(here.platform, ledger);
  here.closing.push(() => fixture.close());
  const { maker, checker } = await people(fixture);
  for (let workers = 0; workers < 2; workers += 1) fixture.worker();
  // What the checker made elsewhere, and asks for.
  const own = JSON.parse((await fixture.run(['plan', 'jobs/more.yaml', '--json'], checker)).stdout);
  expect(await fixture.run(['request', own.run], checker)).toMatchObject({ code: 0 });

  const address = await fixture.console();
  const { page: wang, complaints: ofWang } = await signIn(address, maker);
  const { import: id, plan } = await makePlan(wang, fixture);
  expect(await wang.getByRole('button', { name: /^Send/ }).count()).toBe(0);
  await press(wang, 'Request approval');
  const asking = wang.getByRole('dialog');
  await asking.getByLabel('Comment').fill('Orders of November');
  await picture(wang, 'way-request');
  expect(await violations(wang)).toEqual([]);
  await asking.getByRole('button', { name: 'Request approval' }).click();
  await asking.waitFor({ state: 'detached' });
  await wang.getByText('Waiting for approval').first().waitFor();

  const { page: li, complaints: ofLi } = await signIn(address, checker);
  const waiting = li.getByRole('region', { name: 'Waiting for approval' });
  await waiting.getByRole('link', { name: 'orders' }).waitFor();
  await waiting.getByText('Orders of November').waitFor();
  await picture(li, 'way-waiting');
  expect(await violations(li)).toEqual([]);
  await waiting.getByRole('link', { name: 'more' }).click();
  await li.getByText('2 items would be sent to office.').waitFor();
  expect(await li.getByRole('button', { name: 'Approve', exact: true }).count()).toBe(0);
  await li.getByText(/^Approve: you cannot approve your own plans/).waitFor();
  await picture(li, 'way-own-plan');
  const refused = await li.request.post(`${new URL(address).origin}/api/v1/plans/${own.run}/approve`, {
    data: { planHash: own.planHash },
    headers: { origin: new URL(address).origin },
  });
  expect([refused.status(), await refused.json()]).toEqual([
    409,
    expect.objectContaining({ code: 'approval.own_plan' }),
  ]);

  await li.getByRole('link', { name: 'Runs', exact: true }).click();
  await waiting.getByRole('link', { name: 'orders' }).click();
  await li.getByText('60 items would be sent to office.').waitFor();
  await li.getByText('14 cells were corrected in the console').waitFor();
  await li.getByText('No row is excluded.').waitFor();
  await press(li, 'Approve');
  const approving = li.getByRole('dialog');
  await approving.getByText(/60 items to office/).waitFor();
  await picture(li, 'way-approve');
  await approving.getByRole('button', { name: 'Approve' }).click();
  await li.getByText(/^Approved by li until/).waitFor();
  expect(await violations(li)).toEqual([]);

  await wang.reload();
  await wang.getByText(/^Approved by li until/).waitFor();
  expect(here.platform.seen.length).toBe(0);
  await press(wang, 'Send');
  await picture(wang, 'way-send');
  const sending = wang.getByRole('dialog', { name: 'Send 60 items to office?' });
  const letGo = here.holdAfter(20);
  await sending.getByRole('button', { name: /^Send 60 items to office/ }).dblclick();
  await wang.waitForURL('**/runs/*');
  await wang.getByText('running', { exact: true }).waitFor();
  await wang.getByText(/^[1-5]?\d succeeded$/).waitFor();
  await picture(wang, 'way-live');
  letGo();
  await wang.getByText('completed', { exact: true }).waitFor();
  await reported(wang, '60 succeeded');
  await expect.poll(() => wang.getByRole('button', { name: 'Resolve' }).count()).toBe(0);
  await picture(wang, 'way-over');
  expect(await violations(wang)).toEqual([]);
  expect(orders()).toEqual(ONCE);

  const coming = wang.waitForEvent('download');
  await wang.getByRole('link', { name: 'Download result' }).click();
  const taken = path.join(fixture.folder, 'taken.xlsx');
  await (await coming).saveAs(taken);
  const kept = await wang.request.get(`${new URL(address).origin}/api/v1/imports/${id}/corrections.csv`);
  const shown = JSON.parse((await fixture.run(['runs', 'show', plan, '--json'], maker)).stdout);
  expect([...ofWang, ...ofLi]).toEqual([]);
  expect(await fixture.run(['audit', 'check'], maker)).toMatchObject({ code: 0 });
  return { hash: shown.planHash, result: await plainResult(taken), corrections: await kept.text() };
}

/** The same acts on the command line, in a fixture of its own with a ledger in a file; the same corrections once. */
async function atTheTerminal(corrections: string): Promise<Omit<Way, 'corrections'>> {
  here.platform.seen.length = 0;
  const fixture = await ConsoleFixture.open(here.platform);
  here.closing.push(() => fixture.close());
  const { maker, checker } = await people(fixture);
  await writeFile(path.join(fixture.folder, 'corrections.csv'), corrections);
  const planned = await fixture.run(
    ['plan', 'jobs/orders.yaml', '--corrections', 'corrections.csv', '--json'],
    maker,
  );
  expect(planned.code, planned.stderr + planned.stdout).toBe(0);
  const { run, planHash } = JSON.parse(planned.stdout);
  for (const [args, who] of [
    [['request', run, '--comment', 'Orders of November'], maker],
    [['approve', run], checker],
    [['apply', run, '--yes', '--output', 'done.xlsx'], maker],
  ] as const) {
    const { code, stderr } = await fixture.run(args, who);
    expect(code, stderr).toBe(0);
  }
  expect(orders()).toEqual(ONCE);
  return { hash: planHash, result: await plainResult(path.join(fixture.folder, 'done.xlsx')) };
}

describe.skipIf(NO_BROWSER)('the whole way of an office, by two people', () => {
  // Without workers: keyboard-way.test.ts.
  it('on PostgreSQL with two workers', async () => {
    const place = await postgresPlace();
    here.closing.push(() => place.remove());
    const { hash, result, corrections } = await atThePages(place.url);
    expect(result.map((it) => [it.status, it.licenseOrderId])).toEqual(
      Array.from({ length: ORDERS }, (_, at) => ['succeeded', `LO-SO-${at + 2}-1`]),
    );
    expect(await atTheTerminal(corrections)).toEqual({ hash, result });
  });
});
