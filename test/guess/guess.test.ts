import { readdirSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import ExcelJS from 'exceljs';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ProductError } from '../../src/errors/product-error.js';
import { type Guess, guessJob } from '../../src/guess/guess.js';
import { loadJob } from '../../src/job/load.js';
import type { Job } from '../../src/model/job.js';
import type { MapBranch, MapNode } from '../../src/model/map.js';
import { OPERATION_NAMES, type OperationName } from '../../src/model/operation.js';
import { CATALOGUE_SHAPES } from '../../src/platform/operations/index.js';
import { Desk } from '../support/job-runs.js';

const HERE = fileURLToPath(new URL('../../', import.meta.url));
const SAMPLES = path.join(HERE, 'jobs');

let desk: Desk;

beforeEach(async () => {
  desk = await Desk.open();
});

afterEach(async () => {
  await desk.close();
});

interface Guessed {
  readonly found: Guess;
  readonly file: string;
  readonly job: Job;
}

async function guessed(input: string, operation?: OperationName): Promise<Guessed> {
  const file = path.join(desk.folder, 'guessed.yaml');
  const found = await guessJob({
    file: input,
    jobFile: file,
    schema: 'job.schema.json',
    language: 'en',
    ...(operation === undefined ? {} : { operation }),
  });
  await writeFile(file, found.text);
  return { found, file, job: await loadJob(file, { env: {}, operations: CATALOGUE_SHAPES }) };
}

async function book(
  name: string,
  sheets: Readonly<Record<string, readonly (readonly unknown[])[]>>,
): Promise<string> {
  const workbook = new ExcelJS.Workbook();
  for (const [title, rows] of Object.entries(sheets))
    workbook.addWorksheet(title).addRows(rows.map((it) => [...it]));
  return desk.file(name, new Uint8Array(await workbook.xlsx.writeBuffer()));
}

