import { existsSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { deserializeError, type SerializedError, serializeError } from '../../errors/serialized-error.js';
import type { PackedEntry } from './packed-entry.js';
import { lastRow, type RowBlock, rowsAfter } from './row-block.js';
import type { SharedOffsets } from './text-offsets.js';

/** What a thread has to scan. */
export interface ScanWork {
  readonly fd: number;
  readonly entry: PackedEntry;
  readonly sheet: string;
  readonly texts: SharedOffsets;
}

/** What the thread sends, in this order: that it is up, all blocks, and how the scan ended. */
export type ScanMessage =
  | { readonly kind: 'begun' }
  | { readonly kind: 'blocks'; readonly blocks: readonly RowBlock[] }
  | { readonly kind: 'end' }
  | { readonly kind: 'error'; readonly error: SerializedError };

/** As scripts/build.mjs names it, seen from dist/chunks/. */
const WORKER = new URL('../workers/scan-worker.cjs', import.meta.url);

/** False where the worker's file is missing: when the program runs from its sources. */
export function canScanInThread(): boolean {
  return existsSync(WORKER);
}

/** Scans a worksheet from its start in another thread, a little ahead of the caller that takes the rows. */
export class ScanThread {
  readonly #worker: Worker;
  readonly #messages: ScanMessage[] = [];
  #wake = (): void => {};
  /** Resolves when the thread is up, or has ended. */
  readonly #begun: Promise<unknown>;

  constructor(work: ScanWork) {
    this.#worker = new Worker(WORKER, { workerData: work, execArgv: [] });
    this.#begun = new Promise((resolve) => {
      this.#worker.once('message', resolve);
      this.#worker.once('exit', resolve);
    });
    this.#worker.on('message', (message: ScanMessage) => {
      if (message.kind !== 'begun') this.#arrive(message);
    });
    const lost = (error: unknown): void => this.#arrive({ kind: 'error', error: serializeError(error) });
    this.#worker.on('error', lost);
    this.#worker.on('exit', (code) =>
      lost(new Error(`the thread that scans ${work.entry.name} ended: ${code}`)),
    );
  }

  /** Drops messages about rows up to this one; true if the thread has sent something beyond it. */
  isPast(row: number): boolean {
    for (let [first] = this.#messages; first; [first] = this.#messages) {
      if (first.kind !== 'blocks' || first.blocks.some((it) => lastRow(it) > row)) return true;
      this.#take();
    }
    return false;
  }

  /** @throws ProductError as `scanSheet` does, after the rows before. */
  async *blocks(after: number): AsyncGenerator<RowBlock> {
    for (;;) {
      if (this.#messages.length === 0) {
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      }
      const next = this.#take();
      if (next.kind === 'error') throw deserializeError(next.error);
      if (next.kind !== 'blocks') return;
      for (const { rows, cells, bytes } of next.blocks) {
        // A Buffer arrives as a plain Uint8Array.
        const block = { rows, cells, bytes: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length) };
        const rest = rowsAfter(block, after);
        if (rest) yield rest;
      }
    }
  }

  /** Ends the thread. Afterwards it doesn't read from the file any more. */
  async end(): Promise<void> {
    // Waits until it is up: Node leaves module files open that a thread was loading when it was terminated.
    await this.#begun;
    await this.#worker.terminate();
  }

  #arrive(message: ScanMessage): void {
    this.#messages.push(message);
    this.#wake();
  }

  /** Takes the first message and allows the thread to send one more. */
  #take(): ScanMessage {
    this.#worker.postMessage('more');
    return this.#messages.shift()!;
  }
}
