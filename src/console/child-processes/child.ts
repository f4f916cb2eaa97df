import { type RunCommandResult, UNWATCHED, type WatchedContext } from '../../app/context.js';
import { execute, runUtility } from '../../app/use-cases.js';
import { ProductError } from '../../errors/product-error.js';
import type { Progress } from '../../run/observer.js';
import { watchOverProcess } from '../../util/process.js';
import { redactKnown } from '../../util/secrets.js';
import { STOP_SIGNALS, StopSignal } from '../../util/stop-signal.js';
import { type ChildFailure, type FromChild, isUtilityTask, type ToChild } from './child-messages.js';

/*
 * Entry point of child processes. Each use case that plans or executes a run has its own process, so that the console
 * stays responsive and an internal error of one run does not affect the console.
 */

/** Time for requests in flight after the console has exited. Then the process exits, as if it had been killed. */
const ABANDON_GRACE_MS = 5000;
/** Time for notifications after a run was stopped. */
const NOTIFY_GRACE_MS = 3000;
/** Minimum time between progress events; the last one is always sent. */
const PROGRESS_INTERVAL_MS = 200;

const stop = new StopSignal();

function send(event: FromChild): void {
  // If the console has exited, the event is dropped; `disconnect` handles that case.
  if (process.connected) process.send?.(event, undefined, undefined, () => {});
}

process.on('message', (command: ToChild) => {
  if (command.kind === 'stop') {
    stop.stop({ kind: 'interrupted' });
    send({ kind: 'stopping' });
  } else void begin(command);
});

// The console sends `stop` itself; a signal from another process has the same effect.
for (const signal of STOP_SIGNALS) process.on(signal, () => stop.stop({ kind: 'interrupted' }));

process.on('disconnect', () => {
  // The outcome of the run is not recorded: other processes find it interrupted and resume it.
  stop.stop({ kind: 'abandoned' });
  setTimeout(() => process.exit(1), ABANDON_GRACE_MS).unref();
});

// For when the event loop is too busy to notice that the console has exited.
watchOverProcess({ everyMs: 500, graceMs: ABANDON_GRACE_MS + 1000, isLeader: true });
send({ kind: 'ready' });

async function begin(start: Extract<ToChild, { kind: 'start' }>) {
  const { work, cwd, language, wording, ledger, as, confirmed } = start;
  const progress = new Throttle<Progress>((it) => send({ kind: 'progress', progress: it }));
  const context: WatchedContext = {
    env: process.env,
    cwd,
    language,
    ...(wording ? { wording } : {}),
    ledger,
    as,
    stop,
    // The page does not show that another ledger was used before; that must be confirmed on the command line.
    confirm: ({ canary, otherLedger, changed }) =>
      otherLedger === undefined &&
      (changed === undefined || changed.latest === start.changed) &&
      (confirmed === 'all' || canary === undefined),
    watch: {
      ...UNWATCHED,
      started: (run) => send({ kind: 'started', run }),
      progress: (it) => progress.add(it),
      following,
      paused: (pause) => send({ kind: 'paused', pause }),
      over: (result) => {
        progress.flush();
        send({ kind: 'over', over: endOf(result) });
      },
    },
  };
  try {
    if (isUtilityTask(work)) {
      const result = (await runUtility(context, work.use, ...(work.input as never))) ?? null;
      send({ kind: 'over', over: { exitCode: 0, summary: {}, result: redacted(result) } });
    } else await execute(context, work.use, ...(work.input as never));
  } catch (error) {
    const failure = failureView(error);
    send({ kind: 'over', over: { exitCode: 5, summary: {}, failure } });
  }
  // Notifications have been sent as well.
  if (process.connected) process.disconnect();
  process.exit(0);
}

/** Sends notifications. They are aborted `NOTIFY_GRACE_MS` after a stop. */
async function following(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
  const abort = new AbortController();
  const giveUp = (): void => {
    setTimeout(() => abort.abort(), NOTIFY_GRACE_MS).unref();
  };
  if (stop.cause) giveUp();
  else stop.signal.addEventListener('abort', giveUp, { once: true });
  await work(abort.signal);
}

function endOf(result: RunCommandResult) {
  const { exitCode, summary } = result;
  const failure = result.kind === 'failed' ? { failure: failureView(result.error) } : {};
  const nothing = result.kind === 'nothing' ? { nothing: result.end.nothing } : {};
  return { exitCode, summary: redacted(summary), ...failure, ...nothing };
}

/** The error as data, without the credentials read by this process. */
function failureView(error: unknown): ChildFailure {
  if (!(error instanceof ProductError))
    return { text: redactKnown(error instanceof Error ? (error.stack ?? error.message) : String(error)) };
  const { kind, detail, others, message: text } = error;
  return redacted({ text, product: { kind, detail, others } });
}

function redacted<T>(value: T): T {
  return JSON.parse(redactKnown(JSON.stringify(value))) as T;
}

/** Drops all but the newest of frequent values. */
class Throttle<T> {
  readonly #pass: (it: T) => void;
  #waiting: T | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(pass: (it: T) => void) {
    this.#pass = pass;
  }

  add(it: T): void {
    this.#waiting = it;
    this.#timer ??= setTimeout(() => this.flush(), PROGRESS_INTERVAL_MS).unref();
  }

  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#waiting !== undefined) this.#pass(this.#waiting);
    this.#waiting = undefined;
  }
}
