import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { utils, write } from '@e965/xlsx';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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

const RENAMED = 'Order number,Client,Asset,Nodes\nSO-1,Customer 1,A1,5\nSO-2,Customer 2,A2,7\n';

let browser: Browser;
let fixture: TestConsole;
let opened: OpenedPage;

beforeAll(async () => {
  if (NO_BROWSER) return;
  browser = await launchBrowser();
  fixture = await startConsole({ env: process.env as Record<string, string> });
  await mkdir(path.join(fixture.folder, 'jobs'), { recursive: true });
  await writeFile(path.join(fixture.folder, 'jobs/orders.yaml'), `${orderJob()}connection: sandbox\n`);
  opened = await openPage(browser, fixture.served.url);
});
afterAll(async () => {
  await browser?.close();
  await fixture?.close();
});

describe.skipIf(NO_BROWSER)('columns of a file, at a real console', () => {
  it('are matched where they are renamed, remembered for the next file, and saved as a job', async () => {
    const { page, complaints } = opened;
    const file = (name: string, text: string) => ({ name, mimeType: 'text/csv', buffer: Buffer.from(text) });
    const fieldFor = (header: string) => page.getByLabel(`Field for ${header}`);
    const check = page.getByRole('button', { name: 'Check', exact: true });
    await page.getByRole('link', { name: 'New import' }).click();
    await page.getByLabel('Job').selectOption('jobs/orders.yaml');
    await page.getByLabel('Spreadsheet').setInputFiles(file('orders.csv', RENAMED));
    await page.getByText('The job reads the column “Customer”, which is not in the sheet.').waitFor();
    await picture(page, 'columns-renamed');
    expect(await violations(page)).toEqual([]);
    await fieldFor('Order number').selectOption('channelOrderId');
    await fieldFor('Client').selectOption('customerName');
    await page.getByText('Please choose a column or a constant').waitFor({ state: 'detached' });
    await picture(page, 'columns-matched');
    expect(await violations(page)).toEqual([]);
    await check.click();
    await page.getByText('2 ready').waitFor();

    await page.getByRole('link', { name: 'New import' }).click();
    await page.getByLabel('Job').selectOption('jobs/orders.yaml');
    const next = RENAMED.replaceAll('SO-', 'SO-9');
    await page.getByLabel('Spreadsheet').setInputFiles(file('november.csv', next));
    await page.getByText('Filled as in your import of orders.csv').waitFor();
    await expect.poll(() => fieldFor('Client').inputValue()).toBe('customerName');
    expect(await violations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Save as job' }).click();
    const dialog = page.getByRole('dialog', { name: 'Save as job' });
    await dialog.getByLabel('Name of the job file').fill('orders');
    await dialog.getByRole('button', { name: 'Save', exact: true }).click();
    await dialog.getByRole('alert').filter({ hasText: 'choose another name' }).waitFor();
    await dialog.getByLabel('Name of the job file').fill('clients');
    await dialog.getByRole('button', { name: 'Save', exact: true }).click();
    await expect.poll(() => page.getByLabel('Job').inputValue()).toBe('jobs/clients.yaml');
    await expect.poll(() => fieldFor('Client').inputValue()).toBe('customerName');
    const saved = await readFile(path.join(fixture.folder, 'jobs/clients.yaml'), 'utf8');
    expect(saved).toContain('customerName: Client');
    await check.click();
    await page.getByText('2 ready').waitFor();
    expect(complaints).toEqual([]);
  });

  it('of a guess are asked for; another sheet is chosen on the page', async () => {
    const { page, complaints } = opened;
    await page.getByRole('link', { name: 'New import' }).click();
    await writeFile(
      path.join(fixture.folder, 'jobs/locks.yaml'),
      'version: 1\nname: locks\noperation: asset.lock\nconnection: sandbox\nsource: { file: a.xlsx, sheet: Locks }\n' +
        'map: { assetNums: Lock, operatorIdentity: Who }\n',
    );
    await page.reload();
    const book = utils.book_new();
    utils.book_append_sheet(book, utils.aoa_to_sheet([['x'], ['y']]), 'Notes');
    const rows = [
      ['Lock', 'Person'],
      ['8100000001', 'Wang'],
    ];
    utils.book_append_sheet(book, utils.aoa_to_sheet(rows), 'Locks 2026');
    const buffer = write(book, { type: 'buffer', bookType: 'xlsx' }) as Buffer;
    const name = 'locks.xlsx';
    await page.getByLabel('Job').selectOption('jobs/locks.yaml');
    await page
      .getByLabel('Spreadsheet')
      .setInputFiles({ name, mimeType: 'application/octet-stream', buffer });
    await page.getByRole('alert').filter({ hasText: 'Locks 2026' }).waitFor();
    await picture(page, 'columns-no-sheet');
    await page.getByLabel('Sheet', { exact: true }).selectOption('Locks 2026');
    await page.getByLabel('Field for Person').selectOption('operatorIdentity');
    await page.getByText('Please choose a column').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Check', exact: true }).click();
    await page.getByText('1 ready').waitFor();

    await page.getByRole('link', { name: 'New import' }).click();
    await page.getByLabel('Job').selectOption({ label: 'Guess a job' });
    await page.getByLabel('Operation').selectOption('asset.lock');
    const sheet = 'Lock number,Remarks\n8100000001,\n';
    await page
      .getByLabel('Spreadsheet')
      .setInputFiles({ name: 'a.csv', mimeType: 'text/csv', buffer: Buffer.from(sheet) });
    await page.getByLabel('Constant for operatorIdentity').fill('Wang');
    await page.keyboard.press('Tab');
    await page.getByText('Please choose a column').waitFor({ state: 'detached' });
    await picture(page, 'columns-guessed');
    await page.getByRole('button', { name: 'Check', exact: true }).click();
    await page.getByText('1 ready').waitFor();
    expect(complaints).toEqual([]);
  });
});
