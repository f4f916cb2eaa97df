import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { NO_BROWSER, type openPage, picture, violations } from '../../support/browser.js';
import { type FakeRoutes, problem } from '../../support/fake-console.js';
import { FakeImport } from './fake-import.js';
import { stage } from './stage.js';

const JOBS = [
  {
    file: 'jobs/new-buy.yaml',
    operation: 'order.new_buy',
    connection: 'production',
    description: 'Orders of the week',
  },
  { file: 'jobs/customers.yaml', operation: 'enterprise.create', connection: 'trial' },
];
const CONNECTIONS = [
  { name: 'production', host: 'licences.example.com', sandbox: false },
  { name: 'trial', host: 'localhost', sandbox: true },
];
const COLUMNS = [
  { column: 1, letter: 'A', header: 'Order number', samples: ['PO-1', 'PO-2'], isRepeated: false },
  { column: 2, letter: 'B', header: 'Region', samples: ['China'], isRepeated: false },
  { column: 3, letter: 'C', header: 'End', samples: ['31.12.2027'], isRepeated: false },
  { column: 4, letter: 'D', header: 'Remarks', samples: [], isRepeated: true },
];
const FIELD = { isRequired: true, isDate: false, isOther: false };
const MATCHED = {
  base: 'b1',
  operation: 'order.new_buy',
  steps: [],
  connection: 'production',
  sheet: 'Orders',
  columns: COLUMNS,
  fields: [
    { ...FIELD, field: 'orderNo', meaning: 'Number of the order', column: 1 },
    { ...FIELD, field: 'customer.region', meaning: 'Region of the customer', column: 2 },
    { ...FIELD, field: 'endDate', meaning: 'End', column: 3, isDate: true, end: true, format: 'd.M.yyyy' },
    { ...FIELD, field: 'syncMode', meaning: 'How to reply', value: 'sync' },
    { ...FIELD, field: 'total', meaning: 'Total', isOther: true },
    { ...FIELD, field: 'products.name', meaning: 'Product', sheet: 'Products' },
    { ...FIELD, field: 'remarks', meaning: 'Remarks', isRequired: false },
  ],
  missing: [],
  questions: [],
};
const REGIONS = ['China', 'Germany'].map((value) => ({ value, name: value }));
const GUESSED = {
  ...MATCHED,
  yaml: 'operation: order.new_buy\nmap:\n  orderNo: Order number\n',
  questions: ['The sheet has dates of two forms; give the column a format.'],
  fields: [
    ...MATCHED.fields.map((it) =>
      it.field === 'customer.region' ? { ...it, sure: 'likely', allowed: REGIONS, open: ['Chian'] } : it,
    ),
    { ...FIELD, field: 'contactEmail', meaning: 'Mail address', lacks: 'contactEmail' },
  ],
};
const FILE = {
  name: 'orders.xlsx',
  mimeType: 'application/octet-stream',
  buffer: Buffer.from('PK a workbook'),
};

const at = stage();
let made: Record<string, unknown>[];

async function newImport(routes: FakeRoutes = {}, looks: Parameters<typeof openPage>[2] = {}): Promise<Page> {
  made = [];
  const own: FakeRoutes = {
    ...new FakeImport(100, 7).routes,
    'GET /jobs': () => ({ items: JOBS }),
    'GET /connections': () => ({ items: CONNECTIONS }),
    'POST /uploads': ({ headers }) => ({
      upload: 'a'.repeat(64),
      name: decodeURIComponent(headers.get('x-file-name') ?? ''),
      size: 13,
      sheets: [
        { name: 'Orders', hidden: false },
        { name: 'Lists', hidden: true },
      ],
    }),
    'POST /columns': ({ body }) => (body.guess ? GUESSED : MATCHED),
    'POST /imports': ({ body }) => {
      made.push(body);
      return { import: 'i1' };
    },
    ...routes,
  };
  const page = await at.open(own, '/import', looks);
  await page.getByRole('heading', { level: 1 }).waitFor();
  return page;
}

