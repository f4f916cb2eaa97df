import { type Message, message, render } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';
import type { Ledger } from '../../ledger/contract/ledger.js';
import type { Run } from '../../ledger/contract/runs.js';
import { isFinished } from '../../ledger/rules/run-states.js';
import { onPlatform } from '../../ledger/rules/scopes.js';
import { EXIT } from '../../model/run-outcome.js';
import { distinctMessages } from '../../util/error-detail.js';
import { LOST } from '../execute/attempt-outcomes.js';
import { findUncertainRuns, uncertainRunsWarning } from '../live-state.js';
import { operationOf, requireRun } from '../run-checks.js';
import type { RunContext, RunServices } from '../run-context.js';
import { exitCodeOf, type RunEnd, runEnd, type StageEnd } from '../run-end.js';
import { type RunSettings, type StepsSettings, unpackAny } from '../settings.js';
import { hasSteps, lookupCounts, stepEnds, stepRunsOf } from '../step-runs.js';
import { expectedInboxFolder, removeEarlierResult } from './inbox-result.js';
import { writeReport } from './report.js';
import { countHeld } from './row-results.js';

/**
 * The report stage: writes the result file, and records the run's end in the ledger.
 * @param warned the warnings since this process started the run; they are stored with the plan's warnings
 */
export async function concludeRun(
  context: RunContext<RunSettings | StepsSettings>,
  ended: StageEnd,
  warned: readonly Message[],
): Promise<RunEnd> {
  const { services, id, kind } = context;
  const { status, reason } = ended;
  await services.ledger.runs.patch(id, {
    state:
      status === 'completed' || ended.waitsForApproval ? (kind === 'plan' ? 'planned' : 'executed') : status,
    endedAt: services.clock.now(),
    reason,
  });
  return reportOf(context, ended, warned, true);
}

/** Writes the report of a run that workers executed. The run's end is already in the ledger. */
export function reportExecuted(
  context: RunContext<RunSettings | StepsSettings>,
  ended: StageEnd,
): Promise<RunEnd> {
  return reportOf(context, ended, [], false);
}

/**
 * @param ends the run ends now; otherwise it may have been resumed since, and only the location of the result is
 * recorded
 */
