import { backoffMs } from '../../util/retry-timing.js';
import type { AttemptEvent } from './attempt-event.js';

export interface RequestedPause {
  readonly httpStatus: number;
  /** `Retry-After`, if the reply has it. */
  readonly retryAfterMs?: number;
}

/** HTTP 408 or 5xx, with or without a complete body. */
export function unavailable(event: AttemptEvent): RequestedPause | undefined {
  if (event.kind === 'unsent' || event.httpStatus === undefined) return undefined;
  const { httpStatus } = event;
  return httpStatus === 408 || httpStatus >= 500 ? { httpStatus } : undefined;
}

/** Whether an attempt's reply asks for a pause. */
export function requestedPause(event: AttemptEvent): RequestedPause | undefined {
  if (event.kind === 'unsent' || event.httpStatus === undefined) return undefined;
  const { httpStatus, retryAfterMs } = event;
  return pauseOf({ httpStatus, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) });
}

/** HTTP 429 requests a pause, and so does any status with `Retry-After`. */
export function pauseOf({ httpStatus, retryAfterMs }: RequestedPause): RequestedPause | undefined {
  if (httpStatus !== 429 && retryAfterMs === undefined) return undefined;
  return { httpStatus, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) };
}

/** `HTTP 429, Retry-After 60 s`: the same in every language. */
export function pauseText({ httpStatus, retryAfterMs }: RequestedPause): string {
  const status = `HTTP ${httpStatus}`;
  return retryAfterMs === undefined ? status : `${status}, Retry-After ${Math.ceil(retryAfterMs / 1000)} s`;
}

/** Added to the requested time, so that clients with the same time do not return together. */
const JITTER_MS = 200;
/** Without a requested time the first wait may take 800 ms: rate limits rarely end sooner. */
const FIRST_BACKOFF = 3;
/** Each request to a platform under maintenance may leave a row unknown: about 13 requests in 15 minutes. */
const LONGEST_UNAVAILABLE_MS = 120_000;

/**
 * A pause that one platform requested, or that starts when the platform is unavailable. It applies to all requests of
 * this process to it: runs, comparisons and verification. When its time is over, one request probes, and its reply ends
 * or prolongs the pause.
 */
export class PlatformPause {
  /** When a probe may be sent, on the monotonic clock. */
  until: number;
  asked: RequestedPause;
  /** One request is in flight to check whether the platform replies again. */
  probing = false;
  /** Pauses shared with other processes: a request of this process is the one that may probe. */
  mayProbe = false;
  /** The other processes know the pause. */
  shared = false;
  readonly #listeners = new Set<() => void>();
  #refusals = 0;

  constructor(asked: RequestedPause, now: number, random: () => number) {
    this.asked = asked;
    this.until = now;
    this.refused(asked, now, random);
  }

  /** A pause that another process reported. */
  static reported(asked: RequestedPause, until: number): PlatformPause {
    const pause = new PlatformPause(asked, until, () => 0);
    pause.until = until;
    pause.shared = true;
    return pause;
  }

  /** A probe was refused, or the pause starts. */
  refused(asked: RequestedPause, now: number, random: () => number): void {
    this.#refusals += 1;
    const requestedMs = asked.retryAfterMs;
    if (isUnavailable(asked)) {
      const wait =
        this.#refusals === 1 ? 0 : Math.min(LONGEST_UNAVAILABLE_MS, 500 * 2 ** (this.#refusals - 1));
      this.#hold(asked, now + wait);
      return;
    }
    // Danger: without a backoff, a platform that requests 0 seconds again and again would be sent requests without end.
    const backoff =
      requestedMs !== undefined && this.#refusals === 1
        ? 0
        : backoffMs(this.#refusals + FIRST_BACKOFF - 1, random);
    this.#hold(
      asked,
      now + Math.max(backoff, requestedMs === undefined ? 0 : requestedMs + random() * JITTER_MS),
    );
  }

  /** A request that was in flight when the pause started was refused, too. */
  pauseRepeated(asked: RequestedPause, now: number, random: () => number): void {
    if (this.unavailable && !isUnavailable(asked)) this.refused(asked, now, random);
    else if (asked.retryAfterMs !== undefined) this.#hold(asked, now + asked.retryAfterMs);
  }

  /** Another process reported a longer pause. */
  extend(asked: RequestedPause, until: number): void {
    this.shared = true;
    this.#hold(asked, until);
  }

  #hold(asked: RequestedPause, until: number): void {
    if (until < this.until) return;
    this.until = until;
    this.asked = asked;
  }

  listen(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** The pause started with HTTP 408 or 5xx: only a request with a reply ends it. */
  get unavailable(): boolean {
    return isUnavailable(this.asked);
  }

  get waitedFor(): boolean {
    return this.#listeners.size > 0;
  }

  changed(): void {
    for (const listener of [...this.#listeners]) listener();
  }
}

function isUnavailable({ httpStatus, retryAfterMs }: RequestedPause): boolean {
  return httpStatus !== 429 && retryAfterMs === undefined;
}

/** By the platform's origin. A pause is removed when it ends or no request waits for it any more. */
const PAUSES = new Map<string, PlatformPause>();

export function currentPause(origin: string): PlatformPause | undefined {
  return PAUSES.get(origin);
}

export function beginPause(origin: string, pause: PlatformPause): void {
  PAUSES.set(origin, pause);
}

export function liftPause(origin: string, pause: PlatformPause): void {
  if (PAUSES.get(origin) === pause) PAUSES.delete(origin);
  pause.changed();
}

/** Shares pauses with other processes that send to the same platform. */
export interface PauseSharing {
  /** Reports a pause that started or grew, with its remaining time. */
  share(asked: RequestedPause, leftMs: number): Promise<void>;
  /** True if a request of this process may probe: one request at a time may, over all processes. */
  probe(): Promise<boolean>;
  lifted(): Promise<void>;
}

/** By the platform's origin. */
const SHARINGS = new Map<string, PauseSharing>();

/** Shares the pauses of a platform with other processes until the returned function is called. */
export function sharePauses(origin: string, sharing: PauseSharing): () => void {
  SHARINGS.set(origin, sharing);
  return () => {
    if (SHARINGS.get(origin) === sharing) SHARINGS.delete(origin);
  };
}

export function pauseSharing(origin: string): PauseSharing | undefined {
  return SHARINGS.get(origin);
}

/** Reports the pause to the other processes. */
export function reportPause(origin: string, pause: PlatformPause, now: number): void {
  const sharing = SHARINGS.get(origin);
  if (!sharing) return;
  sharing.share(pause.asked, pause.until - now).then(
    () => {
      pause.shared = true;
    },
    // The ledger is unreachable, so no process sends.
    () => {},
  );
}

/** The pause of a platform, if the other processes know it. */
export function sharedPause(origin: string): PlatformPause | undefined {
  const pause = PAUSES.get(origin);
  return pause?.shared ? pause : undefined;
}

/**
 * Applies the state of a platform's pause that another process reported; undefined: the pause is over.
 * @param before the shared pause when the state was requested: the state says nothing about a pause that started later
 */
export function onPause(
  origin: string,
  reported: { readonly asked: RequestedPause; readonly leftMs: number } | undefined,
  now: number,
  before: PlatformPause | undefined,
): void {
  const pause = PAUSES.get(origin);
  if (!reported) {
    if (pause && pause === before) liftPause(origin, pause);
  } else if (!pause) beginPause(origin, PlatformPause.reported(reported.asked, now + reported.leftMs));
  else pause.extend(reported.asked, now + reported.leftMs);
}
