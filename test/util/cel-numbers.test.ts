import { describe, expect, it } from 'vitest';
import { compileCel } from '../../src/util/cel.js';

function result(source: string, qty: string): unknown {
  const compiled = compileCel(source, { variables: { row: 'row' } });
  if (!compiled.ok) throw new Error(String(compiled.detail));
  const result = compiled.evaluate({ row: new Map([['Qty', qty]]) });
  return result.ok ? result.value : result.detail;
}

describe('numbers in expressions are plain decimals', () => {
  it.each([
    ['int(row["Qty"]) * 2', '21', 42],
    ['int(row["Qty"]) * 2', ' 007 ', 14],
    ['int(double(row["Qty"]))', '2.9', 2],
    ['double(row["Qty"]) / 2.0', '3', 1.5],
    ['int(timestamp(row["Qty"]))', '1970-01-02T00:00:00Z', 86_400],
    ['[1, 2].map(x, int(x) + int(row["Qty"]))', '1', [2, 3]],
    ['string(int(row["Qty"]) + 1)', '9007199254740993', '9007199254740994'],
  ])('%s of %j is %j', (source, qty, expected) => {
    expect(result(source, qty)).toEqual(expected);
  });

  it.each(['', '   ', '1e3', '0x10', '0b11', '1,200', 'five', '1.5'])(
    'int refuses %j, which is no whole number',
    (qty) => {
      expect(result('int(row["Qty"]) * 2', qty)).toMatch(/not a whole number/);
    },
  );

  it.each(['', '1e3', '0x10', 'NaN', 'Infinity', '1,5'])('double refuses %j', (qty) => {
    expect(result('double(row["Qty"])', qty)).toMatch(/not a plain decimal/);
  });

  it('reports wrong use when the job is loaded', () => {
    expect(compileCel('int([1])', { variables: { row: 'row' } }).ok).toBe(false);
    expect(compileCel('int()', { variables: { row: 'row' } }).ok).toBe(false);
  });
});
