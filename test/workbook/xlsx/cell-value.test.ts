import { describe, expect, it } from 'vitest';
import type { Cell } from '../../../src/model/row.js';
import { writtenCell, writtenValue } from '../../../src/workbook/xlsx/cell-value.js';

/** What Excel would make something else of when the cell is edited. */
const TYPED = /^\s*[=+\-@'.,(¥￥$€£\d]|^\s*(?:true|false)\s*$/i;

function number(raw: string, format?: string): Cell {
  const cell: Cell = { column: 1, kind: 'number', text: raw, raw };
  return format === undefined ? cell : { ...cell, format };
}

describe('a text is written so that it stays text', () => {
  it.each(['', 'rue', 'alse', 'x', '1', ' '])(
    'has the text format where it looks typed, whatever character stands before %j',
    (rest) => {
      for (let code = 0; code <= 0xffff; code += 1) {
        const text = String.fromCharCode(code) + rest;
        const format = TYPED.test(text) ? '@' : undefined;
        if (writtenValue(text)?.format !== format) expect.fail(`U+${code.toString(16)} before ${rest}`);
      }
    },
  );

  it('keeps white space at its ends, of every kind that is not written as an escape', () => {
    for (let code = 0; code <= 0xffff; code += 1) {
      const char = String.fromCharCode(code);
      const isSpaced = /\s/.test(char) && !'\r\v\f'.includes(char);
      for (const text of [`${char}x`, `x${char}`, char]) {
        if (writtenValue(text)?.isSpaced !== isSpaced) expect.fail(`U+${code.toString(16)}`);
      }
    }
    expect(writtenValue('in the middle')?.isSpaced).toBe(false);
  });

  it('too long for the text format has none', () => {
    expect(writtenValue('1'.repeat(255))?.format).toBe('@');
    expect(writtenValue('1'.repeat(256))?.format).toBeUndefined();
  });
});

describe('numbers keep every digit', () => {
  it.each([
    ['12', 12],
    ['-3.5', -3.5],
    ['0', 0],
    ['0.000', 0],
    ['1e21', 1e21],
    ['123456789012345', 123456789012345],
    ['9007199254740992', 9007199254740992],
    ['-9007199254740992', -9007199254740992],
    ['4.5999999999999996', 4.5999999999999996],
  ])('%s is a number', (raw, value) => {
    expect(writtenCell(number(raw, '0.0'))).toMatchObject({ value, format: '0.0' });
  });

  it.each(['9007199254740993', '+9007199254740993', '12345678901234567890', '', '  ', 'abc', '1e400'])(
    '%j, which no double holds, is text',
    (raw) => {
      expect(writtenCell(number(raw)).value).toBe(raw);
    },
  );
});

describe('times are read back equal', () => {
  it.each(['time', 'duration'] as const)('a %s that no double holds is text, as it was', (kind) => {
    for (const raw of ['1e400', '-1e400']) {
      expect(writtenCell({ column: 1, kind, text: raw, raw, format: '[h]:mm:ss' }).value).toBe(raw);
    }
    expect(writtenCell({ column: 1, kind, text: '12:00:00', raw: '0.5' }).value).toBe(0.5);
  });
});

describe('days are read back equal', () => {
  it('met before are the same again, each in its own time of day', () => {
    const date = (text: string): Cell => ({ column: 1, kind: 'date', text, raw: text });
    for (let turn = 0; turn < 2; turn += 1) {
      expect(writtenCell(date('2026-01-31')).value).toBe(46053);
      expect(writtenCell(date('2026-01-31T12:00:00')).value).toBe(46053.5);
      expect(writtenCell(date('1900-02-29')).value).toBe(60);
      expect(writtenCell(date('1900-02-28T06:00:00')).value).toBe(59.25);
      expect(writtenCell(date('2026-13-01')).value).toBe('2026-13-01');
    }
    // More than are kept.
    for (let day = 0; day < 12_000; day += 1) {
      const text = new Date(Date.UTC(1950, 0, 1 + day)).toISOString().slice(0, 10);
      expect(writtenCell(date(text)).value).toBe(18_264 + day);
    }
    expect(writtenCell(date('2026-01-31')).value).toBe(46053);
  });
});
