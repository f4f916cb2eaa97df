import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SeenKeys } from '../../src/run/plan/seen-keys.js';

describe('a key that was there before is never overlooked', () => {
  it('are found as a set of them would, whatever they are', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary', maxLength: 4 }), { maxLength: 200 }), (keys) => {
        const seen = new SeenKeys();
        const set = new Set<string>();
        for (const key of keys) {
          expect(seen.addIfNew(key)).toBe(!set.has(key));
          set.add(key);
        }
      }),
    );
  });

  it('are found among many that are alike', () => {
    const seen = new SeenKeys();
    const keys = Array.from({ length: 200_000 }, (_, index) => `SO-${String(index).padStart(7, '0')}`);
    expect(keys.filter((key) => !seen.addIfNew(key))).toEqual([]);
    expect(keys.every((key) => !seen.addIfNew(key))).toBe(true);
    expect(['', '\u0000', 'SO-', 'SO-0200000'].map((key) => seen.addIfNew(key))).toEqual(Array(4).fill(true));
  });
});
