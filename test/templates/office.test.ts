import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { templateWorkbook } from '../../src/templates/workbook.js';
import { Fixture } from '../support/job-runs.js';
import { readSheet } from '../support/read-sheet.js';
import { nestedFiles, templateOf } from '../support/templates.js';

const run = promisify(execFile);

async function works(command: string, ...args: string[]): Promise<boolean> {
  return run(command, args).then(
    () => true,
    () => false,
  );
}

const python = existsSync('/usr/bin/python3') ? '/usr/bin/python3' : 'python3';
const openpyxl = await works(python, '-c', 'import openpyxl');
if (!openpyxl) console.log('fill-in workbooks by openpyxl: skipped, openpyxl is not there');
const libreOffice = openpyxl && (await works('soffice', '--version'));
if (!libreOffice) console.log('fill-in workbooks by LibreOffice: skipped, soffice is not there');

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'templates-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const READ = `import json, sys, openpyxl
wb = openpyxl.load_workbook(sys.argv[1])
ws = wb[sys.argv[2]]
rules = {}
for dv in ws.data_validations.dataValidation:
  column = str(dv.sqref).split(':')[0].rstrip('0123456789')
  rules[ws[column + '1'].value] = [dv.type, dv.operator, dv.errorStyle, dv.formula1, dv.promptTitle, dv.prompt, dv.error]
print(json.dumps({
  'sheets': [[s.title, s.sheet_state] for s in wb],
  'frozen': ws.freeze_panes,
  'titles': ws.print_title_rows,
  'rules': rules,
  'notes': {c.value: c.comment.text for c in ws[1]},
  'bold': {c.value: c.font.b for c in ws[1]},
}))`;

interface Seen {
  readonly sheets: readonly (readonly [string, string])[];
  readonly frozen: string;
  readonly titles: string;
  readonly rules: Readonly<Record<string, readonly (string | null)[]>>;
  readonly notes: Readonly<Record<string, string>>;
  readonly bold: Readonly<Record<string, boolean>>;
}

async function seen(file: string, sheet: string): Promise<Seen> {
  const { stdout } = await run(python, ['-c', READ, file, sheet]);
  return JSON.parse(stdout) as Seen;
}

describe.skipIf(!openpyxl)('a fill-in workbook read by openpyxl', () => {
  it('has lists, rules, hints and notes', async () => {
    const file = path.join(folder, 'new-buy.xlsx');
    await writeFile(file, await templateWorkbook(templateOf('order.new_buy')));
    const book = await seen(file, 'Data');
    expect(book.sheets.map(([name]) => name)).toEqual(['Data', 'Guide', 'Example', 'Lists']);
    expect(book).toMatchObject({ frozen: 'A2', titles: '$1:$1' });
    expect(book.rules.syncMode?.slice(0, 4)).toEqual([
      'list',
      null,
      null,
      '"sync,async,synchronous,asynchronous"',
    ]);
    expect(book.rules.syncMode?.[5]).toContain('sync = synchronous');
    expect(book.rules['assets.borrowedUsbKey']?.[3]).toBe('"TRUE,FALSE"');
    expect(book.rules['assets.products.trial']?.[3]).toBe('"0,1,not a trial,trial"');
    expect(book.rules['assets.products.limitEndDate']?.slice(0, 3)).toEqual(['date', null, null]);
    expect(book.rules['assets.products.limitConcurrent']?.slice(0, 4)).toEqual([
      'whole',
      'greaterThanOrEqual',
      null,
      '0',
    ]);
    expect(book.rules['assets.products.timeDurationExpression']?.[0]).toBe('custom');
    for (const [header, rule] of Object.entries(book.rules)) {
      const [, , , , title = '', prompt = '', error = ''] = rule;
      expect([header, (title ?? '').length <= 32, (prompt ?? '').length <= 255]).toEqual([
        header,
        true,
        true,
      ]);
      expect((error ?? '').length).toBeGreaterThan(10);
      expect((error ?? '').length).toBeLessThanOrEqual(225);
    }
    expect(Object.keys(book.rules).sort()).toEqual(Object.keys(book.notes).sort());
    expect(book.notes.licenseType).toContain('Required');
    expect(book.notes.licenseType).toContain('cloud_account = cloud account');
    expect(book.notes['assets.merchandises.crmProductId']).toContain(
      'Required if any assets.merchandises column is filled',
    );
    expect(book.bold).toMatchObject({ licenseType: true, srcLicenseOrderId: false });
  });

  it('speaks Chinese where that is asked for, under the same headers', async () => {
    const file = path.join(folder, 'zh.xlsx');
    await writeFile(file, await templateWorkbook(templateOf('order.new_buy', { language: 'zh' })));
    const book = await seen(file, 'Data');
    expect(book.sheets.map(([name]) => name)).toEqual(['Data', '填写说明', '示例', 'Lists']);
    expect(book.notes.licenseType).toContain('必填\n授权类型');
    expect(book.notes.licenseType).toContain('cloud_account = 云账号');
    expect(book.rules['assets.borrowedUsbKey']?.[3]).toBe('"是,否"');
    expect(book.rules.syncMode?.[6]).toBe('请从列表中选择：sync = 同步、async = 异步');
  });
});

/** A person's doing in a spreadsheet program: two rows typed into the sheets, a long number and zeros among them. */
const FILL = `import sys, openpyxl
source, target, pairs, marks = sys.argv[1], sys.argv[2], sys.argv[3].split(','), dict(m.split('=') for m in sys.argv[4].split(','))
wb = openpyxl.load_workbook(source)
for pair in pairs:
  data, example = pair.split(':')
  for row in (2, 3):
    for cell in wb[example][row]:
      if cell.value is not None:
        header = wb[example].cell(1, cell.column).value
        wb[data].cell(row, cell.column).value = marks.get(header, cell.value)
        wb[data].cell(row, cell.column).number_format = wb[data].column_dimensions[cell.column_letter].number_format
