import { describe, expect, it } from 'vitest';
import { numberCell, plainNumber } from '../../src/source/xlsx/number-cell.js';
import { NumberFormat, showDigits } from '../../src/source/xlsx/number-format.js';
import { textCell } from '../../src/source/xlsx/xlsx-row.js';

const seen = (code: string, raw: string): string | undefined =>
  numberCell(1, raw, new NumberFormat(code), false).seen;
const kind = (code: string, value = 1.5): string => new NumberFormat(code).shape(value).kind;

function shown(code: string, digits: string, negative = false): string {
  const shape = new NumberFormat(code).shape(Number(digits) * (negative ? -1 : 1));
  return shape.kind === 'digits' ? showDigits(digits, shape) : shape.kind;
}

describe('a number is what its format shows', () => {
  it.each([
    'yyyy\\-mm\\-dd;@',
    'mm-dd-yy',
    'yyyy"年"m"月"d"日"',
    'yyyy年m月d日',
    '[$-409]mmmm" "d", "yyyy',
    '[$-F800]dddd\\,\\ mmmm\\ dd\\,\\ yyyy',
    '[$-804]aaaa',
    'mmm',
    'm/d',
    'M/d/yyyy H:mm:ss',
    'mmm d, h:mm:ss',
    '"Today is "d/m/yyyy',
    '[Red][>=1]yyyy-mm-dd',
    'e"年"m"月"',
    'dd.mm.yyyy hh:mm:ss.000',
  ])('a date: %s', (code) => expect(kind(code)).toBe('date'));

  it.each([
    'h:mm',
    'mm:ss',
    'mm:ss.0',
    'H:MM:SS',
    '[$-F400]h:mm:ss\\ AM/PM',
    '上午/下午h"时"mm"分"',
    'h"时"mm"分"',
    'AM/PM',
  ])('a time of day: %s', (code) => expect(kind(code, 0.5)).toBe('time'));

  it.each(['[h]:mm:ss', '[hh]:mm', '[mm]:ss', '[ss].00', '[h]"h "mm"m"'])('a duration: %s', (code) =>
    expect(kind(code)).toBe('duration'),
  );

  it.each([
    'General',
    'GENERAL',
    'G/通用格式',
    'G/표준',
    '[DBNum1][$-804]G/通用格式',
    'G/通用格式"年"',
    '0',
    '0.00',
    '#,##0',
    '0,000',
    '0000,',
    '0.00E+00',
    '##0.0E+0',
    '0%',
    '00%',
    '# ??/??',
    '@',
    '#,##0.00 "days"',
    '"yyyy" 0',
    '\\d0',
    '[Red]0.0_);[Blue]\\(0.0\\)',
    '[$USD] #,##0.00',
    '#,##0.00 EUR',
    '_-* #,##0.00_-;_-* "-"??_-',
    '0"号"',
    '',
    ';;;',
    '"unclosed',
    '[unclosed',
    '\\',
  ])('a plain number: %s', (code) => expect(kind(code)).toBe('number'));

  it('chooses the section by the sign, and by conditions', () => {
    expect(kind('yyyy-mm-dd;0;"-"', -1)).toBe('number');
    expect(kind('0;yyyy-mm-dd', -1)).toBe('date');
    expect(kind('0.0;0.0;h:mm', 0)).toBe('time');
    expect(kind('[<1]h:mm;yyyy-mm-dd', 0.5)).toBe('time');
    expect(kind('[<1]h:mm;yyyy-mm-dd', 40_000)).toBe('date');
    expect(kind('[=1]"one";[=2]"two"', 3)).toBe('number');
    expect(kind('yyyy-mm-dd;@', -1)).toBe('date');
  });

  it('pads whole numbers with the zeros of the format', () => {
    expect(shown('0000', '12')).toBe('0012');
    expect(shown('0000', '0')).toBe('0000');
    expect(shown('0000', '123456')).toBe('123456');
    expect(shown('000-0000', '12')).toBe('000-0012');
    expect(shown('000-0000', '123456789')).toBe('12345-6789');
    expect(shown('(000) 000-0000', '2125550123')).toBe('(212) 555-0123');
    expect(shown('###-0000', '12')).toBe('-0012');
    expect(shown('"SN-"0000', '7')).toBe('SN-0007');
    expect(shown('\\0\\00', '5')).toBe('005');
    expect(shown('"00"#', '5')).toBe('005');
    expect(shown('0000_);[Red]\\(0000\\)', '12')).toBe('0012');
    expect(shown('0000_);[Red]\\(0000\\)', '12', true)).toBe('(0012)');
    expect(shown('0000', '12', true)).toBe('-0012');
    expect(shown('[$-804]0000', '12')).toBe('0012');
  });
});

