import { describe, expect, test } from 'vitest';
import { ProgressPrinter, progressLine } from '../../src/cli/progress.js';
import { terminalWidth } from '../../src/util/text-width.js';

/** A terminal that remembers what is written to it. */
function terminal(isTTY: boolean, columns = 80) {
  const written: string[] = [];
  const stream = { isTTY, columns, write: (text: string) => written.push(text) > 0 };
  return { written, stream: stream as unknown as NodeJS.WriteStream };
}

const BUSY = {
  stage: 'execute',
  done: 120,
  total: 400,
  counts: { succeeded: 100, rejected: 12, failed: 8 },
  inFlight: 16,
  retries: 3,
} as const;

describe('progress', () => {
  test('reports rate, time left, counts, what is in flight and retries', () => {
    expect(progressLine(BUSY, { elapsedMs: 2000 }, true)).toBe(
      'sending  [######              ]  120/400  60/s  5 s left  succeeded 100 rejected 12 failed 8  in flight 16  retries 3',
    );
    expect(progressLine(BUSY, { elapsedMs: 2000 }, false, 'zh')).toBe(
      '发送  120/400  60/s  剩余 5 s  succeeded 100 rejected 12 failed 8  进行中 16  重试 3',
    );
  });

  test.each(['en', 'zh'] as const)(
    'the bar never takes more than the width of the terminal (%s)',
    (language) => {
      const { stream, written } = terminal(true, 80);
      let now = 0;
      const { CI: before } = process.env;
      delete process.env.CI;
      const printer = new ProgressPrinter({ stream, language, quiet: false, now: () => now });
      if (before !== undefined) process.env.CI = before;
      for (const done of [1, 120, 400]) {
        now += 500;
        printer.progress({ ...BUSY, done });
      }
      const drawn = written.map((it) => it.replace('\r\u001b[2K', ''));
      expect(drawn).toHaveLength(3);
      for (const line of drawn) expect(terminalWidth(line)).toBeLessThanOrEqual(79);
    },
  );

  test('a pause that the platform asks for is in the bar until it is over, and is reported once in a while', () => {
    const { stream, written } = terminal(true, 200);
    let now = 0;
    const { CI: before } = process.env;
    delete process.env.CI;
    const printer = new ProgressPrinter({ stream, language: 'en', quiet: false, now: () => now });
    if (before !== undefined) process.env.CI = before;
    now = 10_000;
    printer.progress(BUSY);
    const until = Date.UTC(2026, 0, 5, 19, 5, 9);
    const timezone = 'America/New_York';
    const pause = { asked: { httpStatus: 429 }, until, timezone, isTooLong: false };
    printer.paused(pause);
    printer.paused({ ...pause, until: until + 1000 });
    expect(written.join('')).toContain(
      'the platform replied HTTP 429: the next request is sent at 2026-01-05 14:05:09 America/New_York\n',
    );
    expect(written.join('').match(/the platform replied/g)).toHaveLength(1);
    expect(written.at(-1)).toContain('waiting until 2026-01-05 14:05:10 America/New_York');
    printer.paused(undefined);
    expect(written.at(-1)).not.toContain('waiting until');
  });

  test('where lines are kept there is no bar, and a line only now and then; quiet says nothing', () => {
    const { stream, written } = terminal(false);
    let now = 0;
    const printer = new ProgressPrinter({ stream, language: 'en', quiet: false, now: () => now });
    for (let done = 0; done < 400; done += 1) {
      now += 25;
      printer.progress({ ...BUSY, done });
    }
    expect(written).toHaveLength(1);
    expect(written.join('')).not.toContain('\u001b');
    const silent = terminal(true);
    const quiet = new ProgressPrinter({ ...silent, language: 'en', quiet: true, now: () => now });
    quiet.progress(BUSY);
    quiet.started('r1');
    expect(silent.written).toEqual([]);
  });
});
