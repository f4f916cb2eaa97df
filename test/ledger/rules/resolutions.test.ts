import { describe, expect, it } from 'vitest';
import {
  isUnresolved,
  keyAfter,
  resolvedFrom,
  resolvedOutcome,
} from '../../../src/ledger/rules/resolutions.js';

const SAID = { code: 'ledger.bad_address', params: {} } as const;

describe('what may be resolved', () => {
  /** [outcome, an attempt is uncertain, a resolution reported it before, resolved again, as a correction] */
  it.each([
    ['unknown', true, false, 'unknown', 'unknown'],
    ['unknown', false, true, 'unknown', 'unknown'],
    [undefined, true, false, 'unknown', 'unknown'],
    ['not_sent', true, false, 'unknown', 'unknown'],
    [undefined, false, false, undefined, undefined],
    ['not_sent', false, false, undefined, undefined],
    ['succeeded', true, false, undefined, undefined],
    ['failed', true, false, undefined, undefined],
    ['succeeded', true, true, undefined, 'succeeded'],
    ['failed', false, true, undefined, 'failed'],
    ['accepted', true, true, undefined, undefined],
    ['rejected', false, true, undefined, undefined],
    ['skipped', false, true, undefined, undefined],
  ] as const)(
    '%s, uncertain %s, resolved %s: %s, corrected: %s',
    (outcome, uncertain, resolved, anew, corrected) => {
      expect(resolvedFrom({ outcome, uncertain, resolved }, false)).toBe(anew);
      expect(resolvedFrom({ outcome, uncertain, resolved }, true)).toBe(corrected);
      expect(isUnresolved({ outcome, uncertain })).toBe(anew === 'unknown');
    },
  );
});

describe('what an outcome becomes', () => {
  const before = { code: '9', licenseOrderId: 'LO-1', columns: { enterpriseName: 'E' } };

  it('what was seen of an item that stays unknown takes the place of its message only', () => {
    expect(resolvedOutcome(before, { status: 'unknown', message: SAID, code: '0' })).toEqual({
      status: 'unknown',
      message: SAID,
      code: '9',
      licenseOrderId: 'LO-1',
      columns: { enterpriseName: 'E' },
    });
  });

  it('one that succeeded keeps the ids that are known, unless better ones are', () => {
    expect(resolvedOutcome(before, { status: 'succeeded', message: SAID })).toMatchObject({
      code: undefined,
      licenseOrderId: 'LO-1',
      columns: { enterpriseName: 'E' },
    });
    const found = { status: 'succeeded', licenseOrderId: 'LO-2', columns: {} } as const;
    expect(resolvedOutcome(before, found)).toMatchObject({ licenseOrderId: 'LO-2', columns: {} });
  });

  it('one that failed has none', () => {
    const found = { status: 'failed', message: SAID, code: '7', licenseOrderId: 'LO-2' } as const;
    expect(resolvedOutcome(before, found)).toEqual({ status: 'failed', message: SAID, code: '7' });
  });
});

describe('the outcome of the key', () => {
  it.each([
    ['succeeded', 'take'],
    ['unknown', 'take'],
    ['failed', 'pass_on'],
  ] as const)('%s: %s', (to, expected) => {
    expect(keyAfter(to)).toBe(expected);
  });
});
