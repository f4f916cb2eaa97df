import { describe, expect, it } from 'vitest';
import {
  countsAs,
  effectOf,
  type ItemState,
  isToBeSent,
  mayHaveHadEffect,
} from '../../../src/ledger/rules/item-state.js';

/** [outcome, whether an attempt is open, whether one is uncertain, counts as, may have had its effect] */
const TABLE = [
  [undefined, false, false, 'valid', false],
  [undefined, true, false, 'unknown', true],
  [undefined, false, true, 'unknown', true],
  ['not_sent', false, false, 'not_sent', false],
  ['not_sent', true, false, 'unknown', true],
  ['not_sent', false, true, 'unknown', true],
  ['succeeded', false, true, 'succeeded', true],
  ['accepted', false, true, 'accepted', true],
  ['unknown', false, true, 'unknown', true],
  ['rejected', false, true, 'rejected', false],
  ['failed', true, true, 'failed', false],
  ['skipped', true, false, 'skipped', false],
] as const satisfies readonly (readonly [ItemState['outcome'], boolean, boolean, string, boolean])[];

describe('what an item counts as', () => {
  it.each(TABLE)('outcome %s, open %s, uncertain %s: %s', (outcome, open, uncertain, status, effect) => {
    expect(countsAs({ outcome, open, uncertain }, 'valid')).toBe(status);
    expect(mayHaveHadEffect({ outcome, open, uncertain })).toBe(effect);
  });

  it('waits to be sent while it has no outcome but `not_sent`', () => {
    expect(TABLE.filter(([outcome]) => isToBeSent(outcome)).map(([outcome]) => outcome)).toEqual([
      undefined,
      undefined,
      undefined,
      'not_sent',
      'not_sent',
      'not_sent',
    ]);
  });

  it('as the holder of a key is unknown unless its effect is certain', () => {
    const holders = [null, undefined, 'not_sent', 'succeeded', 'accepted', 'unknown', 'failed'];
    expect(holders.map(effectOf)).toEqual([
      'unknown',
      'unknown',
      'unknown',
      'succeeded',
      'accepted',
      'unknown',
      'unknown',
    ]);
  });
});
