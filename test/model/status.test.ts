import { describe, expect, it } from 'vitest';
import { STATUSES, type Status, statusPosition, worstOfSteps } from '../../src/model/status.js';

/** From best to worst, as the outcome of a row is reported over its steps. */
const FROM_BEST: readonly Status[] = [
  'skipped',
  'valid',
  'succeeded',
  'accepted',
  'not_sent',
  'invalid',
  'failed',
  'rejected',
  'unknown',
];

describe('the status of a row over its steps', () => {
  it('ranks every status', () => {
    expect([...FROM_BEST].sort()).toEqual([...STATUSES].sort());
  });

  it.each(
    FROM_BEST.flatMap((better, index) => FROM_BEST.slice(index).map((worse) => [better, worse] as const)),
  )('%s and %s: the latter, in either order', (better, worse) => {
    expect(worstOfSteps([better, worse])).toBe(worse);
    expect(worstOfSteps([worse, better])).toBe(worse);
    expect(worstOfSteps([better, worse, better])).toBe(worse);
  });
});

describe('the step at which a row stands', () => {
  it.each<[readonly Status[], number]>([
    [['succeeded', 'succeeded', 'succeeded'], 2],
    [['skipped', 'skipped', 'skipped'], 2],
    [['skipped', 'succeeded', 'skipped'], 2],
    [['succeeded', 'rejected', 'not_sent'], 1],
    [['skipped', 'unknown', 'not_sent'], 1],
    [['accepted', 'not_sent', 'not_sent'], 0],
    [['not_sent', 'not_sent', 'invalid'], 0],
    [['skipped', 'valid', 'valid'], 1],
    [['valid'], 0],
  ])('%j: %i', (statuses, step) => {
    expect(statusPosition(statuses)).toBe(step);
  });
});
