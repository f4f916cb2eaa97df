import { describe, expect, it } from 'vitest';
import type { RunState } from '../../../src/ledger/contract/runs.js';
import { forgetsAt, isFinished, mayFollow, NEEDS_PROCESS } from '../../../src/ledger/rules/run-states.js';

const STATES: readonly RunState[] = [
  'planning',
  'planned',
  'queued',
  'executing',
  'stopped',
  'interrupted',
  'executed',
  'completed',
  'invalid',
];

/** Rows: the state before; columns: the state after, in the order of `STATES`. */
const TABLE: Readonly<Record<RunState, string>> = {
  planning: 'yes yes no no yes yes no yes yes',
  planned: 'no yes yes yes yes yes yes yes yes',
  queued: 'no no yes yes yes yes yes yes no',
  executing: 'no no yes yes yes yes yes yes no',
  stopped: 'no no yes yes yes yes yes yes yes',
  interrupted: 'no no yes yes yes yes yes yes yes',
  executed: 'no no no no yes yes yes yes yes',
  completed: 'no no no no no no no yes no',
  invalid: 'no no no no no no no no yes',
};

describe('what state of a run may follow what', () => {
  it.each(STATES)('after %s', (before) => {
    const found = STATES.map((after) => (mayFollow(before, after) ? 'yes' : 'no')).join(' ');
    expect(found).toBe(TABLE[before]);
  });

  it('a finished run is followed by nothing, and needs no process', () => {
    const finished = STATES.filter((state) => isFinished({ state }));
    expect(finished).toEqual(['completed', 'invalid']);
    for (const state of finished) expect(STATES.filter((it) => mayFollow(state, it))).toEqual([state]);
    expect(NEEDS_PROCESS.filter((state) => isFinished({ state }))).toEqual([]);
  });

  it('a run at work has no end, and only one that did not end well has a reason', () => {
    expect(STATES.filter((it) => forgetsAt(it).end)).toEqual(['planning', 'queued', 'executing']);
    expect(STATES.filter((it) => !forgetsAt(it).reason)).toEqual(['stopped', 'interrupted', 'invalid']);
  });
});
