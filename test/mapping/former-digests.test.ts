import { describe, expect, it } from 'vitest';
import type { MappedItem } from '../../src/model/item.js';
import type { Operation } from '../../src/model/operation.js';
import type { Cell, Row } from '../../src/model/row.js';
import {
  ENTERPRISE_BIND,
  ENTERPRISE_CREATE,
} from '../../src/platform/operations/enterprise/enterprise.operation.js';
import { cellOfText } from '../../src/source/csv/csv-row.js';
import { numberCell } from '../../src/source/xlsx/number-cell.js';
import { NumberFormat } from '../../src/source/xlsx/number-format.js';
import { compile, type MapShape, NO_JOINS, orderOperation } from '../support/mapping.js';

/** The cell 1003 with a number format, or a field of a text file. */
type Source = { readonly format: string } | { readonly csv: string };

const BIND = {
  channelCode: { value: 'CH' },
  channelCustomerId: 'Id',
  customerName: { value: 'N' },
  branchName: { value: 'B' },
  enterpriseName: { value: 'E' },
  passwordMobile: { value: '13800138000' },
};
const CREATE = { crmCustomerId: 'Id', customerName: { value: 'N' }, branchName: { value: 'B' } };
const ORDER = {
  channelCode: { value: 'CH' },
  syncMode: { value: 'sync' },
  channelOrderId: 'Id',
  orderList: { each: ['Id'], customer: { value: 'N' }, assets: { assetNos: 'Id' } },
};
const { channelOrderId: _, ...NO_NUMBER } = ORDER;
const TEMPLATE = { ...CREATE, crmCustomerId: { template: 'C-{Id}' } };

function cellOf(source: Source): Cell {
  if ('csv' in source) return cellOfText(1, source.csv)!;
  return numberCell(1, '1003', new NumberFormat(source.format), false);
}

function mapped(operation: Operation, map: MapShape, source: Source): MappedItem {
  const cell = cellOf(source);
  const row: Row = {
    sheet: 'Orders',
    number: 2,
    hidden: false,
    cell: (column) => (column === 1 ? cell : undefined),
    cells: () => [cell],
  };
  const group = compile({ operation, headers: ['Id'], map }).map([row], NO_JOINS);
  if (group.kind !== 'items') throw new Error(JSON.stringify(group));
  return group.items[0]!;
}

/**
 * The keys and contents that version 0.1 stored for these cells. They are in ledgers: if one is no longer recognised, an
 * upgrade sends an item twice. Never change them.
 */
