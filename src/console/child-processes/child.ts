import { type RunCommandResult, UNWATCHED, type WatchedContext } from '../../app/context.js';
import { ProductError } from '../../errors/product-error.js';
import type { Progress } from '../../run/observer.js';
import { watchOverProcess } from '../../util/process.js';
import { redactKnown } from '../../util/secrets.js';
import { STOP_SIGNALS, StopSignal } from '../../util/stop-signal.js';
import type { ChildFailure, ChildWork, FromChild, ToChild, UtilityTask } from './child-messages.js';

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
  } else void execute(command);
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

async function execute(start: Extract<ToChild, { kind: 'start' }>) {
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
        send({ kind: 'over', over: { how: result.kind, ...endOf(result) } });
      },
    },
  };
  try {
    if (work.use === 'guess' || work.use === 'import_file' || work.use === 'cells') {
      const summary = redacted(await runUtilityTask(context, work));
      send({ kind: 'over', over: { how: 'nothing', exitCode: 0, summary } });
    } else await executeInChild(context, work);
  } catch (error) {
    const failure = failureView(error);
    send({ kind: 'over', over: { how: 'failed', exitCode: 5, summary: {}, failure } });
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

/** Executes work that starts no run, and returns its result. */
async function runUtilityTask(
  context: WatchedContext,
  work: UtilityTask,
): Promise<Readonly<Record<string, unknown>>> {
  if (work.use === 'guess')
    return {
      ...(await (await import('../../app/imports/guess-upload.js')).guessUpload(context, work.options)),
    };
  const { cellsOfRun, writeImportFile } = await import('../../app/imports/process-import.js');
  if (work.use === 'import_file') return { ...(await writeImportFile(context, work)) };
  await cellsOfRun(context, work.run);
  return {};
}

async function executeInChild(
  context: WatchedContext,
  work: Exclude<ChildWork, UtilityTask>,
): Promise<unknown> {
  switch (work.use) {
    case 'run':
      return (await import('../../app/run.js')).runJob(context, work.jobFile, work.input);
    case 'apply':
      return (await import('../../app/continue-run.js')).applyPlan(context, work.run, work.input);
    case 'resume':
      return (await import('../../app/continue-run.js')).resumeRun(context, work.run, work.input);
    case 'retry':
      return (await import('../../app/continue-run.js')).retryRun(context, work.run, work.input);
    case 'revert':
      return (await import('../../app/continue-run.js')).revertRun(context, work.run, work.input);
    case 'rehearse':
      return (await import('../../app/rehearse.js')).rehearseRun(context, work.run);
    case 'reconcile':
      return (await import('../../app/reconcile.js')).reconcileJob(context, work.jobFile, work.input);
    case 'export': {
      const { exportRun, reportRun } = await import('../../app/export.js');
      const write = work.what === 'result' ? exportRun : reportRun;
      const file = await write(context, work.run, work.output);
      return send({ kind: 'over', over: { how: 'file', exitCode: 0, summary: { file } } });
    }
    case 'check_import':
      return (await import('../../app/imports/process-import.js')).checkImport(context, work.import);
    case 'plan_import':
      return (await import('../../app/imports/process-import.js')).planImport(
        context,
        work.import,
        work.changes,
      );
  }
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