wb.save(target)`;

describe.skipIf(!libreOffice)('a fill-in workbook filled in and saved by LibreOffice', () => {
  let fixture: Fixture;
  const saved = (name: string): string => path.join(folder, 'saved', name);

  // Both at once: LibreOffice takes long to start.
  beforeAll(async () => {
    fixture = await Fixture.open();
    const blank = await fixture.file('blank.xlsx', await templateWorkbook(templateOf('order.new_buy')));
    const filled = path.join(folder, 'filled.xlsx');
    const marks = 'customerId=123456789012345678,crmCustomerId=000123';
    await run(python, ['-c', FILL, blank, filled, 'Data:Example', marks]);
    const { workbook, job, template } = await nestedFiles('order.new_buy');
    const nested = await fixture.file('nested.xlsx', workbook);
    const pairs = template.sheets.map(({ name }) => `${name}:Example ${name}`).join(',');
    const orders = path.join(folder, 'orders.xlsx');
    await run(python, ['-c', FILL, nested, orders, pairs, 'assetNos=007']);
    await fixture.file('orders.job.yaml', job);
    const profile = `-env:UserInstallation=file://${folder}/profile`;
    const to = ['--convert-to', 'xlsx', '--outdir', path.dirname(saved('filled.xlsx'))];
    await run('soffice', [profile, '--headless', ...to, filled, orders]);
  });
  afterAll(() => fixture.close());

  it('is valid, keeps zeros, long numbers, lists and colours', async () => {
    const file = saved('filled.xlsx');
    const job = await fixture.file(
      'job.yaml',
      `version: 1\nname: fill-in\noperation: order.new_buy\nconnection: sandbox\nsource: { file: ${JSON.stringify(file)} }\n`,
    );
    const end = await fixture.run(job, { dryRun: true });
    expect(end.counts).toEqual({ valid: 2 });
    const [row] = await readSheet(file, 'Data');
    expect(row).toMatchObject({
      customerId: '123456789012345678',
      crmCustomerId: '000123',
      'assets.assetNos': '00700001',
      'assets.products.limitEndDate': '2027-11-30',
    });
    const book = await seen(file, 'Data');
    expect(book.rules.licenseType?.[0]).toBe('list');
    expect(book.rules.customerType?.[3]).toBe('"personal,company,individual,enterprise"');
    expect(book.rules['assets.products.limitEndDate']?.[0]).toBe('date');
    expect(book.notes.channelCode).toContain('Code of the sales channel');
  });

  it('of several sheets runs by the job file that came with it', async () => {
    const job = path.join(fixture.folder, 'orders.job.yaml');
    // Its two customers order one lock.
    const end = await fixture.run(job, { input: saved('orders.xlsx'), set: ['safety.conflicts=warn'] });
    expect(end.counts).toEqual({ succeeded: 2 });
  });
});
