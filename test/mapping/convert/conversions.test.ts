import { describe, expect, it } from 'vitest';
import { render } from '../../../src/errors/message.js';
import { type CellValue, type Converted, textCell } from '../../../src/mapping/convert/conversion.js';
import {
  type ConverterOptions,
  fieldConverter,
  scalarText,
} from '../../../src/mapping/convert/field-converter.js';
import type { Field } from '../../../src/model/field.js';
import { compileFormat, type DateFormat } from '../../../src/util/date-format.js';
import { zone } from '../../../src/util/zoned-time.js';
import { allowed, field, type Given } from '../../support/mapping.js';

const SHANGHAI = zone('Asia/Shanghai')!;

function cell(given: Given): CellValue {
  const [kind, text, raw = text] = typeof given === 'object' ? given : (['text', given ?? ''] as const);
  return { kind, text, raw };
}

type Options = Partial<Omit<ConverterOptions, 'values'>> & {
  readonly values?: ReadonlyMap<string, string | number>;
};

function convert(to: Field, given: Given, { values, ...more }: Options = {}): Converted {
  const options = { zone: SHANGHAI, unit: 'milliseconds' as const, ...more };
  const constant = fieldConverter(to, { ...options, split: '' });
  const listed = [...(values ?? [])].map(([text, it]) => [text, constant(textCell(scalarText(it)))] as const);
  return fieldConverter(to, { ...options, values: new Map(listed) })(cell(given));
}

/** The value, `empty`, or the code of the fault. */
function result(to: Field, given: Given, options?: Options): unknown {
  const converted = convert(to, given, options);
  if (converted.kind === 'value') return converted.value;
  return converted.kind === 'empty' ? 'empty' : converted.message.code;
}

const ZWSP = '\u200b';
const NBSP = '\u00a0';