async function reportOf(
  context: RunContext<RunSettings | StepsSettings>,
  ended: StageEnd,
  warned: readonly Message[],
  endsNow: boolean,
): Promise<RunEnd> {
  const { services, id, kind, settings } = context;
  const { ledger, log } = services;
  const { job, connection } = settings;
  const { status, reason } = ended;
  const hasUncertainRuns = await keepWarnings(context, warned);
  // Done before the run is marked as ended: if the process is killed here, the resumed run does it.
  const before = await requireRun(ledger, id);
  await concludeReverted(ledger, before);
  const inboxFolder = await expectedInboxFolder(ledger, before, job, status);
  const written = services.writeReport
    ? services.writeReport(before, settings)
    : writeReport(services, before, settings, { inboxFolder });
  const report = await written.catch((error: unknown) => {
    if (kind !== 'run' || ended.error !== undefined || !(error instanceof ProductError))
      throw ended.error ?? error;
    return error.detail;
  });
  if ('code' in report) {
    // The requests were sent, so the counts are reported even without a result.
    const params = { why: render(report, services.language), run: id };
    const failure = message(endsNow ? 'run.report_failed' : 'run.carried_report_failed', params);
    const run = await requireRun(ledger, id);
    const counts = await ledger.runs.counts(id);
    log?.add({ run: id, event: 'report_failed', reason: failure });
    const exitCode = (counts.unknown ?? 0) > 0 ? EXIT.unknown : EXIT.internal;
    const steps = await stepsView(ledger, run);
    return runEnd(run, connection.sandbox, { status, counts, exitCode, reason: failure, ...steps });
  }
  const { output, rows, counts, problems } = report;
  log?.add({ run: id, event: 'report_written', output, rows, counts });
  if (ended.error !== undefined) throw withResult(ended.error, output, id);
  const ownExitCode = exitCodeOf({ status, ...report });
  const exitCode = exitCodeOf({ status, ...report, hasUncertainRuns });
  const end = {
    state: kind === 'plan' || status === 'queued' ? undefined : status,
    // From this run's rows only. The exit code of the command also includes other runs that were cut off.
    exitCode: ownExitCode,
  };
  const isCompleted = endsNow && status === 'completed';
  await ledger.runs.patch(id, { ...(endsNow ? end : {}), sums: isCompleted ? counts : undefined, output });
  await removeEarlierResult(ledger.stateFolder, before, job, output);
  const run = await requireRun(ledger, id);
  return runEnd(run, connection.sandbox, {
    status,
    rows,
    counts,
    output,
    problems,
    ...(await stepsView(ledger, run)),
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

/** Adds the result's location to a ledger error that ended the run. */
function withResult(error: unknown, output: string, run: string): unknown {
  if (!(error instanceof ProductError) || error.constructor !== ProductError) return error;
  const others = [...error.others, message('run.result_so_far', { output, run })];
  return new ProductError(error.kind, error.detail, { cause: error, others });
}

/** The outcome of each step of a run of several steps. */
async function stepsView(ledger: Ledger, run: Run): Promise<Pick<RunEnd, 'steps'>> {
  return hasSteps(run) ? { steps: await stepEnds(ledger, run) } : {};
}

/**
 * Records the end of a run's or a step's turn with the workers. Writes no result file; the process that waits for the
 * run does.
 * @throws TurnPassed if another worker ended it in the meantime
 */
export async function concludeExecuted(
  services: Pick<RunServices, 'ledger' | 'clock' | 'observer'>,
  id: string,
  { status, reason }: StageEnd,
  { turn, executeMs }: { readonly turn: number; readonly executeMs: number },
): Promise<RunEnd> {
  const { ledger, clock } = services;
  const before = await requireRun(ledger, id);
  const settings = unpackAny(before.settings);
  // The process that concluded it may have died before it removed the run from the queue.
  const isConcluded = isFinished(before);
  // An item that was waiting for a retry may have been executed, so it must not be reported as not sent.
  if (status !== 'completed' && !isConcluded && before.operation !== 'steps')
    await ledger.execution.recover(id, operationOf(before).repeatable, LOST, turn);
  const state = status === 'completed' ? 'executed' : status;
  if (!isConcluded)
    await ledger.runs.patch(id, { state, endedAt: clock.now(), reason, addExecuteMs: executeMs, turn });
  await concludeReverted(ledger, before);
  // Runs that were cut off are reported once, for the whole run.
  const hasUncertainRuns =
    before.step === undefined && (await keepWarnings({ services, id, kind: 'run', settings }, []));
  const counts = await ledger.runs.counts(id);
  const heldUnknown = await countHeld(ledger, before, counts);
  const ownExitCode = exitCodeOf({ status, counts, heldUnknown });
  const exitCode = exitCodeOf({ status, counts, heldUnknown, hasUncertainRuns });
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
 * Warns of earlier runs that were cut off with unknown rows, and stores all warnings. Searches for such runs again,
 * because a stored plan may be older than them.
 * @returns true if there is such a run
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
    kind === 'run' ? await findUncertainRuns(ledger, { job: job.name, ...onPlatform(connection) }, id) : [];
  const stored = distinctMessages(await ledger.plan.warnings(id));
  const before = distinctMessages([...stored, ...warned]);
  const all = distinctMessages([...before, ...runs.map(uncertainRunsWarning)]);
  for (const warning of all.slice(before.length)) observer.warn(warning);
  const since = all.slice(stored.length);
  if (since.length > 0) await ledger.plan.addWarnings(id, since);
  return runs.length > 0;
}

/** Items that were certainly reverted may be sent again from now on. */
async function concludeReverted(ledger: Ledger, run: Run): Promise<void> {
  if (!unpackAny(run.settings).job.undoes) return;
  await ledger.reversals.finish(run.id);
  for (const step of await stepRunsOf(ledger, run)) if (step.run) await ledger.reversals.finish(step.run.id);
}
