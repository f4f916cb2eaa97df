import { type Message, message, render } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';
import type { Ledger } from '../../ledger/contract/ledger.js';
import type { Run } from '../../ledger/contract/run.js';
import { isFinished } from '../../ledger/rules/run-states.js';
import { onPlatform } from '../../ledger/rules/scopes.js';
import { EXIT } from '../../model/exit-code.js';
import { distinctMessages } from '../../util/distinct-messages.js';
import { doubtfulRuns, doubtWarning } from '../cut-off-runs.js';
import { LOST } from '../execute/attempt-outcomes.js';
import { operationOf, requireRun } from '../run-checks.js';
import type { RunContext, RunServices } from '../run-context.js';
import { exitCodeOf, type RunEnd, runEnd, type StageEnd } from '../run-end.js';
import { type RunSettings, type StepsSettings, unpackAny } from '../settings.js';
import { hasSteps, lookupCounts, stepEnds, stepRunsOf } from '../step-runs.js';
import { countHeld } from './held-rows.js';
import { expectedInboxFolder, removeEarlierResult } from './inbox-result.js';
import { writeReport } from './report.js';

/**
 * The report stage: writes the result file, and how the run ended into the ledger.
 * @param warned what was warned of since the run was taken up; the ledger keeps it beside the plan's warnings
 */
export async function concludeRun(
  context: RunContext<RunSettings | StepsSettings>,
  ended: StageEnd,
  warned: readonly Message[],
): Promise<RunEnd> {
  const { services, id, kind } = context;
  const { status, reason } = ended;
  await services.ledger.runs.patch(id, {
    state: status === 'completed' || ended.kept ? (kind === 'plan' ? 'planned' : 'executed') : status,
    endedAt: services.clock.now(),
    reason,
  });
  return reportOf(context, ended, warned, true);
}

/** The report stage of a run that workers ended: they have no place for the result, and how it ended is in the ledger. */
export function reportCarried(
  context: RunContext<RunSettings | StepsSettings>,
  ended: StageEnd,
): Promise<RunEnd> {
  return reportOf(context, ended, [], false);
}

/** @param ends the run ends by it; else it may have been resumed since, and only the result's place is recorded */
async function reportOf(
  context: RunContext<RunSettings | StepsSettings>,
  ended: StageEnd,
  warned: readonly Message[],
  ends: boolean,
): Promise<RunEnd> {
  const { services, id, kind, settings } = context;
  const { ledger, log } = services;
  const { job, connection } = settings;
  const { status, reason } = ended;
  const hasDoubts = await keepWarnings(context, warned);
  // Before the run counts as ended: killed here, it is gone on with, and does it then.
  const before = await requireRun(ledger, id);
  await settleUndone(ledger, before);
  const inboxFolder = await expectedInboxFolder(ledger, before, job, status);
  const written = services.writeReport
    ? services.writeReport(before, settings)
    : writeReport(services, before, settings, inboxFolder);
  const report = await written.catch((error: unknown) => {
    if (kind !== 'run' || ended.error !== undefined || !(error instanceof ProductError))
      throw ended.error ?? error;
    return error.detail;
  });
  if ('code' in report) {
    // What was sent was sent: the counts are told although there is no result to hold them.
    const params = { why: render(report, services.language), run: id };
    const failure = message(ends ? 'run.report_failed' : 'run.carried_report_failed', params);
    const run = await requireRun(ledger, id);
    const counts = await ledger.runs.counts(id);
    log?.add({ run: id, event: 'report_failed', reason: failure });
    const exitCode = (counts.unknown ?? 0) > 0 ? EXIT.unknown : EXIT.internal;
    const steps = await stepsTold(ledger, run);
    return runEnd(run, connection.sandbox, { status, counts, exitCode, reason: failure, ...steps });
  }
  const { output, rows, counts, problems } = report;
  log?.add({ run: id, event: 'report_written', output, rows, counts });
  if (ended.error !== undefined) throw withResult(ended.error, output, id);
  const ownExitCode = exitCodeOf({ status, ...report });
  const exitCode = exitCodeOf({ status, ...report, doubts: hasDoubts });
  const end = {
    state: kind === 'plan' || status === 'queued' ? undefined : status,
    // By its own rows alone; only the command's exit code tells of other runs that were cut off.
    exitCode: ownExitCode,
  };
  const isOver = ends && status === 'completed';
  await ledger.runs.patch(id, { ...(ends ? end : {}), ...(isOver ? { sums: counts } : {}), output });
  await removeEarlierResult(ledger.stateFolder, before, job, output);
  const run = await requireRun(ledger, id);
  return runEnd(run, connection.sandbox, {
    status,
    rows,
    counts,
    output,
    problems,
    ...(await stepsTold(ledger, run)),
    lookups: (await lookupCounts(ledger, run)).asked || undefined,
    exitCode,
    ownExitCode: exitCode === ownExitCode ? undefined : ownExitCode,
    reason,
    rehearsal: settings.rehearsal,
    parent: run.parent,
    retry: run.parent === undefined ? undefined : settings.retry !== undefined,
    reverts: job.undoes?.run,
  });
}

