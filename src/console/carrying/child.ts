import { type CarriedRun, UNWATCHED, type WatchedContext } from '../../app/context.js';
import { ProductError } from '../../errors/product-error.js';
import type { Progress } from '../../run/observer.js';
import { redactKnown } from '../../util/known-secrets.js';
import { STOP_SIGNALS, StopSignal } from '../../util/stop-signal.js';
import { watchOverProcess } from '../../util/watch-thread.js';
import type { AsideWork, ChildFailure, ChildWork, FromChild, ToChild } from './messages.js';

/*
 * A process of its own for each use case that carries or plans a run, so that the console's pages stay quick and a fault of
 * one run is no fault of the console.
 */

/** What is under way when the console is gone may take so long; then the process leaves, as one that was killed. */
const LEAVES_WITHIN_MS = 5000;
/** Whoever is to be told of a stopped run's end is told for so long. */
const TOLD_WITHIN_MS = 3000;
/** Progress is told so often at most; the last one always. */
const TOLD_EVERY_MS = 200;

const stop = new StopSignal();

function tell(it: FromChild): void {
  // A console that is gone hears nothing; that is found out by `disconnect`.
  if (process.connected) process.send?.(it, undefined, undefined, () => {});
}

process.on('message', (it: ToChild) => {
  if (it.kind === 'stop') {
    stop.stop({ kind: 'interrupted' });
    tell({ kind: 'stopping' });
  } else void carry(it);
});

// The console passes on what it is told itself; a signal of somebody else's is as good.
for (const signal of STOP_SIGNALS) process.on(signal, () => stop.stop({ kind: 'interrupted' }));

process.on('disconnect', () => {
  // Nothing is written of how the run ended: others find it cut off, and go on with it.
  stop.stop({ kind: 'abandoned' });
  setTimeout(() => process.exit(1), LEAVES_WITHIN_MS).unref();
});

// Where the event loop is too busy to hear that the console is gone.
watchOverProcess({ everyMs: 500, graceMs: LEAVES_WITHIN_MS + 1000, isLeader: true });
tell({ kind: 'ready' });

async function carry({ work, cwd, language, wording, ledger, as, yes }: Extract<ToChild, { kind: 'start' }>) {
  const progress = new Thinned<Progress>((it) => tell({ kind: 'progress', progress: it }));
  const context: WatchedContext = {
    env: process.env,
    cwd,
    language,
    ...(wording ? { wording } : {}),
    ledger,
    as,
    stop,
    // The page does not show that another ledger was used before: that is confirmed on the command line.
    confirm: ({ canary, otherLedger }) =>
      otherLedger === undefined && (yes === 'all' || canary === undefined),
    watch: {
      ...UNWATCHED,
      started: (run) => tell({ kind: 'started', run }),
      progress: (it) => progress.add(it),
      following,
      paused: (pause) => tell({ kind: 'paused', pause }),
      over: (carried) => {
        progress.flush();
        tell({ kind: 'over', over: { how: carried.kind, ...endOf(carried) } });
      },
    },
  };
  try {
    if (work.use === 'guess' || work.use === 'import_file' || work.use === 'cells') {
      const summary = redacted(await makeAside(context, work));
      tell({ kind: 'over', over: { how: 'nothing', exitCode: 0, summary } });
    } else await carryOut(context, work);
  } catch (error) {
    const failure = failureTold(error);
    tell({ kind: 'over', over: { how: 'failed', exitCode: 5, summary: {}, failure } });
  }
  // What follows a run (notifications) is over as well.
  if (process.connected) process.disconnect();
  process.exit(0);
}

/** Whoever is to be told of the end is told for as long as nobody asked for the stop, and a moment longer. */
async function following(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
  const given = new AbortController();
  const giveUp = (): void => {
    setTimeout(() => given.abort(), TOLD_WITHIN_MS).unref();
  };
  if (stop.cause) giveUp();
  else stop.signal.addEventListener('abort', giveUp, { once: true });
  await work(given.signal);
}

/** What is made without a run, and what came of it. */
async function makeAside(
  context: WatchedContext,
  work: AsideWork,
): Promise<Readonly<Record<string, unknown>>> {
  if (work.use === 'guess')
    return { ...(await (await import('../../app/imports/guess-upload.js')).guessUpload(context, work.wish)) };
  const { cellsOfRun, writeImportFile } = await import('../../app/imports/carry-import.js');
  if (work.use === 'import_file') return { ...(await writeImportFile(context, work)) };
  await cellsOfRun(context, work.run);
  return {};
}

async function carryOut(context: WatchedContext, work: Exclude<ChildWork, AsideWork>): Promise<unknown> {
  switch (work.use) {
    case 'run':
      return (await import('../../app/run.js')).runJob(context, work.jobFile, work.input);
    case 'apply':
      return (await import('../../app/apply.js')).applyPlan(context, work.run, work.input);
    case 'resume':
      return (await import('../../app/resume.js')).resumeRun(context, work.run, work.input);
    case 'retry':
      return (await import('../../app/retry.js')).retryRun(context, work.run, work.input);
    case 'revert':
      return (await import('../../app/revert.js')).revertRun(context, work.run, work.input);
    case 'rehearse':
      return (await import('../../app/rehearse.js')).rehearseRun(context, work.run);
    case 'reconcile':
      return (await import('../../app/reconcile.js')).reconcileJob(context, work.jobFile, work.input);
    case 'export': {
      const { exportRun, reportRun } = await import('../../app/export.js');
      const write = work.what === 'result' ? exportRun : reportRun;
      const file = await write(context, work.run, work.output);
      return tell({ kind: 'over', over: { how: 'file', exitCode: 0, summary: { file } } });
    }
    case 'check_import':
      return (await import('../../app/imports/carry-import.js')).checkImport(context, work.import);
    case 'plan_import':
      return (await import('../../app/imports/carry-import.js')).planImport(
        context,
        work.import,
        work.changes,
      );
  }
}

function endOf(carried: CarriedRun) {
  const { exitCode, summary } = carried;
  const failure = carried.kind === 'failed' ? { failure: failureTold(carried.error) } : {};
  const nothing = carried.kind === 'nothing' ? { nothing: carried.end.nothing } : {};
  return { exitCode, summary: redacted(summary), ...failure, ...nothing };
}

/** No credential that was fetched here stands in what is told. */
function failureTold(error: unknown): ChildFailure {
  if (!(error instanceof ProductError))
    return { text: redactKnown(error instanceof Error ? (error.stack ?? error.message) : String(error)) };
  const { kind, detail, others, message: text } = error;
  return redacted({ text, product: { kind, detail, others } });
}

function redacted<T>(it: T): T {
  return JSON.parse(redactKnown(JSON.stringify(it))) as T;
}

/** Passes on the newest of what comes too often. */
class Thinned<T> {
  readonly #pass: (it: T) => void;
  #waiting: T | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(pass: (it: T) => void) {
    this.#pass = pass;
  }

  add(it: T): void {
    this.#waiting = it;
    this.#timer ??= setTimeout(() => this.flush(), TOLD_EVERY_MS).unref();
  }

  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#waiting !== undefined) this.#pass(this.#waiting);
    this.#waiting = undefined;
  }
}
