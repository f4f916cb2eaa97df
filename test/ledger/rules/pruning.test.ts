import { describe, expect, it } from 'vitest';
import { prunableInputs } from '../../../src/ledger/rules/pruning.js';

const HOUR = 3_600_000;

describe('which kept inputs go with the runs that are pruned', () => {
  it.each([
    ['of a pruned run', [{ inputSha256: 'a', prunedAt: 1 }], 2 * HOUR, ['a']],
    ['of a run that is there', [{ inputSha256: 'a' }], 2 * HOUR, []],
    ['of both', [{ inputSha256: 'a', prunedAt: 1 }, { inputSha256: 'a' }], 2 * HOUR, []],
    ['of no run', [{ inputSha256: 'b', prunedAt: 1 }], 2 * HOUR, []],
    ['just kept, for a run that may be beginning', [{ inputSha256: 'a', prunedAt: 1 }], HOUR - 1, []],
    ['kept an hour ago', [{ inputSha256: 'a', prunedAt: 1 }], HOUR, ['a']],
  ])('%s', (_, runs, now, expected) => {
    expect(prunableInputs(runs, [{ sha256: 'a', keptAt: 0 }], now)).toEqual(expected);
  });
});
