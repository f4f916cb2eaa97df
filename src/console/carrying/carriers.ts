import { type ChildProcess, fork } from 'node:child_process';
import { ledgerVariables } from '../../app/console/ground.js';
import type { AppContext } from '../../app/context.js';
import { type Message, message } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';
import { LONGEST_TIMER_MS } from '../../util/clock.js';
import { ownFile } from '../../util/own-package.js';
import type { House } from '../house.js';
import { WebRefusal } from '../problem.js';
import {
  type ChildFailure,
  type ChildOver,
  type ChildWork,
  type FromChild,
  isHarmless,
  type ToChild,
} from './messages.js';

/** Each is a process that plans or sends; more at once would only slow each other down. */
const CHILDREN_AT_MOST = 16;

/**
 * A child that is to stop may take so long if its work changes nothing on the platform. Another one ends its requests
 * first, and answers that it heard the request to stop: one that is too busy to answer is killed.
 */
const HARMLESS_ENDS_WITHIN_MS = 5000;
const ANSWERS_WITHIN_MS = 10_000;
/** When the console ends, all children may take so long together. */
const ALL_END_WITHIN_MS = 6000;

/** What is heard of a child. */
export type ChildNews = Extract<FromChild, { kind: 'progress' | 'paused' | 'over' }>;

/** A use case that a child carries out. */
export interface Carried {
  readonly work: ChildWork;
  /** The id of the run, as soon as it has begun; of a use case that ended without one, undefined. Rejects with its error. */
  readonly started: Promise<string | undefined>;
  /** Never rejects. */
  readonly over: Promise<ChildOver>;
  /** Hears what comes from now on; what it returns ends that. */
  hear(listener: (news: ChildNews) => void): () => void;
  /** As Ctrl-C. A child that does not end is killed after its grace time; a run can be resumed then, too. */
  stop(): void;
  /** Stops it, so that it ends with this failure. */
  cancel(why: Message): void;
  /** Why it was cancelled, if it was. */
  readonly cancelled: Message | undefined;
}

/** The children of a console, by the runs that they carry. */
export class Carriers {
  readonly #all = new Set<Child>();
  readonly #byRun = new Map<string, Child>();
  #closing = false;

  /** There is one in a console: `context.house.single(Carriers.of)`. */
  static readonly of = (house: House): Carriers => {
    const carriers = new Carriers();
    house.onClose(() => carriers.close());
    return carriers;
  };

