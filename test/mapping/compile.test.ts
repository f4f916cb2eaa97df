import { describe, expect, it } from 'vitest';
import { render } from '../../src/errors/message.js';
import { ProductError } from '../../src/errors/product-error.js';
import {
  type Case,
  compile,
  field,
  type MapShape,
  must,
  orderOperation,
  row,
  singleOperation,
} from '../support/mapping.js';

const HEADERS = ['Order No', 'Customer name', 'Lock', 'Until'];

const GOOD: MapShape = {
  channelCode: { value: 'CH' },
  syncMode: { value: 'sync' },
  orderList: { customer: 'Customer name', assets: { assetNos: 'Lock' } },
};

/** The error's kind and all its messages. */
function refusal(it: Case): { kind: string; messages: string[]; codes: string[] } {
  try {
    compile(it);
  } catch (error) {
    if (!(error instanceof ProductError)) throw error;
    const all = [error.detail, ...error.others];
    return {
      kind: error.kind,
      messages: all.map((reported) => render(reported)),
      codes: all.map((reported) => reported.code),
    };
  }
  throw new Error('the map was accepted');
}

const withOrder = (order: MapShape): MapShape => ({
  ...GOOD,
  orderList: { ...(GOOD.orderList as MapShape), ...order },
});

describe('a map that does not fit the sheet is refused with all its problems', () => {
  it('names every missing column with the nearest header, then all headers', () => {
    const it = refusal({
      headers: HEADERS,
      map: withOrder({ customer: 'Custmer name', address: 'Shoe size' }),
    });
    expect(it.kind).toBe('usage');
    expect(it.messages).toEqual([
      expect.stringContaining('sheet Orders has no column "Custmer name"; the nearest is "Customer name"'),
      expect.stringContaining('sheet Orders has no column "Shoe size"'),
      'the columns of sheet Orders are: Order No, Customer name, Lock, Until',
    ]);
    expect(it.messages[0]).toMatch(/line \d+:\d+/);
  });

  it('headers match after trimming, folding of width and case', () => {
    expect(() => compile({ headers: ['x', ' ＣＵＳＴＯＭＥＲ  name ', 'lock'], map: GOOD })).not.toThrow();
  });

  it('two headers that fold to one are refused when the map uses them', () => {
    const headers = ['Customer name', 'LOCK', 'lock ', 'Remark', 'remark'];
    const it = refusal({ headers, map: GOOD });
    expect(it.kind).toBe('input');
    expect(it.messages).toEqual([expect.stringContaining('the columns B and C both have the header "LOCK"')]);
  });

  it('reports missing columns and sheets of joins', () => {
    const it = refusal({
      headers: HEADERS,
      joined: { Lines: ['Order', 'Lock No'] },
      map: withOrder({
        assets: {
          each: { sheet: 'Lines', on: ['Order No'] },
          assetNos: 'Lock',
          products: { each: { sheet: 'Goods', on: ['Order No'] }, productId: 'P' },
        },
      }),
    });
    expect(it.codes).toContain('mapping.column_missing_nearest');
    expect(it.messages.join('\n')).toContain('sheet Lines has no column "Order No"');
    expect(it.messages.join('\n')).toContain('the columns of sheet Lines are: Order, Lock No');
    const missing = refusal({
      headers: HEADERS,
      map: withOrder({ assets: { each: { sheet: 'Goods', on: ['Order No'] }, assetNos: 'Lock' } }),
    });
    expect(missing.messages[0]).toContain('has no sheet "Goods"');
  });

  it('columns in templates, keys and expressions are looked up too', () => {
    const it = refusal({
      headers: HEADERS,
      map: withOrder({ each: ['Ordr No'], customer: { template: '{Name} x' } }),
    });
    expect(it.messages.join('\n')).toMatch(/"Ordr No".*nearest is "Order No"/);
    expect(it.messages.join('\n')).toContain('no column "Name"');
    const cel = refusal({ headers: HEADERS, map: withOrder({ address: { expr: 'row["Adress"]' } }) });
    expect(cel.kind).toBe('usage');
    expect(cel.messages[0]).toContain('no column "Adress"');
  });

  it('a column named like a property of objects is an ordinary column', () => {
    const mapping = compile({
      headers: ['__proto__', 'constructor', 'toString'],
      map: withOrder({
        customer: '__proto__',
        assets: { assetNos: 'constructor' },
        address: { expr: 'row["toString"]' },
      }),
    });
    const group = mapping.map([row(2, ['Li', 'A1', 'Street'])], { rows: () => [] });
    expect(group).toMatchObject({
      items: [{ body: { customer: 'Li', address: 'Street', assets: [{ assetNos: ['A1'] }] } }],
    });
    expect(refusal({ headers: ['Lock'], map: withOrder({ customer: '__proto__' }) }).codes).toContain(
      'mapping.column_missing',
    );
  });
});