describe('a String is the cell as it is shown', () => {
  const prose = field('address', 'String');
  const identifier = field('orderNo', 'String', { identifier: true });

  it.each<[string, Given, unknown]>([
    ['text', 'Straße 1', 'Straße 1'],
    ['leading zeros as text', '00123', '00123'],
    ['leading zeros by a number format', ['number', '00123', '123'], '00123'],
    ['a number', ['number', '13800138000', '13800138000'], '13800138000'],
    ['15 digits', ['number', '123456789012345'], '123456789012345'],
    ['16 digits as a number', ['number', '1234567890123456'], 'mapping.number_too_long'],
    [
      'an exponent in the file',
      ['number', '123456789012345000000', '1.23456789012345E+20'],
      'mapping.number_too_long',
    ],
    ['a negative long number', ['number', '-1234567890123456'], 'mapping.number_too_long'],
    ['16 digits as text', '1234567890123456', '1234567890123456'],
    ['a date', ['date', '2026-01-31', '46053'], 'mapping.date_in_text'],
    ['a time of day', ['time', '03:04:00', '0.127'], 'mapping.date_in_text'],
    ['a duration', ['duration', '30:15:00', '1.26'], 'mapping.date_in_text'],
    ['a character that was lost', 'M\ufffdller', 'mapping.unreadable'],
    ['spaces only', '  \t ', 'empty'],
    ['no-break and zero width only', NBSP + ZWSP, 'empty'],
    ['an error value', ['error', '#N/A'], 'mapping.error_value'],
    ['no result', ['no_result', ''], 'mapping.no_result'],
  ])('%s', (_name, given, wanted) => {
    expect(result(prose, given)).toBe(wanted);
    expect(result(identifier, given)).toBe(wanted);
  });

  it.each<[string, string, unknown, unknown]>([
    ['spaces at the ends', '  A 1 ', 'A 1', 'A 1'],
    ['no-break spaces at the ends', `${NBSP}A1${NBSP}`, 'A1', 'A1'],
    ['line breaks and wide spaces at the ends', '\u3000A1\r\n', 'A1', 'A1'],
    ['zero width at the ends', `${ZWSP}A1\ufeff`, 'A1', 'A1'],
    ['bidi marks at the ends', '\u202aA1\u202c', 'A1', 'A1'],
    ['zero width inside', `A${ZWSP}1`, 'A1', 'mapping.invisible'],
    ['a soft hyphen inside', 'A\u00ad1', 'A1', 'mapping.invisible'],
    ['a bidi override inside', 'A\u202e1', 'A1', 'mapping.invisible'],
    ['a sign that chooses the look of a character', '葛\u{e0100}城', '葛\u{e0100}城', 'mapping.invisible'],
    ['a no-break space inside', `A${NBSP}1`, `A${NBSP}1`, 'mapping.invisible'],
    ['a line break inside', 'A\n1', 'A\n1', 'mapping.invisible'],
    ['a control character inside', 'A\u00071', 'mapping.control', 'mapping.invisible'],
    ['an ordinary space inside', '张 三', '张 三', '张 三'],
    ['a formula as text', '=1+1', '=1+1', 'mapping.formula_as_text'],
    ['a character beyond the first plane', 'A𠮷1', 'A𠮷1', 'A𠮷1'],
  ])('%s: as prose, as identifier', (_name, text, asProse, asIdentifier) => {
    expect(result(prose, text)).toBe(asProse);
    expect(result(identifier, text)).toBe(asIdentifier);
  });

  it('a number with a fraction is text, but no identifier', () => {
    expect(result(prose, ['number', '12.5'])).toBe('12.5');
    expect(result(identifier, ['number', '12.5'])).toBe('mapping.fraction_in_identifier');
  });

  it('prose takes a truth value and what an identifier may not be', () => {
    for (const text of ['1.23457E+17', '１２３', '4-Mar', 'TRUE']) expect(result(prose, text)).toBe(text);
    expect(result(prose, ['boolean', 'TRUE', '1'])).toBe('TRUE');
  });

  it.each<[string, Given, unknown]>([
    ['a boolean', ['boolean', 'TRUE', '1'], 'mapping.truth_in_identifier'],
    ['a boolean as .csv files hold it', 'FALSE', 'mapping.truth_in_identifier'],
    ['scientific notation', '1.23457E+17', 'mapping.exponent_in_identifier'],
    ['without a sign', '1.2e17', 'mapping.exponent_in_identifier'],
    ['without decimals', '1E+15', 'mapping.exponent_in_identifier'],
    ['with a decimal comma', '1,23457E+17', 'mapping.exponent_in_identifier'],
    ['a code with an E', '12E34', 'mapping.exponent_in_identifier'],
    ['a room with an E', '3E-01', 'mapping.exponent_in_identifier'],
    ['full-width digits', 'A１２', 'mapping.wide_in_identifier'],
    ['full-width letters', 'Ａ12', 'mapping.wide_in_identifier'],
    ['a full-width @', 'a＠example.com', 'mapping.wide_in_identifier'],
    ['Chinese brackets', '张三（运维）', '张三（运维）'],
    ['a day as Excel writes it into .csv', '4-Mar', 'mapping.date_in_text'],
    ['the same in Chinese', '3月4日', 'mapping.date_in_text'],
    ['3-4 itself', '3-4', '3-4'],
    ['a code that begins like a month', 'DEC-01', 'DEC-01'],
    ['a blank inside', 'A 1', 'A 1'],
  ])('an identifier: %s', (_name, given, wanted) => {
    expect(result(identifier, given)).toBe(wanted);
  });

  it('a number has the decimals that its format shows', () => {
    const shown = (text: string, it: string): CellValue => ({ kind: 'number', text, raw: text, shown: it });
    const read = (to: Field, it: CellValue) =>
      fieldConverter(to, { zone: SHANGHAI, unit: 'milliseconds' })(it);
    expect(read(prose, shown('1.1', '1.10'))).toEqual({ kind: 'value', value: '1.10' });
    expect(read(identifier, shown('1.1', '1.10'))).toMatchObject({
      message: { code: 'mapping.fraction_in_identifier' },
    });
    const cut = read(prose, shown('3.14159', '3.14'));
    expect(cut).toMatchObject({ kind: 'value', value: '3.14' });
    expect(cut.kind === 'value' && cut.warning?.({ cell: 'S!B2', field: 'address' }).code).toBe(
      'mapping.decimals_dropped',
    );
    expect(read(identifier, shown('1234.5', '1235'))).toMatchObject({
      message: { code: 'mapping.hidden_digits' },
    });
    const integer = field('n', 'Integer');
    expect(read(integer, shown('2', '2.00'))).toEqual({ kind: 'value', value: 2 });
    expect(read(integer, shown('1.5', '2'))).toMatchObject({ message: { code: 'mapping.fraction_hidden' } });
  });

  it('is taken as what it holds, with a warning where the sheet shows something else', () => {
    const given = (text: string, it: string, kind: CellValue['kind'] = 'number'): CellValue => ({
      kind,
      text,
      raw: text,
      seen: it,
    });
    const read = (to: Field, it: CellValue) => {
      const found = fieldConverter(to, { zone: SHANGHAI, unit: 'milliseconds' })(it);
      if (found.kind !== 'value') throw new Error('no value');
      const warning = found.warning?.({ cell: 'S!B2', field: to.name });
      return [found.value, warning?.code, warning?.params?.shown];
    };
    const other = 'mapping.shown_otherwise';
    expect(read(identifier, given('17', 'KH-17'))).toEqual(['17', other, 'KH-17']);
    expect(read(prose, given('17', 'KH-17'))).toEqual(['17', other, 'KH-17']);
    expect(read(identifier, given('17', 'KH-17', 'text'))).toEqual(['17', other, 'KH-17']);
    expect(read(field('x', 'String array'), given('A,B', 'KH-A,B', 'text'))[1]).toBe(other);
    expect(read(prose, given('0', ''))).toEqual(['0', 'mapping.not_shown', undefined]);
    expect(read(field('x', 'String array'), given('17', 'KH-17'))).toEqual([['17'], other, 'KH-17']);
    const integer = field('n', 'Integer');
    expect(read(integer, given('17', '17 pcs'))).toEqual([17, undefined, undefined]);
    expect(read(integer, given('1', '100%'))).toEqual([1, other, '100%']);
    expect(read(integer, given('5', '5万'))).toEqual([5, other, '5万']);
    expect(read(integer, given('17000', '17'))).toEqual([17000, other, '17']);
    expect(read(integer, given('0', ''))).toEqual([0, 'mapping.not_shown', undefined]);
    expect(read(integer, given('0', '- '))).toEqual([0, undefined, undefined]);
    const day = read(field('d', 'Long', { date: true }), given('2026-01-31', '2026-01', 'date'));
    expect(day).toEqual([Date.UTC(2026, 0, 30, 16), 'mapping.date_shown_partly', '2026-01']);
    const weekday = read(field('d', 'Long', { date: true }), given('2026-01-31', '', 'date'));
    expect(weekday).toEqual([Date.UTC(2026, 0, 30, 16), 'mapping.date_not_shown', undefined]);
  });

  it('what has no width is removed from prose with a warning that reports what and where', () => {
    const converted = convert(prose, `张${ZWSP}三\u202e`);
    if (converted.kind !== 'value') throw new Error('no value');
    expect(converted.value).toBe('张三');
    expect(converted.warning?.({ cell: 'Orders!B7', field: 'customerName' })).toEqual({
      code: 'mapping.widthless_dropped',
      params: {
        cell: 'Orders!B7',
        field: 'customerName',
        character: 'U+200B',
        position: 2,
        shown: '张[U+200B]三 ',
      },
    });
  });

  it.each<[Given, unknown]>([
    ['1-0-0', '1-0-0'],
    ['0-12-0', '0-12-0'],
    ['1y-0m-0d', '1y-0m-0d'],
    ['1年-0月-0日', '1年-0月-0日'],
    ['2027-12-31', '2027-12-31'],
    ['2001-01-01', 'mapping.date_in_duration'],
    ['2001/1/1', 'mapping.date_in_duration'],
    ['2001年1月1日', 'mapping.date_in_duration'],
    ['1-Jan-01', 'mapping.date_in_duration'],
    [['date', '2001-01-01', '36892'], 'mapping.date_in_duration'],
    ['1', 'mapping.not_duration'],
    ['one year', 'mapping.not_duration'],
    ['1-0', 'mapping.not_duration'],
    ['1/0/0', 'mapping.not_duration'],
    ['1-0-0-0', 'mapping.not_duration'],
    ['-1-0-0', 'mapping.not_duration'],
    [['number', '12'], 'mapping.not_duration'],
  ])('a length of time %j', (given, wanted) => {
    expect(result(field('timeDurationExpression', 'String', { form: 'duration' }), given)).toBe(wanted);
    const any = field('timeDurationExpression', 'String', { form: 'time' });
    if (wanted === 'mapping.date_in_duration') expect(result(any, given)).toBe(wanted);
    else expect(result(any, given)).toBe(typeof given === 'string' ? given : '12');
  });

  it('names the invisible character and where it is', () => {
    const converted = convert(identifier, `AB${ZWSP}C`);
    expect(converted.kind === 'fault' && converted.message.params).toEqual({
      character: 'U+200B',
      position: 3,
      shown: 'AB[U+200B]C',
    });
  });

  it('takes no quadratic time on a long run of spaces', () => {
    // With quadratic time this would not end.
    expect(convert(identifier, `a${NBSP.repeat(3_000_000)}b`).kind).toBe('fault');
  });
});

