import { type Clock, LONGEST_TIMER_MS, systemClock } from '../../util/clock.js';
import type { AttemptEvent } from './attempt-event.js';
import { LocalPace, type Pace } from './pace.js';
import {
  beginPause,
  currentPause,
  liftPause,
  type PauseSharing,
  PlatformPause,
  pauseSharing,
  type RequestedPause,
  reportPause,
  requestedPause,
  unavailable,
} from './platform-pause.js';

interface GateOptions {
  /** Undefined: no rate limit, only the platform's pauses delay. */
  readonly perSecond?: number | undefined;
  /** Replaces `perSecond`: a pace shared with other processes. */
  readonly pace?: Pace | undefined;
  /** Limits the requests in flight, if that is limited across processes. */
  readonly slots?: GateSlots | undefined;
  /** Origin of the platform: all senders to it share its pauses. */
  readonly origin: string;
  /** Longest continuous pause that is waited for, in milliseconds. */
  readonly patienceMs: number;
  readonly clock?: Clock;
  /** Of the connection: pause times are shown in it. */
  readonly timezone: string;
  /** Called when the wait for a pause starts or grows, and with undefined when it is over. */
  readonly onPause?: (pause: PauseEvent | undefined) => void;
  readonly random?: () => number;
}

/** Slots for requests in flight. */
export interface GateSlots {
  /** False as soon as the signal is aborted. */
  take(signal?: AbortSignal): Promise<boolean>;
  release(): void;
}

/** A pause as shown to users. */
export interface PauseEvent {
  readonly asked: RequestedPause;
  /** When the next request is sent, in milliseconds since 1970. */
  readonly until: number;
  /** For showing `until`. */
  readonly timezone: string;
  /** `until` is the end of the maximum wait time: no request is sent after it. */
  readonly isTooLong: boolean;
}

/**
 * - granted: one request may start; `done` must be called with its result
 * - stopped: the signal was aborted
 * - pause_too_long: the platform requested a pause longer than the maximum wait time
 */
export type Turn =
  | { readonly kind: 'granted'; readonly probe?: PlatformPause }
  | { readonly kind: 'stopped' }
  | { readonly kind: 'pause_too_long'; readonly asked: RequestedPause };

interface Waiter {
  readonly end: (turn: Turn) => void;
}

/** Interval for checking whether a request may probe while another process does. */
const PROBE_AGAIN_MS = 200;

const GRANTED: Turn = { kind: 'granted' };
const STOPPED: Turn = { kind: 'stopped' };
const FREE = Promise.resolve(GRANTED);

/**
 * Decides when a request may start: `perSecond` a second, evenly, in order of arrival. During a pause that the platform
 * requested none may, and after it a single one. Uses the monotonic clock.
 */
export class RequestGate {
  readonly #options: GateOptions;
  readonly #pace: Pace | undefined;
  readonly #clock: Clock;
  readonly #waiters = new Set<Waiter>();
  /** The current pause and when this gate met it: the maximum wait time applies to each gate separately. */
  #currentPause: { readonly pause: PlatformPause; readonly since: number } | undefined;
  #reportedUntil: number | undefined;
  /** Set while the pump sleeps; aborted when no request waits any more, as a timer would keep the process alive. */
  #nap: AbortController | undefined;
  #pumping = false;

  constructor(options: GateOptions) {
    this.#options = options;
    const { perSecond } = options;
    this.#pace = options.pace ?? (perSecond === undefined ? undefined : new LocalPace(perSecond));
    this.#clock = options.clock ?? systemClock;
  }

  /** Waits for one request's turn. Never rejects. */
  take(signal?: AbortSignal): Promise<Turn> {
    const { slots } = this.#options;
    return slots ? this.#takeSlot(slots, signal) : this.#takeTurn(signal);
  }

