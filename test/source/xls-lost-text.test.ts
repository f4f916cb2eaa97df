import { describe, expect, it } from 'vitest';
import { hasLostText } from '../../src/source/binary-cells.js';

const ZERO = '00 00 00 00 00 00 00 00';

/** A formula's record, with its result and its tokens in hexadecimal. */
function formula(result: string, tokens: string): Buffer {
  const bytes = (hex: string): Buffer => Buffer.from(hex.replaceAll(' ', ''), 'hex');
  const record = Buffer.alloc(22);
  bytes(result).copy(record, 6);
  record.writeUInt16LE(bytes(tokens).length, 20);
  return Buffer.concat([record, bytes(tokens)]);
}

describe('a formula of .xls that gives a text, saved with the number 0 in its place', () => {
  it.each([
    ['"A"&"8"', '17 01 00 41 17 01 00 38 08'],
    ['LEFT(A1,2)', '44 00 00 00 c0 1e 02 00 42 02 73 00'],
    ['TEXT(A1,"0")', '44 00 00 00 c0 17 01 00 30 41 30 00'],
    ['CONCATENATE(A1,B1)', '44 00 00 00 c0 44 00 00 01 c0 42 02 50 01'],
  ])('%s', (_name, tokens) => expect(hasLostText(formula(ZERO, tokens))).toBe(true));

  it.each([
    ['1-1', ZERO, '1e 01 00 1e 01 00 04'],
    ['A1', ZERO, '44 00 00 00 c0'],
    ['SUM(B2:B9)', ZERO, '25 01 00 08 00 01 c0 01 c0 19 10 00 00'],
    ['LEN(A1&"x")', ZERO, '44 00 00 00 c0 17 01 00 78 08 41 20 00'],
    ['a text that is there', '00 00 00 00 00 00 ff ff', '17 01 00 41 17 01 00 38 08'],
    ['a number', '00 00 00 00 00 00 00 40', '17 01 00 41 17 01 00 38 08'],
  ])('is not %s', (_name, result, tokens) => expect(hasLostText(formula(result, tokens))).toBe(false));
});
