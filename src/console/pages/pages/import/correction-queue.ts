import { type ReadonlySignal, signal } from '@preact/signals';
import type { CellEdit } from '../../grid/positions.js';

/** A correction, undo or redo that the console has not confirmed yet. */
export interface QueuedAction {
  /**
   * An id chosen by the page: if the console receives the action twice, because the first response was lost, it
   * executes it once.
   */
  readonly act: string;
  readonly kind: 'corrections' | 'undo' | 'redo';
  readonly cells?: readonly CellEdit[];
}

/** The part of `localStorage` that keeps actions over a reload. */
interface ActionStore {
  readonly length: number;
  key(index: number): string | null;
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
  removeItem(key: string): void;
}

export interface QueueOptions<A> {
  readonly key: string;
  readonly store: ActionStore;
  /** @throws an error for which `isUnanswered` is true if the outcome is unknown */
  readonly send: (action: QueuedAction) => Promise<A>;
  readonly isUnanswered: (error: unknown) => boolean;
  readonly answered: (answer: A, action: QueuedAction) => void;
  readonly refused: (error: unknown, action: QueuedAction) => void;
  /** Resolves when the next attempt makes sense. @param tries number of attempts so far */
  readonly pause: (tries: number) => Promise<void>;
}

/**
 * Sends actions one after the other, in order. Without a network they are stored, also over a reload, and sent later
 * with the same id, so that none is lost and none takes effect twice.
 */
export class CorrectionQueue<A> {
  /** Actions not confirmed yet, the one in flight first. */
  readonly waiting: ReadonlySignal<readonly QueuedAction[]>;
  /** The last attempt got no response. */
  readonly offline = signal(false);
  readonly #waiting = signal<readonly QueuedAction[]>([]);
  readonly #options: QueueOptions<A>;
  #sending = false;
  /** Time of the last action; times are unique. */
  #lastAddedAt = 0;
  #closed = false;

  constructor(options: QueueOptions<A>) {
    this.#options = options;
    this.waiting = this.#waiting;
    this.#waiting.value = this.#stored();
    void this.#send();
  }

  add(action: QueuedAction): void {
    this.#waiting.value = [...this.#waiting.value, action];
    this.#store(action);
    void this.#send();
  }

  /** Stops sending; waiting actions stay stored. */
  close(): void {
    this.#closed = true;
  }

  async #send(): Promise<void> {
    if (this.#sending) return;
    this.#sending = true;
    let tries = 0;
    for (let action = this.#waiting.value[0]; action && !this.#closed; action = this.#waiting.value[0]) {
      try {
        const answer = await this.#options.send(action);
        if (this.#closed) break;
        tries = 0;
        this.#done();
        this.#options.answered(answer, action);
      } catch (error) {
        if (this.#closed) break;
        if (this.#options.isUnanswered(error)) {
          this.offline.value = true;
          tries += 1;
          await this.#options.pause(tries);
        } else {
          tries = 0;
          this.#done();
          if (action.kind === 'corrections') this.#dropUndo();
          this.#options.refused(error, action);
        }
      }
    }
    this.#sending = false;
  }

  #done(): void {
    this.offline.value = false;
    this.#remove(this.#waiting.value[0]);
  }

  /** The undo of a rejected correction must not undo an earlier one. */
  #dropUndo(): void {
    let depth = 1;
    this.#remove(
      this.#waiting.value.find(({ kind }) => {
        depth += kind === 'undo' ? -1 : 1;
        return depth === 0;
      }),
    );
  }

  #remove(action: QueuedAction | undefined): void {
    this.#waiting.value = this.#waiting.value.filter((it) => it !== action);
    if (action) this.#options.store.removeItem(this.#keyOf(action));
  }

  /** Each action has its own key, so that tabs of the same import do not overwrite each other. */
  #store(action: QueuedAction): void {
    this.#lastAddedAt = Math.max(Date.now(), this.#lastAddedAt + 1);
    try {
      this.#options.store.setItem(this.#keyOf(action), JSON.stringify({ ...action, at: this.#lastAddedAt }));
    } catch {
      // Without storage, or if it is full, actions are kept until the page is closed.
    }
  }

  #keyOf({ act }: QueuedAction): string {
    return `${this.#options.key}.${act}`;
  }

  /** In the order in which they were added. */
  #stored(): readonly QueuedAction[] {
    const { store, key } = this.#options;
    try {
      const names = Array.from({ length: store.length }, (_, index) => store.key(index) ?? '');
      return names
        .filter((it) => it.startsWith(`${key}.`))
        .map((it) => JSON.parse(store.getItem(it) ?? '') as QueuedCorrection)
        .sort((a, b) => a.at - b.at)
        .map(({ at: _, ...action }) => action);
    } catch {
      return [];
    }
  }
}

interface QueuedCorrection extends QueuedAction {
  /** Time when it was added. */
  readonly at: number;
}
