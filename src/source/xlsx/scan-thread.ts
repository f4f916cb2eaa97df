import { existsSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { arrived, type CarriedError, carried } from '../../errors/carried-error.js';
import type { PackedEntry } from './packed-entry.js';
import { lastRow, type RowBlock, rowsAfter } from './row-block.js';
import type { SharedOffsets } from './text-offsets.js';

/** What a thread is to scan. */
export interface ScanWork {
  readonly fd: number;
  readonly entry: PackedEntry;
  readonly sheet: string;
  readonly texts: SharedOffsets;
}

/** What it says first. */
export interface Begun {
  readonly kind: 'begun';
}

/** What it says then, in this order: all blocks, and how it ended. */
export type Said =
  | { readonly kind: 'blocks'; readonly blocks: readonly RowBlock[] }
  | { readonly kind: 'end' }
  | { readonly kind: 'error'; readonly error: CarriedError };

const WORKER = new URL('./scan-worker.js', import.meta.url);

/** Not where the program runs from its sources, or was packed into one file. */
export function canScanInThread(): boolean {
  return existsSync(WORKER);
}

/** Scans a worksheet from its beginning in a thread of its own, a little ahead of whoever takes the rows. */
export class ScanThread {
  readonly #worker: Worker;
  readonly #said: Said[] = [];
  #wake = (): void => {};
  /** Resolves when it is up, or never will be. */
  readonly #begun: Promise<unknown>;

  constructor(work: ScanWork) {
    this.#worker = new Worker(WORKER, { workerData: work, execArgv: [] });
    this.#begun = new Promise((resolve) => {
      this.#worker.once('message', resolve);
      this.#worker.once('exit', resolve);
    });
    this.#worker.on('message', (said: Begun | Said) => {
      if (said.kind !== 'begun') this.#arrive(said);
    });
    const lost = (error: unknown): void => this.#arrive({ kind: 'error', error: carried(error) });
    this.#worker.on('error', lost);
    this.#worker.on('exit', (code) =>
      lost(new Error(`the thread that scans ${work.entry.name} ended: ${code}`)),
    );
  }

  /** Forgets what it has said of the rows up to this one; whether it has said more. */
  isPast(row: number): boolean {
    for (let [said] = this.#said; said; [said] = this.#said) {
      if (said.kind !== 'blocks' || said.blocks.some((it) => lastRow(it) > row)) return true;
      this.#take();
    }
    return false;
  }

  /** @throws ProductError as `scanSheet` does, after the rows before. */
  async *blocks(after: number): AsyncGenerator<RowBlock> {
    for (;;) {
      if (this.#said.length === 0) {
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      }
      const said = this.#take();
      if (said.kind === 'end') return;
      if (said.kind === 'error') throw arrived(said.error);
      for (const { rows, cells, bytes } of said.blocks) {
        // What was a Buffer there arrives as plain bytes.
        const block = { rows, cells, bytes: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length) };
        const rest = rowsAfter(block, after);
        if (rest) yield rest;
      }
    }
  }

  /** When this is done, the thread reads from the file no more. */
  async end(): Promise<void> {
    // Node doesn't close the files of modules that a thread was loading when it was ended.
    await this.#begun;
    await this.#worker.terminate();
  }

  #arrive(said: Said): void {
    this.#said.push(said);
    this.#wake();
  }

  /** Takes what was said first, and lets the thread say one thing more. */
  #take(): Said {
    this.#worker.postMessage('more');
    return this.#said.shift()!;
  }
}