describe('a map that does not fit the operation is refused with all its problems', () => {
  it.each<[string, MapShape, string]>([
    ['a constant off the list', { ...GOOD, syncMode: { value: 'later' } }, 'mapping.constant_unfit'],
    [
      'a default off the list',
      { ...GOOD, syncMode: { column: 'Lock', default: 'later' } },
      'mapping.constant_unfit',
    ],
    [
      'a listed value off the list',
      { ...GOOD, syncMode: { column: 'Lock', values: { a: 'later' } } },
      'mapping.constant_unfit',
    ],
    [
      'an empty constant for a required field',
      withOrder({ customer: { value: '' } }),
      'mapping.constant_unfit',
    ],
    ['a list for a single value', withOrder({ customer: { value: ['a'] } }), 'mapping.constant_unfit'],
    ['an expression that does not parse', withOrder({ customer: { expr: 'row[' } }), 'mapping.expr_refused'],
    [
      'a required member of a mapped element',
      withOrder({ assets: { assetNos: 'Lock', products: { nodes: 'Until' } } }),
      'mapping.required_unmapped',
    ],
    ['a required array', { ...GOOD, orderList: { customer: 'Lock' } }, 'mapping.required_unmapped'],
  ])('%s', (_name, map, code) => {
    const reported = refusal({ headers: HEADERS, map });
    expect(reported.kind).toBe('usage');
    expect(reported.codes).toContain(code);
  });

  it('reports everything at once', () => {
    const reported = refusal({
      headers: HEADERS,
      map: { orderList: { customer: 'Nobody', assets: { assetNos: 'Lock' } } },
    });
    expect(reported.kind).toBe('usage');
    expect(reported.codes).toEqual(
      expect.arrayContaining(['mapping.required_unmapped', 'mapping.column_missing']),
    );
  });

  it('fields that the program fills in need no mapping', () => {
    expect(() => compile({ headers: HEADERS, map: GOOD })).not.toThrow();
  });

  it('an unknown time zone is reported', () => {
    expect(refusal({ headers: HEADERS, map: GOOD, timezone: 'Mars/Olympus' }).codes).toEqual([
      'mapping.zone_unknown',
    ]);
  });
});

