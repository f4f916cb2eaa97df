import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readTsv, writeTsv } from '../../../../src/console/pages/grid/cell-actions.js';

describe('cells in the clipboard', () => {
  it('are parted by tabs and line breaks, with quotes where a text needs them', () => {
    expect(
      writeTsv([
        ['a', 'b'],
        ['say "hi"', 'two\nlines'],
      ]),
    ).toBe('a\tb\n"say ""hi"""\t"two\nlines"');
  });

  it('are read as Excel writes them', () => {
    expect(readTsv('a\tb\r\n1\t"two\nlines"\r\n')).toEqual([
      ['a', 'b'],
      ['1', 'two\nlines'],
    ]);
    expect(readTsv('a\t\tc\n\t\t')).toEqual([
      ['a', '', 'c'],
      ['', '', ''],
    ]);
    expect(readTsv('6" pipe\t"open')).toEqual([['6" pipe', '"open']]);
    expect(readTsv('one')).toEqual([['one']]);
    expect(readTsv('a\n\nb\n')).toEqual([['a'], [''], ['b']]);
  });

  it('come back as they went', () => {
    const text = fc.string({ unit: fc.constantFrom('a', '"', '\t', '\n', '中', ' '), maxLength: 6 });
    const table = fc
      .integer({ min: 1, max: 4 })
      .chain((width) =>
        fc.array(fc.array(text, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 4 }),
      )
      // One empty cell and no cell at all are the same text.
      .filter((rows) => rows.at(-1)?.join('') !== '' || (rows.at(-1)?.length ?? 0) > 1);
    fc.assert(
      fc.property(table, (rows) => {
        expect(readTsv(writeTsv(rows))).toEqual(rows);
      }),
    );
  });
});
