import { type Clock, systemClock } from '../../util/clock.js';
import type { AttemptEvent } from './attempt-event.js';
import { OwnPace, type Pace } from './pace.js';
import {
  beginPause,
  currentPause,
  liftPause,
  type PauseAsked,
  type PauseSharing,
  PlatformPause,
  pauseAsked,
  pauseSharing,
  tellPause,
  unavailable,
} from './platform-pause.js';

interface GateOptions {
  /** Undefined: no pace of its own, only the platform's pauses delay. */
  readonly perSecond?: number | undefined;
  /** In place of it: a pace that others keep too. */
  readonly pace?: Pace | undefined;
  /** How many requests may be under way, where that is limited beyond who asks here. */
  readonly slots?: GateSlots | undefined;
  /** Where the requests go: its pauses are shared with everybody else who sends there. */
  readonly origin: string;
  /** Continuous pausing that is waited out, in milliseconds. */
  readonly patienceMs: number;
  readonly clock?: Clock;
  /** Told when the wait for a pause begins, or grows, and with undefined when it is over. */
  readonly tell?: (pause: PauseNews | undefined) => void;
  readonly random?: () => number;
}

/** Leave to have a request under way. */
export interface GateSlots {
  /** False as soon as the signal is aborted. */
  take(signal?: AbortSignal): Promise<boolean>;
  release(): void;
}

/** A pause as people are told of it. */
export interface PauseNews {
  readonly asked: PauseAsked;
  /** When the next request is sent, in milliseconds since 1970. */
  readonly until: number;
  /** `until` is the end of patience: nothing more is sent then. */
  readonly inVain: boolean;
}

/**
 * - go: one request may start; `done` must be called with what became of it
 * - gone: the signal was aborted
 * - impatient: the platform has asked to wait for longer than patience allows
 */
export type Turn =
  | { readonly kind: 'go'; readonly probe?: PlatformPause }
  | { readonly kind: 'gone' }
  | { readonly kind: 'impatient'; readonly asked: PauseAsked };

interface Waiter {
  readonly end: (turn: Turn) => void;
}

/** How soon it is looked again whether a request may probe, where another one does. */
const PROBE_AGAIN_MS = 200;
/** Timers take at most 31 bits of milliseconds. */
const LONGEST_NAP_MS = 2_147_483_647;

const GO: Turn = { kind: 'go' };
const GONE: Turn = { kind: 'gone' };
const FREE = Promise.resolve(GO);

/**
 * Says when a request may start: `perSecond` a second, evenly, first come first served; while the platform asks for a
 * pause none, and after it one, alone. All by the monotonic clock.
 */
export class RequestGate {
  readonly #options: GateOptions;
  readonly #pace: Pace | undefined;
  readonly #clock: Clock;
  readonly #waiters = new Set<Waiter>();
  /** The pause that is being waited for, and since when: patience is each gate's own. */
  #met: { readonly pause: PlatformPause; readonly since: number } | undefined;
  #toldUntil: number | undefined;
  /** Set while the pump sleeps; aborted when no one waits any more, as a timer would keep the process alive. */
  #nap: AbortController | undefined;
  #pumping = false;

  constructor(options: GateOptions) {
    this.#options = options;
    const { perSecond } = options;
    this.#pace = options.pace ?? (perSecond === undefined ? undefined : new OwnPace(perSecond));
    this.#clock = options.clock ?? systemClock;
  }

  /** Waits for one request's turn. Never rejects. */
  take(signal?: AbortSignal): Promise<Turn> {
    const { slots } = this.#options;
    return slots ? this.#takeSlot(slots, signal) : this.#takeTurn(signal);
  }

