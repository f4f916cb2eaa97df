import { expect, test } from 'vitest';
import { cutText } from '../../src/util/text.js';

test('text that fits stays', () => {
  expect(cutText('锁锁', 6)).toBe('锁锁');
  expect(cutText('', 0)).toBe('');
});

test('text that does not fit is cut between characters, with a sign', () => {
  for (const bytes of [9, 10, 11, 12]) {
    const cut = cutText('a锁😀锁锁锁', bytes);
    expect(Buffer.byteLength(cut)).toBeLessThanOrEqual(bytes);
    expect(cut).toMatch(/^a(锁(😀)?)?…$/u);
  }
});
