import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchBrowser, NO_BROWSER, openPage, picture, violations } from '../../support/browser.js';
import { startConsole, type TestConsole } from '../../support/console.js';
import { orderJob } from '../../support/orders.js';

const SHEET = `Order,Customer,Asset,Nodes
SO-1,Customer 1,A1,5
SO-2,Customer 2,A2,many
SO-3,Customer 3,A3,7
SO-4,,A4,8
`;

let browser: Browser;
let office: TestConsole;

beforeAll(async () => {
  if (NO_BROWSER) return;
  browser = await launchBrowser();
  office = await startConsole({ env: process.env as Record<string, string> });
  await mkdir(path.join(office.folder, 'jobs'), { recursive: true });
  await writeFile(path.join(office.folder, 'jobs/orders.yaml'), `${orderJob()}connection: sandbox\n`);
});
afterAll(async () => {
  await browser?.close();
  await office?.close();
});

describe.skipIf(NO_BROWSER)('from a spreadsheet to its plan, at a real console', () => {
  it('is checked, corrected in the grid, taken home and planned', async () => {
    const { page, context, complaints } = await openPage(browser, office.served.url);
    await page.getByRole('link', { name: 'New import' }).click();
    await page.getByLabel('Spreadsheet').setInputFiles({
      name: 'photo.png',
      mimeType: 'image/png',
      buffer: Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1'),
    });
    await page.getByRole('alert').filter({ hasText: 'photo.png' }).waitFor();
    await page.getByLabel('Job').selectOption('jobs/orders.yaml');
    const sheet = { name: 'orders.csv', mimeType: 'text/csv', buffer: Buffer.from(SHEET) };
    await page.getByLabel('Spreadsheet').setInputFiles(sheet);
    await page.getByRole('button', { name: 'Check', exact: true }).click();

    await page.getByText('2 ready').waitFor();
    await page.getByText('2 invalid').waitFor();
    const grid = page.getByRole('grid');
    await expect.poll(() => grid.getAttribute('aria-rowcount')).toBe('5');
    const row = (number: number) =>
      page
        .getByRole('row')
        .filter({ has: page.getByRole('rowheader', { name: String(number), exact: true }) });
    const nodes = row(3).getByRole('gridcell').nth(3);
    await expect.poll(() => nodes.getAttribute('aria-invalid')).toBe('true');
    await picture(page, 'real-check');
    expect(await violations(page)).toEqual([]);

    await nodes.dblclick();
    await page.keyboard.type('6');
    await page.keyboard.press('Enter');
    await page.getByText('3 ready').waitFor();
    await expect.poll(() => nodes.getAttribute('aria-invalid')).toBeNull();
    const customer = row(5).getByRole('gridcell').nth(1);
    await customer.click();
    await page.keyboard.press('F2');
    await page.keyboard.type('Customer 4');
    await page.keyboard.press('Enter');
    await page.getByText('4 ready').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('1 invalid').waitFor();
    await page.getByRole('button', { name: 'Redo' }).click();
    await page.getByText('4 ready').waitFor();
    await page.getByText('checking again').waitFor({ state: 'detached' });
    await expect.poll(() => page.getByText('4 ready').count()).toBe(1);

    await page.getByText('History of corrections').click();
    await page.getByRole('row', { name: /D3 many 6/ }).waitFor();
    const coming = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Download corrected workbook' }).click();
    const download = await coming;
    expect(download.suggestedFilename()).toMatch(/^orders-corrected\./);
    expect((await readFile(await download.path())).length).toBeGreaterThan(20);

    await page.reload();
    await page.getByText('4 ready').waitFor();
    await page.getByRole('button', { name: 'Plan', exact: true }).click();
    await page.waitForURL('**/plans/*');
    await page.getByRole('button', { name: 'Send' }).waitFor();
    expect(complaints).toEqual([]);
    await context.close();
  });
});
