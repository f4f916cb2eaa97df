import { type ChildProcess, fork } from 'node:child_process';
import { message } from '../../errors/message.js';
import { deserializeError, ProductError, type SerializedError } from '../../errors/product-error.js';
import { ownFile } from '../../util/own-package.js';
import type { SheetInfo } from '../source.js';
import type { GivenPassword } from './decrypt-package.js';

export interface FileToRead {
  readonly path: string;
  /** Name for messages. */
  readonly file: string;
  /** Of an encrypted workbook. Sent through the pipe, as other users can see arguments and environment. */
  readonly password?: GivenPassword | undefined;
}

export type ReadingQuestion =
  | ({ readonly ask: 'open' } & FileToRead)
  /** The next page of rows; the first one of a stream starts at the top of the sheet. */
  | { readonly ask: 'next'; readonly stream: number; readonly position: number }
  | { readonly ask: 'stop'; readonly stream: number }
  | { readonly ask: 'merges'; readonly position: number };

export interface ReadingReplies {
  readonly open: readonly SheetInfo[];
  /** Packed rows; none at the sheet's end. */
  readonly next: readonly string[];
  readonly stop: undefined;
  /** Top, left, bottom and right of each range. */
  readonly merges: readonly number[];
}

export interface ReadingRequest {
  readonly id: number;
  readonly question: ReadingQuestion;
}

export interface ReadingReply {
  readonly id: number;
  /** Processing time, in milliseconds. */
  readonly worked: number;
  readonly value?: ReadingReplies[keyof ReadingReplies];
  readonly error?: SerializedError;
}

/** Limits of a process that reads a file (contract section 9). */
export interface ReadingLimits {
  readonly memoryMb: number;
  /** Total processing time, without waiting for the next request. */
  readonly seconds: number;
}

const MAIN = 'dist/workers/other-files.cjs';
/** Share of its memory for JavaScript objects; buffers are separate, and a thread limits the total. */
const HEAP_SHARE = 0.85;
/** Environment variables that Node requires. The process that opens foreign files gets no token. */
const NEEDED = ['SystemRoot', 'windir'];
/** Signals that end a process which exceeds its memory, sent by V8 or its own watch. */
const OUT_OF_MEMORY: ReadonlySet<string> = new Set(['SIGKILL', 'SIGABRT', 'SIGTRAP', 'SIGILL']);
const OUT_OF_MEMORY_CODES: ReadonlySet<number> = new Set([133, 134, 137]);

interface Pending {
  readonly resolve: (value: never) => void;
  readonly reject: (error: Error) => void;
}

/**
 * A process that reads one file. A harmful file affects only this process, which is killed when it exceeds its time or
 * memory.
 */
export class ReadingProcess {
  readonly #child: ChildProcess;
  readonly #file: string;
  readonly #limits: ReadingLimits;
  readonly #pending = new Map<number, Pending>();
  #requests = 0;
  /** Processing time so far, in milliseconds. */
  #worked = 0;
  #timer: NodeJS.Timeout | undefined;
  #ended: Error | undefined;

  /** @param file name for messages */
  constructor(file: string, limits: ReadingLimits) {
    this.#file = file;
    this.#limits = limits;
    const heap = Math.floor(limits.memoryMb * HEAP_SHARE);
    this.#child = fork(ownFile(MAIN), [String(limits.memoryMb)], {
      execArgv: [`--max-old-space-size=${heap}`],
      env: Object.fromEntries(
        NEEDED.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])),
      ),
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    this.#child.on('message', (reply) => this.#receive(reply as ReadingReply));
    this.#child.once('error', (error) => this.#end(this.#lost(String(error))));
    this.#child.once('exit', (code, signal) => this.#end(this.#exited(code, signal)));
  }

  /** @throws the error of the reading; ProductError input if the process exited before it replied */
  ask<Q extends ReadingQuestion>(question: Q): Promise<ReadingReplies[Q['ask']]> {
    if (this.#ended) return Promise.reject(this.#ended);
    this.#requests += 1;
    const id = this.#requests;
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve, reject });
      if (this.#pending.size === 1) this.#startTimer();
      this.#child.send({ id, question } satisfies ReadingRequest, (error) => {
        if (error) this.#end(this.#lost(error.message));
      });
    });
  }

  /** Kills the process at once, also while it works. */
  end(): void {
    this.#end(new Error(`read of ${this.#file} after close`));
  }

  #receive({ id, worked, value, error }: ReadingReply): void {
    this.#worked += worked;
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    if (this.#pending.size === 0) this.#idle();
    if (error) pending?.reject(deserializeError(error));
    else pending?.resolve(value as never);
    if (this.#worked > this.#limits.seconds * 1000) this.#end(this.#late());
  }

  /** A caller waits for it: it keeps this process alive, and its time limit runs. */
  #startTimer(): void {
    this.#child.ref();
    this.#child.channel?.ref();
    const left = Math.max(0, this.#limits.seconds * 1000 - this.#worked);
    // A reply may wait in the pipe while this process was busy: two more turns of the event loop.
    this.#timer = setTimeout(() => setImmediate(() => setImmediate(() => this.#checkTime())), left);
  }

  #checkTime(): void {
    if (this.#pending.size > 0 && this.#timer) this.#end(this.#late());
  }

  #idle(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#child.unref();
    this.#child.channel?.unref();
  }

  #end(reason: Error): void {
    if (this.#ended) return;
    this.#ended = reason;
    this.#child.kill('SIGKILL');
    this.#idle();
    for (const { reject } of this.#pending.values()) reject(reason);
    this.#pending.clear();
  }

  #exited(code: number | null, signal: NodeJS.Signals | null): ProductError {
    const full =
      (signal !== null && OUT_OF_MEMORY.has(signal)) || (code !== null && OUT_OF_MEMORY_CODES.has(code));
    if (!full) return this.#lost(signal ?? `exit ${code}`);
    const params = { file: this.#file, limit: this.#limits.memoryMb };
    return new ProductError('input', message('source.other_memory', params));
  }

  #lost(reason: string): ProductError {
    return new ProductError('input', message('source.other_ended', { file: this.#file, reason }));
  }

  #late(): ProductError {
    const params = { file: this.#file, limit: this.#limits.seconds };
    return new ProductError('input', message('source.other_time', params));
  }
}
