import pLimit, { type LimitFunction } from 'p-limit';

/** A chunk that is still being opened is taken to fill no more than this part of the slots. */
const OPENING_SHARE = 3;
/** The engine found no job within this time, or it would have been here. */
const ASKING_MS = 200;

/** The requests that a worker may have under way, and whether it needs more work to fill them. */
export class Slots {
  readonly limit: LimitFunction;
  readonly #slots: number;
  readonly #waiting = new Set<() => void>();
  readonly #asking: NodeJS.Timeout[] = [];
  #opening = 0;
  /** Batches that the next chunk is taken to have: as many as the last one. */
  #expected = Number.POSITIVE_INFINITY;
  #closed = false;

  constructor(slots: number) {
    this.#slots = slots;
    this.limit = pLimit(slots);
  }

  /** Waits until more work is wanted: less is there than would fill the slots once more. */
  async hungry(): Promise<void> {
    while (!this.#closed && !this.#wantsMore()) {
      await new Promise<void>((resolve) => this.#waiting.add(resolve));
    }
    const timer = setTimeout(() => {
      this.#asking.splice(this.#asking.indexOf(timer), 1);
      this.changed();
    }, ASKING_MS);
    timer.unref();
    this.#asking.push(timer);
  }

  /** A chunk was handed out; call what is returned when its batches wait here, or it came to nothing. */
  opening(): () => void {
    clearTimeout(this.#asking.shift());
    this.#opening += 1;
    let open = true;
    return () => {
      if (open) this.#opening -= 1;
      open = false;
      this.changed();
    };
  }

  /** A chunk was opened that has so many batches. */
  opened(batches: number): void {
    this.#expected = batches;
  }

  /** Some of the work is done. */
  changed(): void {
    if (!this.#closed && !this.#wantsMore()) return;
    for (const wake of this.#waiting) {
      this.#waiting.delete(wake);
      wake();
      // Each that is woken counts before the next one looks.
      if (!this.#closed) return;
    }
  }

  /** Nobody waits any more. */
  close(): void {
    this.#closed = true;
    this.changed();
  }

  #wantsMore(): boolean {
    const each = Math.min(this.#expected, Math.ceil(this.#slots / OPENING_SHARE));
    const awaited = (this.#opening + this.#asking.length) * each;
    return this.limit.pendingCount + awaited < this.#slots;
  }
}