describe('decimals are kept next to the number as a format shows them', () => {
  it.each([
    ['0.00', '1.1', '1.10'],
    ['0.00', '1.125', '1.13'],
    ['0.00', '-1.125', '-1.13'],
    ['0.00', '0.001', '0.00'],
    ['0.00', '-0.001', '0.00'],
    ['0.00', '5', '5.00'],
    ['0.0#', '5', '5.0'],
    ['0.##', '5', undefined],
    ['0.##', '5.129', '5.13'],
    ['0.??', '5.1', undefined],
    ['#,##0.00', '1234.5', '1234.50'],
    ['#,##0.00 "元"', '12', '12.00'],
    ['_("$"* #,##0.00_);_("$"* (#,##0.00);_("$"* "-"??_);_(@_)', '12.5', '12.50'],
    ['0.00_ ;[Red]\\-0.0 ', '-12', '-12.0'],
    ['0', '1.5', '2'],
    ['0', '12', undefined],
    ['#,##0', '1999.9', '2000'],
    ['0000', '12.5', '0013'],
    ['General', '1.5', undefined],
    ['0.0%', '0.5', undefined],
    ['0.00E+00', '1234.5', undefined],
    ['# ?/?', '1.5', undefined],
    ['0.0,', '12345', undefined],
    ['0.00', '99999999999.999', '100000000000.00'],
  ])('%s shows %s as %s', (code, raw, wanted) => {
    const cell = numberCell(1, raw, new NumberFormat(code), false);
    expect(cell.shown).toBe(wanted);
    expect(cell.text).toBe(raw);
  });
});

describe('a number literal becomes plain digits, and keeps them all', () => {
  it.each([
    ['0', '0'],
    ['-0', '0'],
    ['007', '7'],
    ['12.50', '12.5'],
    ['12.', '12'],
    ['.5', '0.5'],
    ['-.5', '-0.5'],
    ['+3', '3'],
    ['1e3', '1000'],
    ['1.5E+3', '1500'],
    ['1E-3', '0.001'],
    ['-1.25e-2', '-0.0125'],
    ['1.0', '1'],
    ['0.30000000000000004', '0.3'],
    ['274.65999999999997', '274.66'],
    ['68.66499999999999', '68.665'],
    ['2.9999999999999996', '3'],
    ['99999999999999.99', '100000000000000'],
    ['3.1415926535897931', '3.14159265358979'],
    ['1.0000000000000000E-10', '0.0000000001'],
    ['0.00012345678901234567', '0.000123456789012346'],
    ['123456789012345', '123456789012345'],
    ['12345678901234567890', '12345678901234567890'],
    ['1.2345678901234568E+19', '12345678901234568000'],
    ['1234567890123456.5', '1234567890123456.5'],
  ])('%s is %s', (raw, plain) => expect(plainNumber(raw)).toBe(plain));

  it.each(['', 'x', '1,5', '0x10', 'NaN', 'INF', '1e', '1e999999', '--1', '1 2', '.', '１２'])(
    '%j is no number',
    (raw) => expect(plainNumber(raw)).toBeUndefined(),
  );

  it('agrees with the double for any literal that JavaScript writes', () => {
    for (let i = 0; i < 2000; i += 1) {
      const value = (((i * 0.6180339887498949) % 1) - 0.5) * 10 ** ((i % 41) - 20);
      const plain = plainNumber(String(value));
      expect(Math.abs(Number(plain) - value), String(value)).toBeLessThanOrEqual(Math.abs(value) * 5.1e-15);
      expect(plain).toMatch(/^-?(0|[1-9]\d*)(\.\d*[1-9])?$/);
    }
  });
});

describe('an identifier takes the digits and the leading zeros of a whole number', () => {
  it.each([
    ['General', '1003', '1003'],
    ['0', '1003', '1003'],
    ['0000', '12', '0012'],
    ['0000;@', '12', '0012'],
    ['#,##0.00', '1003', '1003'],
    ['0,000', '12', '0012'],
    ['00.00', '5', '05'],
    ['[$¥-804]#,##0.00', '1003', '1003'],
    ['0000-000000', '8100000001', '8100000001'],
    ['0000-000000', '12', '0000000012'],
    ['000-0000-0000', '8100000006', '08100000006'],
    ['"LK"0000', '17', '0017'],
    ['"LK2"0000', '17', '0017'],
    ['"LK"0', '17', '17'],
    ['####-######', '8100000005', '8100000005'],
    ['0000000000"把"', '8100000008', '8100000008'],
    ['[Red]0000-000000', '8100000009', '8100000009'],
    ['0.00E+00', '13800000001', '13800000001'],
    ['0%', '1', '1'],
    ['0,', '17000', '17000'],
    ['0000', '-12', '-0012'],
  ])('%s of %s gives %s', (code, raw, wanted) => {
    const cell = numberCell(1, raw, new NumberFormat(code), false);
    expect(cell.identifier ?? cell.text).toBe(wanted);
  });
});