describe('a phone number is a single one', () => {
  const phone = field('passwordMobile', 'String', { identifier: true, phone: true });

  it.each(['13800000003', '+86 138-0000-0003', '010-62345678-801', '0086 13800000003'])('%s', (text) => {
    expect(result(phone, text)).toBe(text);
  });

  it.each([
    '13800000003（王）',
    '王 13800000003',
    '13800000003/13800000004',
    '13800000003 13800000004',
    '1380000000X',
  ])('%s is none', (text) => {
    expect(result(phone, text)).toBe('mapping.not_phone');
  });
});

describe('a date that stands for no end', () => {
  const end = field('limitEndDate', 'Long', { date: true, end: true });

  it.each(['长期', '永久有效', '无', '-', 'permanent'])('%s is named with what to write', (text) => {
    expect(result(end, text)).toBe('mapping.no_end_date');
  });

  it('is an ordinary error where a date is required', () => {
    expect(result({ ...end, required: true }, '长期')).toBe('mapping.not_date');
  });

  it('has the formats proposed that fit it', () => {
    const converted = convert(end, '03/04/2027');
    expect(converted).toMatchObject({ message: { params: { formats: 'd/M/yyyy, M/d/yyyy' } } });
    expect(convert(end, '31.12.2027')).toMatchObject({ message: { params: { formats: 'd.M.yyyy' } } });
  });
});

