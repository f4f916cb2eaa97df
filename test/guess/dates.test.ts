import { describe, expect, it } from 'vitest';
import { render } from '../../src/errors/message.js';
import { findFormat } from '../../src/guess/column-leaf.js';
import { ColumnProfile, textDate } from '../../src/guess/profile.js';
import { CsvRow } from '../../src/source/csv/csv-row.js';
import { compileFormat } from '../../src/util/date-format.js';

function column(texts: readonly string[], name = 'Until'): ColumnProfile {
  const profile = new ColumnProfile({ column: 1, text: name, folded: name.toLowerCase() }, []);
  texts.forEach((text, index) => {
    profile.add(new CsvRow('data', index + 2, [text]));
  });
  return profile;
}

const formatOf = (texts: readonly string[], others: readonly ColumnProfile[] = []) =>
  findFormat(column(texts), others);

describe('text dates get the format they are written in', () => {
  it.each([
    [['2026/3/1', '2026/11/30'], 'yyyy/M/d'],
    [['2026-3-1'], 'yyyy-M-d'],
    [['2026.03.01'], 'yyyy.M.d'],
    [['2026年3月1日'], 'yyyy年M月d日'],
    [['2026年3月1'], 'yyyy年M月d'],
    [['2026/3/1 8:05'], 'yyyy/M/d H:mm'],
    [['2026/3/1 18:05:59'], 'yyyy/M/d H:mm:ss'],
    [['20260301', '20261231'], 'yyyyMMdd'],
    [['31.12.2026', '1.2.2026'], 'd.M.yyyy'],
    [['1.2.2026'], 'd.M.yyyy'],
    [['31/12/2026'], 'd/M/yyyy'],
    [['12/31/2026', '1/2/2026'], 'M/d/yyyy'],
    [['12-31-2026 08:00'], 'M-d-yyyy H:mm'],
    [['03/04/2026'], 'd/M/yyyy'],
    [['31-Dec-27', '1-JAN-28', '3-may-28'], 'd-MMM-yy'],
    [['31 December 2027'], 'd MMMM yyyy'],
    [['Dec 31, 2027', 'Jan 1, 2028'], 'MMM d, yyyy'],
    [['December 31, 2027 6:30 PM'], 'MMMM d, yyyy h:mm a'],
    [['12/31/27', '1/2/28'], 'M/d/yy'],
    [['31.12.27'], 'd.M.yy'],
    [['99/12/31'], 'yy/M/d'],
    [['2027/12/31 下午 6:30', '2027/12/31 上午 12:05'], 'yyyy/M/d a h:mm'],
    [['2027/12/31 下午6:30:15'], 'yyyy/M/d ah:mm:ss'],
    [['12/31/2027 6:30 p.m.'], 'M/d/yyyy h:mm a'],
  ])('%j are read by %s', (texts, format) => {
    expect(formatOf(texts).format).toBe(format);
    const compiled = compileFormat(format);
    if (!compiled.ok) throw new Error(`the format ${format} does not compile`);
    for (const text of texts) expect(compiled.format.read(text).kind).toBe('local');
  });

  it('in ISO 8601 need no format', () => {
    expect(formatOf(['2026-03-01', '2026-03-01T08:00:00', '2026-03-01 08:00']).format).toBeUndefined();
    expect(formatOf(['', 'n/a', '13']).format).toBeUndefined();
  });

  it.each([
    '2026/13/1',
    '2026/1/32',
    '32/1/2026',
    '13/13/2026',
    '1-2-26',
    '2026',
    'Mai 1, 2026',
    'Feb 30, 2026',
    '8200000001',
  ])('%s is none', (text) => {
    expect(textDate(text)).toBeUndefined();
  });

  it('that leave the order open are decided by other columns, and it is said', () => {
    const other = column(['12/31/2026', '1/30/2026'], 'From');
    const found = formatOf(['03/04/2026', '05/06/2026'], [other]);
    expect(found.format).toBe('M/d/yyyy');
    expect(found.notes.map((it) => it.code)).toEqual(['guess.order_from_others']);
  });

  it('that nothing decides are said to be open, with the other way', () => {
    const found = formatOf(['03/04/2026']);
    expect(found.notes.map((it) => render(it)).join()).toContain('M/d/yyyy');
  });

  it('that may begin or end with a year of two digits are said to be open', () => {
    expect(formatOf(['27/12/31', '28/01/31']).notes.map((it) => it.code)).toContain('guess.year_open');
    expect(formatOf(['27/12/31', '28/01/32']).notes.map((it) => it.code)).not.toContain('guess.year_open');
  });

  it('of two digits each, with dashes, are days that may begin with the year; others may be durations', () => {
    const found = formatOf(['31-12-27', '30-11-28']);
    expect(found.format).toBe('d-M-yy');
    expect(found.notes.map((it) => render(it))).toEqual([
      'The day comes first, as 31-12-27 shows.',
      'Nothing in the data shows whether the year comes last or first: d-M-yy is used; check it, or write yy-M-d.',
    ]);
    expect(formatOf(['31-12-27', '31-12-32']).notes.map((it) => it.code)).toEqual(['guess.day_first']);
    for (const text of ['1-2-26', '01-06-00', '0-6-0', '31-13-27'])
      expect(formatOf([text]).format, text).toBeUndefined();
  });

  it.each([
    ['yyyy/M/d a h:mm', '2027/12/31 下午 6:30', '2027-12-31T18:30'],
    ['yyyy/M/d a h:mm', '2027/12/31 上午 12:05', '2027-12-31T00:05'],
    ['M/d/yy h:mm a', '12/31/69 12:05 PM', '2069-12-31T12:05'],
    ['d-MMM-yy', '31-DEC-70', '1970-12-31T00:00'],
    ['d MMM yyyy', '1 Sept 2027', '2027-09-01T00:00'],
  ])('%s reads %s as %s', (format, text, expected) => {
    const compiled = compileFormat(format);
    if (!compiled.ok) throw new Error(`the format ${format} does not compile`);
    const reading = compiled.format.read(text);
    if (reading.kind !== 'local') throw new Error('not read');
    expect(new Date(reading.local).toISOString().slice(0, 16)).toBe(expected);
  });

  it.each(['yyyy/M/d h:mm', 'yyyy/M/d a', 'yyyy/M/d a H:mm', 'yyy/M/d'])('%s is no format', (format) => {
    expect(compileFormat(format).ok).toBe(false);
  });

  it('that conflict with each other are reported as such', () => {
    const found = formatOf(['31/12/2026', '30/12/2026', '12/31/2026']);
    expect(found).toMatchObject({ format: 'd/M/yyyy', notes: [{ code: 'guess.dates_both_orders' }] });
  });

  it('of several kinds are all read, the most frequent first, ISO 8601 and bare digits among them', () => {
    const found = formatOf([
      '2026/3/1',
      '2026/3/2',
      '2026年3月3日',
      '2026-03-04',
      '20260305',
      '2026-03-06 08:00',
    ]);
    expect(found.format).toEqual(['yyyy/M/d', 'yyyy年M月d日', 'yyyyMMdd', 'yyyy-MM-dd', 'yyyy-MM-dd HH:mm']);
    expect(found.notes.map((it) => it.code)).toEqual(['guess.dates_mixed']);
  });
});