  /**
   * Lets a child carry out a use case.
   * @param context as whom, and where the ledger is
   * @param yes that a person gave to what is sent: `all`, or of a canary only to that
   * @param limitMs after which it is cancelled
   */
  async start(
    context: AppContext,
    work: ChildWork,
    { yes = 'all', limitMs }: { readonly yes?: 'all' | 'but_the_rest'; readonly limitMs?: number } = {},
  ): Promise<Carried> {
    if (this.#closing) throw new WebRefusal(503, message('console.closing'));
    if (this.#all.size >= CHILDREN_AT_MOST)
      throw new WebRefusal(429, message('console.too_many_children', { count: CHILDREN_AT_MOST }));
    const { address } = await context.opened!();
    const { env, cwd, language, wording, as } = context;
    const child = new Child(
      work,
      { kind: 'start', work, cwd, language, wording, ledger: address, as, yes },
      { ...env, ...(await ledgerVariables(address)) },
      (run) => this.#byRun.set(run, child),
    );
    this.#all.add(child);
    const limit =
      limitMs === undefined
        ? undefined
        : setTimeout(
            () => child.cancel(message('imports.took_too_long', { limit: shortDuration(limitMs) })),
            Math.min(limitMs, LONGEST_TIMER_MS),
          );
    void child.gone.then(() => {
      clearTimeout(limit);
      this.#all.delete(child);
    });
    void child.over.then(() => {
      for (const run of child.runs) if (this.#byRun.get(run) === child) this.#byRun.delete(run);
    });
    return child;
  }

  /** Whoever carries a run here, if somebody does. */
  of(run: string): Carried | undefined {
    return this.#byRun.get(run);
  }

  /** Stops all as Ctrl-C does, waits for them, and kills those that did not end. */
  async close(): Promise<void> {
    this.#closing = true;
    const all = [...this.#all];
    for (const it of all) it.stop();
    const late = setTimeout(() => {
      for (const it of all) it.kill();
    }, ALL_END_WITHIN_MS);
    await Promise.all(all.map((it) => it.gone));
    clearTimeout(late);
  }
}

class Child implements Carried {
  readonly work: ChildWork;
  readonly started: Promise<string | undefined>;
  readonly over: Promise<ChildOver>;
  /** The process has ended. */
  readonly gone: Promise<void>;
  readonly runs = new Set<string>();
  readonly #process: ChildProcess;
  readonly #listeners = new Set<(news: ChildNews) => void>();
  #isGone = false;
  #isStopping = false;
  #answered = true;
  #grace: NodeJS.Timeout | undefined;
  cancelled: Message | undefined;

  constructor(
    work: ChildWork,
    start: Extract<ToChild, { kind: 'start' }>,
    env: NodeJS.ProcessEnv,
    began: (run: string) => void,
  ) {
    this.work = work;
    // In a process group of its own: a Ctrl-C on the terminal reaches only the console, which passes it on once.
    const child = fork(ownFile('dist/console/child.cjs'), [], {
      cwd: start.cwd,
      env,
      execArgv: ['--require', ownFile('bin/compiled-code.js')],
      detached: true,
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    this.#process = child;
    const started = settled<string | undefined>();
    const over = settled<ChildOver>();
    this.started = started.promise;
    this.over = over.promise;
    started.promise.catch(() => {});
    child.on('message', (it: FromChild) => {
      if (it.kind === 'ready') child.send(start, () => {});
      else if (it.kind === 'started') {
        this.runs.add(it.run);
        began(it.run);
        started.resolve(it.run);
      } else if (it.kind === 'stopping') this.#answered = true;
      else {
        if (it.kind === 'over') {
          const failure = this.#cancellation() ?? it.over.failure;
          if (failure) started.reject(errorOf(failure));
          else started.resolve(undefined);
          over.resolve(failure ? { ...it.over, failure } : it.over);
        }
        for (const listener of this.#listeners) listener(it);
      }
    });
    this.gone = new Promise((resolve) => {
      const end = (why: string): void => {
        this.#isGone = true;
        clearTimeout(this.#grace);
        const cancelled = this.#cancellation();
        const failure = cancelled ?? { text: why };
        started.reject(
          cancelled
            ? errorOf(cancelled)
            : new ProductError('internal', message('console.child_died', { why })),
        );
        over.resolve({ how: 'failed', exitCode: 5, summary: {}, failure });
        resolve();
      };
      child.once('error', (error) => end(error.message));
      child.once('exit', (code, signal) => end(signal ?? `exit code ${code ?? ''}`));
    });
  }

  hear(listener: (news: ChildNews) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  stop(): void {
    if (this.#isStopping) return;
    this.#isStopping = true;
    this.#askToStop();
  }

  cancel(why: Message): void {
    this.cancelled ??= why;
    this.stop();
  }

  /** With all processes that it started. */
  kill(): void {
    const { pid } = this.#process;
    if (this.#isGone || pid === undefined) return;
    try {
      process.kill(-pid, 'SIGKILL');
    } catch {
      this.#process.kill('SIGKILL');
    }
  }

  #askToStop(): void {
    this.#answered = false;
    if (this.#process.connected) this.#process.send({ kind: 'stop' } satisfies ToChild, () => {});
    const isHarmlessWork = isHarmless(this.work);
    const look = (): void => {
      if (isHarmlessWork || !this.#answered) this.kill();
      else this.#askToStop();
    };
    this.#grace = setTimeout(look, isHarmlessWork ? HARMLESS_ENDS_WITHIN_MS : ANSWERS_WITHIN_MS).unref();
  }

  #cancellation(): ChildFailure | undefined {
    const why = this.cancelled;
    return why && { text: why.code, product: { kind: 'usage', detail: why, others: [] } };
  }
}

function shortDuration(ms: number): string {
  return ms % 60_000 === 0 ? `${ms / 60_000} min` : `${ms / 1000} s`;
}

/** A promise that is settled from outside. */
function settled<T>() {
  let resolve!: (it: T) => void;
  let reject!: (why: unknown) => void;
  const promise = new Promise<T>((res, rej) => {
    resolve = res;
    reject = rej;
  });
  return { promise, resolve, reject };
}

/** The error as it was thrown in the child. */
export function errorOf({ product, text }: ChildFailure): Error {
  return product
    ? new ProductError(product.kind, product.detail, { others: product.others })
    : new Error(text);
}
