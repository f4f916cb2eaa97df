import { fdatasync, fdatasyncSync } from 'node:fs';
import { promisify } from 'node:util';
import { type Clock, systemClock } from '../../util/clock.js';

/** How a file is brought to disk: while the event loop waits, or in a thread of its own. */
export interface FlushWays {
  readonly here: (file: number) => void;
  readonly beside: (file: number) => Promise<void>;
}

const SYSTEM: FlushWays = { here: fdatasyncSync, beside: promisify(fdatasync) };

/** In milliseconds. A busy event loop hears of what another thread has done about this much later. */
const SHORT = 2;
/** One flush says little: a quick disk takes long now and then. */
const WEIGHT = 1 / 16;
/** So many flushes go to another thread before the disk is tried again. */
const TRY_AGAIN_AFTER = 500;

/**
 * Brings a file to disk in the quicker way. Of a quick disk the event loop waits for the flush itself: what waits for its
 * commit goes on in the same turn. A slow one is waited for by another thread, and replies are heard meanwhile.
 */
export class DiskFlush {
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #ways: FlushWays;
  /** Mean of the last flushes, in milliseconds. */
  #usual = 0;
  #besideFor = 0;

  constructor(clock: Pick<Clock, 'monotonic'> = systemClock, ways: FlushWays = SYSTEM) {
    this.#clock = clock;
    this.#ways = ways;
  }

  /** Rejects as the system does. */
  async flush(file: number): Promise<void> {
    if (this.#besideFor > 0) {
      this.#besideFor -= 1;
      return this.#ways.beside(file);
    }
    const began = this.#clock.monotonic();
    this.#ways.here(file);
    this.#usual += (this.#clock.monotonic() - began - this.#usual) * WEIGHT;
    if (this.#usual <= SHORT) return;
    this.#besideFor = TRY_AGAIN_AFTER;
    // The next try is to tell at once whether the disk is still slow.
    this.#usual = SHORT;
  }
}
