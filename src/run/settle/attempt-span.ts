import type { UnknownItem } from '../../ledger/contract/resolutions.js';

/** When an attempt was under way, by this machine's clock; milliseconds since 1970. */
export interface AttemptSpan {
  readonly from: number;
  readonly to: number;
}

/** The platform's clock and ours may differ by so much. */
const CLOCKS_DIFFER_MS = 5 * 60_000;

/**
 * The attempts that may have had the effect. One whose process died has no end of its own, only the time at which that
 * was found, which may be days later: it counts as ended when its time limit was over.
 */
export function attemptSpans({ attempts }: Pick<UnknownItem, 'attempts'>, timeoutMs: number): AttemptSpan[] {
  return attempts.map(({ startedAt, endedAt, event }) => {
    const limit = startedAt + timeoutMs;
    const ended = endedAt === undefined || event === 'died' ? limit : endedAt;
    return { from: startedAt, to: Math.min(ended, endedAt ?? limit) };
  });
}

/** Whether a platform's time lies within an attempt, give or take the difference of the clocks. */
export function within(span: AttemptSpan, time: number): boolean {
  return time >= span.from - CLOCKS_DIFFER_MS && time <= span.to + CLOCKS_DIFFER_MS;
}
