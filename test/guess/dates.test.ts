import { describe, expect, it } from 'vitest';
import { render } from '../../src/errors/message.js';
import { findFormat } from '../../src/guess/date-format.js';
import { ColumnProfile } from '../../src/guess/profile.js';
import { textDate } from '../../src/guess/text-dates.js';
import { CsvRow } from '../../src/source/csv/row.js';
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
    '1/2/26',
    '2026',
    'May 1, 2026',
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

  it('that contradict each other are said to do so', () => {
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