describe('Integer and Long take whole numbers, never a rounded one', () => {
  const integer = field('n', 'Integer');
  const long = field('n', 'Long');

  it.each<[string, Given, unknown, unknown]>([
    ['a number', ['number', '12'], 12, 12],
    ['a padded number', ['number', '0012', '12'], 12, 12],
    ['zero', '0', 0, 0],
    ['minus zero', '-0', 0, 0],
    ['negative', '-5', -5, -5],
    ['text', ' 12 ', 12, 12],
    ['leading zeros', '007', 7, 7],
    ['full-width digits', '１２', 12, 12],
    ['a fraction of zeros', '12.00', 12, 12],
    ['a fraction', ['number', '1.5'], 'mapping.fraction', 'mapping.fraction'],
    ['a fraction as text', '1.5', 'mapping.fraction', 'mapping.fraction'],
    ['an exponent', '1e3', 'mapping.not_whole', 'mapping.not_whole'],
    ['hexadecimal', '0x10', 'mapping.not_whole', 'mapping.not_whole'],
    ['a superscript', '5²', 'mapping.not_whole', 'mapping.not_whole'],
    ['thousands', '1,000', 'mapping.not_whole', 'mapping.not_whole'],
    ['full-width thousands', '１，０００', 'mapping.not_whole', 'mapping.not_whole'],
    ['a plus sign', '+5', 'mapping.not_whole', 'mapping.not_whole'],
    ['a word', 'five', 'mapping.not_whole', 'mapping.not_whole'],
    ['Infinity', 'Infinity', 'mapping.not_whole', 'mapping.not_whole'],
    ['blank', ' ', 'empty', 'empty'],
    ['a boolean', ['boolean', 'TRUE'], 'mapping.not_whole', 'mapping.not_whole'],
    ['a date', ['date', '1900-01-12'], 'mapping.date_in_number', 'mapping.date_in_number'],
    ['the largest Integer', '2147483647', 2147483647, 2147483647],
    ['the smallest Integer', '-2147483648', -2147483648, -2147483648],
    ['beyond an Integer', ['number', '2147483648'], 'mapping.out_of_range', 2147483648],
    ['below an Integer', '-2147483649', 'mapping.out_of_range', -2147483649],
    ['2^53-1', '9007199254740991', 'mapping.out_of_range', 9007199254740991],
    ['beyond 2^53', '9007199254740993', 'mapping.out_of_range', 9007199254740993n],
    ['the largest Long', '9223372036854775807', 'mapping.out_of_range', 9223372036854775807n],
    ['the smallest Long', '-9223372036854775808', 'mapping.out_of_range', -9223372036854775808n],
    ['beyond a Long', '9223372036854775808', 'mapping.out_of_range', 'mapping.out_of_range'],
    [
      '16 digits as a number',
      ['number', '1000000000000000'],
      'mapping.number_too_long',
      'mapping.number_too_long',
    ],
  ])('%s', (_name, given, asInteger, asLong) => {
    expect(result(integer, given)).toStrictEqual(asInteger);
    expect(result(long, given)).toStrictEqual(asLong);
  });
});

describe('numbers below the smallest are refused', () => {
  it('a count is not negative, and a size is at least 1', () => {
    const count = field('n', 'Long', { least: 0 });
    expect(result(count, '0')).toBe(0);
    expect(result(count, ['number', '-1'])).toBe('mapping.negative');
    expect(result(count, '-9007199254740993')).toBe('mapping.negative');
    const size = field('size', 'Integer', { least: 1 });
    expect(result(size, '1')).toBe(1);
    expect(result(size, '0')).toBe('mapping.too_small');
  });
});

describe('a Boolean takes the words of the contract', () => {
  const boolean = field('b', 'Boolean');

  it.each(['TRUE', 'true', 'True', '1', 'Y', 'y', 'yes', 'YES', '是', ' ｙｅｓ ', ' 是'])(
    '%s is true',
    (text) => {
      expect(result(boolean, text)).toBe(true);
    },
  );
  it.each(['FALSE', 'false', '0', 'N', 'no', 'No', '否'])('%s is false', (text) => {
    expect(result(boolean, text)).toBe(false);
  });
  it.each<[Given]>([['2'], ['on'], ['T'], ['√'], ['不是'], [['number', '2']], [['date', '2026-01-01']]])(
    '%j is neither',
    (given) => {
      expect(result(boolean, given)).toBe('mapping.not_boolean');
    },
  );
  it('takes boolean and number cells', () => {
    expect(result(boolean, ['boolean', 'TRUE', '1'])).toBe(true);
    expect(result(boolean, ['number', '0'])).toBe(false);
  });
});

