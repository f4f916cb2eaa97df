import { describe, expect, it } from 'vitest';
import type { Field } from '../../../src/model/field.js';
import { parseJson } from '../../../src/platform/client/reply-json.js';
import { exactStringify } from '../../../src/util/exact-json.js';

function parsed(text: string): unknown {
  const result = parseJson(text);
  if (!result.ok) throw new Error(result.detail);
  return result.value;
}

it.each([
  ['{"a":1,"b":-2.5,"c":1e3}', { a: 1, b: -2.5, c: 1000 }],
  ['[9007199254740991,-9007199254740991]', [9007199254740991, -9007199254740991]],
  ['[9007199254740993,-9007199254740993]', [9007199254740993n, -9007199254740993n]],
  ['{"id":123456789012345678901234567890}', { id: 123456789012345678901234567890n }],
  ['[0.1234567890123456789]', ['0.1234567890123456789']],
  ['[123456789.123456789]', ['123456789.123456789']],
  ['[1e400,1e-400]', ['1e400', '1e-400']],
  ['[1.5e10,1.50e+10]', [1.5e10, 1.5e10]],
  ['["12345678901234567890", 1]', ['12345678901234567890', 1]],
  ['"文字\\u0041\\n"', '文字A\n'],
])('reads %s', (text, value) => {
  expect(parsed(text)).toStrictEqual(value);
});

describe('a number where a field is a String', () => {
  const field = (name: string, type: Field['type'], fields?: readonly Field[]): Field => ({
    name,
    type,
    required: false,
    meaning: '',
    section: '',
    ...(fields ? { fields } : {}),
  });
  const TABLE = [
    field('id', 'String'),
    field('count', 'Integer'),
    field('names', 'String array'),
    field('data', 'object array', [field('id', 'String'), field('at', 'Long')]),
  ];

  it.each([
    '0',
    '7',
    '-7',
    '1.0',
    '1.10',
    '1e3',
    '1E+3',
    '-0',
    '0.0',
    '1e400',
    '123456789012345678901234567890',
  ])('is the text %s', (digits) => {
    const text = `{"id":${digits},"count":3,"names":["a", ${digits}],"data":[{"id": ${digits},"at":1.0}]}`;
    const result = parseJson(text, TABLE);
    expect(result).toStrictEqual({
      ok: true,
      value: { id: digits, count: 3, names: ['a', digits], data: [{ id: digits, at: 1 }] },
    });
  });

  it('has its digits however many there are', () => {
    const digits = '9'.repeat(5_000);
    expect(parseJson(`{"id":${digits}}`, TABLE)).toEqual({ ok: true, value: { id: digits } });
  });

  it('leaves alone what is no number, and members that no table knows', () => {
    const text =
      '{"id":["x",1],"names":7.0,"data":{"id":null,"at":true},"more":{"id":2.0},"__proto__":{"id":1.0}}';
    const result = parseJson(text, TABLE);
    expect(result.ok && JSON.stringify(result.value)).toBe(
      '{"id":["x",1],"names":"7.0","data":{"id":null,"at":true},"more":{"id":2},"__proto__":{"id":1}}',
    );
  });
});

it('lets the last of two members win, by the fast and by the slow way alike', () => {
  expect(parsed('{"a":1,"a":2}')).toEqual({ a: 2 });
  expect(parsed('{"a":1,"a":2,"b":12345678901234567890}')).toEqual({ a: 2, b: 12345678901234567890n });
});

it.each(['{"__proto__":{"code":0},"x":1}', '{"__proto__":{"code":0},"x":12345678901234567890}'])(
  'takes __proto__ for an ordinary name in %s',
  (text) => {
    const value = parsed(text) as Record<string, unknown>;
    expect(Object.keys(value)).toEqual(['__proto__', 'x']);
    expect(value.code).toBeUndefined();
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  },
);

it.each([
  '',
  '{',
  '{"a":1}x',
  '<html>',
  '[1,]',
  "{'a':1}",
  'NaN',
  '[01]',
  '[12345678901234567890,]',
  '\ufeff{}',
])('refuses %j', (text) => {
  expect(parseJson(text).ok).toBe(false);
});

it('refuses what is nested without end, and is not misled by brackets in text', () => {
  const deep = '['.repeat(2_000_000);
  expect(parseJson(deep + ']'.repeat(2_000_000)).ok).toBe(false);
  expect(parseJson(`{"a":${'[1,'.repeat(300)}1${']'.repeat(300)}}`).ok).toBe(false);
  expect(parsed(`["${'[{'.repeat(500)}\\""]`)).toEqual([`${'[{'.repeat(500)}"`]);
});

it('keeps a very long integer as text', () => {
  const digits = '7'.repeat(5_000);
  expect(parsed(`[${digits}]`)).toEqual([digits]);
});

it('writes bigints digit for digit and reads them back', () => {
  const text = '{"a":[12345678901234567890,1,"x"],"b":null,"c":true}';
  expect(exactStringify({ a: [12345678901234567890n, 1, 'x'], b: null, c: true })).toBe(text);
  expect(exactStringify(parsed(text) as never)).toBe(text);
});
