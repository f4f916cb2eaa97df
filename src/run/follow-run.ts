import { type Message, message } from '../errors/message.js';
import { ProductError } from '../errors/product-error.js';
import type { Ledger } from '../ledger/contract/ledger.js';
import type { Run, RunState } from '../ledger/contract/run.js';
import type { ItemStatus } from '../model/outcome.js';
import { systemClock } from '../util/clock.js';
import type { StopSignal } from '../util/stop-signal.js';
import { isCutOff } from './live-state.js';
import type { RunObserver } from './observer.js';
import { requireRun } from './run-checks.js';
import { hasSteps, stepRunsOf } from './step-runs.js';

interface FollowParts {
  readonly ledger: Ledger;
  readonly observer: Pick<RunObserver, 'progress' | 'warn'>;
  /** Ends the following; the run goes on. */
  readonly stop: StopSignal;
}

const OVER: ReadonlySet<RunState> = new Set(['completed', 'invalid', 'stopped', 'interrupted']);
/** Who changes a run says so; this is for what isn't said, or isn't heard. */
const LOOK_AGAIN_MS = 500;
const ABSENT_MS = 3_000;

/**
 * Follows a run that others carry, and tells of its progress.
 * @returns the run as it ended; undefined when the following was ended first
 * @throws ProductError usage for a run that nobody carries; what the ledger says when it is away for longer than the
 *   patience
 */
export async function followRun(parts: FollowParts, id: string): Promise<Run | undefined> {
  const { ledger, stop } = parts;
  let wake = (): void => {};
  const listening = ledger.queue?.changed(({ run }) => {
    if (run === undefined || run === id) wake();
  });
  const deaf = listening && (await toldIfLate(parts, listening));
  const onStop = (): void => wake();
  stop.signal.addEventListener('abort', onStop);
  try {
    while (!stop.cause) {
      const ended = await toldIfLate(parts, look(parts, id));
      if (ended) return ended;
      const woken = new AbortController();
      wake = () => woken.abort();
      if (!stop.cause) await systemClock.sleep(LOOK_AGAIN_MS, woken.signal);
    }
    return undefined;
  } finally {
    stop.signal.removeEventListener('abort', onStop);
    await deaf?.().catch(() => {});
  }
}

/** Says so once where the ledger takes long to answer: it outlasts a server that is away for as long as its patience. */
export async function toldIfLate<T>(
  { observer }: Pick<FollowParts, 'observer'>,
  looking: Promise<T>,
): Promise<T> {
  const answered = new AbortController();
  void systemClock.sleep(ABSENT_MS, answered.signal).then((late) => {
    if (late) observer.warn(message('team.absent'));
  });
  return looking.finally(() => answered.abort());
}

/** The run, if it is over; else its progress is told. */
async function look({ ledger, observer }: FollowParts, id: string): Promise<Run | undefined> {
  // Asked first: whoever ends a run says so in the ledger before it leaves the queue.
  const before = await requireRun(ledger, id);
  const carried = (await ledger.queue?.carrying(before.job, before.scope))?.includes(id) === true;
  const run = await requireRun(ledger, id);
  if (!carried && OVER.has(run.state)) return run;
  const counts = await countsOf(ledger, run);
  if (!carried && run.kind !== 'run') throw notCarried(run, message('team.nothing_left'));
  if (!carried && (await isCutOff(ledger, run)))
    throw notCarried(run, message('run.cut_off_resume', { run: id }));
  const { pending = 0, open = 0, ...settled } = counts;
  const done = Object.values(settled).reduce((sum, it) => sum + it, 0);
  const { requests, retries } = run;
  const total = done + pending + open;
  if (total > 0)
    observer.progress({ stage: 'execute', done, total, counts: settled, inFlight: open, requests, retries });
  return undefined;
}

/** Of a run of several steps the sum over them; a step whose turn hasn't come has what its check found. */
async function countsOf(
  ledger: Ledger,
  run: Run,
): Promise<Awaited<ReturnType<Ledger['execution']['itemCounts']>>> {
  if (!hasSteps(run)) return ledger.execution.itemCounts(run.id);
  const sum: Partial<Record<ItemStatus | 'pending' | 'open', number>> = {};
  for (const { run: step } of await stepRunsOf(ledger, run)) {
    if (!step) continue;
    const counts =
      step.state === 'planning' ? { pending: step.items } : await ledger.execution.itemCounts(step.id);
    for (const [status, count] of Object.entries(counts))
      sum[status as keyof typeof sum] = (sum[status as keyof typeof sum] ?? 0) + count;
  }
  return sum;
}

function notCarried({ id: run, state }: Run, next: Message): ProductError {
  return new ProductError('usage', message('team.not_carried', { run, state, next }));
}