describe('a date is read as it was meant, or refused', () => {
  const date = field('until', 'Long', { date: true });
  const utc = (text: string): number => Date.parse(text);

  it.each<[string, Given, unknown]>([
    ['a date cell', ['date', '2026-01-31', '46053'], utc('2026-01-30T16:00:00Z')],
    ['with a time of day', ['date', '2026-01-31T08:30:00', '46053.35'], utc('2026-01-31T00:30:00Z')],
    ['with milliseconds', ['date', '2026-01-31T08:30:00.250'], utc('2026-01-31T00:30:00.250Z')],
    ['ISO text', '2026-01-31', utc('2026-01-30T16:00:00Z')],
    ['ISO with a time', '2026-01-31T08:30', utc('2026-01-31T00:30:00Z')],
    ['ISO with a space', '2026-01-31 08:30:15', utc('2026-01-31T00:30:15Z')],
    ['ISO in UTC', '2026-01-31T08:30:00Z', utc('2026-01-31T08:30:00Z')],
    ['ISO with an offset', '2026-01-31T08:30:00+05:30', utc('2026-01-31T03:00:00Z')],
    ['a leap day', '2028-02-29', utc('2028-02-28T16:00:00Z')],
    ['no leap day', '2026-02-29', 'mapping.no_such_date'],
    ['month 13', '2026-13-01', 'mapping.no_such_date'],
    ['hour 24', '2026-01-31T24:00', 'mapping.no_such_date'],
    ['offset 15', '2026-01-31T00:00+15:00', 'mapping.no_such_date'],
    ['the day that 1900 had not', ['date', '1900-02-29'], 'mapping.no_such_date'],
    ['the day first', '31/01/2026', 'mapping.not_date_proposed'],
    ['single digits', '2026-1-5', utc('2026-01-04T16:00:00Z')],
    ['the year first with slashes', '2026/1/31', utc('2026-01-30T16:00:00Z')],
    ['with points', '2026.01.31', utc('2026-01-30T16:00:00Z')],
    ['in Chinese', '2026年1月31日', utc('2026-01-30T16:00:00Z')],
    ['in Chinese, full-width', '２０２６年１月３１日', utc('2026-01-30T16:00:00Z')],
    ['with slashes and a time', '2026/1/31 8:30', utc('2026-01-31T00:30:00Z')],
    ['a day that is not there', '2026/02/30', 'mapping.no_such_date'],
    ['two signs', '2026/01-31', 'mapping.not_date'],
    ['no day', '2026年1月', 'mapping.not_date'],
    ['a plain number', ['number', '1767225600000'], 1767225600000],
    ['nothing', ['number', '0'], 'mapping.number_is_no_time'],
    ['numeric text', '1767225600000', 1767225600000],
    ['full-width digits', '１７６７２２５６０００００', 1767225600000],
    ["Excel's day", ['number', '46027'], 'mapping.number_is_excel_day'],
    ["Excel's day with a time, as text", '46053.5', 'mapping.number_is_excel_day'],
    ['a written date', ['number', '20260105'], 'mapping.number_is_written_date'],
    ['the same as text', '20260105', 'mapping.number_is_written_date'],
    ['a written date and time', '202601050830', 'mapping.number_is_written_date'],
    ['a negative number', ['number', '-5'], 'mapping.number_is_no_time'],
    ['a year', ['number', '2026'], 'mapping.number_is_no_time'],
    ['seconds', ['number', '1767225600'], 'mapping.number_in_other_unit'],
    ['the first point', '631123200000', 631123200000],
    ['one before it', '631123199999', 'mapping.number_is_no_time'],
    ['the last point', '7258089599999', 7258089599999],
    ['one behind it', '7258089600000', 'mapping.number_is_no_time'],
    ['a day before 1990', ['date', '1989-12-31'], 'mapping.unbelievable_date'],
    ['the first day', ['date', '1990-01-01'], 631123200000],
    ['a day after 2199', '2200-01-01', 'mapping.unbelievable_date'],
    ['the end of all days', ['date', '9999-12-31'], 'mapping.unbelievable_date'],
    ['a month', '2026-01', 'mapping.not_date'],
    ['a time', ['time', '08:30:00'], 'mapping.not_date_cell'],
    ['a duration', ['duration', '30:15:00'], 'mapping.not_date_cell'],
    ['a boolean', ['boolean', 'TRUE'], 'mapping.not_date_cell'],
    ['a word', 'soon', 'mapping.not_date'],
  ])('%s', (_name, given, wanted) => {
    expect(result(date, given)).toStrictEqual(wanted);
  });

  it('reports both days that a number without its format may stand for', () => {
    const converted = convert(date, ['number', '44619']);
    expect(converted).toMatchObject({ message: { params: { date: '2022-02-27', later: '2026-02-28' } } });
  });

  it('a Date field and an Integer that is a date are read alike', () => {
    for (const type of ['Date', 'Integer', 'Long'] as const) {
      const to = field('trialEndDate', type, { date: true });
      expect(result(to, ['date', '2026-01-31'])).toBe(utc('2026-01-30T16:00:00Z'));
      expect(result(to, ['number', '20261231'])).toBe('mapping.number_is_written_date');
      const ending = field('trialEndDate', type, { date: true, zeroIsNone: true });
      expect(result(ending, ['number', '0'])).toBe(0);
      expect(result(ending, '0', format('yyyyMMdd'))).toBe(0);
      expect(result(ending, ['number', '1'])).toBe('mapping.number_is_no_time');
    }
    expect(result(field('d', 'Date'), '2026-01-31')).toBe(utc('2026-01-30T16:00:00Z'));
  });

  it('counts in seconds where the connection reports it', () => {
    const seconds = { unit: 'seconds' } as const;
    expect(result(date, ['date', '2026-01-31'], seconds)).toBe(utc('2026-01-30T16:00:00Z') / 1000);
    expect(result(date, '2026-01-31T00:00:00.999Z', seconds)).toBe(utc('2026-01-31T00:00:00Z') / 1000);
    expect(result(date, ['number', '1767225600'], seconds)).toBe(1767225600);
    const far = convert(date, ['number', '1767225600000'], seconds);
    expect(far.kind === 'fault' && far.message).toEqual({
      code: 'mapping.number_in_other_unit',
      params: { text: '1767225600000', unit: 'seconds', other: 'milliseconds', date: '2026-01-01' },
    });
  });

  it('end: day is the last instant of the day', () => {
    const end = { end: 'day' } as const;
    const last = utc('2026-01-31T15:59:59.999Z');
    expect(result(date, ['date', '2026-01-31'], end)).toBe(last);
    expect(result(date, '2026-01-31 00:00:00', end)).toBe(last);
    expect(result(date, ['date', '2026-01-31T08:30:00'], end)).toBe(utc('2026-01-31T00:30:00Z'));
    expect(result(date, '2026-01-31T01:00:00Z', end)).toBe(utc('2026-01-31T01:00:00Z'));
    expect(result(date, ['number', '1767225600000'], end)).toBe(1767225600000);
    expect(result(date, ['date', '2026-01-31'], { ...end, unit: 'seconds' })).toBe(Math.floor(last / 1000));
    expect(result(date, ['number', '5'], end)).toBe('mapping.number_is_no_time');
    expect(result(date, '20260131', end)).toBe('mapping.number_is_written_date');
  });

  it.each<[string, string, unknown]>([
    ['43 s after midnight', '2026-01-31T00:00:43', '2026-01-31T15:59:59.999Z'],
    ['1 ms after midnight', '2026-01-31T00:00:00.001', '2026-01-31T15:59:59.999Z'],
    ['a minute after midnight', '2026-01-31T00:01:00', '2026-01-31T15:59:59.999Z'],
    ['1 ms before midnight', '2026-01-30T23:59:59.999', '2026-01-30T15:59:59.999Z'],
    ['a minute before midnight', '2026-01-30T23:59:00', '2026-01-30T15:59:59.999Z'],
    ['a minute and 1 s after midnight', '2026-01-31T00:01:01', 'mapping.hidden_time'],
    ['half past six', '2026-01-31T18:30:00', 'mapping.hidden_time'],
  ])('end: day of a date that does not show its time: %s', (_name, text, wanted) => {
    const hidden = { kind: 'date', text, raw: '1', seen: text.slice(0, 10), hidesTime: true } as const;
    const setting = { zone: SHANGHAI, unit: 'milliseconds' } as const;
    const read = (more: Partial<ConverterOptions>) => fieldConverter(date, { ...setting, ...more })(hidden);
    const place = { cell: 'S!A2', field: 'until' };
    const end = read({ end: 'day' });
    if (end.kind === 'value') {
      expect(new Date(Number(end.value)).toISOString()).toBe(wanted);
      expect(end.warning!(place)).toMatchObject({
        code: 'mapping.hidden_time_dropped',
        params: { cell: 'S!A2', day: text.slice(0, 10), time: text.slice(11) },
      });
    } else {
      expect(end).toMatchObject({
        kind: 'fault',
        message: { code: wanted, params: { time: text.slice(11) } },
      });
    }
    const whole = fieldConverter(date, { ...setting, end: 'day' })({
      kind: 'date',
      text: text.slice(0, 10),
      raw: '1',
    });
    // Version 0.1 sent the time, so ledgers have it.
    expect(read({ end: 'day', time: 'ignore' })).toEqual({ ...whole, former: utc(`${text}+08:00`) });
    // Without end: day the time counts, and the warning says that it is not shown.
    expect(read({})).toMatchObject({
      kind: 'value',
      value: utc(`${text}+08:00`),
      warning: expect.any(Function),
    });
    expect(read({ time: 'ignore' })).toEqual({
      kind: 'value',
      value: utc(`${text.slice(0, 10)}T00:00+08:00`),
      former: utc(`${text}+08:00`),
    });
  });

  it('times that clocks skip are faults, days whose midnight they skip are not', () => {
    const newYork = { zone: zone('America/New_York')! };
    expect(result(date, '2026-03-08T02:30', newYork)).toBe('mapping.skipped_time');
    expect(result(date, '2026-11-01T01:30', newYork)).toBe(utc('2026-11-01T05:30:00Z'));
    const beirut = { zone: zone('Asia/Beirut')! };
    expect(result(date, '2025-03-30', beirut)).toBe(utc('2025-03-29T22:00:00Z'));
    expect(result(date, '2025-03-30T00:30', beirut)).toBe('mapping.skipped_time');
  });

  function format(...sources: readonly string[]) {
    const formats = sources.map((source) => {
      const compiled = compileFormat(source);
      if (!compiled.ok) throw new Error(compiled.part);
      return compiled.format;
    });
    return { formats };
  }
  const day = utc('2026-01-30T16:00:00Z');

  it.each<[string, Given, unknown]>([
    ['yyyy/MM/dd', '2026/01/31', day],
    ['yyyy/MM/dd', '2026/1/31', day],
    ['yyyy/M/d', '2026/01/31', day],
    ['yyyy/MM/dd', '２０２６／０１／３１', day],
    ['yyyy年M月d日', '2026年1月31日', day],
    ['yyyy年MM月dd日', '2026年02月30日', 'mapping.no_such_date'],
    ['dd.MM.yyyy HH:mm', '31.01.2026 08:30', utc('2026-01-31T00:30:00Z')],
    ["yyyy-MM-dd'T'HH:mm:ss.SSS", '2026-01-31T08:30:00.250', utc('2026-01-31T00:30:00.250Z')],
    ['yyyyMMdd', '20260131', day],
    ['yyyyMMdd', ['number', '20260131'], day],
    ['yyyyMMdd', '20261331', 'mapping.no_such_date'],
    ['yyyyMMdd', ['number', '46053'], 'mapping.not_date_format'],
    ['yyyy/MM/dd', '31/01/2026', 'mapping.not_date_format'],
    ['yyyy/MM/dd', '2026-01-31', 'mapping.not_date_format_iso'],
    ['yyyy-dd-MM', '2026-01-31', 'mapping.no_such_date'],
    ['yyyy/MM/dd', ['date', '2026-01-31'], day],
    ['yyyy/MM/dd', ['number', '1767225600000'], 'mapping.not_date_format'],
    ['yyyy/MM/dd', '2026/01/31 08:00', 'mapping.not_date_format'],
  ])('%s reads %j', (source, given, wanted) => {
    expect(result(date, given, format(source))).toStrictEqual(wanted);
  });

  it.each<[readonly string[], Given, unknown]>([
    [['yyyy/MM/dd', 'dd.MM.yyyy'], '31.01.2026', day],
    [['yyyy/MM/dd', 'yyyyMMdd'], ['number', '20260131'], day],
    [['dd/MM/yyyy', 'MM/dd/yyyy'], '31/01/2026', day],
    [['MM/dd/yyyy', 'dd/MM/yyyy'], '31/01/2026', day],
    [['dd/MM/yyyy', 'MM/dd/yyyy'], '02/02/2026', utc('2026-02-01T16:00:00Z')],
    [['dd/MM/yyyy', 'MM/dd/yyyy'], '03/04/2026', 'mapping.date_ambiguous'],
    [['dd/MM/yyyy', 'MM/dd/yyyy'], '31/31/2026', 'mapping.no_such_date'],
    [['dd/MM/yyyy', 'yyyyMMdd'], 'soon', 'mapping.not_date_format'],
  ])('%j reads %j', (sources, given, wanted) => {
    expect(result(date, given, format(...sources))).toStrictEqual(wanted);
  });

  it('two readings of one text are both named', () => {
    const converted = convert(date, '03/04/2026', format('dd/MM/yyyy', 'MM/dd/yyyy'));
    expect(converted.kind === 'fault' && converted.message.params).toEqual({
      text: '03/04/2026',
      format: 'dd/MM/yyyy',
      date: '2026-04-03',
      otherFormat: 'MM/dd/yyyy',
      otherDate: '2026-03-04',
    });
  });

  it.each([
    ['yyy/MM/dd', 'yyy'],
    ['yyyy/MM/dd hh:mm', 'hh'],
    ['yyyy/MM', ''],
    ['yyyy/MM/dd/MM', 'MM'],
    ['yyyy/MM/DD', 'DD'],
  ])('%s is no format', (source, part) => {
    expect(compileFormat(source)).toEqual({ ok: false, part });
  });
});

