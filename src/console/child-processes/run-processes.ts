import { type ChildProcess, fork } from 'node:child_process';
import { ledgerVariables } from '../../app/console/console-environment.js';
import type { AppContext } from '../../app/context.js';
import type { Utility, UtilityInput, UtilityResult } from '../../app/use-cases.js';
import { type Message, message } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';
import { LONGEST_TIMER_MS } from '../../util/clock.js';
import { ownFile } from '../../util/own-package.js';
import { WebRefusal } from '../problem.js';
import type { ServiceRegistry } from '../service-registry.js';
import {
  type ChildFailure,
  type ChildOver,
  type ChildWork,
  type FromChild,
  isSafeToKill,
  type ToChild,
} from './child-messages.js';

/** Each one is a process that plans or sends; more of them would slow each other down. */
const MAX_CHILDREN = 16;

/**
 * Time before a stopping child is killed, if its work changes nothing on the platform. Other children finish their
 * requests first; they are killed only if they do not acknowledge the stop.
 */
const KILL_GRACE_MS = 5000;
const ACKNOWLEDGE_WITHIN_MS = 10_000;
/** Time for all children to exit when the console shuts down. */
const CLOSE_GRACE_MS = 6000;

/** Events of a child that listeners receive. */
export type ChildEvent = Extract<FromChild, { kind: 'progress' | 'paused' | 'over' }>;

/** A use case that runs in a child process. */
export interface RunProcess {
  readonly work: ChildWork;
  /**
   * Resolves with the run's id when the run has started, or undefined if the use case ended without a run. Rejects
   * with its error.
   */
  readonly started: Promise<string | undefined>;
  /** Never rejects. */
  readonly over: Promise<ChildOver>;
  /** Adds a listener for future events. Returns a function that removes it. */
  subscribe(listener: (event: ChildEvent) => void): () => void;
  /** Same as Ctrl-C. A child that does not exit is killed after a grace time; its run can then be resumed. */
  stop(): void;
  /** Stops the child and reports this failure. */
  cancel(why: Message): void;
  /** Why it was cancelled, if it was. */
  readonly cancelled: Message | undefined;
}

/** The child processes of the console, by run. */
export class RunProcesses {
  readonly #all = new Set<Child>();
  readonly #byRun = new Map<string, Child>();
  #closing = false;

  /** A singleton: `context.services.get(RunProcesses.of)`. */
  static readonly of = (services: ServiceRegistry): RunProcesses => {
    const processes = new RunProcesses();
    services.onClose(() => processes.close());
    return processes;
  };

