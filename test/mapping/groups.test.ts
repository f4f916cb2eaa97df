import { describe, expect, it } from 'vitest';
import { render } from '../../src/errors/message.js';
import {
  bodies,
  compile,
  ENVELOPE,
  faultCodes,
  faultTexts,
  type Given,
  mapAll,
  orders,
  row,
  rowsOf,
} from '../support/mapping.js';

describe('rows without each must agree', () => {
  const simple = orders(['Customer', 'Lock', 'Product'], {
    customer: 'Customer',
    assets: { assetNos: 'Lock', products: { productId: 'Product' } },
  });

  it('each row is an order with one asset and one product', () => {
    const mapping = compile(simple);
    expect(mapping.groupKey).toBeUndefined();
    const [group] = mapAll(mapping, rowsOf([['Li', '0012', 'P1']]));
    expect(group).toMatchObject({
      kind: 'items',
      items: [
        {
          rows: [2],
          envelope: { channelCode: 'CH', syncMode: 'sync' },
          body: {
            customer: 'Li',
            assets: [{ assetNos: ['0012'], products: [{ productId: 'P1', strict: false, features: [] }] }],
          },
        },
      ],
    });
  });

  it('an array whose columns are all empty is omitted, or an error where it is required', () => {
    const [noProduct, noAsset] = mapAll(
      compile(simple),
      rowsOf([
        ['Li', 'A1', ' '],
        ['Li', undefined, undefined],
      ]),
    );
    expect(bodies([noProduct!])).toEqual([{ customer: 'Li', assets: [{ assetNos: ['A1'] }] }]);
    expect(faultCodes(noAsset)).toEqual(['Orders!B3 mapping.array_empty']);
  });

  it('reports all faults of a row, each at its cell', () => {
    const mapping = compile(
      orders(['Customer', 'Lock', 'Product', 'Nodes', 'Until'], {
        customer: 'Customer',
        assets: { assetNos: 'Lock', products: { productId: 'Product', nodes: 'Nodes', until: 'Until' } },
      }),
    );
    const [group] = mapAll(mapping, [row(7, [['error', '#N/A'], 'A1', undefined, '1e3', '2026-02-30'])]);
    expect(faultTexts(group)).toEqual([
      'Orders!A7 orderList.customer: the cell contains the error value #N/A; correct the formula or type the value',
      'Orders!C7 orderList.assets.products.productId: the cell under "Product" is empty, but this field is required; fill it in',
      'Orders!D7 orderList.assets.products.nodes: "1e3" is not a whole number; write plain digits such as 1200, without separators, units or exponent',
      'Orders!E7 orderList.assets.products.until: the date 2026-02-30 does not exist; correct it',
    ]);
  });

  it('a row that gives no order at all does not vanish', () => {
    const mapping = compile({
      headers: ['Channel', 'Customer', 'Lock'],
      map: {
        channelCode: 'Channel',
        syncMode: { value: 'sync' },
        orderList: { customer: 'Customer', assets: { assetNos: 'Lock' } },
      },
    });
    const [group] = mapAll(mapping, [row(5, ['CH', undefined, undefined])]);
    expect(group).toMatchObject({ kind: 'invalid', rows: [5] });
    expect(faultCodes(group)).toEqual(['Orders!B5 mapping.array_empty']);
  });
});

