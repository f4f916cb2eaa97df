import { describe, expect, it } from 'vitest';
import { worstExitCode } from '../../src/model/run-outcome.js';

describe('the exit code of several runs', () => {
  it.each([
    [[], 0],
    [[0, 0], 0],
    [[0, 1, 0], 1],
    [[1, 3], 3],
    [[3, 2], 2],
    [[2, 4, 1], 4],
    [[4, 130], 130],
    [[130, 6], 6],
    [[6, 5, 0], 5],
  ])('%j: %d', (codes, wanted) => {
    expect(worstExitCode(codes)).toBe(wanted);
    expect(worstExitCode([...codes].reverse())).toBe(wanted);
  });
});
