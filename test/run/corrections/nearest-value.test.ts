import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Correction } from '../../../src/model/row.js';
import { Overlay } from '../../../src/run/corrections/overlay.js';
import { openChecks } from '../../support/corrected-sheets.js';
import { Fixture } from '../../support/job-runs.js';
import { orderJob } from '../../support/orders.js';

let fixture: Fixture;

beforeEach(async () => {
  fixture = await Fixture.open();
});

afterEach(() => fixture.close());

const HEADERS = ['Order', 'Customer', 'Asset', 'Nodes', 'Type', 'Start', 'End', 'Trial'];

async function checksOf(lines: readonly (readonly string[])[]) {
  const job = orderJob({ extra: 'connection: sandbox\n' })
    .replace('licenseType: { value: normal_recover_usbkey }', 'licenseType: Type')
    .replace(
      'limitTimeDuration: { value: 0 }',
      'limitTimeDuration: { value: 0 }\n        limitStartDate: Start\n        limitEndDate: { column: End, format: yyyy/MM/dd, end: day }',
    )
    .replace('trial: { value: 0 }', 'trial: { column: Trial, values: { 试用: 1, 正式: 0 } }');
  const file = await fixture.file('job.yaml', job);
  const csv = [HEADERS, ...lines].map((cells) => cells.map((it) => `"${it}"`).join(',')).join('\n');
  return openChecks(fixture, file, await fixture.file('in.csv', csv));
}

const COLUMN = Object.fromEntries(HEADERS.map((it, index) => [it, index + 1]));

