import path from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { NO_BROWSER, openPage, picture } from '../../support/browser.js';
import { useBrowserFixture } from '../../support/browser-fixture.js';
import { ConsoleFixture, type ConsolePerson, FAULTS, ORDERS } from '../../support/console-fixture.js';
import { Keyboard } from '../../support/keyboard.js';
import { readSheet } from '../../support/read-sheet.js';

const here = useBrowserFixture();

const reported = (page: Page, text: string | RegExp): Promise<void> =>
  page.getByText(text, { exact: true }).first().waitFor();

async function signIn(console_: string, { name, token }: ConsolePerson): Promise<Keyboard> {
  const { page, context, complaints } = await openPage(here.browser, `${new URL(console_).origin}/`);
  here.closing.push(async () => {
    await picture(page, `keyboard-${name}`);
    await context.close();
    expect(complaints).toEqual([]);
  });
  const keys = new Keyboard(page);
  await keys.type('textbox', 'API token', token);
  await page.keyboard.press('Enter');
  await keys.comesTo(page.getByRole('heading', { level: 1, name: 'Runs' }));
  return keys;
}

/** Goes to a cell of the grid by the arrow keys and types over it. */
async function correct({ page }: Keyboard, at: string, text: string): Promise<void> {
  const [, letter = '', row = ''] = /^([A-Z])(\d+)$/.exec(at) ?? [];
  const column = String(letter.charCodeAt(0) - 63);
  const focus = page.locator(':focus');
  await page.keyboard.press('Control+Home');
  const inRow = page
    .getByRole('row')
    .filter({ has: page.getByRole('rowheader', { name: row, exact: true }) })
    .filter({ has: focus });
  for (let rows = 0; (await inRow.count()) === 0; rows += 1) {
    expect(rows, `${at} is reached`).toBeLessThan(ORDERS);
    await page.keyboard.press('ArrowDown');
  }
  while ((await focus.getAttribute('aria-colindex')) !== column) await page.keyboard.press('ArrowRight');
  await expect.poll(() => focus.getAttribute('aria-invalid')).toBe('true');
  await page.keyboard.type(text);
  await page.keyboard.press('Enter');
  await expect.poll(() => focus.getAttribute('role')).toBe('gridcell');
}

/** A sheet is chosen, checked, fixed and planned. */
async function makePlan(keys: Keyboard, sheet: string): Promise<void> {
  const { page } = keys;
  await keys.to('link', 'New import', { back: true });
  await page.keyboard.press('Enter');
  await keys.comesTo(page.getByRole('heading', { level: 1, name: 'New import' }));
  // Listened for early: a key pressed right after the first wish to hear of it would overtake that.
  page.on('filechooser', () => {});
  await keys.choose('Job', 'jobs/orders.yaml');
  await keys.to('button', 'Spreadsheet');
  const choosing = page.waitForEvent('filechooser');
  await page.keyboard.press('Enter');
  // The dialog is the system's own.
  await (await choosing).setFiles(sheet);
  await page
    .getByText(/: uploaded/)
    .first()
    .waitFor();
  await keys.press('button', 'Check');
  await keys.comesTo(page.getByRole('heading', { level: 1, name: 'Check of orders.xlsx' }));
  await reported(page, '14 invalid');
  for (const [kind, count, after] of [
    ['Type', 6, '8 invalid'],
    ['Licence', 4, '4 invalid'],
  ] as const) {
    await keys.press('button', new RegExp(`^Fix all: .*${kind}`));
    await keys.press('button', `Fix ${count} cells`);
    await reported(page, after);
    await keys.seen();
  }
  await keys.press('button', 'Undo');
  await reported(page, '8 invalid');
  await keys.seen();
  await keys.press('button', 'Redo');
  await reported(page, '4 invalid');
  await keys.seen();
  await keys.press('checkbox', 'Only rows with errors', 'Space');
  await expect.poll(() => page.getByRole('grid').getAttribute('aria-rowcount')).toBe('5');
  for (let tabs = 0; (await page.locator('[role="grid"] :focus').count()) === 0; tabs += 1) {
    expect(tabs, 'the grid is reached').toBeLessThan(20);
    await page.keyboard.press('Tab');
  }
  for (const at of Object.keys(FAULTS).filter((it) => !/^[CD]/.test(it))) {
    await correct(keys, at, FAULTS[at]!.corrected);
    await page.getByText('Saving').waitFor({ state: 'detached' });
  }
  await reported(page, '60 ready');
  await page.getByText('checking again').waitFor({ state: 'detached' });
  await keys.seen();
  await keys.press('button', 'Plan');
  await keys.comesTo(page.getByRole('heading', { level: 1, name: 'Plan' }));
  await reported(page, '60 items would be sent to office.');
}

