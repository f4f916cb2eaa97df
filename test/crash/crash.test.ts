import pLimit from 'p-limit';
import { describe, expect, it } from 'vitest';
import { tell } from './driver.js';
import { killedAt, middlePassing, POINTS, STEP_POINTS, scenario } from './scenario.js';

/** Few at a time: each story keeps two processes busy. */
const atOnce = pLimit(3);

/** Stories without faults of the platform, so that what is unknown is so by the kill alone. */
const CALM = [8, 3, 9, 10, 13, 7, 12, 2];

describe.concurrent('a run that is killed', () => {
  for (const [at, point] of POINTS.entries()) {
    it(`at ${point} continues without doing anything twice`, async () => {
      const story = scenario(CALM[at] ?? 0, 60);
      expect(story.faults).toBe('');
      const reported = await atOnce(() =>
        tell(killedAt(story, point, middlePassing(point, story)), { again: false }),
      );
      expect(reported).toMatchObject({ kills: [{ point }], missed: 0 });
      // The request was out: the platform got it, and sending it again would order twice.
      if (point === 'headers-sent') expect(reported.unknownDone).toBeGreaterThan(0);
    });
  }

  for (const seed of [104, 105, 107]) {
    it(`at some moment continues without doing anything twice (seed ${seed})`, {}, async () => {
      const reported = await atOnce(() => tell(scenario(seed, 120)));
      expect(reported.kills.length + reported.missed).toBeGreaterThan(0);
    });
  }
});

describe.concurrent('a run of three steps that is killed', () => {
  for (const point of STEP_POINTS) {
    it(`at ${point} takes no row through any step twice`, async () => {
      const story = scenario(8, 40, 'steps');
      expect(story.faults).toBe('');
      const reported = await atOnce(() => tell(killedAt(story, point, middlePassing(point, story))));
      expect(reported).toMatchObject({ kills: [{ point }], missed: 0, unknown: 0, carriedOut: 40 });
    });
  }

  for (const seed of [201]) {
    it(`at some moment takes no row through any step twice (seed ${seed})`, {}, async () => {
      const reported = await atOnce(() => tell(scenario(seed, 60, 'steps')));
      expect(reported.kills.length + reported.missed).toBeGreaterThan(0);
    });
  }
});
