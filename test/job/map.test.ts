import { describe, expect, it } from 'vitest';
import { parseTemplate } from '../../src/job/map/leaf-parts.js';
import type { MapBranch, MapNode } from '../../src/model/map.js';
import { compileFormat } from '../../src/util/date-format.js';
import { brief, load, lockJob, orderJob, problemsOf } from './fixture.js';

/** What every order map needs; five lines, 6 to 10. */
const BASE =
  '  channelCode: { value: CRM }\n  customerName: Customer\n  assets:\n    each: [Lock]\n    assetNos: Lock\n';

async function mapOf(yaml: string): Promise<MapBranch> {
  const { job } = await load(yaml);
  expect(job.map).toBeDefined();
  return job.map!;
}

/** The node of an order's field. */
async function orderField(lines: string, name: string): Promise<MapNode | undefined> {
  const items = (await mapOf(orderJob(BASE + lines))).fields.get('orderList');
  return items?.kind === 'branch' ? items.fields.get(name) : undefined;
}

describe('each leaf of a map is read or refused', () => {
  it.each([
    ['licenseType: Type', 'licenseType', { kind: 'column', column: 'Type', at: { line: 11, column: 16 } }],
    ['licenseType: { column: 2026 }', 'licenseType', { kind: 'column', column: '2026' }],
    ['count: 3', 'count', { kind: 'value', value: 3 }],
    ['count: { value: "12" }', 'count', { kind: 'value', value: 12 }],
    // As text: a number would lose the last digit.
    ['duration: 9007199254740993', 'duration', { kind: 'value', value: '9007199254740993' }],
    ['duration: { value: "-9223372036854775808" }', 'duration', { value: '-9223372036854775808' }],
    ['duration: { column: N, default: 9223372036854775807 }', 'duration', { default: '9223372036854775807' }],
    ['lent: true', 'lent', { kind: 'value', value: true }],
    ['lent: { value: 是 }', 'lent', { kind: 'value', value: true }],
    ['licenseType: { value: softkey }', 'licenseType', { kind: 'value', value: 'softkey' }],
    ['until: { value: 2026-12-31 }', 'until', { kind: 'value', value: '2026-12-31' }],
    ['until: { value: 1767225599000 }', 'until', { kind: 'value', value: 1767225599000 }],
    ['until: { column: U, format: yyyy/MM/dd, end: day }', 'until', { format: 'yyyy/MM/dd', end: 'day' }],
    ['until: { column: U, end: day, time: ignore }', 'until', { end: 'day', time: 'ignore' }],
    ['until: { column: U, format: [yyyy/M/d, yyyyMMdd] }', 'until', { format: ['yyyy/M/d', 'yyyyMMdd'] }],
    ['until: { column: U, format: yyyy/MM/dd, default: 2026/12/31 }', 'until', { default: '2026/12/31' }],
    ['count: { column: N, default: 0 }', 'count', { kind: 'column', default: 0 }],
    [
      'trial: { column: T, values: { 是: 1, 否: 0 } }',
      'trial',
      {
        values: new Map([
          ['是', 1],
          ['否', 0],
        ]),
      },
    ],
    ['count: { expr: \'int(row["Qty"]) * 2\' }', 'count', { kind: 'expr', source: 'int(row["Qty"]) * 2' }],
    [
      'licenseType: { template: "SO-{Order No}-{Line}" }',
      'licenseType',
      { kind: 'template', parts: ['SO-', { column: 'Order No' }, '-', { column: 'Line' }] },
    ],
  ])('%s', async (line, name, leaf) => {
    expect(await orderField(`  ${line}\n`, name)).toMatchObject(leaf);
  });

  it('keep text as it was written, zeros and all', async () => {
    const map = await mapOf(lockJob('map: { assetNums: { value: [007, a] }, operatorIdentity: 0012 }\n'));
    expect(map.fields.get('assetNums')).toMatchObject({ kind: 'value', value: ['007', 'a'] });
    expect(map.fields.get('operatorIdentity')).toMatchObject({ kind: 'value', value: '0012' });
  });

  it('keep columns and texts named like properties of objects', async () => {
    const map = await mapOf(
      lockJob(
        'map:\n  assetNums: { column: __proto__, split: ";", values: { __proto__: a, constructor: b } }\n  operatorIdentity: constructor\n',
      ),
    );
    expect(map.fields.get('assetNums')).toMatchObject({
      column: '__proto__',
      split: ';',
      values: new Map([
        ['__proto__', 'a'],
        ['constructor', 'b'],
      ]),
    });
    expect(({} as Record<string, unknown>).a).toBeUndefined();
  });

  it.each([
    ['count: { colum: N }', '11:12 job.unknown_key'],
    ['count: { column: N, defalt: 1 }', '11:23 job.unknown_key'],
    ['count: { column: N, value: 1 }', '11:23 job.leaf_conflict'],
    ['count: { expr: "1", default: 1 }', '11:23 job.leaf_option_without_column'],
    ['count: { a: 1, b: 2 }', '11:3 job.map_branch_for_field'],
    ['count: [1]', '11:10 job.map_list'],
    ['count:', '11:3 job.empty_value'],
    ['count: ""', '11:10 job.empty_text'],
    ['count: { column: "" }', '11:20 job.empty_text'],
    ['count: { column: [a] }', '11:20 job.expected_text'],
    ['count: 1.5', '11:10 job.bad_constant'],
    ['count: true', '11:10 job.bad_constant'],
    ['count: 1e3', '11:10 job.bad_constant'],
    ['count: 12345678901234567', '11:10 job.bad_constant'],
    ['duration: 9223372036854775808', '11:13 job.bad_constant'],
    ['duration: 1.5', '11:13 job.bad_constant'],
    ['until: { value: 1234567890123456 }', '11:19 job.bad_date_constant'],
    ['count: { value: [1] }', '11:19 job.bad_constant'],
    ['count: { column: N, default: x }', '11:32 job.bad_constant'],
    ['lent: 2', '11:9 job.bad_constant'],
    ['trial: 2', '11:10 job.unknown_value_far'],
    ['licenseType: { value: softky }', '11:25 job.unknown_value'],
    ['licenseType: { column: T, values: { A: softkey, B: cloud } }', '11:54 job.unknown_value_far'],
    ['licenseType: { column: T, values: { A: softkey, " a ": softkey } }', '11:51 job.values_alike'],
    ['licenseType: { column: T, values: softkey }', '11:37 job.expected_mapping'],
    ['licenseType: { column: T, format: yyyy-MM-dd }', '11:29 job.only_for_dates'],
    ['licenseType: { column: T, end: day }', '11:29 job.only_for_dates'],
    ['licenseType: { column: T, format: [yyyy] }', '11:29 job.only_for_dates'],
    ['licenseType: { column: T, split: ";" }', '11:29 job.only_for_lists'],
    ['until: { value: 2026-02-30 }', '11:19 job.bad_date_constant'],
    ['until: { column: U, end: month }', '11:28 job.unknown_value_far'],
    ['until: { column: U, format: YYYY-MM-DD }', '11:31 job.bad_format'],
    ['until: { column: U, format: MM/dd }', '11:31 job.format_without_day'],
    ['until: { column: U, format: yyyy-mm-dd }', '11:31 job.format_without_day'],
    ['until: { column: U, format: [yyyy-MM-dd, MM/dd] }', '11:44 job.format_without_day'],
    ['until: { column: U, format: [] }', '11:31 job.format_list_empty'],
    ['licenseType: { template: "a{b" }', '11:30 job.template_unclosed'],
    ['licenseType: { template: "ab}" }', '11:31 job.template_unopened'],
    ['licenseType: { template: "{ }" }', '11:29 job.template_empty'],
    ['licenseType: { expr: "row[1]" }', '11:29 job.bad_expression'],
    ['licenseType: { expr: \'row["A"] + 1\' }', '11:25 job.bad_expression'],
  ])('%s: %s', async (line, problem) => {
    expect(brief(await problemsOf(orderJob(`${BASE}  ${line}\n`)))).toEqual([problem]);
  });
});