describe('without a map headers are field names', () => {
  const operation = orderOperation();
  const omitted = (headers: readonly string[]): Case => ({ operation, headers });
  const NEEDED = ['channelCode', 'syncMode', 'customer', 'assetNos'];

  it.each([
    [
      'paths with the items array',
      ['channelCode', 'syncMode', 'orderList.customer', 'orderList.assets.assetNos'],
    ],
    ['paths without it', ['channelCode', 'syncMode', 'customer', 'assets.assetNos']],
    ['bare leaf names, whatever their case', ['CHANNELCODE', ' syncmode ', 'Customer', 'assetnos']],
    ['paths with brackets', ['channelCode', 'syncMode', 'orderList[].customer', 'assets[].assetNos']],
  ])('%s', (_name, headers) => {
    const mapping = compile(omitted(headers));
    expect(mapping.warnings).toEqual([]);
    expect(mapping.map([row(2, ['CH', 'sync', 'Li', 'A1;A2'])], { rows: () => [] })).toMatchObject({
      kind: 'items',
      items: [
        {
          envelope: { channelCode: 'CH', syncMode: 'sync' },
          body: { customer: 'Li', assets: [{ assetNos: ['A1', 'A2'] }] },
        },
      ],
    });
  });

  it('reaches into tables that contain themselves', () => {
    const mapping = compile(
      omitted([
        ...NEEDED,
        'assets.packages.packageNo',
        'assets.packages.children.children.packageNo',
        'assets.packages.children.packageNo',
      ]),
    );
    const group = mapping.map([row(2, ['CH', 'sync', 'Li', 'A1', 'K1', 'K3', 'K2'])], { rows: () => [] });
    expect(group).toMatchObject({
      items: [
        {
          body: {
            assets: [
              {
                packages: [
                  { packageNo: 'K1', children: [{ packageNo: 'K2', children: [{ packageNo: 'K3' }] }] },
                ],
              },
            ],
          },
        },
      ],
    });
  });

  it('a bare name that only a repetition of its own table has again is unique', () => {
    const mapping = compile(omitted([...NEEDED, 'packageNo']));
    const group = mapping.map([row(2, ['CH', 'sync', 'Li', 'A1', 'K1'])], { rows: () => [] });
    expect(group).toMatchObject({ items: [{ body: { assets: [{ packages: [{ packageNo: 'K1' }] }] } }] });
  });

  it('a bare name with several meanings is refused with its paths', () => {
    const shape = [
      must('id', 'String'),
      field('a', 'object array', { fields: [field('name', 'String')] }),
      field('b', 'object array', { fields: [field('name', 'String')] }),
    ];
    const reported = refusal({ operation: singleOperation(shape), headers: ['id', 'Name'] });
    expect(reported.kind).toBe('input');
    expect(reported.messages[0]).toContain('column B: "Name" may be any of a.name, b.name');
  });

  it('a name of the top level or of the items wins over the same name further down', () => {
    const shape = [must('id', 'String'), field('a', 'object array', { fields: [field('id', 'String')] })];
    const mapping = compile({ operation: singleOperation(shape), headers: ['id'] });
    expect(mapping.map([row(2, ['7'])], { rows: () => [] })).toMatchObject({
      items: [{ body: { id: '7' } }],
    });
  });

  it('required fields without a header are listed', () => {
    const reported = refusal(omitted(['channelCode', 'products.nodes']));
    expect(reported.kind).toBe('input');
    expect(reported.messages).toEqual([
      expect.stringMatching(/no column: syncMode, customer, assets\.assetNos$/),
    ]);
    expect(refusal(omitted([...NEEDED, 'nodes'])).messages[0]).toContain('assets.products.productId');
  });

  it('headers that mean nothing are warnings with the nearest field', () => {
    const mapping = compile(omitted([...NEEDED, 'adress', 'Internal remark 2026', '__proto__']));
    expect(mapping.warnings.map((it) => render(it))).toEqual([
      'sheet Orders, column E: "adress" is not a field of order.new_buy and is not sent; did you mean address?',
      'sheet Orders, column F: "Internal remark 2026" is not a field of order.new_buy; the column is not sent',
      expect.stringContaining('column G: "__proto__"'),
    ]);
    expect(mapping.columns).toEqual([1, 2, 3, 4]);
  });

  it('two headers for one field are refused, however they are written', () => {
    expect(refusal(omitted([...NEEDED, 'assets.assetNos'])).codes).toEqual(['mapping.header_same_field']);
    expect(refusal(omitted([...NEEDED, 'ASSETNOS'])).codes).toEqual(['mapping.header_twice']);
  });
});