  async #takeSlot(slots: GateSlots, signal?: AbortSignal): Promise<Turn> {
    if (!(await slots.take(signal))) return STOPPED;
    const turn = await this.#takeTurn(signal);
    if (turn.kind !== 'granted') slots.release();
    return turn;
  }

  #takeTurn(signal?: AbortSignal): Promise<Turn> {
    if (signal?.aborted) return Promise.resolve(STOPPED);
    // The fast path of most requests: no pace, no pause, no other waiter.
    if (!this.#pace && this.#waiters.size === 0 && !currentPause(this.#options.origin)) return FREE;
    return new Promise((resolve) => {
      const leave = (): void => {
        this.#waiters.delete(waiter);
        if (this.#waiters.size === 0) this.#nap?.abort();
        resolve(STOPPED);
      };
      const waiter: Waiter = {
        end: (turn) => {
          signal?.removeEventListener('abort', leave);
          resolve(turn);
        },
      };
      signal?.addEventListener('abort', leave, { once: true });
      this.#waiters.add(waiter);
      if (!this.#pumping) void this.#pump();
    });
  }

  /**
   * Records the result of the request that a turn was for. Danger: without this call a probe would never end, and no
   * request would follow.
   * @param event undefined: no request was sent
   * @param answered the platform processed the request, even if it also requested a pause
   * @param repeatable HTTP 408 or 5xx leaves no uncertain outcome; otherwise requests follow one at a time, with
   *   growing waits, until one is answered
   */
  done(turn: Turn, event: AttemptEvent | undefined, answered: boolean, repeatable: boolean): void {
    if (turn.kind === 'granted') this.#options.slots?.release();
    const { origin, random = Math.random } = this.#options;
    const asked =
      event && (requestedPause(event) ?? (repeatable || answered ? undefined : unavailable(event)));
    const probed = turn.kind === 'granted' ? turn.probe : undefined;
    const now = this.#clock.monotonic();
    if (probed) {
      probed.probing = false;
      const continued = asked ?? (probed.unavailable ? probed.asked : undefined);
      if (!event || (continued && !answered)) {
        if (event && continued) {
          probed.refused(continued, now, random);
          reportPause(origin, probed, now);
        }
        probed.changed();
        return;
      }
      liftPause(origin, probed);
      // Other processes read this from the ledger; while it is unreachable no process sends.
      pauseSharing(origin)
        ?.lifted()
        .catch(() => {});
      if (!asked || this.#waiters.size === 0) this.#reportEnd();
    }
    if (!asked) return;
    let pause = currentPause(origin);
    if (pause) pause.pauseRepeated(asked, now, random);
    else {
      pause = new PlatformPause(asked, now, random);
      beginPause(origin, pause);
    }
    reportPause(origin, pause, now);
  }

  async #pump(): Promise<void> {
    this.#pumping = true;
    for (;;) {
      const [first] = this.#waiters;
      if (!first) break;
      const now = this.#clock.monotonic();
      const pause = currentPause(this.#options.origin);
      const wait = pause && this.#held(pause, now);
      if (wait) {
        await wait();
        continue;
      }
      const next = this.#pace ? this.#pace.next(now) : now;
      if (next === undefined) {
        if (!(await this.#pace?.ask(this.#waiters.size))) await this.#sleep(PROBE_AGAIN_MS);
        continue;
      }
      if (now < next) {
        await this.#sleep(next - now);
        continue;
      }
      // Danger: no await between the check of the pause and this line, or two requests could probe, or none would.
      this.#waiters.delete(first);
      this.#pace?.started(now);
      if (pause) {
        pause.probing = true;
        pause.mayProbe = false;
      } else this.#reportEnd();
      first.end(pause ? { kind: 'granted', probe: pause } : GRANTED);
    }
    this.#pumping = false;
  }

  /** What to wait for during the pause; undefined: a request may probe now. */
  #held(pause: PlatformPause, now: number): (() => Promise<void>) | undefined {
    if (this.#currentPause?.pause !== pause) this.#currentPause = { pause, since: now };
    const waitEnd = this.#currentPause.since + this.#options.patienceMs;
    if (pause.probing) return () => this.#change(pause);
    if (pause.until <= Math.min(now, waitEnd)) {
      const sharing = pauseSharing(this.#options.origin);
      return !sharing || pause.mayProbe ? undefined : () => this.#askToProbe(pause, sharing);
    }
    if (now >= waitEnd) return () => this.#rejectWaiters(pause);
    const until = Math.min(pause.until, waitEnd);
    this.#reportWait(pause, until, now);
    return () => this.#sleep(until - now, pause);
  }

  /** One request probes across all processes that share the pause; the others check again later. */
  async #askToProbe(pause: PlatformPause, sharing: PauseSharing): Promise<void> {
    pause.mayProbe = await sharing.probe().catch(() => false);
    if (!pause.mayProbe) await this.#sleep(PROBE_AGAIN_MS, pause);
  }

  async #rejectWaiters(pause: PlatformPause): Promise<void> {
    this.#reportEnd();
    const { asked } = pause;
    // A run that is resumed later sends a request first.
    if (!pause.waitedFor) liftPause(this.#options.origin, pause);
    const waiters = [...this.#waiters];
    this.#waiters.clear();
    for (const waiter of waiters) waiter.end({ kind: 'pause_too_long', asked });
  }

  #reportWait({ asked, until: pauseEnd }: PlatformPause, until: number, now: number): void {
    if (this.#reportedUntil === until) return;
    this.#reportedUntil = until;
    const wall = this.#clock.now() + until - now;
    const { timezone } = this.#options;
    this.#options.onPause?.({ asked, until: wall, timezone, isTooLong: until < pauseEnd });
  }

  #reportEnd(): void {
    if (this.#reportedUntil === undefined) return;
    this.#reportedUntil = undefined;
    this.#options.onPause?.(undefined);
  }

  /** Waits until the pause is lifted or prolonged, or no request waits any more. */
  #change(pause: PlatformPause): Promise<void> {
    const nap = new AbortController();
    this.#nap = nap;
    return new Promise((resolve) => {
      const unlisten = pause.listen(() => nap.abort());
      nap.signal.addEventListener('abort', () => {
        unlisten();
        this.#nap = undefined;
        resolve();
      });
    });
  }

  async #sleep(ms: number, pause?: PlatformPause): Promise<void> {
    const nap = new AbortController();
    this.#nap = nap;
    const unlisten = pause?.listen(() => nap.abort());
    await this.#clock.sleep(Math.min(Math.ceil(ms), LONGEST_TIMER_MS), nap.signal);
    unlisten?.();
    this.#nap = undefined;
  }
}