describe('what a sheet shows otherwise than it is taken', () => {
  it.each([
    ['"KH-"0', '17', 'KH-17'],
    ['\\K\\H0', '17', 'KH17'],
    ['"KH-"#,##0', '1234', 'KH-1,234'],
    ['#,##0', '1234', '1,234'],
    ['#,##0.00', '1234567.5', '1,234,567.50'],
    ['"$"#,##0.00', '17', '$17.00'],
    ['[$¥-804]#,##0', '17', '¥17'],
    ['"¥ "0', '17', '¥ 17'],
    ['0.00E+00', '13800000001', '1.38E+10'],
    ['"KH-"0.0', '1.5', 'KH-1.5'],
    ['"KH-"General', '17', 'KH-17'],
    ['General"号"', '17', '17号'],
    ['0"/26"', '17', '17/26'],
    ['[$USD] 0', '17', 'USD 17'],
    ['##-##', '1234', '12-34'],
    ['"KH-"0', '-17', '-KH-17'],
    ['0%', '0.17', '17%'],
    ['0.0%', '0.1234', '12.3%'],
    ['0,', '17000', '17'],
    ['0.0,"K"', '17400', '17.4K'],
    ['(#,##0);(#,##0)', '-17', '(17)'],
    ['[=1]"有效";"无效"', '1', '有效'],
    ['[=1]"有效";"无效"', '0', '无效'],
    ['0;-0;;@', '0', ''],
    ['"KH-"@', '17', 'KH-17'],
    [';;;', '17', ''],
    ['_-* #,##0_-;-* #,##0_-;_-* "-"??_-;_-@_-', '0', '-'],
  ])('%s shows %s as %s', (code, raw, wanted) => expect(seen(code, raw)).toBe(wanted));

  it.each([
    ['"KH-"@', 'A1', 'KH-A1'],
    ['@" 先生"', 'A1', 'A1 先生'],
    ['0;-0;0;"n/a"', 'A1', 'n/a'],
    [';;;', 'A1', ''],
    ['@', 'A1', undefined],
    ['_-@_-', 'A1', undefined],
    ['"KH-"0', 'A1', undefined],
    ['0;-0;0;@', 'A1', undefined],
    ['yyyy-mm-dd;@', 'A1', undefined],
  ])('%s shows the text %s as %s', (code, text, wanted) => {
    expect(textCell(1, text, new NumberFormat(code)).seen).toBe(wanted);
  });

  it.each([
    ['General', '17'],
    ['0', '17'],
    ['0.00', '17'],
    ['#,##0', '123'],
    ['"KH-"0000', '17'],
    ['_ * #,##0_ ;_ * \\-#,##0_ ;_ * "-"_ ;_ @_ ', '17'],
    ['_ * #,##0_ ;_ * \\-#,##0_ ;_ * "-"_ ;_ @_ ', '-17'],
    ['# ?/?', '0.5'],
    ['@', '17'],
  ])('%s shows %s as what it is', (code, raw) => expect(seen(code, raw)).toBeUndefined());

  it.each([
    ['mmm yyyy', '46053', '2026-01'],
    ['mmm-yy', '46053', '2026-01'],
    ['yyyy"年"m"月"', '46053', '2026-01'],
    ['m"月"d"日"', '46053', '01-31'],
    ['yyyy', '46053', '2026'],
    ['dddd', '46053', ''],
    ['yyyy-mm-dd', '46053.75', '2026-01-31'],
    ['h:mm', '46053.75', '18:00:00'],
    ['m/d h:mm', '46053.75', '01-31 18:00:00'],
  ])('the date format %s shows %s as %s', (code, raw, wanted) => expect(seen(code, raw)).toBe(wanted));

  it.each([
    ['yyyy-mm-dd', '46053'],
    ['m/d/yy', '46053'],
    ['dddd, d mmmm yyyy', '46053'],
    ['[$-F800]dddd\\,\\ mmmm\\ dd\\,\\ yyyy', '46053'],
    ['e"年"m"月"d"日"', '46053'],
    ['yyyy-mm-dd h:mm', '46053.75'],
    ['h:mm', '0.75'],
    ['[h]:mm', '46053.75'],
  ])('the date format %s shows all of %s', (code, raw) => expect(seen(code, raw)).toBeUndefined());
});