describe('a date that was read before is read alike', () => {
  const until = field('until', 'Long', { date: true });
  const options = { zone: SHANGHAI, unit: 'milliseconds', formats: [dayFirst()], end: 'day' } as const;

  function dayFirst(): DateFormat {
    const compiled = compileFormat('ddMMyyyy');
    if (!compiled.ok) throw new Error('no format');
    return compiled.format;
  }

  it('are still read by their kind', () => {
    const convert = fieldConverter(until, options);
    const kinds = ['date', 'text', 'number', 'text', 'date', 'number', 'boolean'] as const;
    for (const text of ['2026-01-31', '31012026', '20260131', '5']) {
      for (const kind of kinds) {
        const one = cell([kind, text]);
        expect(convert(one)).toEqual(fieldConverter(until, options)(one));
      }
    }
  });

  it('are read rightly however many there are', () => {
    const convert = fieldConverter(until, { ...options, formats: undefined });
    // From 2000 on: China has had no summer time since 1991.
    const starts = Array.from({ length: 9000 }, (_, day) => Date.UTC(2000, 0, 1 + day));
    for (const start of [...starts, ...starts]) {
      const value = start + 86_400_000 - 8 * 3_600_000 - 1;
      expect(convert(cell(new Date(start).toISOString().slice(0, 10)))).toEqual({ kind: 'value', value });
    }
  });
});

