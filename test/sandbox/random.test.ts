import { expect, it } from 'vitest';
import { seededRandom } from '../../src/sandbox/faults.js';

it('gives the same numbers for the same seed, spread evenly over 0 to 1', () => {
  const [one, same, other] = [seededRandom(7), seededRandom(7), seededRandom(8)];
  const numbers = Array.from({ length: 10_000 }, one);
  expect(Array.from({ length: 10_000 }, same)).toEqual(numbers);
  expect(Array.from({ length: 10_000 }, other)).not.toEqual(numbers);
  for (let tenth = 0; tenth < 10; tenth += 1) {
    const count = numbers.filter((it) => Math.floor(it * 10) === tenth).length;
    expect(count).toBeGreaterThan(850);
    expect(count).toBeLessThan(1150);
  }
});