describe.skipIf(NO_BROWSER)('New import', () => {
  it('checks a chosen spreadsheet by a job of the folder, and reports where it would go', async () => {
    const page = await newImport();
    await expect.poll(() => page.getByRole('heading', { level: 1 }).innerText()).toBe('New import');
    const go = page.getByRole('button', { name: 'Check', exact: true });
    await expect.poll(() => go.isDisabled()).toBe(true);
    await page.getByLabel('Job').selectOption('jobs/new-buy.yaml');
    await page.getByText('Connection: production, licences.example.com').waitFor();
    await page.getByLabel('Spreadsheet').setInputFiles(FILE);
    await page.getByText('orders.xlsx, 1 kB: uploaded').first().waitFor();
    await expect
      .poll(() => page.getByLabel('Sheet', { exact: true }).locator('option').allInnerTexts())
      .toEqual(['As set in the job', 'Orders', 'Lists, hidden']);
    await page.getByLabel('Sheet', { exact: true }).selectOption('Orders');
    await picture(page, 'new-import');
    expect(await violations(page)).toEqual([]);
    await go.click();
    await page.waitForURL('**/imports/i1');
    await page.getByRole('grid').waitFor();
    expect(made).toEqual([
      {
        upload: 'a'.repeat(64),
        name: 'orders.xlsx',
        job: 'jobs/new-buy.yaml',
        sheet: 'Orders',
        remember: true,
        base: 'b1',
      },
    ]);
  });

  it('refuses a wrong type with a message, with the correct value', async () => {
    const page = await newImport({
      'POST /uploads': () =>
        problem(
          422,
          'photo.png is no spreadsheet; choose an .xlsx, .xls, .ods or .csv file',
          'source.unknown',
        ),
    });
    await page.getByLabel('Spreadsheet').setInputFiles({ ...FILE, name: 'photo.png' });
    await page
      .getByRole('alert')
      .filter({ hasText: 'photo.png is no spreadsheet; choose an .xlsx' })
      .waitFor();
    await expect.poll(() => page.getByRole('button', { name: 'Check', exact: true }).isDisabled()).toBe(true);
    await picture(page, 'new-import-refused');
    expect(await violations(page)).toEqual([]);
  });

  it('takes a dropped file', async () => {
    const page = await newImport();
    const data = await page.evaluateHandle(() => {
      const { DataTransfer, File } = globalThis as unknown as {
        DataTransfer: new () => { items: { add(file: unknown): void } };
        File: new (parts: string[], name: string) => unknown;
      };
      const transfer = new DataTransfer();
      transfer.items.add(new File(['PK'], 'dropped 订单.xlsx'));
      return transfer;
    });
    await page.locator('.drop').dispatchEvent('drop', { dataTransfer: data });
    await page.getByText('dropped 订单.xlsx, 1 kB: uploaded').first().waitFor();
  });

  it('sends a file again whose way to the console was broken', async () => {
    const page = await newImport();
    await page.context().setOffline(true);
    await page.getByLabel('Spreadsheet').setInputFiles(FILE);
    await page.getByText('The network is down').first().waitFor();
    await page.context().setOffline(false);
    // Whatever else was being asked for then may be asked again, too.
    await page.locator('form').getByRole('button', { name: 'Try again' }).click();
    await page.getByText('orders.xlsx, 1 kB: uploaded').first().waitFor();
    expect(await violations(page)).toEqual([]);
  });

  it('marks and asks what a guess leaves open, and checks when it is answered', async () => {
    const page = await newImport();
    await page.getByLabel('Spreadsheet').setInputFiles(FILE);
    await page.getByLabel('Job').selectOption({ label: 'Guess a job' });
    await page.getByText('The guessed job: order.new_buy').waitFor();
    await page.getByText('Is “Region” the field customer.region?').waitFor();
    await page.getByText('Show the job file').click();
    await page.getByText('orderNo: Order number').waitFor();
    await picture(page, 'new-import-guessed');
    expect(await violations(page)).toEqual([]);
    const check = page.getByRole('button', { name: 'Check', exact: true });
    await check.click();
    // Nothing was checked: the first question has the focus.
    await page.getByLabel('Column for contactEmail').and(page.locator(':focus')).waitFor();
    expect(made).toEqual([]);
    await page.getByLabel('Constant for contactEmail').fill('a@example.com');
    await page.keyboard.press('Tab');
    await page.getByLabel('Meaning of “Chian” in Region').selectOption('China');
    await page.getByText('Is “Region” the field').waitFor({ state: 'detached' });
    await check.click();
    await page.waitForURL('**/imports/i1');
    expect(made[0]).toMatchObject({
      guess: true,
      base: 'b1',
      matches: [
        { field: 'contactEmail', value: 'a@example.com' },
        { field: 'customer.region', column: 'Region', values: { Chian: 'China' } },
      ],
    });
  });

  it('matches columns with fields, constants and options', async () => {
    const page = await newImport();
    await page.getByLabel('Job').selectOption('jobs/new-buy.yaml');
    await page.getByLabel('Spreadsheet').setInputFiles(FILE);
    const of = (header: string) => page.getByLabel(`Field for ${header}`);
    await expect.poll(() => of('Order number').inputValue()).toBe('orderNo');
    await expect.poll(() => of('Remarks').inputValue()).toBe('');
    await of('Remarks').selectOption('remarks');
    await of('Order number').selectOption({ label: 'Constant for orderNo' });
    await page.getByLabel('Constant for orderNo').fill('PO');
    await page.getByLabel('Date format of End (endDate)').fill('yyyyMMdd');
    await page.getByLabel('End of day: End (endDate)').uncheck();
    await page.getByText('Fields read from other sheets (Products)').waitFor();
    await page.getByRole('button', { name: 'Check', exact: true }).click();
    await page.waitForURL('**/imports/i1');
    expect(made[0]?.matches).toEqual([
      { field: 'remarks', column: 'Remarks' },
      { field: 'orderNo', value: 'PO' },
      { field: 'endDate', column: 'End', format: 'yyyyMMdd', end: false },
    ]);
  });

  it('lets the operation be chosen where the columns do not say it', async () => {
    const asked: unknown[] = [];
    const page = await newImport({
      'GET /templates': () => ({
        items: [{ operation: 'asset.lock', purpose: 'Disables physical locks', nested: false }],
      }),
      'POST /columns': ({ body }) => {
        asked.push(body.operation);
        return body.operation === undefined
          ? problem(400, 'orders.xlsx: the headers match no operation well enough', 'guess.no_operation')
          : { ...MATCHED, yaml: 'map: {}', operation: body.operation };
      },
    });
    await page.getByLabel('Job').selectOption({ label: 'Guess a job' });
    await page.getByLabel('Spreadsheet').setInputFiles(FILE);
    await page.getByText('match no operation well enough').waitFor();
    const check = page.getByRole('button', { name: 'Check', exact: true });
    await expect.poll(() => check.isEnabled()).toBe(false);
    await page.getByLabel('Operation').selectOption({ label: 'asset.lock · Disables physical locks' });
    await page.getByText('The guessed job: asset.lock').waitFor();
    await expect.poll(() => page.getByText('match no operation well enough').count()).toBe(0);
    expect(await violations(page)).toEqual([]);
    await check.click();
    await page.waitForURL('**/imports/i1');
    expect(made[0]).toMatchObject({ guess: true, operation: 'asset.lock' });
    expect(asked).toEqual([undefined, 'asset.lock']);
  });

  it('says what is wrong when the import is refused, and makes one import of a double click', async () => {
    let refuse = true;
    const page = await newImport({
      'POST /imports': async ({ body }) => {
        await new Promise((resolve) => setTimeout(resolve, 300));
        if (refuse) return problem(400, 'jobs/new-buy.yaml: line 3: unknown field', 'job.unknown_key');
        made.push(body);
        return { import: 'i1' };
      },
    });
    await page.getByLabel('Job').selectOption('jobs/new-buy.yaml');
    await page.getByLabel('Spreadsheet').setInputFiles(FILE);
    const go = page.getByRole('button', { name: 'Check', exact: true });
    await go.click();
    await page.getByRole('alert').filter({ hasText: 'line 3: unknown field' }).waitFor();
    refuse = false;
    await go.dblclick();
    await page.waitForURL('**/imports/i1');
    expect(made.length).toBe(1);
  });

  it('goes by the keyboard alone from the spreadsheet to the plan', async () => {
    const page = await newImport();
    // Keys overtake the wish to hear of a chooser, but for one that is answered before them: the focus.
    const chooser = page.waitForEvent('filechooser');
    await page.getByRole('option', { name: 'new-buy' }).waitFor({ state: 'attached' });
    await page.getByLabel('Job').focus();
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => page.getByLabel('Job').inputValue()).toBe('jobs/new-buy.yaml');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await (await chooser).setFiles(FILE);
    await page.getByText('orders.xlsx, 1 kB: uploaded').first().waitFor();
    const focused = () =>
      page.evaluate(
        () =>
          (globalThis as unknown as { document: { activeElement: { textContent: string } } }).document
            .activeElement.textContent,
      );
    await page.getByLabel('Field for Remarks').waitFor();
    for (let tabs = 0; tabs < 40 && (await focused()) !== 'Check'; tabs += 1)
      await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/imports/i1');
    await page.getByRole('grid').waitFor();
    for (let tabs = 0; tabs < 40 && (await focused()) !== 'PO-0000002'; tabs += 1)
      await page.keyboard.press('Tab');
    for (const key of [
      'ArrowDown',
      'ArrowDown',
      'ArrowDown',
      'ArrowDown',
      'ArrowDown',
      'ArrowRight',
      'ArrowRight',
    ]) {
      await page.keyboard.press(key);
    }
    await page.keyboard.press('Enter');
    await page.getByRole('option', { name: 'China' }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByText('87 ready').waitFor();
    // Backwards out of the grid: to what is at the top of the page.
    for (let tabs = 0; tabs < 40 && (await focused()) !== 'Plan'; tabs += 1)
      await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Enter');
    // Rows are invalid: it asks first what to do with them.
    const dialog = page.getByRole('dialog', { name: 'Plan with 13 invalid rows?' });
    await dialog.locator(':focus').waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('ArrowDown');
    await expect
      .poll(() => page.getByRole('radio', { name: 'Exclude 13 invalid rows' }).isChecked())
      .toBe(true);
    await page.keyboard.press('Enter');
    await page.waitForURL('**/plans/p1');
  });

  it('shows what was uploaded, in Chinese, in the dark, at 400 px', async () => {
    const page = await newImport({}, { locale: 'zh-CN', dark: true, width: 400, height: 900 });
    await page.locator('input[type=file]').setInputFiles(FILE);
    await page.locator('.uploaded').waitFor();
    await page.getByLabel('任务', { exact: true }).selectOption('guess');
    await page.locator('.columns .asked').waitFor();
    await picture(page, 'new-import-narrow');
    const beyond = await page.locator('html').evaluate((it) => {
      const { scrollWidth, clientWidth } = it as unknown as { scrollWidth: number; clientWidth: number };
      return scrollWidth - clientWidth;
    });
    expect(beyond).toBeLessThanOrEqual(0);
    expect(await violations(page)).toEqual([]);
  });
});
