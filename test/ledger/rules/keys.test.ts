import { describe, expect, it } from 'vitest';
import type { KeyHolder } from '../../../src/ledger/contract/plan.js';
import { heldOutcome, mayTakeOver, releasesKey, repeatOf } from '../../../src/ledger/rules/keys.js';
import type { ItemStatus } from '../../../src/model/item.js';

const RELEASES: Readonly<Record<ItemStatus, boolean>> = {
  succeeded: false,
  accepted: false,
  unknown: false,
  not_sent: false,
  rejected: true,
  failed: true,
  skipped: true,
  invalid: true,
};

const HOLDER: KeyHolder = {
  run: 'r1',
  row: 7,
  status: 'succeeded',
  content: 'same',
  got: { licenseOrderId: 'LO-1' },
};

describe('which outcomes release a key', () => {
  it.each(Object.entries(RELEASES))('%s: %s', (status, released) => {
    expect(releasesKey(status as ItemStatus)).toBe(released);
  });
});

describe('whether an item may be sent whose key another one holds', () => {
  const RETRY = { claim: true, releasedRun: 'r1', neverFrom: new Set(['r1']) };
  const SEND = { claim: false };
  it.each([
    // [status of the holder, options, may it be sent]
    ['succeeded', { claim: true }, false],
    ['accepted', { claim: true }, false],
    ['unknown', { claim: true }, false],
    ['succeeded', SEND, true],
    ['accepted', SEND, true],
    ['unknown', SEND, false],
    ['succeeded', { ...SEND, neverFrom: new Set(['r1']) }, false],
    ['succeeded', { ...SEND, neverFrom: new Set(['r2']) }, true],
    ['unknown', RETRY, true],
    ['succeeded', RETRY, false],
    ['unknown', { ...RETRY, releasedRun: 'r2' }, false],
  ] as const)('held by one that is %s, %o: %s', (status, options, expected) => {
    expect(mayTakeOver({ run: 'r1', status }, options)).toBe(expected);
  });
});

describe('what a repeat means', () => {
  it.each([
    ['unknown', 'same', 'unknown'],
    ['unknown', 'other', 'unknown'],
    ['succeeded', 'same', 'done'],
    ['accepted', 'same', 'done'],
    ['succeeded', 'other', 'changed'],
    ['accepted', 'other', 'changed'],
  ] as const)('of one that is %s, with %s content: %s', (status, content, expected) => {
    expect(repeatOf({ status, content: 'same' }, content)).toBe(expected);
  });

  it('only a true repeat shows what the earlier one got', () => {
    expect(heldOutcome(HOLDER, 'same')).toEqual({
      status: 'skipped',
      licenseOrderId: 'LO-1',
      message: { code: 'ledger.held_done', params: { run: 'r1', row: 7, status: 'succeeded' } },
    });
    expect(heldOutcome(HOLDER, 'other')).toEqual({
      status: 'skipped',
      message: { code: 'ledger.held_changed', params: { run: 'r1', row: 7, status: 'succeeded' } },
    });
    expect(heldOutcome({ ...HOLDER, status: 'unknown' }, 'same')).toEqual({
      status: 'skipped',
      message: { code: 'ledger.held_unknown', params: { run: 'r1', row: 7 } },
    });
  });
});
