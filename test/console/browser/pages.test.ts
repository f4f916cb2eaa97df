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
import { COMPARED, NIGHTLY } from '../../support/console-jobs.js';

let browser: Browser;
let fixture: TestConsole;
let cookie: string;
const opened: OpenedPage[] = [];

beforeAll(async () => {
  if (!NO_BROWSER) browser = await launchBrowser();
});
afterAll(() => browser?.close());

beforeEach(async () => {
  fixture = await startConsole({ settings: 'version: 1\n' });
  await mkdir(path.join(fixture.folder, 'jobs'));
  await writeFile(path.join(fixture.folder, 'jobs/nightly.yaml'), NIGHTLY);
  await writeFile(path.join(fixture.folder, 'jobs/compared.yaml'), COMPARED);
  await writeFile(path.join(fixture.folder, 'locks.csv'), 'Lock\n8000000001\n');
  await writeFile(path.join(fixture.folder, 'customers.csv'), 'Customer,Group\nC-1,Blue Group\n');
  cookie = await fixture.signIn();
});
afterEach(async () => {
  const all = opened.splice(0);
  for (const it of all) await it.leave();
  await fixture.close();
  expect(all.flatMap((it) => it.complaints)).toEqual([]);
});

async function open(at: string, looks: Parameters<typeof openPage>[2] = {}): Promise<Page> {
  const here = await openPage(browser, fixture.origin + at, { cookie, ...looks });
  opened.push(here);
  return here.page;
}

const PAGES = ['Reconcile', 'Schedules', 'Connections', 'Templates', 'Audit', 'People'] as const;

describe.skipIf(NO_BROWSER)('the desk', () => {
  it('has a link, a heading and an address for each page', async () => {
    const page = await open('/runs');
    for (const name of PAGES) {
      await page.getByRole('link', { name, exact: true }).click();
      await page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
      await expect.poll(() => page.getByRole('status').filter({ hasText: 'Loading' }).count()).toBe(0);
      expect(new URL(page.url()).pathname).toBe(`/${name.toLowerCase()}`);
      await page.reload();
      await page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
    }
  });

  it('shows a new token once, and lets an admin remove a person', async () => {
    const page = await open('/people');
    await page.getByRole('button', { name: 'Add a person' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('ada');
    await dialog.getByRole('checkbox', { name: /admin/ }).check();
    expect(await violations(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Add', exact: true }).click();
    const reported = page.getByRole('dialog').locator('pre');
    await reported.waitFor();
    expect((await reported.textContent())?.length).toBeGreaterThan(40);
    await picture(page, 'desk-token');
    await page.getByRole('button', { name: 'Close', exact: true }).click();
    await page.getByRole('row', { name: /ada/ }).waitFor();
    // Another admin has to confirm her: who added her is not offered it.
    await page.getByRole('row', { name: /ada .*os:.* \(until / }).waitFor();
    expect(await page.getByRole('button', { name: /^Confirm / }).count()).toBe(0);
    await fixture.addPerson('wang', ['checker']);
    await fixture.addPerson('li', ['maker']);
    await page.reload();
    await page.getByRole('row', { name: /wang .*test \(until / }).waitFor();
    expect(await page.getByRole('button', { name: /^Confirm / }).count()).toBe(1);
    await page.getByRole('button', { name: 'Confirm wang' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Confirm', exact: true }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    const acts = await fixture.ledger.audit.page({ limit: 1 });
    expect(acts[0]).toMatchObject({ act: 'people_confirm', detail: { name: 'wang' } });
    await page.getByRole('button', { name: 'Confirm wang' }).waitFor({ state: 'detached' });
    for (const name of ['wang', 'li']) await fixture.ledger.people.remove(name, 'test');
    await page.reload();
    await page.getByRole('button', { name: 'Remove ada' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click();
    await page.getByText('No people yet').waitFor();
    expect((await fixture.ledger.people.list()).length).toBe(0);
  });

  it('lets an admin remove the approval policy of a host', async () => {
    await fixture.ledger.approvals.keepPolicies('licences.example.com', [{ above: 100 }], 'li');
    const page = await open('/people');
    await page.getByRole('button', { name: 'Remove the policies of licences.example.com' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('licences.example.com').first().waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    expect((await fixture.ledger.approvals.policies()).length).toBe(1);
    await page.getByRole('button', { name: 'Remove the policies of licences.example.com' }).click();
    await dialog.getByRole('button', { name: 'Remove', exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: /^Remove the policies/ }).waitFor({ state: 'detached' });
    expect(await fixture.ledger.approvals.policies()).toEqual([]);
    const acts = await fixture.ledger.audit.page({ limit: 1 });
    expect(acts[0]).toMatchObject({ act: 'policy_lift', detail: { host: 'licences.example.com' } });
  });

  it('pauses a schedule and runs one now; an invalid job file is reported', async () => {
    await writeFile(
      path.join(fixture.folder, 'jobs/wrong.yaml'),
      'version: 1\nname: wrong\noperation: order.steal\n',
    );
    const page = await open('/schedules');
    await page.getByText('jobs/wrong.yaml').first().waitFor();
    await page.getByRole('button', { name: 'Pause nightly' }).click();
    await page.getByText(/paused by os:/).waitFor();
    expect(await fixture.ledger.schedule.paused('nightly')).toBeDefined();
    await page.getByRole('button', { name: 'Run now: nightly' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Run now', exact: true }).click();
    await page.waitForURL('**/runs/*');
    await page.getByText('completed').first().waitFor();
  });

  it('compares a sheet with the platform', async () => {
    const page = await open('/reconcile');
    await page.getByRole('button', { name: 'Compare' }).click();
    await page.waitForURL('**/reconcile/*');
    await page.getByRole('table', { name: 'Differences' }).waitFor();
    expect(await violations(page)).toEqual([]);
    await picture(page, 'desk-comparison');
  });

  it('checks a connection and the chain of the audit', async () => {
    const page = await open('/connections');
    await page.getByRole('button', { name: 'Check sandbox' }).click();
    await page.getByRole('heading', { name: 'Findings: sandbox' }).waitFor();
    expect(await violations(page)).toEqual([]);
    await picture(page, 'desk-findings');
    await page.getByRole('link', { name: 'Audit', exact: true }).click();
    // The zone is named at the end of the page, on paper too.
    expect(await page.locator('td time').first().textContent()).toMatch(/\d\d:\d\d:\d\d/);
    await page.emulateMedia({ media: 'print' });
    expect(await page.getByText(/^Times are in /).isVisible()).toBe(true);
    await page.emulateMedia({ media: 'screen' });
    await page.getByRole('button', { name: 'Check the chain' }).click();
    await page
      .locator('.notice')
      .getByText(/consistent: none was changed/)
      .waitFor();
  });
});