describe('the nearest value that an invalid cell may have', () => {
  it.each([
    ['Type', 'Normal_Recover_USBKey', 'normal_recover_usbkey'],
    ['Type', 'normal-recover-usbkey', 'normal_recover_usbkey'],
    ['Type', 'normal_recover_usbkye', 'normal_recover_usbkey'],
    ['Type', '租赁', undefined],
    ['Trial', '试 用', '试用'],
    ['Trial', '正式版', '正式'],
    ['Nodes', '5 台', '5'],
    ['Nodes', '１２', '12'],
    ['Nodes', '1,200', '1200'],
    ['Nodes', '约 20', '20'],
    ['Nodes', '1O', '10'],
    ['Nodes', 'l2', '12'],
    ['Nodes', 'OO', undefined],
    ['Nodes', '5万', undefined],
    ['Nodes', '1.5', undefined],
    ['Nodes', '5%', undefined],
    ['Nodes', '3-5', undefined],
    ['Nodes', '-3', undefined],
    ['Nodes', 'five', undefined],
    ['Start', '2026年3月1日', '2026-03-01'],
    ['Start', '2026.3.1', '2026-03-01'],
    ['Start', '20260301', '2026-03-01'],
    ['Start', '25/12/2026', '2026-12-25'],
    ['Start', '03/04/2026', undefined],
    ['Start', '2026-02-30', undefined],
    ['End', '2026-12-31', '2026/12/31'],
    ['Asset', '8100 0000 01', '8100000001'],
    ['Asset', '８１００', '8100'],
    ['Asset', '8100000001 8100000002', undefined],
  ])('%s "%s": %s', async (header, text, expected) => {
    const { checks } = await checksOf([['SO-1', 'C', 'A1', '5', 'normal_recover_usbkey', '', '', '正式']]);
    expect(checks.nearest(COLUMN[header]!, text)).toBe(expected);
    await checks.close();
  });

  it('and the values that it may have, where they are a closed list', async () => {
    const { checks } = await checksOf([['SO-1', 'C', 'A1', '5', 'normal_recover_usbkey', '', '', '正式']]);
    const columns = checks.columns();
    expect(columns.find((it) => it.header === 'Type')?.allowed).toContain('normal_recover_lan_usbkey');
    expect(columns.find((it) => it.header === 'Type')?.named).toContainEqual({
      value: 'softkey',
      meaning: 'certificate for one machine',
      zh: '单机证书',
    });
    expect(columns.find((it) => it.header === 'Trial')?.named).toEqual([]);
    expect(columns.find((it) => it.header === 'Trial')).toMatchObject({ allowed: ['试用', '正式'] });
    expect(columns.find((it) => it.header === 'Nodes')).toMatchObject({ type: 'Integer' });
    expect(columns.find((it) => it.header === 'Nodes')?.allowed).toBeUndefined();
    await checks.close();
  });

  it('names of values are taken as they are, in both languages; a similar text gets the value', async () => {
    const names = ['单机锁（可回收）', 'Network lock that can be recovered', '网络锁（可回受）'];
    const lines = names.map((type, n) => [`SO-${n}`, 'C', `A${n}`, '5', type, '', '', '正式']);
    const { checks, file } = await checksOf(lines);
    const rows = await checks.check(file, Overlay.NONE, [2, 3, 4]);
    expect(rows.map((it) => it.status)).toEqual(['valid', 'valid', 'invalid']);
    expect(checks.nearest(5, names[2]!)).toBe('normal_recover_lan_usbkey');
    await checks.close();
  });

  it('of a column that lists words for numbers: these are offered, and the nearest of them', async () => {
    const words = orderJob({ extra: 'connection: sandbox\n' }).replace(
      'limitConcurrent: Nodes',
      'limitConcurrent: { column: Nodes, values: { few: 5, many: 50 } }',
    );
    const file = await fixture.file('words.yaml', words);
    const csv = 'Order,Customer,Asset,Nodes\nSO-1,C,A1,mny\n';
    const { checks } = await openChecks(fixture, file, await fixture.file('words.csv', csv));
    expect(checks.columns().find((it) => it.header === 'Nodes')?.allowed).toEqual(['few', 'many']);
    expect(checks.nearest(4, 'mny')).toBe('many');
    expect(checks.nearest(4, '12 pcs')).toBe('12');
    await checks.close();
  });

  it('all of one kind at once: each proposal is then without an error', async () => {
    const types = ['Normal_recover_usbkey', 'normal_recover_usbkey', 'nonsense', 'normal recover usbkey'];
    const lines = types.map((type, n) => [`SO-${n}`, 'C', `A${n}`, `${n + 1} 台`, type, '', '', '正式']);
    const { checks, file } = await checksOf(lines);
    const rows = [2, 3, 4, 5];
    const invalid = await checks.check(file, Overlay.NONE, rows);
    const cells = invalid.flatMap(({ faults }) =>
      faults.flatMap(({ row, column }) => (column === undefined ? [] : [{ row, column }])),
    );
    const proposed = await checks.propose(file, Overlay.NONE, cells, 'nearest');
    expect(proposed).toContainEqual({ row: 2, column: 5, header: 'Type', before: types[0], text: types[1] });
    expect(proposed.filter((it) => it.row === 4 && it.column === 5)).toEqual([]);
    const corrections: readonly Correction[] = proposed;
    const after = await checks.check(file, Overlay.of(corrections), rows);
    expect(after.map((it) => it.status)).toEqual(['valid', 'valid', 'invalid', 'valid']);
    expect(after.flatMap((it) => it.faults.map((one) => `${one.row}:${one.column}`))).toEqual(['4:5']);
    await checks.close();
  });

  it('for a cell that is right then, though its row has another fault', async () => {
    const type = 'Normal_recover_usbkey';
    const lines = [
      ['SO-1', 'C', 'A1', 'five', type, '', '', '正式'],
      ['SO-2', '', 'A2', '2', type, '', '', '正式'],
      ['SO-3', 'C', 'A3', '3', type, '2026-03-02', '2026/03/01', '正式'],
      ['SO-4', 'C', 'A4', '4', type, '2026/99/99', '', 'x'],
      ['SO-5', 'C', 'A5', '5', type, '', '', '正式'],
      ['SO-5', 'C', 'A6', '5', 'nonsense', '', '', '正式'],
    ];
    const { checks, file } = await checksOf(lines);
    const cells = [2, 3, 4, 5, 6].map((row) => ({ row, column: 5 }));
    const proposed = await checks.propose(file, Overlay.NONE, cells, 'nearest');
    expect(proposed.map((it) => [it.row, it.column, it.text])).toEqual(
      cells.map(({ row, column }) => [row, column, type.toLowerCase()]),
    );
    await checks.close();
  });
});
