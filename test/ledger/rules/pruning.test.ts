import { describe, expect, it } from 'vitest';
import type { Run } from '../../../src/ledger/contract/runs.js';
import { prunableInputs, prunableRuns } from '../../../src/ledger/rules/pruning.js';

const HOUR = 3_600_000;

describe('which kept inputs go with the runs that are pruned', () => {
  it.each([
    ['of a pruned run', [{ inputs: ['a'], prunedAt: 1 }], 2 * HOUR, ['a']],
    ['of a run that is there', [{ inputs: ['a'] }], 2 * HOUR, []],
    ['of both', [{ inputs: ['a'], prunedAt: 1 }, { inputs: ['a'] }], 2 * HOUR, []],
    ['of no run', [{ inputs: ['b'], prunedAt: 1 }], 2 * HOUR, []],
    ['corrections of a pruned run', [{ inputs: ['x', 'a'], prunedAt: 1 }], 2 * HOUR, ['a']],
    ['just kept, for a run that may be beginning', [{ inputs: ['a'], prunedAt: 1 }], HOUR - 1, []],
    ['kept an hour ago', [{ inputs: ['a'], prunedAt: 1 }], HOUR, ['a']],
  ])('%s', (_, runs, now, expected) => {
    expect(prunableInputs(runs, [{ sha256: 'a', keptAt: 0 }], now)).toEqual(expected);
  });
});

type Reported = Partial<Pick<Run, 'kind' | 'state' | 'parent' | 'endedAt' | 'prunedAt'>>;

/** Of runs that completed at 10, changed as said, those that may be pruned before 100. */
function prunable(runs: Readonly<Record<string, Reported>>): string {
  const all = Object.entries(runs).map(([id, reported]) => {
    return { id, kind: 'run', state: 'completed', endedAt: 10, ...reported } as const;
  });
  return prunableRuns(all, 100)
    .map((it) => it.id)
    .join(' ');
}

describe('which runs may be pruned', () => {
  it.each([
    ['those that ended before the time', { a: {}, b: { endedAt: 100 }, c: { endedAt: undefined } }, 'a'],
    ['none twice', { a: { prunedAt: 50 } }, ''],
    [
      'checks, kept plans and comparisons too',
      { a: { kind: 'dry_run' }, b: { kind: 'plan', state: 'planned' } },
      'a b',
    ],
    [
      'none that can be gone on with',
      { a: { state: 'stopped' }, b: { state: 'executed' }, c: { state: 'invalid' } },
      'c',
    ],
    ['no parent of one that can be gone on with', { a: {}, b: { parent: 'a', state: 'stopped' } }, ''],
    [
      'nor its parent, nor other retries of that',
      { a: {}, b: { parent: 'a' }, c: { parent: 'b', state: 'interrupted' }, d: { parent: 'a' } },
      '',
    ],
    [
      'through a pruned one as well',
      { a: {}, b: { parent: 'a', prunedAt: 50 }, c: { parent: 'b', state: 'stopped' } },
      '',
    ],
    [
      'what a comparison led to is not bound by it',
      { a: { kind: 'reconcile' }, b: { parent: 'a', state: 'stopped' }, c: { parent: 'a' } },
      'a c',
    ],
    [
      'a pruned run that could be gone on with binds nothing',
      { a: {}, b: { parent: 'a', state: 'stopped', prunedAt: 50 } },
      'a',
    ],
  ] as const satisfies readonly (readonly [string, Readonly<Record<string, Reported>>, string])[])(
    '%s',
    (_, runs, expected) => {
      expect(prunable(runs)).toBe(expected);
    },
  );
});
