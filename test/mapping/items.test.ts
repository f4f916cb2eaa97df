import { describe, expect, it } from 'vitest';
import { message } from '../../src/errors/message.js';
import type { MappedItem } from '../../src/model/item.js';
import type { RuleFault } from '../../src/model/operation.js';
import {
  compile,
  faultCodes,
  field,
  type Given,
  lockOperation,
  lookupOf,
  type MapShape,
  mapAll,
  must,
  NO_JOINS,
  orderOperation,
  row,
  singleOperation,
} from '../support/mapping.js';

const HEADERS = ['Channel', 'Batch', 'Order', 'Customer', 'Lock', 'Product'];
const ORDER: MapShape = {
  channelCode: 'Channel',
  channelOrderId: 'Batch',
  syncMode: { value: 'sync' },
  orderList: { customer: 'Customer', assets: { assetNos: 'Lock', products: { productId: 'Product' } } },
};
const { channelOrderId: _unmapped, ...WITHOUT_ID } = ORDER;
const grouped = (map: MapShape, each: string[]): MapShape => ({
  ...map,
  orderList: { each, ...(map.orderList as MapShape) },
});

function item(map: MapShape, cells: readonly Given[], operation = orderOperation()): MappedItem {
  const [group] = mapAll(compile({ operation, headers: HEADERS, map }), [row(2, cells)]);
  if (group?.kind !== 'items') throw new Error(faultCodes(group).join());
  return group.items[0]!;
}

describe('an item is known by its key, and its content by a digest', () => {
  const cells = ['CH', 'B1', 'O1', 'Li', 'A1', 'P1'];

  it('orders with channelOrderId: channel, id and the columns of each', () => {
    const map = grouped(ORDER, ['Order']);
    const first = item(map, cells);
    expect(item(map, ['CH', 'B1', 'O1', 'Wang', 'A1', 'P1'])).toMatchObject({ key: first.key });
    expect(item(map, ['CH', 'B1', 'O1', 'Wang', 'A1', 'P1']).content).not.toBe(first.content);
    expect(item(map, ['CH', 'B1', 'O2', 'Li', 'A1', 'P1']).key).not.toBe(first.key);
    expect(item(map, ['CH', 'B2', 'O1', 'Li', 'A1', 'P1']).key).not.toBe(first.key);
    expect(item(map, ['C2', 'B1', 'O1', 'Li', 'A1', 'P1']).key).not.toBe(first.key);
    expect(item(map, ['CH', 'B1 ', ' O1', 'Li', 'A1', 'P1']).key).toBe(first.key);
  });

  it('orders without it: the whole content', () => {
    const first = item(WITHOUT_ID, cells);
    expect(first.key).toBe(first.content);
    expect(item(WITHOUT_ID, ['CH', 'other', 'other', 'Li', 'A1', 'P1']).key).toBe(first.key);
    expect(item(WITHOUT_ID, ['CH', 'B1', 'O1', 'Li', 'A2', 'P1']).key).not.toBe(first.key);
    expect(item(WITHOUT_ID, ['C2', 'B1', 'O1', 'Li', 'A1', 'P1']).key).not.toBe(first.key);
  });

  it('how a request is processed is no content', () => {
    const async = { ...WITHOUT_ID, syncMode: { value: 'async' } };
    expect(item(async, cells).content).toBe(item(WITHOUT_ID, cells).content);
  });

  it('listed fields; an operation without a key has none', () => {
    const shape = [must('crmCustomerId', 'String'), must('name', 'String')];
    const map = { crmCustomerId: 'Order', name: 'Customer' };
    const keyed = singleOperation(shape, ['crmCustomerId']);
    const first = item(map, cells, keyed);
    const renamed = item(map, ['CH', 'B1', 'O1', 'Wang'], keyed);
    expect(renamed.key).toBe(first.key);
    expect(renamed.content).not.toBe(first.content);
    expect(item(map, ['CH', 'B1', 'O2', 'Li'], keyed).key).not.toBe(first.key);
    expect(item(map, cells, singleOperation(shape)).key).toBeUndefined();
    expect(first).toMatchObject({ envelope: {}, body: { crmCustomerId: 'O1', name: 'Li' } });
    expect(first.key).toMatch(/^[0-9a-f]{32}$/);
  });

  it('the texts for the ledger have sorted names and exact integers', () => {
    const shape = [
      must('zone', 'String'),
      must('list', 'object array', {
        fields: [must('d', 'Long'), must('c', 'String'), field('none', 'String')],
      }),
      must('a', 'String array'),
    ];
    const map = {
      zone: 'Customer',
      list: { d: 'Order', c: 'Lock', none: 'Product' },
      a: { value: ['y', 'x'] },
    };
    const cells = [undefined, undefined, '9007199254740993', 'x"', 'A1'];
    expect(item(map, cells, singleOperation(shape))).toMatchObject({
      envelopeJson: '{}',
      bodyJson: '{"a":["y","x"],"list":[{"c":"A1","d":9007199254740993}],"zone":"x\\""}',
    });
    expect(item(ORDER, ['CH', 'B1', 'O1', 'Li', 'A1', 'P1']).envelopeJson).toBe(
      '{"channelCode":"CH","channelOrderId":"B1","syncMode":"sync"}',
    );
  });
});

describe('each lock is an item', () => {
  const map = { assetNums: 'Lock', operatorIdentity: 'Customer' };

  it('each lock is an item, and the same lock is one item', () => {
    const mapping = compile({ operation: lockOperation(), headers: HEADERS, map });
    const cells = [undefined, undefined, undefined, 'ops', 'L1、0L2,L1'];
    expect(mapping.map([row(4, cells)], NO_JOINS)).toMatchObject({
      kind: 'items',
      items: [
        { rows: [4], envelope: { operatorIdentity: 'ops' }, body: 'L1' },
        { rows: [4], envelope: { operatorIdentity: 'ops' }, body: '0L2' },
      ],
    });
    expect(
      faultCodes(mapping.map([row(5, [undefined, undefined, undefined, 'ops', ' , '])], NO_JOINS)),
    ).toEqual(['Orders!E5 mapping.required_no_value']);
  });
});