describe('a map has the shape of the request', () => {
  it('allows the fields of the items at the top, with their each', async () => {
    const short = await mapOf(orderJob(`  each: [Order No]\n${BASE}`));
    expect([...short.fields.keys()]).toEqual(['channelCode', 'orderList']);
    const items = short.fields.get('orderList');
    expect(items).toMatchObject({ kind: 'branch', each: { kind: 'columns', columns: ['Order No'] } });
    const long = await mapOf(
      orderJob(
        '  channelCode: { value: CRM }\n  orderList:\n    each: [Order No]\n    customerName: Customer\n    assets: { each: [Lock], assetNos: Lock }\n',
      ),
    );
    const withoutPlaces = (map: MapBranch) =>
      JSON.parse(
        JSON.stringify(map, (key, value) => (key === 'at' ? 0 : value instanceof Map ? [...value] : value)),
      );
    expect(withoutPlaces(short)).toEqual(withoutPlaces(long));
  });

  it('refuses both ways at once', async () => {
    const map = `  channelCode: { value: CRM }\n  customerName: C\n  orderList:\n    customerName: C\n    assets: { assetNos: L }\n`;
    const [problem, ...rest] = await problemsOf(orderJob(map));
    expect(rest).toEqual([]);
    expect(brief([problem!])).toEqual(['7:3 job.map_mixed']);
  });

  it('joins other sheets, nests and holds itself', async () => {
    const map = await mapOf(
      orderJob(`  channelCode: { value: CRM }
  customerName: Customer
  contact: { phone: Phone }
  assets:
    each: { sheet: Assets, on: [Order No, 2026] }
    assetNos: Lock
    children:
      each: [P]
      num: P
      children: { num: Q }
`),
    );
    const items = map.fields.get('orderList') as MapBranch;
    const assets = items.fields.get('assets') as MapBranch;
    expect(assets.each).toMatchObject({ kind: 'sheet', sheet: 'Assets', on: ['Order No', '2026'] });
    expect(assets.at).toEqual({ line: 10, column: 5 });
    const children = assets.fields.get('children') as MapBranch;
    expect(children.fields.get('children')).toMatchObject({ kind: 'branch' });
    expect(items.fields.get('contact')).toMatchObject({ kind: 'branch' });
  });

  it('names what is lacking, and not what was only misspelt', async () => {
    const problems = await problemsOf(
      orderJob('  chanelCode: { value: CRM }\n  custmerName: C\n  assets: {}\n'),
    );
    expect(brief(problems)).toEqual(['6:3 job.unknown_key', '7:3 job.unknown_key', '8:3 job.branch_lacks']);
    expect(problems[2]?.message.params).toMatchObject({ branch: 'orderList.assets', fields: 'assetNos' });
    const lacking = await problemsOf(orderJob('  licenseType: T\n'));
    expect(lacking.map((one) => [one.code, one.line, one.message.params.fields])).toEqual([
      ['job.map_lacks', 5, 'customerName, assets'],
      ['job.map_lacks', 5, 'channelCode'],
    ]);
  });

  it.each([
    ['  contact: Phone\n', '11:12 job.map_leaf_for_object'],
    ['  contact: { column: Phone }\n', '11:12 job.map_leaf_for_object'],
    ['  contact:\n', '11:3 job.map_leaf_for_object'],
    ['  contact: { each: [A], phone: P }\n', '11:14 job.each_misplaced'],
    ['  contact: { phon: P }\n', '11:14 job.unknown_key'],
    ['  each: Order\n', '11:9 job.bad_each'],
    ['  each: []\n', '11:9 job.bad_each'],
    ['  each: [A, " a"]\n', '11:13 job.each_repeats'],
    ['  each: [A, [B]]\n', '11:13 job.expected_text'],
    ['  each: { sheet: S }\n', '11:3 job.missing_key'],
    ['  each: { sheet: S, on: A }\n', '11:25 job.bad_each'],
    ['  each: { sheet: S, on: [A], no: 1 }\n', '11:30 job.unknown_key'],
    ['  __proto__: A\n', '11:3 job.unknown_key_far'],
  ])('%s is refused', async (lines, problem) => {
    expect(brief(await problemsOf(orderJob(BASE + lines)))).toEqual([problem]);
  });

  it('has no each where a request is one item', async () => {
    const yaml = lockJob('map: { each: [A], assetNums: L, operatorIdentity: O }\n');
    expect(brief(await problemsOf(yaml))).toEqual(['5:8 job.each_misplaced']);
  });

  it.each([
    ['map:\n', '5:1 job.empty_value'],
    ['map: [a]\n', '5:6 job.expected_mapping'],
    ['map: {}\n', '5:1 job.map_lacks'],
  ])('%s is refused', async (map, problem) => {
    expect(brief(await problemsOf(lockJob(map)))).toEqual([problem]);
  });
});

describe('a template is text and columns', () => {
  it('double braces for one', () => {
    expect(parseTemplate('{{{A}}}-{ B }')).toEqual({
      ok: true,
      parts: ['{', { column: 'A' }, '}-', { column: 'B' }],
    });
  });
});

describe('a date pattern has year, month and day', () => {
  it.each(['yyyy-MM-dd', 'yyyy年M月d日', 'yyyyMMdd', "dd.MM.yyyy 'at' HH:mm:ss.SSS", 'y/M/d'])(
    '%s is right',
    (it) => {
      expect(compileFormat(it)).toMatchObject({ ok: true });
    },
  );

  it.each(['yyyy-MM-ddTHH:mm', 'yyy-MM-dd', 'yyyy-MMMMM-dd', 'yyyy-MM-dd dd', "yyyy-MM-dd 'x"])(
    '%s is not',
    (it) => {
      expect(compileFormat(it)).toEqual({ ok: false, part: expect.stringMatching(/./) });
    },
  );
});