describe.skipIf(NO_BROWSER)('the whole way by the keyboard alone', () => {
  it('is completed by two people, from signing in to the result', async () => {
    const fixture = await ConsoleFixture.open(here.platform);
    here.closing.push(() => fixture.close());
    const chen = await fixture.add('chen', 'admin');
    const maker = await fixture.add('wang', 'maker', chen);
    const checker = await fixture.add('li', 'checker', chen);
    const address = await fixture.console();

    const wang = await signIn(address, maker);
    await makePlan(wang, fixture.sheet);
    await wang.press('button', 'Request approval');
    await wang.comesTo(wang.page.getByLabel('Comment'));
    await wang.page.keyboard.type('Orders of November');
    await wang.press('button', 'Request approval');
    await wang.page.getByRole('dialog').waitFor({ state: 'detached' });
    await reported(wang.page, 'Waiting for approval');
    await wang.page.getByRole('button', { name: 'Request approval' }).waitFor({ state: 'detached' });
    await wang.seen();

    const li = await signIn(address, checker);
    await li.press('link', 'orders');
    await li.comesTo(li.page.getByRole('heading', { level: 1, name: 'Plan' }));
    await li.press('button', 'Approve');
    await li.comesTo(li.page.getByLabel('Comment'));
    await li.press('button', 'Approve');
    await li.page.getByText(/^Approved by li until/).waitFor();
    await li.page.getByRole('button', { name: 'Approve' }).waitFor({ state: 'detached' });
    await li.seen();

    await wang.page.reload();
    await wang.page.getByText(/^Approved by li until/).waitFor();
    expect(here.platform.seen.length).toBe(0);
    await wang.press('button', 'Send');
    await wang.page.getByRole('dialog', { name: 'Send 60 items to office?' }).waitFor();
    await wang.seen();
    const letGo = here.holdAfter(20);
    await wang.press('button', /^Send 60 items to office/);
    await wang.comesTo(wang.page.getByRole('heading', { level: 1, name: 'Run' }));
    // Stopped by a key that is pressed twice: what comes in the button's place is not pressed with it.
    await wang.to('button', 'Stop');
    await wang.page.keyboard.press('Enter');
    await reported(wang.page, 'Stopping: requests in flight finish');
    letGo();
    await wang.page.getByRole('button', { name: 'Resume' }).waitFor();
    await wang.seen();
    await wang.page.keyboard.press('Enter');
    await reported(wang.page, 'stopped');
    await wang.press('button', 'Resume');
    await wang.page.getByRole('dialog', { name: 'Resume' }).waitFor();
    await wang.press('button', 'Resume');
    await wang.page.getByText('completed', { exact: true }).waitFor();
    await reported(wang.page, '60 succeeded');
    await wang.seen();

    await wang.press('link', 'Row 2');
    const story = wang.page.getByRole('dialog');
    await story.getByText('Safe next actions').waitFor();
    await wang.seen();
    await wang.page.keyboard.press('Escape');
    await wang.comesTo(wang.page.getByRole('link', { name: 'Row 2', exact: true }));
    await wang.to('link', 'Download result', { back: true });
    const coming = wang.page.waitForEvent('download');
    await wang.page.keyboard.press('Enter');
    const taken = path.join(fixture.folder, 'taken.xlsx');
    await (await coming).saveAs(taken);
    const result = await readSheet(taken);
    expect(result.map((it) => it.status)).toEqual(Array.from({ length: ORDERS }, () => 'succeeded'));
    expect(here.platform.seen.length).toBe(ORDERS);
  });
});
