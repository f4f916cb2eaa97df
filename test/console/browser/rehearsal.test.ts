import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import ExcelJS from 'exceljs';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { UNWATCHED } from '../../../src/app/context.js';
import { applyPlan } from '../../../src/app/continue-run.js';
import { StopSignal } from '../../../src/util/stop-signal.js';
import { launchBrowser, NO_BROWSER, openPage, picture, violations } from '../../support/browser.js';
import { type FilledFixture, filledFixture, LEDGER_KINDS } from '../../support/runs-fixture.js';

/** 151 is frozen. */
const SHEET = 'Lock,Enterprise ID\n8100000001,ENT-0001\n8100000002,ENT-0002\n8100000151,ENT-0031\n';

const LOCKS = `version: 1
name: locks
operation: asset.lock
source: { file: locks.csv }
batch: { size: 1 }
map: { assetNums: Lock, operatorIdentity: { value: ops } }
output: { file: "results/{job}-{run}.csv" }
`;

let browser: Browser;
beforeAll(async () => {
  if (!NO_BROWSER) browser = await launchBrowser();
});
afterAll(() => browser?.close());

describe.skipIf(NO_BROWSER).each(LEDGER_KINDS)('a rehearsal at the pages, next to %s', (kind) => {
  let fixture: FilledFixture;
  const closing: (() => Promise<unknown>)[] = [];

  beforeEach(async () => {
    fixture = await filledFixture({ kind, connection: 'p', job: LOCKS, sheet: SHEET });
    closing.push(() => fixture.close());
  });

  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close();
  });

  const watched = () => ({
    ...fixture.app,
    watch: UNWATCHED,
    stop: new StopSignal(),
    confirm: true as const,
  });
  const reported = (page: Page, text: string) => page.getByText(text, { exact: true }).waitFor();

  async function open(at: string, looks: Parameters<typeof openPage>[2] = {}) {
    const opened = await openPage(browser, `${fixture.origin}${at}`, { cookie: fixture.cookie, ...looks });
    closing.push(() => opened.leave());
    return opened;
  }

  it('shows what would come of a plan, sends nothing, and is compared with what came of it', async () => {
    const plan = await fixture.run('plan');
    const { page, complaints } = await open(`/plans/${plan}`);
    await page.getByRole('button', { name: 'Rehearse' }).click();
    await page.waitForURL(`**/runs/${plan}/rehearsal`);
    await page.getByRole('heading', { level: 1, name: 'Rehearsal' }).waitFor();
    await reported(page, '2 succeeded');
    await reported(page, '1 rejected');
    await reported(page, 'REHEARSAL');
    expect(await violations(page)).toEqual([]);
    await picture(page, 'rehearsal');

    // Only what reads reached the platform; in the ledger there is the plan alone, and it can still be sent.
    const { byEndpoint, effects } = fixture.platform.stats();
    expect(Object.keys(byEndpoint)).toEqual(['assetList']);
    expect(effects).toMatchObject({ locks: 0 });
    const listed = (await fixture.get('/runs')) as { items: { run: string; state: string }[] };
    expect(listed.items).toMatchObject([{ run: plan, state: 'planned' }]);
    expect(await fixture.get(`/plans/${plan}`)).toMatchObject({ may: { send: true, rehearse: true } });

    const href = await page.getByRole('link', { name: 'Download result' }).getAttribute('href');
    const answer = await page.request.get(new URL(href!, page.url()).href);
    expect(answer.headers()['content-disposition']).toContain('REHEARSAL');
    const workbook = new ExcelJS.Workbook();
    await workbook.xlsx.load((await answer.body()) as unknown as ArrayBuffer);
    for (const sheet of workbook.worksheets)
      expect(JSON.stringify([sheet.headerFooter, sheet.name, sheet.getSheetValues()])).toContain('REHEARSAL');

    await page.getByLabel('Status').selectOption('rejected');
    await page.getByRole('rowheader', { name: '4' }).waitFor();
    await expect.poll(() => page.getByRole('rowheader').count()).toBe(1);
    await page.getByRole('link', { name: 'To the plan' }).click();
    await page.getByRole('link', { name: 'Show the rehearsal' }).waitFor();
    expect(await violations(page)).toEqual([]);

    // One of them is revoked before the plan is sent.
    fixture.state.revokeAsset(fixture.state.assets.get('8100000002')!);
    await applyPlan(watched(), plan, { maxAge: '24h' });

    await page.goto(`${fixture.origin}/runs/${plan}`);
    await page.getByRole('heading', { level: 1, name: 'Run' }).waitFor();
    await page.locator(`a[href="/runs/${plan}/rehearsal"]`).click();
    await page.getByRole('button', { name: 'Compare with what really happened' }).click();
    await reported(page, '3 rows compared: 1 differed.');
    expect(await violations(page)).toEqual([]);
    await picture(page, 'rehearsal-compared');
    expect(await fixture.ask('POST', `/runs/${plan}/rehearse`).then((it) => it.status)).toBeGreaterThan(399);
    expect(complaints).toEqual([]);
  });

  it('says why nothing could be rehearsed, in Chinese, in the dark and on a small screen', async () => {
    const plan = await fixture.run('plan');
    await writeFile(path.join(fixture.folder, 'token.txt'), 'another');
    const { page } = await open(`/plans/${plan}`, { locale: 'zh-CN', dark: true, width: 400 });
    await page.getByRole('button', { name: '演练' }).click();
    await reported(page, '未能演练');
    await page.getByText(/[\u4e00-\u9fff].*401|401.*[\u4e00-\u9fff]/).waitFor();
    await reported(page, '演练（REHEARSAL）');
    expect(await violations(page)).toEqual([]);
    await picture(page, 'rehearsal-failed');
    expect(fixture.platform.stats().effects).toMatchObject({ locks: 0 });
  });
});