describe('broken rules are traced to their cells', () => {
  const broken = (path: string): RuleFault => ({
    path,
    field: path.replace(/\[\d+\]/g, ''),
    message: message('mapping.array_empty'),
  });

  function where(path: string, map: MapShape, lines: readonly (readonly Given[])[]): string[] {
    const operation = orderOperation(() => [broken(path)]);
    const mapping = compile({ operation, headers: HEADERS, map });
    const groups = mapAll(
      mapping,
      lines.map((cells, index) => row(index + 2, cells)),
    );
    return groups.flatMap(faultCodes).map((it) => it.split(' ')[0]!);
  }

  const map = {
    ...ORDER,
    orderList: {
      each: ['Order'],
      customer: 'Customer',
      address: { template: '{Customer} {Order}' },
      assets: { each: ['Order'], assetNos: 'Lock', products: { each: ['Product'], productId: 'Product' } },
    },
  };
  const lines = [
    ['CH', 'B1', 'O1', 'Li', 'A1', 'P1'],
    ['CH', 'B1', 'O1', 'Li', 'A2', 'P2'],
    ['CH', 'B1', 'O1', 'Li', 'A3', 'P1'],
  ];

  it.each([
    ['channelCode', 'Orders!A2'],
    ['syncMode', 'Orders!2'],
    ['orderList[0].customer', 'Orders!D2'],
    ['orderList[0].address', 'Orders!D2'],
    ['orderList[0].licenseType', 'Orders!2'],
    ['orderList[0].assets[0].assetNos', 'Orders!E2'],
    ['orderList[0].assets[0].assetNos[2]', 'Orders!E4'],
    ['orderList[0].assets[0].products[1].productId', 'Orders!F3'],
    ['orderList[0].assets[0].products[1]', 'Orders!F3'],
    ['orderList[0].assets[0].products[1].until', 'Orders!3'],
    ['orderList[0].assets[0].products[9].productId', 'Orders!F2'],
    ['orderList[0].assets[0].products', 'Orders!F2'],
    ['orderList[0].assets[0].packages', 'Orders!2'],
  ])('%s is at %s', (path, place) => {
    expect(where(path, map, lines)).toEqual([place]);
  });

  it('in another sheet as well', () => {
    const operation = orderOperation(() => [
      broken('orderList[0].assets[1].products[0].productId'),
      broken('orderList[0].assets[1].assetNos'),
    ]);
    const mapping = compile({
      operation,
      headers: HEADERS,
      joined: { Lines: ['Order', 'Lock', 'Product'] },
      map: {
        ...ORDER,
        orderList: {
          customer: 'Customer',
          assets: {
            each: { sheet: 'Lines', on: ['Order'] },
            assetNos: 'Lock',
            products: { productId: 'Product' },
          },
        },
      },
    });
    const there = [row(5, ['O1', 'A1', 'P1'], 'Lines'), row(8, ['O1', 'A2', 'P2'], 'Lines')];
    const group = mapping.map([row(2, lines[0]!)], lookupOf(mapping, { Lines: there }));
    expect(faultCodes(group).map((it) => it.split(' ')[0])).toEqual(['Lines!B8', 'Lines!C8']);
    expect(group).toMatchObject({ kind: 'invalid', rows: [2] });
  });

  it('rules are reported next to faults of cells, but not about the same field', () => {
    const reported = (path: string) => {
      const operation = orderOperation(() => [broken(path)]);
      const shape = { ...WITHOUT_ID, orderList: { customer: 'Customer', assets: { assetNos: 'Lock' } } };
      const mapping = compile({ operation, headers: HEADERS, map: shape });
      return faultCodes(mapping.map([row(2, ['CH', '', '', undefined, 'A1'])], NO_JOINS));
    };
    expect(reported('orderList[0].assets[0].products')).toEqual([
      'Orders!2 mapping.array_empty',
      'Orders!D2 mapping.required_empty',
    ]);
    expect(reported('orderList[0].customer')).toEqual(['Orders!D2 mapping.required_empty']);
  });

  it('of a lock operation at the cell with the locks', () => {
    const operation = lockOperation(({ body }) => (body === 'L2' ? [broken('assetNums[0]')] : []));
    const mapping = compile({
      operation,
      headers: HEADERS,
      map: { assetNums: 'Lock', operatorIdentity: 'Customer' },
    });
    const group = mapping.map([row(3, [undefined, undefined, undefined, 'ops', 'L1,L2'])], NO_JOINS);
    expect(faultCodes(group)).toEqual(['Orders!E3 mapping.array_empty']);
  });
});

describe('fields that the map omits get their defaults', () => {
  it('take their default inside elements that exist', () => {
    const shape = [
      must('id', 'String'),
      field('list', 'object array', {
        default: [],
        fields: [field('a', 'String'), field('b', 'Boolean', { default: false })],
      }),
    ];
    const operation = singleOperation(shape);
    expect(item({ id: 'Order', list: { a: 'Lock' } }, [undefined, undefined, 'O1'], operation).body).toEqual({
      id: 'O1',
      list: [],
    });
    expect(
      item({ id: 'Order', list: { a: 'Lock' } }, [undefined, undefined, 'O1', undefined, 'x'], operation)
        .body,
    ).toEqual({
      id: 'O1',
      list: [{ a: 'x', b: false }],
    });
  });
});
