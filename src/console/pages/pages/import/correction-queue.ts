import { type ReadonlySignal, signal } from '@preact/signals';
import type { CellEdit } from '../../grid/grid-data.js';

/** An act on the corrections that the console has not answered yet. */
export interface QueuedAct {
  /** An id of the act: the console that got it twice, because its answer was lost, does it once. */
  readonly act: string;
  readonly kind: 'corrections' | 'undo' | 'redo';
  readonly cells?: readonly CellEdit[];
}

/** Where acts outlive a reload of the page: the browser's `localStorage`. */
interface ActStore {
  readonly length: number;
  key(index: number): string | null;
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
  removeItem(key: string): void;
}

export interface QueueOptions<A> {
  readonly key: string;
  readonly store: ActStore;
  /** @throws what `isUnanswered` is true of, where nobody knows whether it was carried out */
  readonly send: (act: QueuedAct) => Promise<A>;
  readonly isUnanswered: (error: unknown) => boolean;
  readonly answered: (answer: A, act: QueuedAct) => void;
  readonly refused: (error: unknown, act: QueuedAct) => void;
  /** Resolves when it is worth trying again. @param tries how often it was tried */
  readonly pause: (tries: number) => Promise<void>;
}

/**
 * Sends acts one after the other, in the order in which they were made. Without a network they are kept, also over a reload,
 * and sent once it is back, under the id that they had: none is lost, and none takes effect twice.
 */
export class CorrectionQueue<A> {
  /** Acts that wait for an answer, the one under way first. */
  readonly waiting: ReadonlySignal<readonly QueuedAct[]>;
  /** No answer came to the last try. */
  readonly offline = signal(false);
  readonly #waiting = signal<readonly QueuedAct[]>([]);
  readonly #options: QueueOptions<A>;
  #sending = false;
  /** When the last act was made; no two at the same time. */
  #at = 0;
  #closed = false;

  constructor(options: QueueOptions<A>) {
    this.#options = options;
    this.waiting = this.#waiting;
    this.#waiting.value = this.#kept();
    void this.#send();
  }

  add(act: QueuedAct): void {
    this.#waiting.value = [...this.#waiting.value, act];
    this.#keep(act);
    void this.#send();
  }

  /** Nothing more is sent; what waits stays kept. */
  close(): void {
    this.#closed = true;
  }

  async #send(): Promise<void> {
    if (this.#sending) return;
    this.#sending = true;
    let tries = 0;
    for (let act = this.#waiting.value[0]; act && !this.#closed; act = this.#waiting.value[0]) {
      try {
        const answer = await this.#options.send(act);
        if (this.#closed) break;
        tries = 0;
        this.#done();
        this.#options.answered(answer, act);
      } catch (error) {
        if (this.#closed) break;
        if (this.#options.isUnanswered(error)) {
          this.offline.value = true;
          tries += 1;
          await this.#options.pause(tries);
        } else {
          tries = 0;
          this.#done();
          this.#options.refused(error, act);
        }
      }
    }
    this.#sending = false;
  }

  #done(): void {
    this.offline.value = false;
    const [done, ...others] = this.#waiting.value;
    this.#waiting.value = others;
    if (done) this.#options.store.removeItem(this.#keyOf(done));
  }

  /** Each under a key of its own: another tab of the same import keeps its own beside them. */
  #keep(act: QueuedAct): void {
    this.#at = Math.max(Date.now(), this.#at + 1);
    try {
      this.#options.store.setItem(this.#keyOf(act), JSON.stringify({ ...act, at: this.#at }));
    } catch {
      // A browser that keeps nothing, or has no more room: the acts are kept as long as the page is open.
    }
  }

  #keyOf({ act }: QueuedAct): string {
    return `${this.#options.key}.${act}`;
  }

  /** In the order in which they were made. */
  #kept(): readonly QueuedAct[] {
    const { store, key } = this.#options;
    try {
      const names = Array.from({ length: store.length }, (_, index) => store.key(index) ?? '');
      return names
        .filter((it) => it.startsWith(`${key}.`))
        .map((it) => JSON.parse(store.getItem(it) ?? '') as KeptAct)
        .sort((a, b) => a.at - b.at)
        .map(({ at: _, ...act }) => act);
    } catch {
      return [];
    }
  }
}

interface KeptAct extends QueuedAct {
  /** When it was made. */
  readonly at: number;
}
