import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { neutralise, unneutralise } from '../../src/util/spreadsheet-text.js';

describe('text in CSV is guarded against formulas, and can be undone', () => {
  it('can always be undone', () => {
    const risky = fc.string({ unit: fc.constantFrom("'", '=', '+', '-', '@', '\t', '\r', 'a', '1') });
    fc.assert(
      fc.property(fc.oneof(risky, fc.string()), (text) => {
        expect(unneutralise(neutralise(text))).toBe(text);
        expect(neutralise(text)).not.toMatch(/^[=+\-@\t\r]/);
      }),
    );
  });

  it('leaves harmless text as it is', () => {
    for (const text of ['', 'a=b', "it's", "'quoted'", '007', '张三']) expect(neutralise(text)).toBe(text);
  });
});