describe('each over columns makes an element of each key', () => {
  const HEADERS = ['Order', 'Customer', 'Lock', 'Product', 'Feature'];
  const nested = orders(HEADERS, {
    each: ['Order'],
    customer: 'Customer',
    assets: {
      each: ['Lock'],
      assetNos: 'Lock',
      products: { each: ['Product'], productId: 'Product', features: { code: 'Feature' } },
    },
  });

  it('groups rows that are not adjacent, nested to any depth, in order of first appearance', () => {
    const groups = mapAll(
      compile(nested),
      rowsOf([
        ['O1', 'Li', 'A1', 'P1', 'F1'],
        ['O2', 'Wang', 'A9', 'P9', undefined],
        ['O1', 'Li', 'A2', 'P1', undefined],
        ['O1 ', 'Li', 'A1', 'P2', undefined],
        ['O1', 'Li', 'A1', 'P1', 'F2'],
      ]),
    );
    const product = (productId: string, ...codes: string[]) => ({
      productId,
      strict: false,
      features: codes.map((code) => ({ code })),
    });
    expect(bodies(groups)).toEqual([
      {
        customer: 'Li',
        assets: [
          { assetNos: ['A1'], products: [product('P1', 'F1', 'F2'), product('P2')] },
          { assetNos: ['A2'], products: [product('P1')] },
        ],
      },
      { customer: 'Wang', assets: [{ assetNos: ['A9'], products: [product('P9')] }] },
    ]);
    expect(groups.flatMap((it) => (it.kind === 'items' ? it.items.map((item) => item.rows) : []))).toEqual([
      [2, 4, 5, 6],
      [3],
    ]);
  });

  it('a row whose key is empty maps alone and reports it', () => {
    const groups = mapAll(
      compile(nested),
      rowsOf([
        ['O1', 'Li', 'A1', 'P1', undefined],
        [' ', 'Li', 'A1', 'P1', undefined],
        [undefined, 'Li', 'A1', 'P1', undefined],
        [['error', '#REF!'], 'Li', 'A1', 'P1', undefined],
      ]),
    );
    expect(groups.map(faultCodes)).toEqual([
      ['Orders!A3 mapping.key_empty_below'],
      ['Orders!A4 mapping.key_empty_below'],
      ['Orders!A5 mapping.error_value'],
      [],
    ]);
  });

  it('number and text cells of one key belong together, padded ones do not', () => {
    const mapping = compile(nested);
    const key = (cell: Given) => mapping.groupKey?.(row(2, [cell]));
    expect(key(['number', '12'])).toBe(key('12'));
    expect(key(['number', '0012', '12'])).not.toBe(key('12'));
    expect(key(['number', '1234567890123456'])).toBeUndefined();
  });

  it('keys of several columns do not run into each other', () => {
    const mapping = compile(
      orders(['A', 'B', 'C'], { each: ['A', 'B'], customer: 'C', assets: { assetNos: 'C' } }),
    );
    const key = (...cells: Given[]) => mapping.groupKey?.(row(2, cells));
    expect(key('a', 'bc')).not.toBe(key('ab', 'c'));
    expect(key('1:a', '')).not.toBe(key('', '1:a'));
    expect(key('a', undefined)).toBeDefined();
    expect(key(undefined, ' ')).toBeUndefined();
  });

  it('an empty nested key gives no element, and is an error when a cell below it is filled', () => {
    const it = orders(['Order', 'Customer', 'Lock', 'Product', 'Nodes'], {
      each: ['Order'],
      customer: 'Customer',
      assets: {
        each: ['Lock'],
        assetNos: 'Lock',
        products: { each: ['Product'], productId: 'Product', nodes: 'Nodes' },
      },
    });
    const [quiet, loud] = mapAll(
      compile(it),
      rowsOf([
        ['O1', 'Li', 'A1', undefined, undefined],
        ['O2', 'Li', 'A1', undefined, '5'],
      ]),
    );
    expect(quiet).toMatchObject({ kind: 'items', warnings: [] });
    expect(bodies([quiet!])).toEqual([{ customer: 'Li', assets: [{ assetNos: ['A1'] }] }]);
    expect(faultCodes(loud)).toEqual(['Orders!D3 mapping.key_empty_below']);
    const [reported] = faultTexts(loud);
    expect(reported).toContain('D3 ("Product") is empty, but E3 is filled');
    expect(reported).toContain('source.fillDown: [Product]');
  });

  it('a row without a key is invalid for every node that would have read its cells', () => {
    const it = orders(['Order', 'Customer', 'Lock', 'Product'], {
      each: ['Order'],
      customer: 'Customer',
      assets: {
        each: ['Lock'],
        assetNos: 'Lock',
        // Both read the same column, so that neither has it for itself.
        products: { each: ['Lock'], productId: 'Product' },
        packages: { each: ['Lock'], packageNo: 'Product' },
      },
    });
    const [group] = mapAll(
      compile(it),
      rowsOf([
        ['O1', 'Li', 'A1', 'P1'],
        ['O1', 'Li', undefined, 'P2'],
      ]),
    );
    expect(faultCodes(group)).toEqual(['Orders!C3 mapping.key_empty_below']);
  });

  it('a cell that another part of the request holds is not lost with an empty key', () => {
    const it = orders(['Order', 'Customer', 'Lock'], {
      each: ['Order'],
      customer: 'Customer',
      assets: { each: ['Lock'], assetNos: { template: '{Lock}-{Customer}' } },
    });
    const rows = rowsOf([
      ['O1', 'Li', 'A1'],
      ['O1', 'Li', undefined],
    ]);
    expect(bodies(mapAll(compile(it), rows))).toEqual([
      { customer: 'Li', assets: [{ assetNos: ['A1-Li'] }] },
    ]);
  });

  it('the key of a nested node alone is lost as well', () => {
    const it = orders(['Order', 'Customer', 'Lock', 'Product'], {
      each: ['Order'],
      customer: 'Customer',
      assets: {
        each: ['Lock'],
        assetNos: 'Lock',
        products: { each: ['Product'], productId: { value: 'P' } },
      },
    });
    const rows = rowsOf([
      ['O1', 'Li', 'A1', '1'],
      ['O1', 'Li', undefined, '2'],
    ]);
    expect(faultCodes(mapAll(compile(it), rows)[0])).toEqual(['Orders!C3 mapping.key_empty_below']);
  });

  it('strings gather the distinct values of the group', () => {
    const gathering = orders(['Order', 'Customer', 'Lock', 'Product'], {
      each: ['Order'],
      customer: 'Customer',
      assets: { each: ['Order'], assetNos: 'Lock', products: { each: ['Product'], productId: 'Product' } },
    });
    const groups = mapAll(
      compile(gathering),
      rowsOf([
        ['O1', 'Li', 'A1,A2', 'P1'],
        ['O1', 'Li', 'A2', 'P2'],
        ['O1', 'Li', undefined, 'P3'],
        ['O1', 'Li', 'A3', 'P1'],
      ]),
    );
    expect(bodies(groups)).toMatchObject([
      { assets: [{ assetNos: ['A1', 'A2', 'A3'], products: [{}, {}, {}] }] },
    ]);
  });

  it('scalars that differ make both rows invalid, each naming the other', () => {
    const [group] = mapAll(
      compile(nested),
      rowsOf([
        ['O1', 'Li', 'A1', 'P1', undefined],
        ['O1', 'Li', 'A2', 'P1', undefined],
        ['O1', 'Wang', 'A3', 'P1', undefined],
      ]),
    );
    expect(group).toMatchObject({ kind: 'invalid', rows: [2, 3, 4] });
    expect(faultTexts(group)).toEqual([
      'Orders!B2 orderList.customer: here "Li", but in row 4 "Wang"; rows 2, 3, 4 belong together and must be the same',
      'Orders!B4 orderList.customer: here "Wang", but in row 2 "Li"; rows 2, 3, 4 belong together and must be the same',
    ]);
  });

  it('compares what cells mean, not how they are written', () => {
    const dated = orders(['Order', 'Customer', 'Lock', 'Product', 'Until'], {
      each: ['Order'],
      customer: 'Customer',
      assets: {
        each: ['Lock'],
        assetNos: 'Lock',
        products: {
          each: ['Product'],
          productId: 'Product',
          until: { column: 'Until', format: 'yyyy/MM/dd' },
        },
      },
    });
    const [group] = mapAll(
      compile(dated),
      rowsOf([
        ['O1', 'Li', 'A1', 'P1', '2026/01/31'],
        ['O1', 'Li', 'A1', 'P1', ['date', '2026-01-31']],
      ]),
    );
    expect(faultTexts(group)).toEqual([]);
  });

  it('an optional cell that is filled in one row only is a conflict, a required one is missing', () => {
    const both = orders(['Order', 'Customer', 'Address', 'Lock'], {
      each: ['Order'],
      customer: 'Customer',
      address: 'Address',
      assets: { each: ['Lock'], assetNos: 'Lock' },
    });
    const [group] = mapAll(
      compile(both),
      rowsOf([
        ['O1', 'Li', 'Street', 'A1'],
        ['O1', undefined, undefined, 'A2'],
      ]),
    );
    expect(faultCodes(group)).toEqual([
      'Orders!B3 mapping.required_empty',
      'Orders!C2 mapping.conflict',
      'Orders!C3 mapping.conflict',
    ]);
  });

  it('rows that agree in every mapped column count once, with a warning that names them', () => {
    const [group] = mapAll(
      compile({
        ...nested,
        headers: [...HEADERS, 'Remark'],
        map: {
          ...ENVELOPE,
          orderList: {
            each: ['Order'],
            customer: 'Customer',
            assets: { each: ['Lock'], assetNos: 'Lock', products: { productId: 'Product' } },
          },
        },
      }),
      rowsOf([
        ['O1', 'Li', 'A1', 'P1', undefined, 'first'],
        ['O1', 'Li', 'A1', 'P2', undefined, undefined],
        ['O1', 'Li', 'A1', 'P1', undefined, 'second'],
      ]),
    );
    expect(bodies([group!])).toMatchObject([
      { assets: [{ products: [{ productId: 'P1' }, { productId: 'P2' }] }] },
    ]);
    expect(group?.kind === 'items' && group.warnings.map((it) => render(it))).toEqual([
      'Orders: rows 2, 4 are the same in every mapped column and are used once',
    ]);
    expect(group?.kind === 'items' && group.items[0]?.rows).toEqual([2, 3, 4]);
  });

  it('rows that differ elsewhere both count, with a warning', () => {
    const [group] = mapAll(
      compile(
        orders(['Order', 'Customer', 'Lock', 'Product'], {
          each: ['Order'],
          customer: 'Customer',
          assets: { each: ['Order'], assetNos: 'Lock', products: { productId: 'Product' } },
        }),
      ),
      rowsOf([
        ['O1', 'Li', 'A1', 'P1'],
        ['O1', 'Li', 'A2', 'P1'],
      ]),
    );
    expect(bodies([group!])).toMatchObject([
      { assets: [{ assetNos: ['A1', 'A2'], products: [{ productId: 'P1' }, { productId: 'P1' }] }] },
    ]);
    expect(group?.kind === 'items' && group.warnings.map((it) => it.code)).toEqual([
      'mapping.elements_agree',
    ]);
  });

  it('an error value does not hide behind a row that reads the same', () => {
    const [group] = mapAll(
      compile(nested),
      rowsOf([
        ['O1', 'Li', 'A1', 'P1', '#N/A'],
        ['O1', 'Li', 'A1', 'P1', ['error', '#N/A']],
      ]),
    );
    expect(faultCodes(group)).toEqual(['Orders!E3 mapping.error_value']);
  });

  it('rows that agree each report their invalid cells', () => {
    const line: Given[] = ['O1', 'Li', 'A1', 'P1', ['error', '#N/A']];
    const [group] = mapAll(compile(nested), rowsOf([line, line]));
    expect(faultCodes(group)).toEqual(['Orders!E2 mapping.error_value', 'Orders!E3 mapping.error_value']);
  });

  it('a wrong each over many rows stays bounded', () => {
    const lines = Array.from({ length: 3000 }, (_, index): Given[] => ['O1', `C${index}`, 'A1', 'P1']);
    const [group] = mapAll(compile(nested), rowsOf(lines));
    expect(faultTexts(group).length).toBeLessThan(50);
    expect(group?.kind === 'invalid' && group.rows.length).toBe(3000);
  });
});

