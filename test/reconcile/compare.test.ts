import { describe, expect, it } from 'vitest';
import type { Field, FieldType } from '../../src/model/field.js';
import type { Json, JsonObject } from '../../src/model/json.js';
import { comparisonNamed } from '../../src/platform/operations/catalogue.js';
import { type CompareSettings, differences, differenceText } from '../../src/reconcile/compare.js';

const SHANGHAI: CompareSettings = { timestamps: 'milliseconds', timezone: 'Asia/Shanghai' };

function field(type: FieldType, more: Partial<Field> = {}): Field {
  return { name: 'x', type, required: false, meaning: 'x', section: '§0', ...more };
}

/** The difference of one field as people read it; undefined when there is none. */
function drift(type: FieldType, expected: Json, actual: Json | undefined): string | undefined {
  const record: JsonObject = actual === undefined ? {} : { x: actual };
  const found = differences({ x: expected }, record, [field(type)], SHANGHAI);
  return found[0] && differenceText(found[0]);
}

describe('fields compared by type', () => {
  it.each<[FieldType, Json, Json]>([
    ['Boolean', true, true],
    ['Boolean', true, 'true'],
    ['Boolean', false, 'FALSE'],
    ['Boolean', true, 1],
    ['Boolean', false, '0'],
    ['Integer', 2, 2],
    ['Integer', 2, '2'],
    ['Integer', 2, ' +2.0 '],
    ['Long', 9007199254740993n, '9007199254740993'],
    ['Long', 12n, 12],
    ['String', 'A-1', ' A-1\n'],
    ['String', '8000000001', 8000000001],
    ['String', '90071992547409930', 90071992547409930n],
    ['String array', ['a', 'b'], ['b', 'a', 'a ']],
    ['String array', ['1'], [1]],
    ['String array', ['a'], 'a'],
  ])('%s %o is %o', (type, expected, actual) => {
    expect(drift(type, expected, actual)).toBeUndefined();
  });

  it.each<[FieldType, Json, Json | undefined, string]>([
    ['Boolean', true, false, 'x: expected TRUE, actual FALSE'],
    ['Boolean', true, '0', 'x: expected TRUE, actual FALSE'],
    ['Boolean', false, null, 'x: expected FALSE, actual (empty)'],
    ['Boolean', true, 'ja', 'x: expected TRUE, actual ja'],
    ['Integer', 2, 1, 'x: expected 2, actual 1'],
    ['Integer', 2, '02x', 'x: expected 2, actual 02x'],
    ['Integer', 0, null, 'x: expected 0, actual (empty)'],
    ['Long', 9007199254740993n, 9007199254740992, 'x: expected 9007199254740993, actual 9007199254740992'],
    ['Long', 1, 1e21, 'x: expected 1, actual 1000000000000000000000'],
    ['String', '0012', '12', 'x: expected 0012, actual 12'],
    ['String', 'a', 'A', 'x: expected a, actual A'],
    ['String', 'a', undefined, 'x: expected a, actual (empty)'],
    ['String', 'a', ' ', 'x: expected a, actual (empty)'],
    ['String', 'a', { b: 1n }, 'x: expected a, actual {"b":1}'],
    ['String array', ['a', 'b'], ['a'], 'x: expected a, b, actual a'],
    ['String array', ['a'], ['a', 'b'], 'x: expected a, actual a, b'],
    ['String array', ['a'], [], 'x: expected a, actual (empty)'],
  ])('%s %o is not %o', (type, expected, actual, text) => {
    expect(drift(type, expected, actual)).toBe(text);
  });

  it.each<[Json]>([[null], [''], ['  '], [[]]])('nothing is asserted by %j', (expected) => {
    expect(differences({ x: expected }, { x: 'a' }, [field('String')], SHANGHAI)).toEqual([]);
  });

  it('names all fields that differ by path, in the order of the table, and no others', () => {
    const { record } = comparisonNamed('asset');
    const found = differences(
      {
        assignStatus: { assignMemberId: 'M-1', id: 'A' },
        locked: true,
        licenseType: 'cloud',
        keyChipType: 1,
      },
      {
        locked: false,
        licenseType: 'cloud',
        keyChipType: '1',
        grantable: true,
        assignStatus: { assignMemberId: 'M-2', id: 'A' },
      },
      record,
      SHANGHAI,
    );
    expect(found).toEqual([
      { field: 'locked', expected: 'TRUE', actual: 'FALSE' },
      { field: 'assignStatus.assignMemberId', expected: 'M-1', actual: 'M-2' },
    ]);
    expect(found.map(differenceText)).toEqual([
      'locked: expected TRUE, actual FALSE',
      'assignStatus.assignMemberId: expected M-1, actual M-2',
    ]);
  });

  it.each([[null], ['none'], [undefined]])('takes members of %j for empty', (assignStatus) => {
    const actual: JsonObject = assignStatus === undefined ? {} : { assignStatus };
    const { record } = comparisonNamed('asset');
    expect(differences({ assignStatus: { assignMemberId: 'M-1' } }, actual, record, SHANGHAI)).toEqual([
      { field: 'assignStatus.assignMemberId', expected: 'M-1', actual: '(empty)' },
    ]);
  });

  it('takes no member that every object has for one of the record', () => {
    const fields = [{ ...field('String'), name: 'constructor' }];
    expect(differences({}, {}, fields, SHANGHAI)).toEqual([]);
    expect(differences({ constructor: 'a' }, {}, fields, SHANGHAI)).toMatchObject([{ actual: '(empty)' }]);
  });
});

