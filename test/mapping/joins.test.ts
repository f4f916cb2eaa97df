import { describe, expect, it } from 'vitest';
import {
  bodies,
  compile,
  ENVELOPE,
  faultCodes,
  faultTexts,
  type Given,
  lookupOf,
  type MapShape,
  mapAll,
  orders,
  row,
  rowsOf,
} from '../support/mapping.js';

describe('each over another sheet takes its rows, and loses none', () => {
  const ORDERS = ['Order', 'Customer'];
  const joined = {
    Products: ['Order', 'Lock', 'Product', 'Nodes'],
    Features: ['order ', 'Product', 'Feature'],
  };
  const it0 = orders(
    ORDERS,
    {
      customer: 'Customer',
      assets: {
        each: { sheet: 'Products', on: ['Order'] },
        assetNos: 'Lock',
        products: {
          productId: 'Product',
          nodes: 'Nodes',
          features: { each: { sheet: 'Features', on: ['Order', 'Product'] }, code: 'Feature' },
        },
      },
    },
    { joined },
  );
  const products = rowsOf(
    [
      ['O2', 'A3', 'P3', '1'],
      ['O1', 'A1', 'P1', '5'],
      ['O1', 'A2', 'P2', undefined],
    ],
    'Products',
  );
  const features = rowsOf(
    [
      ['O1', 'P2', 'F2'],
      ['O1', 'P1', 'F1'],
      ['O1', 'P1', 'F3'],
      ['O2', 'P1', 'F9'],
    ],
    'Features',
  );

  it('elements are the rows that agree, and joins nest', () => {
    const mapping = compile(it0);
    const lookup = lookupOf(mapping, { Products: products, Features: features });
    const groups = mapAll(
      mapping,
      rowsOf([
        ['O1', 'Li'],
        ['O2', 'Wang'],
      ]),
      lookup,
    );
    expect(bodies(groups)).toEqual([
      {
        customer: 'Li',
        assets: [
          {
            assetNos: ['A1'],
            products: [
              { productId: 'P1', nodes: 5, strict: false, features: [{ code: 'F1' }, { code: 'F3' }] },
            ],
          },
          { assetNos: ['A2'], products: [{ productId: 'P2', strict: false, features: [{ code: 'F2' }] }] },
        ],
      },
      {
        customer: 'Wang',
        assets: [
          { assetNos: ['A3'], products: [{ productId: 'P3', nodes: 1, strict: false, features: [] }] },
        ],
      },
    ]);
  });

  it('names the columns that each sheet must keep', () => {
    const mapping = compile(it0);
    expect(mapping.columns).toEqual([1, 2]);
    expect(mapping.joins.map((it) => [it.sheet, it.on, mapping.joinedUse(it).columns])).toEqual([
      ['Products', ['Order'], [1, 2, 3, 4]],
      ['Features', ['Order', 'Product'], [1, 2, 3]],
    ]);
  });

  it('errors name the other sheet and its row; the job sheet keeps its rows', () => {
    const mapping = compile(it0);
    const invalid = rowsOf(
      [
        ['O1', 'A1', 'P1', 'five'],
        ['O1', 'A1', undefined, '1'],
      ],
      'Products',
    );
    const [group] = mapAll(mapping, [row(9, ['O1', 'Li'])], lookupOf(mapping, { Products: invalid }));
    expect(group).toMatchObject({ kind: 'invalid', rows: [9] });
    expect(faultCodes(group)).toEqual([
      'Products!C3 mapping.required_empty',
      'Products!D2 mapping.not_whole',
    ]);
  });

  it('an order without rows in the other sheet names which sheet and key', () => {
    const mapping = compile(it0);
    const [none, noKey] = mapAll(
      mapping,
      rowsOf([
        ['O7', 'Li'],
        [undefined, 'Li'],
      ]),
      lookupOf(mapping, { Products: products }),
    );
    expect(faultTexts(none)).toEqual([
      'Orders!A2 orderList.assets: sheet Products has no row for it (Order: O7), but at least one is required',
    ]);
    expect(faultCodes(noKey)).toEqual(['Orders!A3 mapping.array_empty_joined']);
  });

  it('asks for each key once though several rows of a group have it', () => {
    const mapping = compile({
      ...it0,
      map: { ...ENVELOPE, orderList: { each: ['Order'], ...(it0.map?.orderList as MapShape) } },
    });
    const lookup = lookupOf(mapping, { Products: products, Features: features });
    const groups = mapAll(
      mapping,
      rowsOf([
        ['O2', 'Wang'],
        ['O2', 'Wang'],
      ]),
      lookup,
    );
    expect(bodies(groups)).toMatchObject([{ assets: [{ assetNos: ['A3'] }] }]);
    // Only the job's own two rows agree: the other sheet's row was not read twice.
    expect(groups.flatMap((it) => (it.kind === 'items' ? it.warnings : []))).toMatchObject([
      { params: { sheet: 'Orders' } },
    ]);
  });

  it('rows of the other sheet that agree count once', () => {
    const mapping = compile(it0);
    const twice = rowsOf(
      [
        ['O1', 'A1', 'P1', '5'],
        ['O1', 'A1', 'P1', '5'],
      ],
      'Products',
    );
    const [group] = mapAll(mapping, [row(2, ['O1', 'Li'])], lookupOf(mapping, { Products: twice }));
    expect(bodies([group!])).toMatchObject([{ assets: [{ assetNos: ['A1'] }] }]);
    expect(group?.kind === 'items' && group.warnings.map((it) => it.params)).toEqual([
      { sheet: 'Products', rows: '2, 3' },
    ]);
  });

  it('a key that cannot be read is an error in either sheet', () => {
    const mapping = compile(it0);
    const lost: Given = ['number', '1234567890123456'];
    const there = rowsOf([[lost, 'A1', 'P1', '5']], 'Products');
    const lookup = lookupOf(mapping, { Products: there });
    const [here, other] = mapAll(
      mapping,
      rowsOf([
        [['error', '#N/A'], 'Li'],
        ['1234567890123456', 'Li'],
      ]),
      lookup,
    );
    expect(faultCodes(here)).toEqual(['Orders!A2 mapping.error_value']);
    expect(faultCodes(other)).toEqual(['Products!A2 mapping.number_too_long']);
  });

  it('a row of the other sheet without a key belongs to none, and is still reported', () => {
    const [join] = compile(it0).joins;
    expect(
      join?.key(row(2, [undefined, undefined, undefined, undefined, 'a remark'], 'Products')),
    ).toBeUndefined();
    const keyless = join?.key(row(2, [' ', 'A1', 'P1', '5'], 'Products'));
    expect(keyless).toBeDefined();
    expect(join?.key(row(2, [['no_result', '']], 'Products'))).toBe(keyless);
    expect(join?.key(row(2, ['O1', 'A1', 'P1', '5'], 'Products'))).not.toBe(keyless);
  });

  it('orders themselves may be in another sheet', () => {
    const mapping = compile({
      headers: ['Channel', 'Batch'],
      joined: { Lines: ['Batch', 'Customer', 'Lock'] },
      map: {
        channelCode: 'Channel',
        channelOrderId: 'Batch',
        syncMode: { value: 'sync' },
        orderList: {
          each: { sheet: 'Lines', on: ['Batch'] },
          customer: 'Customer',
          assets: { assetNos: 'Lock' },
        },
      },
    });
    const lines = rowsOf(
      [
        ['B1', 'Li', 'A1'],
        ['B1', 'Wang', 'A2'],
      ],
      'Lines',
    );
    const [group, none] = mapAll(
      mapping,
      rowsOf([
        ['CH', 'B1'],
        ['CH', 'B2'],
      ]),
      lookupOf(mapping, { Lines: lines }),
    );
    expect(bodies([group!])).toMatchObject([{ customer: 'Li' }, { customer: 'Wang' }]);
    const items = group?.kind === 'items' ? group.items : [];
    expect(items.map((it) => it.rows)).toEqual([[2], [2]]);
    expect(new Set(items.map((it) => it.key)).size).toBe(2);
    expect(faultCodes(none)).toEqual(['Orders!B3 mapping.array_empty_joined']);
  });
});
