import { existsSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { deserializeError, type SerializedError, serializeError } from '../errors/serialized-error.js';

/** What a thread sends, in this order: that it is up, what it reads, and how the reading ended. */
export type ThreadMessage<Piece> =
  | { readonly kind: 'begun' }
  | { readonly kind: 'pieces'; readonly pieces: readonly Piece[] }
  | { readonly kind: 'end' }
  | { readonly kind: 'error'; readonly error: SerializedError };

const YOUNG_MB = 4;

/** The main file of a thread, as scripts/build.mjs names it, seen from dist/chunks/. */
const mainFile = (name: string): URL => new URL(`../workers/${name}.cjs`, import.meta.url);

/** False where the thread's file is missing: when the program runs from its sources. */
export function canReadInThread(name: string): boolean {
  return existsSync(mainFile(name));
}

/** Reads in another thread, a little ahead of the caller that takes the pieces. Its main file calls `serveReading`. */
export class ReadingThread<Piece> {
  readonly #worker: Worker;
  readonly #messages: ThreadMessage<Piece>[] = [];
  #wake = (): void => {};
  /** Resolves when the thread is up, or has ended. */
  readonly #begun: Promise<unknown>;

  /** @param work what the main file is told to read */
  constructor(name: string, work: unknown) {
    this.#worker = new Worker(mainFile(name), {
      workerData: work,
      execArgv: [],
      // What a thread reads is sent at once: more room would only be filled with what is garbage by then.
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB },
    });
    this.#begun = new Promise((resolve) => {
      this.#worker.once('message', resolve);
      this.#worker.once('exit', resolve);
    });
    this.#worker.on('message', (message: ThreadMessage<Piece>) => {
      if (message.kind !== 'begun') this.#arrive(message);
    });
    const lost = (error: unknown): void => this.#arrive({ kind: 'error', error: serializeError(error) });
    this.#worker.on('error', lost);
    this.#worker.on('exit', (code) => lost(new Error(`the thread ${name} ended: ${code}`)));
  }

  /** Takes messages as long as they hold only what isn't wanted; true if there is another one. */
  skip(isUnwanted: (piece: Piece) => boolean): boolean {
    for (let [first] = this.#messages; first; [first] = this.#messages) {
      if (first.kind !== 'pieces' || !first.pieces.every(isUnwanted)) return true;
      this.#take();
    }
    return false;
  }

  /** @throws what the reading threw, after the pieces before. */
  async *pieces(): AsyncGenerator<Piece> {
    for (;;) {
      if (this.#messages.length === 0) {
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      }
      const next = this.#take();
      if (next.kind === 'error') throw deserializeError(next.error);
      if (next.kind !== 'pieces') return;
      yield* next.pieces;
    }
  }

  /** Ends the thread. Afterwards it doesn't read from the file any more. */
  async end(): Promise<void> {
    // Waits until it is up: Node leaves module files open that a thread was loading when it was terminated.
    await this.#begun;
    await this.#worker.terminate();
  }

  #arrive(message: ThreadMessage<Piece>): void {
    this.#messages.push(message);
    this.#wake();
  }

  /** Takes the first message and allows the thread to send one more. */
  #take(): ThreadMessage<Piece> {
    this.#worker.postMessage('more');
    return this.#messages.shift()!;
  }
}