const csv = (rows: readonly (readonly string[])[], sign = ','): string =>
  rows
    .map((row) => row.map((it) => (/["\r\n,;]/.test(it) ? `"${it.replaceAll('"', '""')}"` : it)).join(sign))
    .join('\r\n');

function node(job: Job, steps: string): MapNode | undefined {
  let at: MapNode | undefined = job.map;
  for (const step of steps.split('.')) at = (at as MapBranch | undefined)?.fields.get(step);
  return at;
}

const sure = ({ found }: Guessed): Record<string, string> =>
  Object.fromEntries(found.columns.map((it) => [it.field, it.header]));

describe('the sample inputs', () => {
  const jobs = readdirSync(SAMPLES).filter((it) => it.endsWith('.yaml'));

  it.each(jobs)(
    'of %s are guessed to be for its operation, and what is guessed can be loaded',
    async (name) => {
      const meant = await loadJob(path.join(SAMPLES, name), { env: {}, operations: CATALOGUE_SHAPES }).catch(
        () => undefined,
      );
      if (!meant) return;
      const { found, file, job } = await guessed(meant.source.file);
      expect(found.operation).toBe(meant.operation);
      expect(found.proposals[0]?.operation).toBe(meant.operation);
      expect(job.source.file).toBe(meant.source.file);
      if (found.lacking.length > 0) {
        const error = await desk.run(file, { dryRun: true }).catch((it: unknown) => it);
        expect(error).toBeInstanceOf(ProductError);
        const { detail, others } = error as ProductError;
        const told = [detail, ...others].map((it) => String(it.params.name));
        for (const field of found.lacking) expect(told).toContain(field.split('.').at(-1));
        return;
      }
      const end = await desk.run(file, { dryRun: true });
      expect(end.counts).toEqual({ valid: end.rows });
    },
  );

  it('of several sheets are joined', async () => {
    const { job, found } = await guessed(path.join(SAMPLES, 'data', 'new-orders-nested.xlsx'));
    expect(job.source.sheet).toBe('订单');
    const each = (steps: string) => (node(job, steps) as MapBranch).each;
    expect(each('orderList')).toMatchObject({ columns: ['订单号'] });
    expect(each('orderList.assets')).toMatchObject({ columns: ['锁号'] });
    expect(each('orderList.assets.products')).toMatchObject({ sheet: '产品', on: ['订单号'] });
    expect(each('orderList.assets.products.productFeatures')).toMatchObject({
      sheet: '特征',
      on: ['产品实例'],
    });
    expect(each('orderList.assets.merchandises')).toMatchObject({ sheet: '套餐', on: ['订单号'] });
    expect(found.unused).toEqual(['备注']);
  });
});

describe('the fill-in workbooks', () => {
  it.each(OPERATION_NAMES)(
    '%s: the sheet to fill in is found, and every field of its headers',
    async (operation) => {
      const { found, job } = await guessed(path.join(HERE, 'templates', `${operation}.xlsx`), operation);
      expect(job.source.sheet).toBe('Data');
      expect(found.lacking).toEqual([]);
      expect(found.columns.every((it) => it.sure === 'sure' && it.field === it.header)).toBe(true);
    },
  );
});

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

describe('orders', () => {
  it('in Chinese, with text dates and words for choices, become a job whose rows are valid', async () => {
    const input = await desk.file('新购.csv', `\ufeff${csv([ORDER_HEADERS, ...orderRows(30)])}`);
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
    expect((await desk.run(it.file, { dryRun: true })).counts).toEqual({ valid: 30 });
    expect((await desk.run(it.file)).counts).toEqual({ succeeded: 30 });
  });

  it('with words whose meaning is not clear list them, and nothing is made up for them', async () => {
    const rows = orderRows(4).map((row) => row.map((cell) => (cell.includes('回收') ? '网络锁' : cell)));
    const { found, job, file } = await guessed(await desk.file('o.csv', csv([ORDER_HEADERS, ...rows])));
    expect(found.text).toMatch(
      /# 网络锁: normal_recover_lan_usbkey \| normal_unrecover_lan_usbkey {3}\(4×\)/,
    );
    expect(node(job, 'orderList.licenseType')).not.toHaveProperty('values');
    expect((await desk.run(file, { dryRun: true })).counts).toEqual({ invalid: 4 });
  });

  it('with columns that say nothing by name are known by their cells', async () => {
    const headers = ORDER_HEADERS.map(
      (it) => ({ 邮箱: '甲', 手机号: '乙', 锁号: '丙', 授权类型: '丁' })[it] ?? it,
    );
    const { found } = await guessed(await desk.file('o.csv', csv([headers, ...orderRows(6)])));
    const by = Object.fromEntries(found.columns.map((it) => [it.header, [it.field, it.sure]]));
    expect(by).toMatchObject({
      甲: ['adminEmail', 'unsure'],
      乙: ['adminCellNumber', 'unsure'],
      丙: ['assets.assetNos', 'unsure'],
      丁: ['licenseType', 'likely'],
    });
  });

  it('without some required columns load all the same, and their check names those fields', async () => {
    const keep = (row: readonly string[]): string[] => row.filter((_, index) => ![8, 10, 20].includes(index));
    const rows = [[...keep(ORDER_HEADERS), '产品备用码'], ...orderRows(4).map((row) => [...keep(row), 'x'])];
    const { found, file } = await guessed(await desk.file('o.csv', csv(rows)));
    expect(found.lacking).toEqual(['adminEmail', 'passwordMobile', 'assets.products.productUri']);
    expect(found.text).toMatch(/No column was found for productUri .*\n.*nearest: 产品备用码/);
    expect(found.text).toMatch(/"手机号" may do here too/);
    await expect(desk.run(file, { dryRun: true })).rejects.toThrow('no column "adminEmail"');
  });
});

describe('what stands around the data', () => {
  it('titles above the header, and GB18030 parted by semicolons', async () => {
    const rows = ['加密锁停用登记表;;;', '制表人：王芳;;;', '序号;加密锁号;经办人;备注'];
    for (let lock = 1; lock <= 12; lock += 1)
      rows.push(`${lock};81000000${lock + 10} 81000000${lock + 30};李志强;`);
    const input = await desk.file('停用.csv', gb18030(rows.join('\r\n')));
    const { found, job, file } = await guessed(input);
    expect(found.operation).toBe('asset.lock');
    expect(job.source).toMatchObject({ headerRow: 3, encoding: 'auto' });
    expect(node(job, 'assetNums')).toMatchObject({ column: '加密锁号', split: ' ,;、' });
    expect(found.text).toContain('gb18030');
    expect((await desk.run(file, { dryRun: true })).counts).toEqual({ valid: 12 });
  });

  it('sheets about the data are passed over, and a merged line of groups above the header', async () => {
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

  it('a header that stands twice is said to, where it is needed', async () => {
    const rows = [
      ['CRM客户号', '客户名称', '客户名称', '分公司'],
      ['1', 'a', 'b', 'c'],
    ];
    const { found } = await guessed(await desk.file('twice.csv', csv(rows)), 'enterprise.create');
    expect(found.notes.map((it) => it.code)).toContain('guess.header_twice');
    expect(found.notes.find((it) => it.code === 'guess.header_twice')?.params.columns).toBe('B, C');
  });

  it('a header over several lines is found again', async () => {
    const rows = [
      ['CRM\n客户号', '客户名称\r\n(Customer Name)', '分公司\n* 必填'],
      ['1', 'a', 'c'],
      ['2', 'b', 'c'],
    ];
    const { file, found } = await guessed(await desk.file('lines.csv', csv(rows)), 'enterprise.create');
    expect(found.lacking).toEqual([]);
    expect((await desk.run(file, { dryRun: true })).counts).toEqual({ valid: 2 });
  });

  it('a result workbook is known, and its own columns are set aside', async () => {
    const input = path.join(SAMPLES, 'data', 'bind-customers.xlsx');
    const first = await guessed(input);
    const { output } = await desk.run(first.file, { dryRun: true });
    const again = await guessed(output ?? '');
    expect(again.found.operation).toBe('enterprise.bind');
    expect(again.job.source.sheet).toBeUndefined();
    expect(again.found.unused).toEqual([]);
    expect(again.found.notes.map((it) => it.code)).toContain('guess.from_result');
  });

  it('a file that fits nothing is refused, and any operation may be named', async () => {
    const input = await desk.file(
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
    const empty = await desk.file('empty.csv', '\r\n\r\n');
    await expect(guessed(empty)).rejects.toMatchObject({ kind: 'input', detail: { code: 'guess.no_table' } });
  });
});

describe('any header', () => {
  it.each([
    'Order: No',
    '#',
    '- x',
    'a, b',
    '[x]',
    '{x}',
    '"quoted"',
    "it's",
    '50% ',
    'true',
    '2026',
    'null',
    '~',
    'x # y',
    '${HOME}',
    '$${x}',
    '@at',
    '*star',
    '&and',
    '!bang',
    '|',
    '>',
    '\\n',
    '😀',
    'a\tb',
    'ÄÖ: ß',
    '__proto__',
  ])('%j can be named in a job and is found again', async (header) => {
    const rows = [[header, 'operator'], ...Array.from({ length: 3 }, (_, at) => [`810000000${at}`, 'Li'])];
    const { found, job, file } = await guessed(await desk.file('odd.csv', csv(rows)), 'asset.lock');
    // Known by its cells: ten digits that begin with 8.
    expect(found.lacking).toEqual([]);
    expect(node(job, 'operatorIdentity')).toMatchObject({ column: 'operator' });
    expect((await desk.run(file, { dryRun: true })).counts).toEqual({ valid: 3 });
  });

  it('of whatever letters gives a job that loads', async () => {
    const text = fc.string({ unit: 'binary', maxLength: 12 }).filter((it) => !it.includes('\0'));
    await fc.assert(
      fc.asyncProperty(fc.array(text, { minLength: 1, maxLength: 5 }), text, async (headers, cell) => {
        const rows = [
          [...headers, '客户类型', '锁号'],
          [...headers.map(() => cell), cell, '8100000001'],
        ];
        const input = await desk.file('any.csv', csv(rows));
        const answer = await guessed(input, 'order.delete_asset').catch((it: unknown) => it);
        if (answer instanceof Error) {
          expect(answer).toBeInstanceOf(ProductError);
          expect((answer as ProductError).detail.code).toMatch(/^(?:source|guess)\./);
        }
      }),
      { numRuns: 120, seed: 20261121 },
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
