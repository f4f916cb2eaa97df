import pLimit from 'p-limit';
import { describe, expect, it } from 'vitest';
import { tell } from './driver.js';
import { killedAt, POINTS, type Point, scenario } from './scenario.js';

/** Few at a time: each story keeps two processes busy. */
const atOnce = pLimit(3);
const LONGEST_MS = 240_000;

/** The passing at which each point strikes in the middle of its stage. */
const MIDDLE: Readonly<Record<Point, number>> = {
  plan: 100,
  'before-intent': 20,
  'after-intent': 20,
  'headers-sent': 20,
  'reply-received': 20,
  'outcome-written': 20,
  report: 30,
  'before-rename': 1,
};

describe.concurrent('a run that is killed', () => {
  for (const [at, point] of POINTS.entries()) {
    it(`at ${point} goes on without doing anything twice`, { timeout: LONGEST_MS }, async () => {
      const story = { ...scenario(at + 1, 60), batch: 1, latencyMs: 1, faults: '' } as const;
      const told = await atOnce(() => tell(killedAt(story, point, MIDDLE[point])));
      expect(told).toMatchObject({ kills: [{ point }], missed: 0 });
      // The request was out: the platform got it, and whoever sent it again would have the order twice.
      if (point === 'headers-sent') expect(told.unknownDone).toBeGreaterThan(0);
    });
  }

  for (const seed of [101, 102, 103, 104, 105, 106]) {
    it(`at some moment goes on without doing anything twice (seed ${seed})`, {
      timeout: LONGEST_MS,
    }, async () => {
      const told = await atOnce(() => tell(scenario(seed, 200)));
      expect(told.kills.length + told.missed).toBeGreaterThan(0);
    });
  }
});