  async #takeSlot(slots: GateSlots, signal?: AbortSignal): Promise<Turn> {
    if (!(await slots.take(signal))) return GONE;
    const turn = await this.#takeTurn(signal);
    if (turn.kind !== 'go') slots.release();
    return turn;
  }

  #takeTurn(signal?: AbortSignal): Promise<Turn> {
    if (signal?.aborted) return Promise.resolve(GONE);
    // No pace, no pause, nobody before: most requests of most runs.
    if (!this.#pace && this.#waiters.size === 0 && !currentPause(this.#options.origin)) return FREE;
    return new Promise((resolve) => {
      const leave = (): void => {
        this.#waiters.delete(waiter);
        if (this.#waiters.size === 0) this.#nap?.abort();
        resolve(GONE);
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
   * What became of the request that a turn was for. Danger: without it a probe would never end, and nobody follow.
   * @param event undefined: no request was made
   * @param answered the reply did its work, whatever it asks for besides
   * @param repeatable HTTP 408 or 5xx leaves no doubt about the request; otherwise one request follows at a time, with
   * growing waits, until one is answered
   */
  done(turn: Turn, event: AttemptEvent | undefined, answered: boolean, repeatable: boolean): void {
    if (turn.kind === 'go') this.#options.slots?.release();
    const { origin, random = Math.random } = this.#options;
    const asked = event && (pauseAsked(event) ?? (repeatable || answered ? undefined : unavailable(event)));
    const probed = turn.kind === 'go' ? turn.probe : undefined;
    const now = this.#clock.monotonic();
    if (probed) {
      probed.probing = false;
      const continued = asked ?? (probed.unavailable ? probed.asked : undefined);
      if (!event || (continued && !answered)) {
        if (event && continued) {
          probed.refused(continued, now, random);
          tellPause(origin, probed, now);
        }
        probed.changed();
        return;
      }
      liftPause(origin, probed);
      // Others learn it from the ledger; while that is away nobody sends.
      pauseSharing(origin)
        ?.lifted()
        .catch(() => {});
      if (!asked || this.#waiters.size === 0) this.#tellOver();
    }
    if (!asked) return;
    let pause = currentPause(origin);
    if (pause) pause.heardAgain(asked, now, random);
    else {
      pause = new PlatformPause(asked, now, random);
      beginPause(origin, pause);
    }
    tellPause(origin, pause, now);
  }

  async #pump(): Promise<void> {
    this.#pumping = true;
    for (;;) {
      const [first] = this.#waiters;
      if (!first) break;
      const now = this.#clock.monotonic();
      const pause = currentPause(this.#options.origin);
      const held = pause && this.#held(pause, now);
      if (held) {
        await held();
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
      // Danger: nothing may be awaited between the look at the pause and this; two would probe, or none that lives.
      this.#waiters.delete(first);
      this.#pace?.started(now);
      if (pause) {
        pause.probing = true;
        pause.mayProbe = false;
      } else this.#tellOver();
      first.end(pause ? { kind: 'go', probe: pause } : GO);
    }
    this.#pumping = false;
  }

  /** What to wait for while the pause holds; undefined: somebody may probe now. */
  #held(pause: PlatformPause, now: number): (() => Promise<void>) | undefined {
    if (this.#met?.pause !== pause) this.#met = { pause, since: now };
    const over = this.#met.since + this.#options.patienceMs;
    if (pause.probing) return () => this.#change(pause);
    if (pause.until <= Math.min(now, over)) {
      const sharing = pauseSharing(this.#options.origin);
      return !sharing || pause.mayProbe ? undefined : () => this.#askToProbe(pause, sharing);
    }
    if (now >= over) return () => this.#sendAway(pause);
    const until = Math.min(pause.until, over);
    this.#tell(pause, until, now);
    return () => this.#sleep(until - now, pause);
  }

  /** One request probes over all who share the pause; whoever may not looks again, or hears that it is over. */
  async #askToProbe(pause: PlatformPause, sharing: PauseSharing): Promise<void> {
    pause.mayProbe = await sharing.probe().catch(() => false);
    if (!pause.mayProbe) await this.#sleep(PROBE_AGAIN_MS, pause);
  }

  async #sendAway(pause: PlatformPause): Promise<void> {
    this.#tellOver();
    const { asked } = pause;
    // Whoever goes on with the run later begins by asking.
    if (!pause.waitedFor) liftPause(this.#options.origin, pause);
    const waiters = [...this.#waiters];
    this.#waiters.clear();
    for (const waiter of waiters) waiter.end({ kind: 'impatient', asked });
  }

  #tell({ asked, until: end }: PlatformPause, until: number, now: number): void {
    if (this.#toldUntil === until) return;
    this.#toldUntil = until;
    const wall = this.#clock.now() + until - now;
    this.#options.tell?.({ asked, until: wall, inVain: until < end });
  }

  #tellOver(): void {
    if (this.#toldUntil === undefined) return;
    this.#toldUntil = undefined;
    this.#options.tell?.(undefined);
  }

  /** Waits until the pause is lifted or prolonged, or nobody waits any more. */
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
    await this.#clock.sleep(Math.min(Math.ceil(ms), LONGEST_NAP_MS), nap.signal);
    unlisten?.();
    this.#nap = undefined;
  }
}
