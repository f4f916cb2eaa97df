import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  launchBrowser,
  NO_BROWSER,
  type OpenedPage,
  openPage,
  picture,
  violations,
} from '../../support/browser.js';
import { startConsole, type TestConsole } from '../../support/console.js';
import { orderJob } from '../../support/orders.js';

const SHEET = `Order,Customer,Asset,Nodes
SO-1,Customer 1,A1,5
SO-2,Customer 2,A2,many
SO-3,Customer 3,A3,7
SO-4,,A4,8
`;

let browser: Browser;
let fixture: TestConsole;
const opened: OpenedPage[] = [];

beforeAll(async () => {
  if (!NO_BROWSER) browser = await launchBrowser();
});
afterAll(() => browser?.close());

beforeEach(async () => {
  fixture = await startConsole({ env: process.env as Record<string, string> });
  await mkdir(path.join(fixture.folder, 'jobs'), { recursive: true });
  await writeFile(path.join(fixture.folder, 'jobs/orders.yaml'), `${orderJob()}connection: sandbox\n`);
});
afterEach(async () => {
  const all = opened.splice(0);
  for (const it of all) await it.leave();
  await fixture.close();
  expect(all.flatMap((it) => it.complaints)).toEqual([]);
});

/** The check of the sheet, at its page. */
async function checked(): Promise<Page> {
  const here = await openPage(browser, fixture.served.url);
  opened.push(here);
  const { page } = here;
  await page.getByRole('link', { name: 'New import' }).click();
  await page.getByLabel('Job').selectOption('jobs/orders.yaml');
  const sheet = { name: 'orders.csv', mimeType: 'text/csv', buffer: Buffer.from(SHEET) };
  await page.getByLabel('Spreadsheet').setInputFiles(sheet);
  await page.getByRole('button', { name: 'Check', exact: true }).click();
  await page.getByText('2 invalid').waitFor();
  return page;
}

describe.skipIf(NO_BROWSER)('invalid rows, from the check to what is sent', () => {
  it('block a plan only after a warning, and the plan leads back to where they are fixed', async () => {
    const page = await checked();
    await page.getByRole('button', { name: 'Plan', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Plan with 2 invalid rows?' });
    const keeps = dialog.getByRole('radio', { name: 'Block until fixed' });
    await keeps.waitFor();
    expect(await keeps.isChecked()).toBe(true);
    await picture(page, 'plan-with-invalid');
    expect(await violations(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Plan', exact: true }).click();
    await page.waitForURL('**/plans/*');
    const plan = page.url();
    await page.getByText('2 rows are invalid').waitFor();
    expect(await page.getByRole('button', { name: 'Send' }).count()).toBe(0);
    await picture(page, 'plan-held-back');
    expect(await violations(page)).toEqual([]);
    await page.goto(plan.replace('/plans/', '/runs/'));
    await page.getByRole('link', { name: 'Correct the rows' }).waitFor();
    await page.goto(plan);
    await page.getByRole('link', { name: 'Correct the rows' }).click();
    await page.waitForURL('**/imports/*?invalid=1');
    await expect.poll(() => page.getByRole('grid').getAttribute('aria-rowcount')).toBe('3');
    await page.getByRole('table', { name: 'Plans created from it' }).getByRole('link').click();
    await page.waitForURL(plan);
  });

  it('are excluded one by one in the grid, and included again; the plan counts the same', async () => {
    const page = await checked();
    const row = (n: string) =>
      page.getByRole('row').filter({ has: page.getByRole('rowheader', { name: n }) });
    await row('3').getByRole('gridcell').nth(3).click();
    await page.getByRole('button', { name: 'Exclude row' }).click();
    await page.getByText('1 skipped').waitFor();
    await expect.poll(() => page.locator(':focus').textContent()).toBe('many');
    await row('5').getByRole('gridcell').first().click();
    await page.keyboard.press('Shift+ArrowUp');
    await page.getByRole('button', { name: 'Exclude 2 rows' }).click();
    await page.getByText('3 skipped').waitFor();
    await picture(page, 'check-excluded');
    expect(await violations(page)).toEqual([]);
    await row('4').getByRole('gridcell').first().click();
    await page.getByRole('button', { name: 'Include row' }).click();
    await page.getByText('2 skipped').waitFor();
    await page.getByText('checking again').waitFor({ state: 'detached' });
    await page.getByText('2 ready').waitFor();
    await page.getByRole('button', { name: 'Plan', exact: true }).click();
    await page.waitForURL('**/plans/*');
    await page.getByText('2 items would be sent to sandbox.').waitFor();
    await page.getByText('a user excluded this row').first().waitFor();
  });

  it('are fixed by find and replace, after a look at what would change; Undo reverts it at once', async () => {
    const page = await checked();
    await page.getByRole('button', { name: 'Find and replace' }).click();
    const dialog = page.getByRole('dialog', { name: 'Find and replace' });
    await dialog.getByLabel('Find', { exact: true }).fill('customer ');
    await dialog.getByLabel('Replace with').fill('Company ');
    await dialog.getByLabel('In column').selectOption('B · Customer');
    await dialog.getByRole('button', { name: 'Find cells' }).click();
    await expect.poll(() => dialog.getByRole('row').count()).toBe(4);
    await picture(page, 'check-replace');
    expect(await violations(page)).toEqual([]);
    // One of the cells stays as it is.
    await dialog.getByLabel('New value of Customer 3').fill('');
    await dialog.getByRole('button', { name: 'Replace 2 cells' }).click();
    const column = () => page.locator('[role="gridcell"][aria-colindex="3"]').allTextContents();
    await expect.poll(column).toEqual(['Company 1', 'Company 2', 'Customer 3', '']);
    await page.getByText('2 cells corrected').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(column).toEqual(['Customer 1', 'Customer 2', 'Customer 3', '']);
  });

  it('are excluded where a user chooses that, and Send reports it again', async () => {
    const page = await checked();
    await page.getByRole('button', { name: 'Plan', exact: true }).click();
    const asks = page.getByRole('dialog');
    await asks.getByRole('radio', { name: 'Exclude 2 invalid rows' }).check();
    await asks.getByRole('button', { name: 'Plan', exact: true }).click();
    await page.waitForURL('**/plans/*');
    await page.getByText('2 invalid rows are excluded').waitFor();
    await picture(page, 'plan-left-out');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    const send = page.getByRole('dialog', { name: 'Send 2 items to sandbox?' });
    await send.getByText('2 invalid rows are excluded').waitFor();
    expect(
      await send
        .getByRole('region', { name: /[Ee]xcluded/ })
        .getByRole('listitem')
        .count(),
    ).toBe(2);
    await picture(page, 'send-left-out');
    expect(await violations(page)).toEqual([]);
    await send.getByRole('button', { name: /^Send/ }).click();
    await page.waitForURL('**/runs/*');
    await page.getByText('completed').first().waitFor();
    await page.getByRole('link', { name: 'orders.csv' }).click();
    await page.waitForURL('**/imports/*');
  });
});
