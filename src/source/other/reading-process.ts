import { type ChildProcess, fork } from 'node:child_process';
import { message } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';
import { deserializeError } from '../../errors/serialized-error.js';
import { ownFile } from '../../util/own-package.js';
import type { Answered, Answers, Asked, ReadingQuestion } from './protocol.js';

/** What a process may take that reads a file (contract section 9). */
export interface ReadingLimits {
  readonly memoryMb: number;
  /** For how long it may work on what it is asked, all in all. Waiting for the next question doesn't count. */
  readonly seconds: number;
}

const MAIN = 'dist/workers/other-files.cjs';
/** Of its memory, what JavaScript may fill; buffers come on top, and a thread of its own watches over all of it. */
const HEAP_SHARE = 0.85;
/** What Node needs of an environment where it can't do without. No token goes to the process that opens foreign files. */
const NEEDED = ['SystemRoot', 'windir'];
/** How a process ends that V8 or its own watch found to take too much memory. */
const OUT_OF_MEMORY: ReadonlySet<string> = new Set(['SIGKILL', 'SIGABRT', 'SIGTRAP', 'SIGILL']);
const OUT_OF_MEMORY_CODES: ReadonlySet<number> = new Set([133, 134, 137]);

interface Pending {
  readonly resolve: (value: never) => void;
  readonly reject: (error: Error) => void;
}

/**
 * A process that reads one file. Whatever the file makes of it, it ends alone: at the latest when it has worked for the
 * seconds or filled the memory that it is allowed.
 */
export class ReadingProcess {
  readonly #child: ChildProcess;
  readonly #file: string;
  readonly #limits: ReadingLimits;
  readonly #pending = new Map<number, Pending>();
  #asked = 0;
  /** Milliseconds that it worked so far. */
  #worked = 0;
  #timer: NodeJS.Timeout | undefined;
  #ended: Error | undefined;

  /** @param file what messages call the file */
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
    this.#child.on('message', (answer) => this.#answered(answer as Answered));
    this.#child.once('error', (error) => this.#end(this.#lost(String(error))));
    this.#child.once('exit', (code, signal) => this.#end(this.#exited(code, signal)));
  }

  /** @throws what reading threw there; ProductError input when the process ended before it answered */
  ask<Q extends ReadingQuestion>(question: Q): Promise<Answers[Q['ask']]> {
    if (this.#ended) return Promise.reject(this.#ended);
    this.#asked += 1;
    const id = this.#asked;
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve, reject });
      if (this.#pending.size === 1) this.#awaited();
      this.#child.send({ id, question } satisfies Asked, (error) => {
        if (error) this.#end(this.#lost(error.message));
      });
    });
  }

  /** Ends the process at once, also in the midst of its work. */
  end(): void {
    this.#end(new Error(`read of ${this.#file} after close`));
  }

  #answered({ id, worked, value, error }: Answered): void {
    this.#worked += worked;
    const asker = this.#pending.get(id);
    this.#pending.delete(id);
    if (this.#pending.size === 0) this.#idle();
    if (error) asker?.reject(deserializeError(error));
    else asker?.resolve(value as never);
    if (this.#worked > this.#limits.seconds * 1000) this.#end(this.#late());
  }

  /** Somebody waits for it: it holds this process open, and its time runs. */
  #awaited(): void {
    this.#child.ref();
    this.#child.channel?.ref();
    const left = Math.max(0, this.#limits.seconds * 1000 - this.#worked);
    // An answer may lie in the pipe that this process was too busy to take: it gets one more turn.
    this.#timer = setTimeout(() => setImmediate(() => setImmediate(() => this.#overdue())), left);
  }

  #overdue(): void {
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
