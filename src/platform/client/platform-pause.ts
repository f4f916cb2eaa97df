import { backoffMs } from '../../util/retry-timing.js';
import type { AttemptEvent } from './attempt-event.js';

/** A reply after which requests wait. */
export interface PauseAsked {
  readonly httpStatus: number;
  /** `Retry-After`, where it named one. */
  readonly retryAfterMs?: number;
}

/** HTTP 408 or 5xx, whatever became of the body. */
export function unavailable(event: AttemptEvent): PauseAsked | undefined {
  if (event.kind === 'unsent' || event.httpStatus === undefined) return undefined;
  const { httpStatus } = event;
  return httpStatus === 408 || httpStatus >= 500 ? { httpStatus } : undefined;
}

/** Whether an attempt's reply asks for a pause. */
export function pauseAsked(event: AttemptEvent): PauseAsked | undefined {
  if (event.kind === 'unsent' || event.httpStatus === undefined) return undefined;
  const { httpStatus, retryAfterMs } = event;
  return askedBy({ httpStatus, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) });
}

/** HTTP 429 asks for a pause, and so does any status that names `Retry-After`. */
export function askedBy({ httpStatus, retryAfterMs }: PauseAsked): PauseAsked | undefined {
  if (httpStatus !== 429 && retryAfterMs === undefined) return undefined;
  return { httpStatus, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) };
}

/** `HTTP 429, Retry-After 60 s`: the same in every language. */
export function pauseText({ httpStatus, retryAfterMs }: PauseAsked): string {
  const status = `HTTP ${httpStatus}`;
  return retryAfterMs === undefined ? status : `${status}, Retry-After ${Math.ceil(retryAfterMs / 1000)} s`;
}

/** Added to what the platform named, so that programs that were told the same don't return together. */
const JITTER_MS = 200;
/** Without a named time the first wait may take 800 ms: a limit on requests is rarely over sooner. */
const FIRST_BACKOFF = 3;
/** Each request to a platform under maintenance may leave a row unknown: about 13 requests in 15 minutes. */
const LONGEST_UNAVAILABLE_MS = 120_000;

/**
 * A pause that one platform asked for, or that begins when it is not available. It holds everybody in this process who sends there: runs, comparisons and
 * verification alike. When its time is over one request probes; it lifts the pause or prolongs it.
 */
export class PlatformPause {
  /** When a probe may be sent, on the monotonic clock. */
  until: number;
  asked: PauseAsked;
  /** One request is on its way to see whether the platform answers again. */
  probing = false;
  /** Where others share the pause: this process's request is the one that may probe. */
  mayProbe = false;
  /** The others know of it. */
  shared = false;
  readonly #listeners = new Set<() => void>();
  #refusals = 0;

  constructor(asked: PauseAsked, now: number, random: () => number) {
    this.asked = asked;
    this.until = now;
    this.refused(asked, now, random);
  }

  /** A pause that others have been told of. */
  static heardOf(asked: PauseAsked, until: number): PlatformPause {
    const pause = new PlatformPause(asked, until, () => 0);
    pause.until = until;
    pause.shared = true;
    return pause;
  }

  /** A probe was told to wait again, or the pause began. */
  refused(asked: PauseAsked, now: number, random: () => number): void {
    this.#refusals += 1;
    const told = asked.retryAfterMs;
    if (isUnavailable(asked)) {
      const wait =
        this.#refusals === 1 ? 0 : Math.min(LONGEST_UNAVAILABLE_MS, 500 * 2 ** (this.#refusals - 1));
      this.#hold(asked, now + wait);
      return;
    }
    // Danger: a platform that names 0 seconds again and again would be asked without end.
    const backoff =
      told !== undefined && this.#refusals === 1 ? 0 : backoffMs(this.#refusals + FIRST_BACKOFF - 1, random);
    this.#hold(asked, now + Math.max(backoff, told === undefined ? 0 : told + random() * JITTER_MS));
  }

  /** Somebody whose request was already on its way when the pause began was told the same. */
  heardAgain(asked: PauseAsked, now: number, random: () => number): void {
    if (this.unavailable && !isUnavailable(asked)) this.refused(asked, now, random);
    else if (asked.retryAfterMs !== undefined) this.#hold(asked, now + asked.retryAfterMs);
  }

  /** Others hold it for longer. */
  heardOf(asked: PauseAsked, until: number): void {
    this.shared = true;
    this.#hold(asked, until);
  }

  #hold(asked: PauseAsked, until: number): void {
    if (until < this.until) return;
    this.until = until;
    this.asked = asked;
  }

  listen(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** It began with HTTP 408 or 5xx: only a request that is answered ends it. */
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

function isUnavailable({ httpStatus, retryAfterMs }: PauseAsked): boolean {
  return httpStatus !== 429 && retryAfterMs === undefined;
}

/** By the platform's origin. A pause that was lifted, or that nobody waits for any more, is no longer here. */
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

/** Others beyond this process who send to the same place, and wait for its pauses too. */
export interface PauseSharing {
  /** Tells them of a pause that began or grew; it lasts for so long from now on. */
  told(asked: PauseAsked, leftMs: number): Promise<void>;
  /** Whether a request of this process may probe: one at a time does, over all of them. */
  probe(): Promise<boolean>;
  lifted(): Promise<void>;
}

/** By the platform's origin. */
const SHARINGS = new Map<string, PauseSharing>();

/** From now on pauses of a place are shared with others, until what is returned is called. */
export function sharePauses(origin: string, sharing: PauseSharing): () => void {
  SHARINGS.set(origin, sharing);
  return () => {
    if (SHARINGS.get(origin) === sharing) SHARINGS.delete(origin);
  };
}

export function pauseSharing(origin: string): PauseSharing | undefined {
  return SHARINGS.get(origin);
}

/** Tells the others of a pause as it stands. */
export function tellPause(origin: string, pause: PlatformPause, now: number): void {
  const sharing = SHARINGS.get(origin);
  if (!sharing) return;
  sharing.told(pause.asked, pause.until - now).then(
    () => {
      pause.shared = true;
    },
    // The ledger is away, and nobody sends.
    () => {},
  );
}

/** A place's pause that the others know of. */
export function sharedPause(origin: string): PlatformPause | undefined {
  const own = PAUSES.get(origin);
  return own?.shared ? own : undefined;
}

/**
 * What the others know of a place's pause: undefined where it is over.
 * @param before the one that they knew of when they were asked: of one that began since they say nothing
 */
export function hearPause(
  origin: string,
  told: { readonly asked: PauseAsked; readonly leftMs: number } | undefined,
  now: number,
  before: PlatformPause | undefined,
): void {
  const own = PAUSES.get(origin);
  if (!told) {
    if (own && own === before) liftPause(origin, own);
  } else if (!own) beginPause(origin, PlatformPause.heardOf(told.asked, now + told.leftMs));
  else own.heardOf(told.asked, now + told.leftMs);
}