/** An error of the ledger that ended a run names the result as well. */
function withResult(error: unknown, output: string, run: string): unknown {
  if (!(error instanceof ProductError) || error.constructor !== ProductError) return error;
  const others = [...error.others, message('run.result_so_far', { output, run })];
  return new ProductError(error.kind, error.detail, { cause: error, others });
}

/** What each step of a run of several came to, as the run's end tells it. */
async function stepsTold(ledger: Ledger, run: Run): Promise<Pick<RunEnd, 'steps'>> {
  return hasSteps(run) ? { steps: await stepEnds(ledger, run) } : {};
}

/**
 * The end of a run's turn with the workers that carried it, or of a step's: into the ledger, without a result, which whoever
 * waits for the run writes where it is wanted.
 * @throws TurnPassed where another one ended it meanwhile
 */
export async function concludeCarried(
  services: Pick<RunServices, 'ledger' | 'clock' | 'observer'>,
  id: string,
  { status, reason }: StageEnd,
  { turn, executeMs }: { readonly turn: number; readonly executeMs: number },
): Promise<RunEnd> {
  const { ledger, clock } = services;
  const before = await requireRun(ledger, id);
  const settings = unpackAny(before.settings);
  // Whoever concluded it may have died before it left the queue.
  const isConcluded = isFinished(before);
  // What waited for a retry when the run stopped may have been carried out: it must not be told as not sent.
  if (status !== 'completed' && !isConcluded && before.operation !== 'steps') {
    await ledger.execution.recover(id, operationOf(before).repeatable, LOST, turn);
  }
  const state = status === 'completed' ? 'executed' : status;
  if (!isConcluded)
    await ledger.runs.patch(id, { state, endedAt: clock.now(), reason, addExecuteMs: executeMs, turn });
  await settleUndone(ledger, before);
  // What was cut off before is told once, of the whole run.
  const doubts =
    before.step === undefined && (await keepWarnings({ services, id, kind: 'run', settings }, []));
  const counts = await ledger.runs.counts(id);
  const heldUnknown = await countHeld(ledger, before, counts);
  const ownExitCode = exitCodeOf({ status, counts, heldUnknown });
  const exitCode = exitCodeOf({ status, counts, heldUnknown, doubts });
  const sums = status === 'completed' ? counts : undefined;
  if (!isConcluded) await ledger.runs.patch(id, { state: status, exitCode: ownExitCode, sums, turn });
  const run = await requireRun(ledger, id);
  return runEnd(run, settings.connection.sandbox, {
    status,
    counts,
    exitCode,
    ownExitCode: exitCode === ownExitCode ? undefined : ownExitCode,
    reason,
    parent: run.parent,
    retry: run.parent === undefined ? undefined : settings.retry !== undefined,
    reverts: settings.job.undoes?.run,
  });
}

/**
 * Tells of earlier runs that were cut off with unknown rows, and keeps all warnings in the ledger. They are looked for
 * once more, as a kept plan may be older than those runs. True when there is such a run.
 */
async function keepWarnings(
  {
    services: { ledger, observer },
    id,
    kind,
    settings: { job, connection },
  }: Pick<RunContext<RunSettings | StepsSettings>, 'id' | 'kind' | 'settings'> & {
    readonly services: Pick<RunServices, 'ledger' | 'observer'>;
  },
  warned: readonly Message[],
): Promise<boolean> {
  const runs =
    kind === 'run' ? await doubtfulRuns(ledger, { job: job.name, ...onPlatform(connection) }, id) : [];
  const kept = distinctMessages(await ledger.plan.warnings(id));
  const before = distinctMessages([...kept, ...warned]);
  const all = distinctMessages([...before, ...runs.map(doubtWarning)]);
  for (const warning of all.slice(before.length)) observer.warn(warning);
  const since = all.slice(kept.length);
  if (since.length > 0) await ledger.plan.addWarnings(id, since);
  return runs.length > 0;
}

/** What was taken back for certain may be sent anew from now on. */
async function settleUndone(ledger: Ledger, run: Run): Promise<void> {
  if (!unpackAny(run.settings).job.undoes) return;
  await ledger.undoings.settle(run.id);
  for (const it of await stepRunsOf(ledger, run)) if (it.run) await ledger.undoings.settle(it.run.id);
}
