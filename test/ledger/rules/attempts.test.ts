import { describe, expect, it } from 'vitest';
import { endOfDead, isRetry, isUncertain } from '../../../src/ledger/rules/attempts.js';
import type { ItemStatus } from '../../../src/model/item.js';

const outcomes = (...statuses: ItemStatus[]) =>
  statuses.map((status, at) => ({ item: at + 1, outcome: { status } }));

describe('whether an attempt may have had an effect', () => {
  it.each([
    ['nothing left', { sent: false, outcomes: [] }, false],
    ['it left, and nothing came back', { sent: true, outcomes: [] }, true],
    ['it left, and certainly changed nothing (429)', { sent: true, noEffect: true, outcomes: [] }, false],
    ['turned away unread (401)', { sent: true, outcomes: outcomes('not_sent', 'not_sent') }, false],
    ['answered', { sent: true, outcomes: outcomes('succeeded') }, true],
    ['one of two answered', { sent: true, outcomes: outcomes('not_sent', 'failed') }, true],
    ['said to be unsent, yet with an outcome', { sent: false, outcomes: outcomes('failed') }, false],
  ])('%s: %o: %s', (_, end, expected) => {
    expect(isUncertain(end)).toBe(expected);
  });
});

describe('how the attempt of a process ends that died', () => {
  it('counts as sent; it is uncertain unless a repeat is harmless', () => {
    expect(endOfDead(false)).toEqual({ event: 'died', sent: true, uncertain: true });
    expect(endOfDead(true)).toEqual({ event: 'died', sent: true, uncertain: false });
  });
});

describe('whether a request counts as a retry', () => {
  it.each([
    [1, undefined, false],
    [2, undefined, true],
    [2, false, true],
    [2, true, false],
    [1, true, false],
  ])('attempt %s, after a pause: %s: %s', (attempt, afterPause, expected) => {
    expect(isRetry({ attempt, afterPause })).toBe(expected);
  });
});