describe('tables that contain themselves are mapped to any depth', () => {
  it('packages nest as deep as the map does', () => {
    const mapping = compile(
      orders(['Order', 'Lock', 'Package', 'Child', 'Grandchild'], {
        each: ['Order'],
        customer: { value: 'Li' },
        assets: {
          each: ['Lock'],
          assetNos: 'Lock',
          packages: {
            each: ['Package'],
            packageNo: 'Package',
            children: {
              each: ['Child'],
              packageNo: 'Child',
              children: { each: ['Grandchild'], packageNo: 'Grandchild' },
            },
          },
        },
      }),
    );
    const groups = mapAll(
      mapping,
      rowsOf([
        ['O1', 'A1', 'K1', 'K1.1', 'K1.1.1'],
        ['O1', 'A1', 'K1', 'K1.1', 'K1.1.2'],
        ['O1', 'A1', 'K1', 'K1.2', undefined],
        ['O1', 'A1', 'K2', undefined, undefined],
      ]),
    );
    expect(bodies(groups)).toMatchObject([
      {
        assets: [
          {
            packages: [
              {
                packageNo: 'K1',
                children: [
                  { packageNo: 'K1.1', children: [{ packageNo: 'K1.1.1' }, { packageNo: 'K1.1.2' }] },
                  { packageNo: 'K1.2' },
                ],
              },
              { packageNo: 'K2' },
            ],
          },
        ],
      },
    ]);
  });
});
