import { existsSync } from 'node:fs';
import { parentPort, Worker, workerData } from 'node:worker_threads';
import { deserializeError, type SerializedError, serializeError } from '../errors/product-error.js';

/** Messages to a thread: it may send one more message, or it must end. */
export type ThreadRequest = 'more' | 'end';

/** Messages of a thread, in this order: the data, then how the reading ended. */
export type ThreadMessage<Chunk> =
  | { readonly kind: 'pieces'; readonly chunks: readonly Chunk[] }
  | { readonly kind: 'end' }
  | { readonly kind: 'error'; readonly error: SerializedError };

const YOUNG_MB = 4;

/** The main file of a thread, named as in scripts/build.mjs, relative to dist/chunks/. */
const mainFile = (name: string): URL => new URL(`../workers/${name}.cjs`, import.meta.url);

/** False if the thread's file is missing, which is the case when the program runs from its sources. */
export function canReadInThread(name: string): boolean {
  return existsSync(mainFile(name));
}

/** Reads in another thread, a little ahead of the caller. The thread's main file calls `serveReading`. */
export class ReadingThread<Piece> {
  readonly #worker: Worker;
  readonly #messages: ThreadMessage<Piece>[] = [];
  #wake = (): void => {};
  readonly #exited: Promise<unknown>;

  /** @param work passed to the thread's main file */
  constructor(name: string, work: unknown) {
    this.#worker = new Worker(mainFile(name), {
      workerData: work,
      execArgv: [],
      // The data is sent at once, so a larger young generation would only fill with garbage.
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB },
    });
    this.#exited = new Promise((resolve) => this.#worker.once('exit', resolve));
    this.#worker.on('message', (message: ThreadMessage<Piece>) => this.#arrive(message));
    const lost = (error: unknown): void => this.#arrive({ kind: 'error', error: serializeError(error) });
    this.#worker.on('error', lost);
    this.#worker.on('exit', (code) => lost(new Error(`the thread ${name} ended: ${code}`)));
  }

  /** Skips messages with only unwanted data; true if there is another message. */
  skip(isUnwanted: (chunk: Piece) => boolean): boolean {
    for (let [first] = this.#messages; first; [first] = this.#messages) {
      if (first.kind !== 'pieces' || !first.chunks.every(isUnwanted)) return true;
      this.#take();
    }
    return false;
  }

  /** @throws the error of the reading, after the data before it */
  async *chunks(): AsyncGenerator<Piece> {
    for (;;) {
      if (this.#messages.length === 0) {
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      }
      const next = this.#take();
      if (next.kind === 'error') throw deserializeError(next.error);
      if (next.kind !== 'pieces') return;
      yield* next.chunks;
    }
  }

  /** Ends the thread. It does not read from the file afterwards. */
  async end(): Promise<void> {
    // Not `terminate()`: Node aborts the whole process if the thread is just creating a zlib stream.
    this.#worker.postMessage('end' satisfies ThreadRequest);
    await this.#exited;
  }

  #arrive(message: ThreadMessage<Piece>): void {
    this.#messages.push(message);
    this.#wake();
  }

  /** Removes the first message and allows the thread to send one more. */
  #take(): ThreadMessage<Piece> {
    this.#worker.postMessage('more' satisfies ThreadRequest);
    return this.#messages.shift()!;
  }
}

/** Maximum number of unprocessed messages. */
const AHEAD = 4;

/**
 * The main file of a `ReadingThread`: sends the data, and waits while the caller is slower.
 * @param piecesAtOnce per message: each message costs time, and memory on both sides
 * @param memoryOf buffers that are transferred instead of copied
 */
export async function serveReading<Work, Chunk>(
  read: (work: Work) => AsyncIterable<Chunk>,
  piecesAtOnce: number,
  memoryOf: (chunk: Chunk) => readonly ArrayBuffer[] = () => [],
): Promise<void> {
  if (!parentPort) throw new Error('this is the main file of a worker thread');
  const port = parentPort;
  let free = AHEAD;
  let ended = false;
  let wake = (): void => {};
  port.on('message', (request: ThreadRequest) => {
    if (request === 'more') free += 1;
    else {
      ended = true;
      // Nothing else keeps the thread alive: it exits as soon as the current read is done.
      port.close();
    }
    wake();
  });
  const send = async (message: ThreadMessage<Chunk>, memory: readonly ArrayBuffer[] = []): Promise<void> => {
    if (free === 0 && !ended) {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
    free -= 1;
    port.postMessage(message, memory);
  };
  let chunks: Chunk[] = [];
  const sendPieces = async (): Promise<void> => {
    const sent = chunks;
    chunks = [];
    await send({ kind: 'pieces', chunks: sent }, sent.flatMap(memoryOf));
  };
  try {
    for await (const chunk of read(workerData as Work)) {
      if (ended) return;
      chunks.push(chunk);
      if (chunks.length === piecesAtOnce) await sendPieces();
    }
    await sendPieces();
    await send({ kind: 'end' });
  } catch (error) {
    await sendPieces();
    await send({ kind: 'error', error: serializeError(error) });
  }
}