describe('a String array has each part once', () => {
  const strings = field('assetNos', 'String array', { identifier: true });

  it.each<[string, Given, unknown]>([
    ['one', 'A1', ['A1']],
    ['comma', 'A1,A2', ['A1', 'A2']],
    ['semicolon, enumeration comma, line breaks', 'A1; A2、A3\nA4\r\nA5', ['A1', 'A2', 'A3', 'A4', 'A5']],
    ['full-width signs', 'A1，A2；A3', ['A1', 'A2', 'A3']],
    ['empty parts', ',A1,, ,A2;', ['A1', 'A2']],
    ['repeats', 'A1,A1 ,A2', ['A1', 'A2']],
    ['only separators', ' , ; ', 'empty'],
    ['a number', ['number', '0012', '12'], ['0012']],
    ['a number too long', ['number', '1234567890123456'], 'mapping.number_too_long'],
    ['an invisible character', `A1,A${ZWSP}2`, 'mapping.invisible'],
    ['spaces stay inside', 'A 1,A 2', ['A 1', 'A 2']],
    ['a date', ['date', '2026-03-04'], 'mapping.date_in_text'],
    ['a mangled part', 'A1,1.2E+10', 'mapping.exponent_in_identifier'],
  ])('%s', (_name, given, wanted) => {
    expect(result(strings, given)).toEqual(wanted);
  });

  it.each<[string, Given, unknown]>([
    ['a blank', '8100000001 8100000002', 'mapping.blank_in_number'],
    ['a wide blank', 'A\u30001', 'mapping.blank_in_number'],
    ['blanks around a comma', '8100000001 , 8100000002', ['8100000001', '8100000002']],
    ['decimals', ['number', '8100000001.5'], 'mapping.point_in_number'],
  ])('an asset number with %s', (_name, given, wanted) => {
    expect(result(field('assetNos', 'String array', { identifier: true, unbroken: true }), given)).toEqual(
      wanted,
    );
  });

  it('splits at the given signs only', () => {
    expect(result(strings, 'A,1|A2', { split: '|' })).toEqual(['A,1', 'A2']);
    expect(result(strings, 'A-1]A2^A3', { split: ']^' })).toEqual(['A-1', 'A2', 'A3']);
    expect(result(strings, 'A,1', { split: '' })).toEqual(['A,1']);
  });
});

