import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import ExcelJS from 'exceljs';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ProductError } from '../../src/errors/product-error.js';
import type { ColumnLeaf, MapBranch } from '../../src/model/map.js';
import type { OperationName } from '../../src/model/operation.js';
import { fold } from '../../src/util/text.js';
import { workbook, worksheet } from '../fixtures/workbook.js';
import { Fixture } from '../support/job-runs.js';
import { type Guessed, guessAt, nodeAt as node } from './guessing.js';

const SAMPLES = fileURLToPath(new URL('../../jobs', import.meta.url));

let fixture: Fixture;

beforeEach(async () => {
  fixture = await Fixture.open();
});

afterEach(async () => {
  await fixture.close();
});

const guessed = (input: string, operation?: OperationName): Promise<Guessed> =>
  guessAt(fixture, input, operation);

async function book(
  name: string,
  sheets: Readonly<Record<string, readonly (readonly unknown[])[]>>,
): Promise<string> {
  const workbook = new ExcelJS.Workbook();
  for (const [title, rows] of Object.entries(sheets))
    workbook.addWorksheet(title).addRows(rows.map((it) => [...it]));
  return fixture.file(name, new Uint8Array(await workbook.xlsx.writeBuffer()));
}

const csv = (rows: readonly (readonly string[])[], sign = ','): string =>
  rows
    .map((row) => row.map((it) => (/["\r\n,;]/.test(it) ? `"${it.replaceAll('"', '""')}"` : it)).join(sign))
    .join('\r\n');

const sure = ({ found }: Guessed): Record<string, string> =>
  Object.fromEntries(found.columns.map((it) => [it.field, it.header]));

const ORDER_HEADERS =
  '订单号,渠道编码,许可客户,CRM客户号,客户名称,渠道客户号,管理员姓名,登录账号,邮箱,手机号,密码手机,地址,客户类型,分支代码,分支名称,企业账号,授权类型,锁号,产品实例,上级实例,产品编码,产品名称,产品类型,开始日期,到期日,并发数/节点数,是否试用,年限'.split(
    ',',
  );

function orderRow(index: number): string[] {
  const order = Math.floor(index / 2);
  const number = String(order).padStart(4, '0');
  const type = ['网络锁(可回收)', '单机锁（可回收）', '企业云授权'][order % 3]!;
  return [
    `DD-${number}`,
    'CH01',
    `LC${number}`,
    `CRM-${number}`,
    '上海恒信造价咨询有限公司',
    `00${number}`,
    '王芳',
    `admin${number}`,
    `admin${number}@example.com`,
    '13800000001',
    '13900000002',
    '上海市中山路2号',
    '企业客户',
    '0021',
    '上海分公司',
    `ENT-${number}`,
    type,
    `820000${number}`,
    `PI${String(index).padStart(6, '0')}`,
    `DD-${number}`,
    'P-GCJ',
    '土建计量平台',
    'software',
    `2026/${(index % 12) + 1}/1`,
    `${(index % 28) + 1}.12.2027`,
    String(1 + (index % 5)),
    index % 2 === 0 ? '是' : '正式',
    '1',
  ];
}
const orderRows = (count: number): string[][] => Array.from({ length: count }, (_, index) => orderRow(index));

describe('a sheet of orders gives a job that runs', () => {
  it('in Chinese, with text dates and words for choices, become a job whose rows are valid', async () => {
    const input = await fixture.file('新购.csv', `\ufeff${csv([ORDER_HEADERS, ...orderRows(30)])}`);
    const it = await guessed(input);
    expect(it.found.operation).toBe('order.new_buy');
    expect(it.found.lacking).toEqual([]);
    expect(node(it.job, 'orderList.assets.products.limitStartDate')).toMatchObject({ format: 'yyyy/M/d' });
    expect(node(it.job, 'orderList.assets.products.limitEndDate')).toMatchObject({
      format: 'd.M.yyyy',
      end: 'day',
    });
    expect(node(it.job, 'orderList.customerType')).toMatchObject({
      values: new Map([['企业客户', 'company']]),
    });
    expect(node(it.job, 'orderList.assets.products.timeDurationExpression')).toMatchObject({
      source: '{年限}-0-0',
    });
    expect((await fixture.run(it.file, { dryRun: true })).counts).toEqual({ valid: 30 });
    expect((await fixture.run(it.file)).counts).toEqual({ succeeded: 30 });
  });

  it('with words whose meaning is not clear list them, and nothing is made up for them', async () => {
    const rows = orderRows(4).map((row) => row.map((cell) => (cell.includes('回收') ? '网络锁' : cell)));
    const { found, job, file } = await guessed(await fixture.file('o.csv', csv([ORDER_HEADERS, ...rows])));
    expect(found.text).toMatch(
      /# 网络锁: normal_unrecover_lan_usbkey \([^)]+\) \| normal_recover_lan_usbkey \([^)]+\) {3}\(4×\)/,
    );
    const licenseType = node(job, 'orderList.licenseType');
    expect(licenseType).toMatchObject({ kind: 'column', values: undefined });
    expect((await fixture.run(file, { dryRun: true })).counts).toEqual({ invalid: 4 });
  });

  it('with columns that say nothing by name are known by their cells', async () => {
    const headers = ORDER_HEADERS.map(
      (it) => ({ 邮箱: '甲', 手机号: '乙', 锁号: '丙', 授权类型: '丁' })[it] ?? it,
    );
    const { found } = await guessed(await fixture.file('o.csv', csv([headers, ...orderRows(6)])));
    const by = Object.fromEntries(found.columns.map((it) => [it.header, [it.field, it.sure]]));
    expect(by).toMatchObject({
      甲: ['adminEmail', 'unsure'],
      乙: ['adminCellNumber', 'unsure'],
      丙: ['assets.assetNos', 'unsure'],
      丁: ['licenseType', 'likely'],
    });
  });

  it('without some required columns still load, and their check names those fields', async () => {
    const keep = (row: readonly string[]): string[] => row.filter((_, index) => ![8, 10, 20].includes(index));
    const rows = [[...keep(ORDER_HEADERS), '产品备用码'], ...orderRows(4).map((row) => [...keep(row), 'x'])];
    const { found, file } = await guessed(await fixture.file('o.csv', csv(rows)));
    expect(found.lacking).toEqual(['adminEmail', 'passwordMobile', 'assets.products.productUri']);
    expect(found.text).toMatch(/No column was found for productUri .*\n.*Nearest unused columns: 产品备用码/);
    expect(found.text).toMatch(/"手机号" may be correct here too/);
    await expect(fixture.run(file, { dryRun: true })).rejects.toThrow('no column "adminEmail"');
  });
});

describe('orders over several sheets are joined', () => {
  const within = (names: readonly string[]): number[] => names.map((it) => ORDER_HEADERS.indexOf(it));
  const cut = (rows: readonly (readonly string[])[], names: readonly string[]): string[][] =>
    rows.map((row) => within(names).map((at) => row[at] ?? ''));

  it('have their locks and the products of each lock joined', async () => {
    const rows = [ORDER_HEADERS, ...orderRows(8)];
    const products = ['订单号', '锁号', ...ORDER_HEADERS.slice(18)];
    const once = rows.filter((_, index) => index === 0 || index % 2 === 1);
    const input = await book('three.xlsx', {
      说明: [['请勿修改表头']],
      订单: cut(once, ORDER_HEADERS.slice(0, 17)),
      锁: cut(once, ['订单号', '锁号']),
      产品: cut(rows, products),
    });
    const it = await guessed(input);
    expect(it.found.operation).toBe('order.new_buy');
    expect(it.found.lacking).toEqual([]);
    expect((node(it.job, 'orderList.assets') as MapBranch).each).toMatchObject({
      sheet: '锁',
      on: ['订单号'],
    });
    const each = (node(it.job, 'orderList.assets.products') as MapBranch).each;
    expect(each).toMatchObject({ sheet: '产品', on: ['订单号', '锁号'] });
    expect((await fixture.run(it.file)).counts).toEqual({ succeeded: 4 });
  });

  it('whose only list of locks names some of them twice report it', async () => {
    const rows = [ORDER_HEADERS, ...orderRows(6)];
    const once = rows.filter((_, index) => index === 0 || index % 2 === 1);
    const input = await book('two.xlsx', {
      订单: cut(once, ORDER_HEADERS.slice(0, 17)),
      产品: cut(rows, ['订单号', '锁号', ...ORDER_HEADERS.slice(18)]),
    });
    const { found, job } = await guessed(input);
    expect((node(job, 'orderList.assets') as MapBranch).each).toMatchObject({
      sheet: '产品',
      on: ['订单号'],
    });
    expect(found.text).toContain('some have the same 锁号');
  });
});

describe('what stands around the data is found', () => {
  it('titles above the header, and GB18030 parted by semicolons', async () => {
    const rows = ['加密锁停用登记表;;;', '制表人：王芳;;;', '序号;加密锁号;经办人;备注'];
    for (let lock = 1; lock <= 12; lock += 1)
      rows.push(`${lock};81000000${lock + 10} 81000000${lock + 30};李志强;`);
    const input = await fixture.file('停用.csv', gb18030(rows.join('\r\n')));
    const { found, job, file } = await guessed(input);
    expect(found.operation).toBe('asset.lock');
    expect(job.source).toMatchObject({ headerRow: 3, encoding: 'auto' });
    expect(node(job, 'assetNums')).toMatchObject({ column: '加密锁号', split: ' ,;、' });
    expect(found.text).toContain('gb18030');
    expect((await fixture.run(file, { dryRun: true })).counts).toEqual({ valid: 12 });
  });

  it('sheets about the data are ignored, and a merged line of groups above the header', async () => {
    const input = await book('locks.xlsx', {
      说明: [
        ['锁号', '经办人'],
        ['填写锁号', '填写姓名'],
      ],
      三月: [
        ['客户', undefined, '锁'],
        ['客户名称', '分公司', '锁号', '经办人'],
        ['甲公司', '北京', 8100000001, '李'],
        ['乙公司', '上海', 8100000002, '王'],
      ],
      Summary: [['total', 2]],
    });
    const { job, found } = await guessed(input, 'asset.unlock');
    expect(job.source).toMatchObject({ sheet: '三月', headerRow: 2 });
    expect(sure({ job, found, file: '' })).toEqual({ assetNums: '锁号', operatorIdentity: '经办人' });
  });

  it('merged ranges over data are read with their value, and the job reports it', async () => {
    const texts = [
      ['锁号登记'],
      ['锁号', '经办人', '备注'],
      ['8100000001', '李', 'x'],
      ['8100000002', '', ''],
      ['8100000003', '王', ''],
    ];
    const rows = texts.map((cells, index) => {
      const written = cells.map((text, column) =>
        text === '' ? '' : `<c r="${'ABC'[column]}${index + 1}" t="inlineStr"><is><t>${text}</t></is></c>`,
      );
      return `<row r="${index + 1}">${written.join('')}</row>`;
    });
    const at = async (name: string, merged: readonly string[]): Promise<string> => {
      const ranges = merged.map((it) => `<mergeCell ref="${it}"/>`).join('');
      const sheet = worksheet(rows.join('')).replace(
        '</sheetData>',
        `</sheetData><mergeCells>${ranges}</mergeCells>`,
      );
      const file = path.join(fixture.folder, name);
      await writeFile(file, workbook({ sheet }));
      return file;
    };
    const { job } = await guessed(await at('a.xlsx', ['A1:C1', 'B3:B4']), 'asset.lock');
    expect(job.source).toMatchObject({ headerRow: 2, merged: 'fill' });
    // Titles, and columns that the job doesn't read, are no matter.
    const { job: other } = await guessed(await at('b.xlsx', ['A1:C1', 'C3:C4']), 'asset.lock');
    expect(other.source).toMatchObject({ headerRow: 2, merged: 'refuse' });
  });

  it('a header that stands twice is said to, where it is needed', async () => {
    const rows = [
      ['CRM客户号', '客户名称', '客户名称', '分公司'],
      ['1', 'a', 'b', 'c'],
    ];
    const { found } = await guessed(await fixture.file('twice.csv', csv(rows)), 'enterprise.create');
    expect(found.notes.map((it) => it.code)).toContain('guess.header_twice');
    expect(found.notes.find((it) => it.code === 'guess.header_twice')?.params.columns).toBe('B, C');
  });

  it('a header over several lines is found again', async () => {
    const rows = [
      ['CRM\n客户号', '客户名称\r\n(Customer Name)', '分公司\n* 必填'],
      ['1', 'a', 'c'],
      ['2', 'b', 'c'],
    ];
    const { file, found } = await guessed(await fixture.file('lines.csv', csv(rows)), 'enterprise.create');
    expect(found.lacking).toEqual([]);
    expect((await fixture.run(file, { dryRun: true })).counts).toEqual({ valid: 2 });
  });

  it('a result workbook is known, and its own columns are set aside', async () => {
    const input = path.join(SAMPLES, 'data', 'bind-customers.xlsx');
    const first = await guessed(input);
    const { output } = await fixture.run(first.file, { dryRun: true });
    const again = await guessed(output ?? '');
    expect(again.found.operation).toBe('enterprise.bind');
    expect(again.job.source.sheet).toBeUndefined();
    expect(again.found.unused).toEqual([]);
    expect(again.found.notes.map((it) => it.code)).toContain('guess.from_result');
  });

  it('a file that fits nothing is refused, and any operation may be named', async () => {
    const input = await fixture.file(
      'weather.csv',
      csv([
        ['Pressure', 'Humidity', 'Wind'],
        ['1', '2', '3'],
      ]),
    );
    await expect(guessed(input)).rejects.toMatchObject({
      kind: 'usage',
      detail: { code: 'guess.no_operation' },
    });
    const { found } = await guessed(input, 'asset.lock');
    expect(found.lacking).toEqual(['assetNums', 'operatorIdentity']);
    const empty = await fixture.file('empty.csv', '\r\n\r\n');
    await expect(guessed(empty)).rejects.toMatchObject({ kind: 'input', detail: { code: 'guess.no_table' } });
  });
});

const ODD_HEADERS = [
  ...['Order: No', '#', '- x', 'a, b', '[x]', '{x}', '"quoted"', "it's", '50% ', 'true', '2026', 'null', '~'],
  ...[
    'x # y',
    ['$', '{HOME}'].join(''),
    ['$', '$', '{x}'].join(''),
    '@at',
    '*star',
    '&and',
    '!bang',
    '|',
    '>',
    '\\n',
    '😀',
  ],
  ...['a\tb', 'ÄÖ: ß', '__proto__', '是', 'Y', '0x10', '2026-01-01', '?', ': ', 'x:'],
];

describe('any header gives a job that loads', () => {
  const locks = (header: string): Promise<string> =>
    fixture.file(
      'odd.csv',
      csv([
        [header, 'operator'],
        ['8100000001', 'Li'],
        ['8100000002', 'Li'],
      ]),
    );

  it('can be named in a job: the column is known by its cells, ten digits that begin with 8', async () => {
    for (const header of ODD_HEADERS) {
      const { found, job } = await guessed(await locks(header), 'asset.lock');
      expect(found.lacking, header).toEqual([]);
      expect(fold((node(job, 'assetNums') as ColumnLeaf).column), header).toBe(fold(header));
    }
  });

  it('is found again by a run', async () => {
    const { file } = await guessed(await locks(['$', '$', '{x}'].join('')), 'asset.lock');
    expect((await fixture.run(file, { dryRun: true })).counts).toEqual({ valid: 2 });
  });

  it('of whatever letters gives a job that loads', async () => {
    const text = fc.string({ unit: 'binary', maxLength: 12 }).filter((it) => !it.includes('\0'));
    await fc.assert(
      fc.asyncProperty(fc.array(text, { minLength: 1, maxLength: 5 }), text, async (headers, cell) => {
        const rows = [
          [...headers, '客户类型', '锁号'],
          [...headers.map(() => cell), cell, '8100000001'],
        ];
        const input = await fixture.file('any.csv', csv(rows));
        const answer = await guessed(input, 'order.delete_asset').catch((it: unknown) => it);
        if (answer instanceof Error) {
          expect(answer).toBeInstanceOf(ProductError);
          expect((answer as ProductError).detail.code).toMatch(/^(?:source|guess)\./);
        }
      }),
      { numRuns: 20, seed: 20261121 },
    );
  });
});

/** Node decodes GB18030 but doesn't encode it: the two-byte area is turned round. */
function gb18030(text: string): Uint8Array {
  const decoder = new TextDecoder('gb18030');
  const bytes = new Map<string, readonly number[]>();
  for (let lead = 0x81; lead <= 0xfe; lead += 1) {
    for (let trail = 0x40; trail <= 0xfe; trail += 1) {
      if (trail !== 0x7f) bytes.set(decoder.decode(Uint8Array.of(lead, trail)), [lead, trail]);
    }
  }
  return Uint8Array.from(
    [...text].flatMap((it) => (it.codePointAt(0)! < 0x80 ? [it.codePointAt(0)!] : bytes.get(it)!)),
  );
}
