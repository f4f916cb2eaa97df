import { describe, expect, test } from 'vitest';
import { exactParse, exactStringify } from '../../src/util/exact-json.js';

describe('JSON keeps every digit', () => {
  test.each([
    ['9007199254740991', 9007199254740991],
    ['9007199254740993', 9007199254740993n],
    ['-123456789012345678901234567890', -123456789012345678901234567890n],
    ['0.1234567890123456789', 0.12345678901234568],
    ['1234567890123456.5', 1234567890123456.5],
    ['"9007199254740993"', '9007199254740993'],
  ])('%s is read exactly', (text, value) => {
    expect(exactParse(text)).toBe(value);
  });

  test('integers of any size come back as they were, wherever they stand', () => {
    const value = { a: [1, 2n ** 70n, { b: -(2n ** 64n) }], text: '\u2028锁"', none: null, yes: true };
    expect(exactStringify(value)).toContain('[1,1180591620717411303424,{"b":-18446744073709551616}]');
    expect(exactParse(exactStringify(value))).toEqual(value);
  });

  test('a field named __proto__ is a field', () => {
    const text = '{"__proto__":{"x":90071992547409930}}';
    const value = exactParse(text) as object;
    expect(Object.keys(value)).toEqual(['__proto__']);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(exactStringify(value)).toBe(text);
  });

  test('what is no JSON is refused', () => {
    expect(() => exactParse('{"a":')).toThrow(SyntaxError);
    expect(() => exactParse('[9007199254740993')).toThrow(SyntaxError);
  });
});