describe('a closed list names the nearest value', () => {
  const type = field('licenseType', 'String', { values: ['usbkey', 'softkey'].map(allowed) });
  const trial = field('trial', 'Integer', { values: [0, 1].map(allowed) });

  it('refuses others and names the nearest', () => {
    expect(result(type, ' usbkey ')).toBe('usbkey');
    const near = convert(type, 'usb-key');
    expect(near.kind === 'fault' && near.message).toEqual({
      code: 'mapping.not_allowed_nearest',
      params: {
        text: 'usb-key',
        nearest: 'usbkey',
        allowed: { en: 'usbkey, softkey', zh: 'usbkey、softkey' },
      },
    });
    expect(result(type, 'xxxxxxxxxxxxxx')).toBe('mapping.not_allowed');
    expect(result(trial, ['number', '1'])).toBe(1);
    expect(result(trial, '2')).toBe('mapping.not_allowed');
  });

  it('takes names in both languages, with or without the value, and lists values with names', () => {
    const names = [
      { value: 0, meaning: 'temporary', zh: '临时' },
      { value: 1, meaning: 'permanent', zh: '永久（不过期）' },
    ];
    const kind = field('kind', 'Integer', { values: names });
    for (const text of ['1', 'permanent', ' Permanent ', '永久（不过期）', '永久(不过期)', '1 (permanent)'])
      expect(result(kind, text), text).toBe(1);
    expect(result(kind, '临时')).toBe(0);
    // The words of the job come first.
    expect(result(kind, 'permanent', { values: new Map([['permanent', 0]]) })).toBe(0);
    const wrong = convert(kind, 'forever and ever');
    if (wrong.kind !== 'fault') throw new Error('taken');
    expect(render(wrong.message)).toContain('0 (temporary), 1 (permanent)');
    expect(render(wrong.message, 'zh')).toContain('0（临时）、1（永久（不过期））');
    const near = convert(kind, 'permanant');
    expect(near.kind === 'fault' && near.message.params.nearest).toBe('permanent');
  });

  it('listed texts are compared folded, others continue to the type', () => {
    const values = new Map<string, string | number>([
      ['锁', 'usbkey'],
      ['Soft Key', 'softkey'],
    ]);
    expect(result(type, '锁', { values })).toBe('usbkey');
    expect(result(type, ' ｓｏｆｔ  key', { values })).toBe('softkey');
    expect(result(type, 'softkey', { values })).toBe('softkey');
    expect(result(type, 'lock', { values })).toMatch(/not_allowed/);
    expect(result(trial, '是', { values: new Map([['是', 1]]) })).toBe(1);
  });

  it('an error names what people may write: the listed texts, and the nearest of them', () => {
    const values = new Map([
      ['单机锁(可回收)', 'usbkey'],
      ['证书', 'softkey'],
    ]);
    const near = convert(type, '单机锁(可回受)', { values });
    expect(near.kind === 'fault' && near.message).toEqual({
      code: 'mapping.not_allowed_nearest',
      params: {
        text: '单机锁(可回受)',
        nearest: '单机锁(可回收)',
        allowed: { en: '单机锁(可回收), 证书', zh: '单机锁(可回收)、证书' },
      },
    });
  });

  it('a field of no closed list whose column lists words names these too, in place of its type', () => {
    const values = new Map<string, number>([
      ['few', 5],
      ['many', 50],
    ]);
    const nodes = field('nodes', 'Integer', {});
    const near = convert(nodes, 'mny', { values });
    expect(near.kind === 'fault' && near.message).toEqual({
      code: 'mapping.not_allowed_nearest',
      params: { text: 'mny', nearest: 'many', allowed: { en: 'few, many', zh: 'few、many' } },
    });
    expect(result(nodes, 'dozens of', { values })).toBe('mapping.not_allowed');
    expect(result(nodes, '12', { values })).toBe(12);
    // What is wrong with a number is reported as before.
    expect(result(nodes, '1.5', { values })).toBe('mapping.fraction');
    expect(result(nodes, 'five')).toBe('mapping.not_whole');
    expect(result(field('flag', 'Boolean', {}), 'jain', { values: new Map([['ja', 1]]) })).toMatch(
      /not_allowed/,
    );
    // So does a closed list of numbers.
    expect(result(trial, 'yes')).toBe('mapping.not_allowed');
  });

  it('a listed text may be an ordinary property name', () => {
    const values = new Map([['__proto__', 'usbkey']]);
    expect(result(type, '__proto__', { values })).toBe('usbkey');
    expect(result(type, 'constructor', { values })).toMatch(/not_allowed/);
  });

  it('works on each part of a String array', () => {
    const values = new Map([['first', 'A1']]);
    const strings = field('s', 'String array', { identifier: true });
    expect(result(strings, 'First, A2, A1', { values })).toEqual(['A1', 'A2']);
  });
});
