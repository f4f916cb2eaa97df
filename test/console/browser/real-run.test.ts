import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchBrowser, NO_BROWSER, openPage, violations } from '../../support/browser.js';
import { orderJob, orderRows } from '../../support/orders.js';
import { type RunsDesk, runsDesk } from '../../support/runs-desk.js';

describe.skipIf(NO_BROWSER)('the pages over a real console', () => {
  let browser: Browser;
  let desk: RunsDesk;

  beforeAll(async () => {
    browser = await launchBrowser();
    desk = await runsDesk();
    await writeFile(path.join(desk.folder, 'orders.yaml'), `${orderJob()}connection: sandbox\n`);
    await writeFile(path.join(desk.folder, 'orders.csv'), orderRows(12));
  });
  afterAll(async () => {
    await browser?.close();
    await desk?.close();
  });

  it('send the first of a plan, then the rest, explain a row, and revert it', async () => {
    await desk.run('plan');
    const { page, context, complaints } = await openPage(browser, `${desk.origin}/`, { cookie: desk.cookie });
    page.setDefaultTimeout(60_000);
    await page.getByRole('table').getByRole('rowheader').getByRole('link').first().click();
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByLabel('Test batch size').fill('3');
    await page.getByRole('dialog').getByRole('button', { name: 'Send 12 items to sandbox' }).click();
    await page.getByRole('button', { name: 'Resume' }).click();
    await page.locator('.badge', { hasText: 'completed' }).waitFor();
    await page.getByText('12 succeeded').waitFor();
    expect(await violations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Row 2', exact: true }).click();
    await page.getByText('Safe next actions').waitFor();
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press('Escape');
    const result = await page.getByRole('link', { name: 'Download result' }).getAttribute('href');
    expect((await page.request.get(new URL(result!, page.url()).href)).status()).toBe(200);
    await page.getByRole('button', { name: 'Revert' }).click();
    await page.waitForURL(/\/plans\//);
    await page.getByRole('button', { name: 'Send' }).click();
    const yes = page.getByRole('dialog').getByRole('button', { name: /^Send 12 items/ });
    await expect.poll(() => yes.isDisabled()).toBe(true);
    await page.getByLabel('Number to confirm').fill('12');
    await yes.click();
    await page.locator('.badge', { hasText: 'completed' }).waitFor();
    await page.getByText('12 succeeded').waitFor();
    await context.close();
    expect(complaints).toEqual([]);
  });
});
