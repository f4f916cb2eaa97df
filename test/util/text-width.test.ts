import { describe, expect, test } from 'vitest';
import { fitWidth, terminalWidth } from '../../src/util/text-width.js';

describe('a text occupies the columns that a terminal gives it', () => {
  test.each([
    ['', 0],
    ['abc', 3],
    ['读取 12', 7],
    ['ＡＢ', 4],
    ['e\u0301', 1],
    ['a\u200bb', 2],
    ['𠮷野家', 6],
    ['한국', 4],
  ])('%j takes %i', (text, cells) => {
    expect(terminalWidth(text)).toBe(cells);
  });

  test('a text is cut before the character that no longer fits', () => {
    expect(fitWidth('读取中', 5)).toBe('读取');
    expect(fitWidth('读取中', 6)).toBe('读取中');
    expect(fitWidth('𠮷a', 1)).toBe('');
    expect(fitWidth('abc', 80)).toBe('abc');
  });
});
