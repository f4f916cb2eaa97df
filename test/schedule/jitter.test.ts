import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jitterOf, startTime } from '../../src/schedule/scheduled-job.js';
import { nextTimes } from '../../src/schedule/timetable.js';
import { nightly } from './fakes.js';

const HOUR = 3_600_000;

describe('jitter', () => {
  it('is the same for one job and time, within its bounds, and differs between them', () => {
    const due = Date.parse('2026-11-21T18:00:00Z');
    expect(jitterOf('a', due, HOUR)).toBe(jitterOf('a', due, HOUR));
    const seen = Array.from({ length: 400 }, (_, index) => jitterOf('a', due + index * HOUR, HOUR));
    expect(Math.min(...seen)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...seen)).toBeLessThanOrEqual(HOUR);
    // Spread over the hour, not huddled anywhere.
    for (let quarter = 0; quarter < 4; quarter += 1) {
      const within = seen.filter((it) => Math.floor((it / (HOUR + 1)) * 4) === quarter);
      expect(within.length).toBeGreaterThan(60);
    }
    expect(jitterOf('b', due, HOUR)).not.toBe(jitterOf('a', due, HOUR));
    expect(jitterOf('a', due, 0)).toBe(0);
  });

  it('never puts a start off to the next time or beyond', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('* * * * *', '*/7 * * * *', '0 2 * * *', '59 23,0 * * *'),
        fc.integer({ min: 0, max: 48 * HOUR }),
        fc.string(),
        (cron, jitterMs, name) => {
          const job = nightly({ cron, jitterMs, name });
          const times = nextTimes(job.timetable, Date.parse('2026-11-21T00:00:00Z'), 20);
          times.slice(1).forEach((next, index) => {
            const due = times[index]!;
            expect(startTime(job, due)).toBeGreaterThanOrEqual(due);
            expect(startTime(job, due)).toBeLessThan(next);
            expect(startTime(job, due) - due).toBeLessThanOrEqual(jitterMs);
          });
        },
      ),
      { numRuns: 60 },
    );
  });
});
