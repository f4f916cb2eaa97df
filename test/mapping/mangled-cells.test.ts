import { describe, expect, it } from 'vitest';
import type { Field } from '../../src/model/field.js';
import { OPERATION_NAMES } from '../../src/model/operation.js';
import { operationNamed } from '../../src/platform/operations/catalogue.js';
import { compile, faultCodes, type Given, NO_JOINS, row } from '../support/mapping.js';

/** Every field that a request of any operation may contain, with its path; a table within itself once. */
const FIELDS = OPERATION_NAMES.flatMap((name) =>
  leaves(operationNamed(name).shape).map(([path, field]) => ({ name: `${name} ${path}`, field })),
);

function leaves(fields: readonly Field[], at = '', above: readonly string[] = []): [string, Field][] {
  const table = fields.map((it) => it.name).join();
  if (above.includes(table)) return [];
  return fields.flatMap((field): [string, Field][] =>
    field.type === 'object' || field.type === 'object array'
      ? leaves(field.fields ?? [], `${at}${field.name}.`, [...above, table])
      : [[`${at}${field.name}`, field]],
  );
}

const last = (name: string): string => name.split('.').at(-1)!.split(' ').at(-1)!;

describe('no field of any operation takes what a spreadsheet mangled', () => {
  it.each(FIELDS.filter(({ field }) => field.type === 'Integer' || field.type === 'Long'))(
    '$name takes no negative number',
    ({ field }) => {
      const known = field.date === true || field.values !== undefined || field.least !== undefined;
      expect(known).toBe(true);
    },
  );

  it('that end something are known as such', () => {
    const ends = FIELDS.filter(({ field }) => field.end === true).map(({ name }) => last(name));
    expect(new Set(ends)).toEqual(new Set(['limitEndDate', 'trialEndDate']));
    for (const { name, field } of FIELDS) {
      if (/End(?:Date|Time)$/.test(name)) expect({ name, end: field.end }).toEqual({ name, end: true });
      if (/trialEndDate$/.test(name)) expect(field.zeroIsNone).toBe(true);
    }
  });

  it('that hold numbers of assets take no blanks', () => {
    const unbroken = FIELDS.filter(({ field }) => field.unbroken === true).map(({ name }) => last(name));
    expect(new Set(unbroken)).toEqual(new Set(['assetNos', 'assetNums']));
  });
});

const LOCK: Readonly<Record<string, Given>> = { assetNums: '8100000001', operatorIdentity: 'ops' };
const BIND: Readonly<Record<string, Given>> = {
  channelCode: 'CH',
  channelCustomerId: 'CC1',
  customerName: '某公司',
  branchName: '北京',
  enterpriseName: '某集团',
  passwordMobile: '13800000001',
};

function codes(operation: 'asset.lock' | 'asset.numbers' | 'enterprise.bind', cells: Record<string, Given>) {
  const mapping = compile({ operation: operationNamed(operation), headers: Object.keys(cells) });
  return faultCodes(mapping.map([row(2, Object.values(cells))], NO_JOINS));
}

describe('no request holds what a spreadsheet mangled', () => {
  it.each<[Given, string]>([
    [['date', '2026-03-04', '46085'], 'date_in_text'],
    [['time', '03:04:00', '0.1277'], 'date_in_text'],
    [['boolean', 'TRUE', '1'], 'truth_in_identifier'],
    ['1.23457E+17', 'exponent_in_identifier'],
    ['８１００', 'wide_in_identifier'],
    ['81\ufffd0', 'unreadable'],
  ])('name no lock and no customer by %j', (given, code) => {
    expect(codes('asset.lock', { ...LOCK, assetNums: given })).toEqual([`Orders!A2 mapping.${code}`]);
    expect(codes('asset.lock', { ...LOCK, operatorIdentity: given })).toEqual([`Orders!B2 mapping.${code}`]);
    expect(codes('enterprise.bind', { ...BIND, channelCustomerId: given })).toEqual([
      `Orders!B2 mapping.${code}`,
    ]);
  });

  it('name nothing by 8100000001.0', () => {
    expect(codes('asset.lock', { ...LOCK, assetNums: '8100000001.0' })).toEqual([
      'Orders!A2 mapping.point_in_number',
    ]);
    expect(codes('enterprise.bind', { ...BIND, channelCustomerId: '8100000001.0' })).toEqual([
      'Orders!B2 mapping.zeros_in_identifier',
    ]);
  });

  it.each(['2026/3/4', '3/4/2026', '2026-03-04', '2026年3月4日', '12:30', '1:02 AM'])(
    'name no lock by %s, which other identifiers may be',
    (text) => {
      expect(codes('asset.lock', { ...LOCK, assetNums: text })).toEqual(['Orders!A2 mapping.date_in_text']);
      expect(codes('enterprise.bind', { ...BIND, channelCustomerId: text })).toEqual([]);
    },
  );

  it.each(['Mar-45', '2026年3月'])('name nothing by %s, a month that was made of an identifier', (text) => {
    expect(codes('asset.lock', { ...LOCK, operatorIdentity: text })).toEqual([
      'Orders!B2 mapping.date_in_text',
    ]);
  });

  it.each(['〃', '"', '同上', 'Ditto'])('take no %s for a value, in names neither', (text) => {
    expect(codes('asset.lock', { ...LOCK, assetNums: text })).toEqual(['Orders!A2 mapping.ditto']);
    expect(codes('enterprise.bind', { ...BIND, channelCode: text, customerName: text })).toEqual([
      'Orders!A2 mapping.ditto',
      'Orders!C2 mapping.ditto',
    ]);
  });

  it('take numbers that only begin like a day, a time or a ditto', () => {
    for (const assetNums of ['3-4', 'Mar-4567', '1.2.3', '12-30-7', 'MAR-45']) {
      expect(codes('asset.lock', { ...LOCK, assetNums })).toEqual([]);
    }
  });

  it('name no lock with a blank in it', () => {
    expect(codes('asset.lock', { ...LOCK, assetNums: '8100000001 8100000002' })).toEqual([
      'Orders!A2 mapping.blank_in_number',
    ]);
    expect(codes('asset.lock', { ...LOCK, assetNums: ' 8100000001 , 8100000002 ' })).toEqual([]);
  });

  it('ask for at least one asset number', () => {
    for (const size of ['0', '-3']) {
      expect(codes('asset.numbers', { size })).toEqual(['Orders!A2 mapping.too_small']);
    }
    expect(codes('asset.numbers', { size: '2147483648' })).toEqual(['Orders!A2 mapping.out_of_range']);
    expect(codes('asset.numbers', { size: '1' })).toEqual([]);
  });

  it('take names without what cannot be seen, and report it at the cell', () => {
    const mapping = compile({ operation: operationNamed('enterprise.bind'), headers: Object.keys(BIND) });
    const cells = { ...BIND, customerName: '\u00a0某\u200b公司\u202e ', enterpriseName: '某\u2060集团' };
    const group = mapping.map([row(7, Object.values(cells))], NO_JOINS);
    if (group.kind !== 'items') throw new Error(faultCodes(group).join());
    expect(group.items[0]!.body).toMatchObject({ customerName: '某公司', enterpriseName: '某集团' });
    expect(group.warnings).toMatchObject([
      {
        code: 'mapping.widthless_dropped',
        params: { cell: 'Orders!C7', field: 'customerName', character: 'U+200B' },
      },
      { code: 'mapping.widthless_dropped', params: { cell: 'Orders!E7', field: 'enterpriseName' } },
    ]);
  });
});