describe('times at the precision of the expected one', () => {
  const time = [field('Long', { date: true })];
  const ms = (iso: string) => Date.parse(iso);
  const compared = (expected: Json, actual: Json, settings = SHANGHAI) => {
    const [found] = differences({ x: expected }, { x: actual }, time, settings);
    return found && `${found.expected} / ${found.actual}`;
  };
  const first = ms('2027-12-31T00:00:00+08:00');
  const last = ms('2027-12-31T23:59:59.999+08:00');

  it.each([
    ['the first instant', first],
    ['the last instant', last],
  ])('%s of a local day means the day', (_, expected) => {
    expect(compared(expected, first)).toBeUndefined();
    expect(compared(expected, last)).toBeUndefined();
    expect(compared(expected, ms('2027-12-31T13:14:15.161+08:00'))).toBeUndefined();
    expect(compared(expected, first - 1)).toBe('2027-12-31 / 2027-12-30');
    expect(compared(expected, last + 1)).toBe('2027-12-31 / 2028-01-01');
  });

  it.each([
    ['2027-12-31T08:30:00+08:00', '2027-12-31T08:30:59.999+08:00', undefined],
    ['2027-12-31T08:30:00+08:00', '2027-12-31T08:31:00+08:00', '2027-12-31 08:30 / 2027-12-31 08:31'],
    ['2027-12-31T08:30:00+08:00', '2027-12-31T08:29:59.999+08:00', '2027-12-31 08:30 / 2027-12-31 08:29'],
    ['2027-12-31T08:30:15+08:00', '2027-12-31T08:30:15.999+08:00', undefined],
    ['2027-12-31T08:30:15+08:00', '2027-12-31T08:30:16+08:00', '2027-12-31 08:30:15 / 2027-12-31 08:30:16'],
    ['2027-12-31T23:59:59+08:00', '2027-12-31T23:59:58+08:00', '2027-12-31 23:59:59 / 2027-12-31 23:59:58'],
    [
      '2027-12-31T08:30:15.123+08:00',
      '2027-12-31T08:30:15.124+08:00',
      '2027-12-31 08:30:15.123 / 2027-12-31 08:30:15.124',
    ],
  ])('%s and %s: %s', (expected, actual, text) => {
    expect(compared(ms(expected), ms(actual))).toBe(text);
  });

  it('reads numbers as text and bigint, and reports what is none', () => {
    expect(compared(first, String(first))).toBeUndefined();
    expect(compared(first, BigInt(first))).toBeUndefined();
    expect(compared(first, null)).toBe('2027-12-31 / (empty)');
    expect(compared(first, 'tomorrow')).toBe('2027-12-31 / tomorrow');
    expect(compared(first, '20271231')).toBe('2027-12-31 / 1970-01-01');
    expect(compared(first, 10n ** 30n)).toBe(`2027-12-31 / 1${'0'.repeat(30)}`);
    expect(compared(5, 5)).toBeUndefined();
    expect(compared(10n ** 30n, 10n ** 30n)).toBeUndefined();
    expect(compared(10n ** 30n, first)).toBe(`1${'0'.repeat(30)} / ${first}`);
  });

  it('counts in the unit of the connection', () => {
    const seconds: CompareSettings = { timestamps: 'seconds', timezone: 'Asia/Shanghai' };
    const s = (iso: string) => ms(iso) / 1000;
    const end = s('2027-12-31T23:59:59+08:00');
    expect(compared(end, s('2027-12-31T00:00:00+08:00'), seconds)).toBeUndefined();
    expect(compared(end, end + 1, seconds)).toBe('2027-12-31 / 2028-01-01');
    expect(compared(end - 1, end - 2, seconds)).toBe('2027-12-31 23:59:58 / 2027-12-31 23:59:57');
    expect(compared(end, first, seconds)).toBe(`2027-12-31 / ${first}`);
  });

  it('knows days of the connection’s zone, not those of UTC', () => {
    const utcDay = ms('2027-12-31T00:00:00Z');
    expect(compared(utcDay, utcDay + 60_000)).toBe('2027-12-31 08:00 / 2027-12-31 08:01');
    expect(
      compared(utcDay, utcDay + 60_000, { timestamps: 'milliseconds', timezone: 'UTC' }),
    ).toBeUndefined();
  });

  it('knows days whose midnight clocks skip, and hours that come twice', () => {
    const saoPaulo: CompareSettings = { timestamps: 'milliseconds', timezone: 'America/Sao_Paulo' };
    const one = ms('2018-11-04T01:00:00-02:00');
    expect(compared(one, ms('2018-11-04T23:59:59.999-02:00'), saoPaulo)).toBeUndefined();
    expect(compared(one, one - 1, saoPaulo)).toBe('2018-11-04 / 2018-11-03');
    const newYork: CompareSettings = { timestamps: 'milliseconds', timezone: 'America/New_York' };
    const before = ms('2026-11-01T01:30:00-04:00');
    expect(compared(before, before + 3_600_000, newYork)).toBe(
      '2026-11-01T05:30:00.000Z / 2026-11-01T06:30:00.000Z',
    );
  });
});
