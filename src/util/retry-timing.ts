const BASE_MS = 200;
const CAP_MS = 20_000;
/** Longer waits are cut: one header must not stop a run for an hour. */
const RETRY_AFTER_CAP_MS = 120_000;

/**
 * Wait before the next attempt, in milliseconds: exponential with full jitter, anywhere between 0 and
 * 200 ms × 2^(attempt − 1), 20 s at most. `attempt`: the one that just ended, counted from 1; `random`: 0 to 1.
 */
export function backoffMs(attempt: number, random: () => number = Math.random): number {
  return random() * Math.min(CAP_MS, BASE_MS * 2 ** Math.max(0, attempt - 1));
}

/**
 * Wait before the next attempt if the platform may have requested one: never shorter than requested (up to 120 s), with
 * a little jitter added, so that clients with the same wait do not return together.
 */
export function retryDelayMs(
  attempt: number,
  retryAfterMs: number | undefined,
  random: () => number = Math.random,
): number {
  if (retryAfterMs === undefined) return backoffMs(attempt, random);
  return Math.min(retryAfterMs, RETRY_AFTER_CAP_MS) + random() * BASE_MS;
}

/**
 * Parses a `Retry-After` header: seconds or an HTTP date, to milliseconds from now, never negative; undefined if it is
 * neither. `now`: the server's own clock (its `Date` header) if known, so that a wrong local clock has no effect.
 */
export function parseRetryAfter(header: string | undefined, now: number): number | undefined {
  const text = header?.trim() ?? '';
  if (/^\d{1,9}(?:\.\d+)?$/u.test(text)) return Math.round(Number(text) * 1000);
  // `Date.parse` accepts nearly anything (even "-5"); an HTTP date starts with a weekday's name.
  if (!/^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)/u.test(text)) return undefined;
  const at = Date.parse(text);
  return Number.isNaN(at) ? undefined : Math.max(0, at - now);
}

/** Retries that a small run may make before its first attempts have earned any. */
const RESERVE = 10;
const EARNED_PER_ATTEMPT = 0.1;

/**
 * Limits the retries of a run to a tenth of its first attempts while the platform is down. The reserve is an advance on
 * what first attempts earn, not an addition. A retry with a definite reply returns its token, so that single failures
 * of an available platform never exhaust the budget.
 */
export class RetryBudget {
  #firsts = 0;
  #spent = 0;
  readonly #reserve: number;

  constructor(reserve: number = RESERVE) {
    this.#reserve = reserve;
  }

  /** Records a batch's first attempt. */
  recordStart(): void {
    this.#firsts += 1;
  }

  /** Whether a retry is allowed now. */
  allows(): boolean {
    // The small addition corrects rounding of tenths: ten attempts earn one whole token.
    const earned = Math.floor(this.#firsts * EARNED_PER_ATTEMPT + 1e-9);
    return this.#spent < Math.max(this.#reserve, earned);
  }

  /** Records a retry; an overdraft is owed. */
  spend(): void {
    this.#spent += 1;
  }

  /** Checks and spends in one step, so that concurrent decisions cannot overdraw; false: no retry is allowed. */
  take(): boolean {
    if (!this.allows()) return false;
    this.spend();
    return true;
  }

  /** Records a definite reply to a retry; not for one that was the last of its attempts (`exhausted`). */
  giveBack(): void {
    this.#spent = Math.max(0, this.#spent - 1);
  }
}