const STORED: readonly (readonly [string, Operation, MapShape, Source, string, string])[] = [
  [
    'bind, #,##0.00',
    ENTERPRISE_BIND,
    BIND,
    { format: '#,##0.00' },
    '4e18eb0c66e86deb0e6cde799306044f',
    'ccb025a66e7c498fbceb240489034738',
  ],
  [
    'bind, 0.0',
    ENTERPRISE_BIND,
    BIND,
    { format: '0.0' },
    '62a1c0975e46ec76b3367d9a60e67d58',
    '7f2cd8bd2cd708e5f1c20ed1bcf8beef',
  ],
  [
    'bind, "LK"0',
    ENTERPRISE_BIND,
    BIND,
    { format: '"LK"0' },
    '9717eacf3a47aec232c66e355b4f65b5',
    'be095f13123b16bb2ffa525636734c2b',
  ],
  [
    "bind, '1003",
    ENTERPRISE_BIND,
    BIND,
    { csv: "'1003" },
    '8d2c32e9c955b5c55035321f2ab19fda',
    '97edaaa26132ca83df2c57dae74dbd1a',
  ],
  [
    'create, #,##0.00',
    ENTERPRISE_CREATE,
    CREATE,
    { format: '#,##0.00' },
    '3202f70d3f4f37daf371b05c1987cc86',
    'b5216a95751153aba9517a6d8f623c6a',
  ],
  [
    'create, 0.0',
    ENTERPRISE_CREATE,
    CREATE,
    { format: '0.0' },
    '857784685849544225a9e3514724a57d',
    '6a7881fccaeabe156d1902b1d751eb33',
  ],
  [
    'create, "LK"0',
    ENTERPRISE_CREATE,
    CREATE,
    { format: '"LK"0' },
    '5b0cd90ab3d570feafc81a6aefef9dff',
    '7164628996816b97417ddad87feb3791',
  ],
  [
    "create, '1003",
    ENTERPRISE_CREATE,
    CREATE,
    { csv: "'1003" },
    '082de1c7a8b9611ee15ddaf51b746c44',
    '8b9979eea5f6b7ce6d036690f0c564b2',
  ],
  [
    'template, #,##0.00',
    ENTERPRISE_CREATE,
    TEMPLATE,
    { format: '#,##0.00' },
    '288eb4ee964cc8bf31c3e45e6256170b',
    '28af9ee11a2ee002b93b1a31a5177a3f',
  ],
  [
    'template, 0.0',
    ENTERPRISE_CREATE,
    TEMPLATE,
    { format: '0.0' },
    'e7c64a7f8ec399694f9b89dfd77c20d3',
    'f870038d3d09e0ac560b3bff147a3aaa',
  ],
  [
    'template, "LK"0',
    ENTERPRISE_CREATE,
    TEMPLATE,
    { format: '"LK"0' },
    'f51f81d3def67d77535346dc39806a46',
    'b02496085b8825d73faea73a8ce1f9a4',
  ],
  [
    "template, '1003",
    ENTERPRISE_CREATE,
    TEMPLATE,
    { csv: "'1003" },
    '5499597d92ebd43d2035ba7afdcf97a1',
    'ac5580318e2076b57ae4653d4f6b8b3c',
  ],
  [
    'order, #,##0.00',
    orderOperation(),
    ORDER,
    { format: '#,##0.00' },
    'd9e0c59900964e8e8b5fa06b0213a7ec',
    '8fa042f88ac7e72ef48222646170ec46',
  ],
  [
    'order, 0.0',
    orderOperation(),
    ORDER,
    { format: '0.0' },
    'aee8b71f959aad95af65398d5aa36324',
    '01281fb5ca1ecfee909adde403a079ca',
  ],
  [
    'order, "LK"0',
    orderOperation(),
    ORDER,
    { format: '"LK"0' },
    'f25922f0962b81e89bfc61dcd0f40e82',
    '7afe1af30f3fae47af7ab34910e100a5',
  ],
  [
    "order, '1003",
    orderOperation(),
    ORDER,
    { csv: "'1003" },
    '493dcc63d6dbd5bc3097c77f94c4beb6',
    '0c6d9c6e3132d56975c2c7b1132da8cb',
  ],
  [
    'order without a number, #,##0.00',
    orderOperation(),
    NO_NUMBER,
    { format: '#,##0.00' },
    '8fa042f88ac7e72ef48222646170ec46',
    '8fa042f88ac7e72ef48222646170ec46',
  ],
  [
    'order without a number, 0.0',
    orderOperation(),
    NO_NUMBER,
    { format: '0.0' },
    '01281fb5ca1ecfee909adde403a079ca',
    '01281fb5ca1ecfee909adde403a079ca',
  ],
  [
    'order without a number, "LK"0',
    orderOperation(),
    NO_NUMBER,
    { format: '"LK"0' },
    '7afe1af30f3fae47af7ab34910e100a5',
    '7afe1af30f3fae47af7ab34910e100a5',
  ],
  [
    "order without a number, '1003",
    orderOperation(),
    NO_NUMBER,
    { csv: "'1003" },
    '0c6d9c6e3132d56975c2c7b1132da8cb',
    '0c6d9c6e3132d56975c2c7b1132da8cb',
  ],
];

describe('a cell that version 0.1 read with its format or text marker', () => {
  it.each(STORED)(
    '%s: its key and content are still recognised',
    (_name, operation, map, source, key, content) => {
      const item = mapped(operation, map, source);
      expect([item.key, ...(item.earlierKeys ?? [])]).toContain(key);
      expect(`${item.content}~${item.earlierContent ?? ''}`.split('~')).toContain(content);
      const plain = mapped(operation, map, { csv: '1003' });
      expect(item.key).toBe(plain.key);
      expect(item.content).toBe(plain.content);
    },
  );
});
