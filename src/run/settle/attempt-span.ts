import type { UnknownItem } from '../../ledger/contract/resolutions.js';
import { endedUnheard, TAKEN_OVER } from '../../ledger/rules/attempts.js';

/** The time from an attempt's start to its end, by this machine's clock; milliseconds since 1970. */
export interface AttemptSpan {
  readonly from: number;
  readonly to: number;
}

/** The platform's clock and this machine's may differ by so much. */
const CLOCKS_DIFFER_MS = 5 * 60_000;

/**
 * The spans of the attempts that may have had the effect. An attempt whose process died has no end, only the time when
 * that was noticed, which may be days later: it counts as ended when its time limit was over.
 */
export function attemptSpans({ attempts }: Pick<UnknownItem, 'attempts'>, timeoutMs: number): AttemptSpan[] {
  return attempts.map(({ startedAt, endedAt, event }) => {
    const limit = startedAt + timeoutMs;
    // Its process may have stood still, and have sent it later.
    if (event === TAKEN_OVER && endedAt !== undefined) return { from: startedAt, to: endedAt + timeoutMs };
    const ended = endedAt === undefined || endedUnheard(event) ? limit : endedAt;
    return { from: startedAt, to: Math.min(ended, endedAt ?? limit) };
  });
}

/** True when the platform's time is within the attempt, allowing for the difference of the clocks. */
export function within(span: AttemptSpan, time: number): boolean {
  return time >= span.from - CLOCKS_DIFFER_MS && time <= span.to + CLOCKS_DIFFER_MS;
}