  /**
   * Runs a use case in a child process.
   * @param context the caller and the ledger
   * @param confirmed what the user confirmed: `all`, or `but_the_rest` for a canary run without the rest
   * @param changed `ChangedRows.latest` of the rows that the page showed
   * @param limitMs time after which the child is cancelled, in milliseconds
   * @throws WebRefusal if the console is shutting down or has too many children
   */
  async start(
    context: AppContext,
    work: ChildWork,
    {
      confirmed = 'all',
      changed,
      limitMs,
    }: {
      readonly confirmed?: 'all' | 'but_the_rest';
      readonly changed?: number | undefined;
      readonly limitMs?: number | undefined;
    } = {},
  ): Promise<RunProcess> {
    if (this.#closing) throw new WebRefusal(503, message('console.closing'));
    if (this.#all.size >= MAX_CHILDREN)
      throw new WebRefusal(429, message('console.too_many_children', { count: MAX_CHILDREN }));
    const { address } = await context.opened!();
    const { env, cwd, language, wording, as } = context;
    const child = new Child(
      work,
      { kind: 'start', work, cwd, language, wording, ledger: address, as, confirmed, changed },
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
    void child.exited.then(() => {
      clearTimeout(limit);
      this.#all.delete(child);
    });
    void child.over.then(() => {
      for (const run of child.runs) if (this.#byRun.get(run) === child) this.#byRun.delete(run);
    });
    return child;
  }

  /** The result of a utility that runs in a child process. */
  async result<Use extends Utility>(
    context: AppContext,
    use: Use,
    input: UtilityInput<Use>,
    limitMs?: number,
  ): Promise<UtilityResult<Use>> {
    const child = await this.start(context, { use, input } as ChildWork, { limitMs });
    const { failure, result } = await child.over;
    if (failure) throw errorFromChild(failure);
    return result as UtilityResult<Use>;
  }

  /** The child that executes a run, if there is one. */
  of(run: string): RunProcess | undefined {
    return this.#byRun.get(run);
  }

  /** Stops all children as Ctrl-C does, waits for them, and kills those that did not exit. */
  async close(): Promise<void> {
    this.#closing = true;
    const all = [...this.#all];
    for (const child of all) child.stop();
    const late = setTimeout(() => {
      for (const child of all) child.kill();
    }, CLOSE_GRACE_MS);
    await Promise.all(all.map((child) => child.exited));
    clearTimeout(late);
  }
}

class Child implements RunProcess {
  readonly work: ChildWork;
  readonly started: Promise<string | undefined>;
  readonly over: Promise<ChildOver>;
  /** Resolves when the process has exited. */
  readonly exited: Promise<void>;
  readonly runs = new Set<string>();
  readonly #process: ChildProcess;
  readonly #listeners = new Set<(event: ChildEvent) => void>();
  #hasExited = false;
  #isStopping = false;
  #acknowledged = true;
  #grace: NodeJS.Timeout | undefined;
  cancelled: Message | undefined;

  constructor(
    work: ChildWork,
    start: Extract<ToChild, { kind: 'start' }>,
    env: NodeJS.ProcessEnv,
    onStarted: (run: string) => void,
  ) {
    this.work = work;
    // The child has its own process group, so that Ctrl-C in the terminal reaches only the console, which passes it
    // on once.
    const child = fork(ownFile('dist/console/child.cjs'), [], {
      cwd: start.cwd,
      env,
      execArgv: ['--require', ownFile('bin/compiled-code.js')],
      detached: true,
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    this.#process = child;
    const started = deferred<string | undefined>();
    const over = deferred<ChildOver>();
    this.started = started.promise;
    this.over = over.promise;
    started.promise.catch(() => {});
    child.on('message', (event: FromChild) => {
      if (event.kind === 'ready') child.send(start, () => {});
      else if (event.kind === 'started') {
        this.runs.add(event.run);
        onStarted(event.run);
        started.resolve(event.run);
      } else if (event.kind === 'stopping') this.#acknowledged = true;
      else {
        if (event.kind === 'over') {
          const failure = this.#cancellation() ?? event.over.failure;
          if (failure) started.reject(errorFromChild(failure));
          else started.resolve(undefined);
          over.resolve(failure ? { ...event.over, failure } : event.over);
        }
        for (const listener of this.#listeners) listener(event);
      }
    });
    this.exited = new Promise((resolve) => {
      const end = (why: string): void => {
        this.#hasExited = true;
        clearTimeout(this.#grace);
        const cancelled = this.#cancellation();
        const failure = cancelled ?? { text: why };
        started.reject(
          cancelled
            ? errorFromChild(cancelled)
            : new ProductError('internal', message('console.child_died', { why })),
        );
        over.resolve({ exitCode: 5, summary: {}, failure });
        resolve();
      };
      child.once('error', (error) => end(error.message));
      child.once('exit', (code, signal) => end(signal ?? `exit code ${code ?? ''}`));
    });
  }

  subscribe(listener: (event: ChildEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  stop(): void {
    if (this.#isStopping) return;
    this.#isStopping = true;
    this.#requestStop();
  }

  cancel(why: Message): void {
    this.cancelled ??= why;
    this.stop();
  }

  /** Kills the process group. */
  kill(): void {
    const { pid } = this.#process;
    if (this.#hasExited || pid === undefined) return;
    try {
      process.kill(-pid, 'SIGKILL');
    } catch {
      this.#process.kill('SIGKILL');
    }
  }

  #requestStop(): void {
    this.#acknowledged = false;
    if (this.#process.connected) this.#process.send({ kind: 'stop' } satisfies ToChild, () => {});
    const mayBeKilled = isSafeToKill(this.work);
    const check = (): void => {
      if (mayBeKilled || !this.#acknowledged) this.kill();
      else this.#requestStop();
    };
    this.#grace = setTimeout(check, mayBeKilled ? KILL_GRACE_MS : ACKNOWLEDGE_WITHIN_MS).unref();
  }

  #cancellation(): ChildFailure | undefined {
    const why = this.cancelled;
    return why && { text: why.code, product: { kind: 'usage', detail: why, others: [] } };
  }
}

function shortDuration(ms: number): string {
  return ms % 60_000 === 0 ? `${ms / 60_000} min` : `${ms / 1000} s`;
}

function deferred<T>() {
  let resolve!: (value: T) => void;
  let reject!: (why: unknown) => void;
  const promise = new Promise<T>((res, rej) => {
    resolve = res;
    reject = rej;
  });
  return { promise, resolve, reject };
}

/** Recreates the error that the child reported. */
export function errorFromChild({ product, text }: ChildFailure): Error {
  return product
    ? new ProductError(product.kind, product.detail, { others: product.others })
    : new Error(text);
}
