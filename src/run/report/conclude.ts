import { type Message, message, render } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';
import type { RunState } from '../../ledger/contract/run.js';
import { EXIT } from '../../model/exit-code.js';
import { operationNamed } from '../../platform/operations/index.js';
import { distinctMessages } from '../../util/distinct-messages.js';
import { doubtfulRuns, doubtWarning } from '../cut-off-runs.js';
import type { StageEnd } from '../ended.js';
import { requireRun } from '../run-checks.js';
import type { RunContext } from '../run-context.js';
import { exitCode, type RunEnd } from '../run-end.js';
import { expectedInboxFolder, removeEarlierResult } from './inbox-result.js';
import { writeReport } from './report.js';

const FINAL_STATE: Readonly<Record<RunEnd['status'], RunState>> = {
  completed: 'completed',
  invalid: 'invalid',
  stopped: 'stopped',
  interrupted: 'interrupted',
};

/**
 * The report stage, and the run's last word in the ledger.
 * @param told what was warned of; from here on the ledger has it with the warnings of the plan
 */
export async function concludeRun(
  current: RunContext,
  ended: StageEnd,
  told: readonly Message[],
): Promise<RunEnd> {
  const { services, id, kind, settings } = current;
  const { ledger, clock } = services;
  await ledger.runs.patch(id, {
    state:
      ended.status === 'completed' ? (kind === 'plan' ? 'planned' : 'executed') : FINAL_STATE[ended.status],
    endedAt: clock.now(),
    ...(ended.reason ? { reason: ended.reason } : {}),
  });
  const kept = await ledger.plan.warnings(id);
  // A kept plan may be older than the runs that were cut off since.
  const doubts =
    kind === 'run'
      ? await doubtfulRuns(ledger, { job: settings.job.name, connection: settings.connection.name }, id)
      : [];
  const untold = distinctMessages([...kept, ...told, ...doubts.map(doubtWarning)]).slice(
    distinctMessages([...kept, ...told]).length,
  );
  for (const warning of untold) services.observer.warn(warning);
  const since = distinctMessages([...kept, ...told, ...untold]).slice(distinctMessages(kept).length);
  if (since.length > 0) await ledger.plan.addWarnings(id, since);
  const before = await requireRun(ledger, id);
  const outcome = await expectedInboxFolder(ledger, id, settings.job, ended.status);
  const reported = await writeReport({
    ...services,
    run: before,
    settings,
    operation: operationNamed(settings.job.operation),
    pendingAs: kind === 'run' ? 'not_sent' : 'valid',
    ...(outcome === undefined ? {} : { outcome }),
  }).catch(async (error: unknown) => {
    // What was sent was sent: the counts are told although there is no result to hold them.
    if (kind !== 'run' || ended.error !== undefined || !(error instanceof ProductError))
      throw ended.error ?? error;
    return {
      failure: message('run.report_failed', { why: render(error.detail, services.language), run: id }),
    };
  });
  if ('failure' in reported) return unreported(current, ended, reported.failure);
  const { output, rows, counts } = reported;
  services.log?.add({ run: id, event: 'report_written', output, rows, counts });
  if (ended.error !== undefined) throw ended.error;
  const own = exitCode({ status: ended.status, ...reported });
  const code = exitCode({ status: ended.status, ...reported, doubts: doubts.length > 0 });
  await ledger.runs.patch(id, {
    ...(kind === 'plan' ? {} : { state: FINAL_STATE[ended.status] }),
    // What its own rows came to; a run that was cut off before is told by the command's exit code.
    exitCode: own,
    output: reported.output,
  });
  await removeEarlierResult(before, settings.job, reported.output);
  const run = await requireRun(ledger, id);
  return {
    run: id,
    job: run.job,
    operation: run.operation,
    connection: run.connection,
    sandbox: settings.connection.sandbox,
    status: ended.status,
    rows: reported.rows,
    items: run.items,
    counts: reported.counts,
    requests: run.requests,
    retries: run.retries,
    output: reported.output,
    problems: reported.problems,
    executeMs: run.executeMs,
    exitCode: code,
    ...(code === own ? {} : { ownExitCode: own }),
    ...(ended.reason ? { reason: ended.reason } : {}),
    ...(run.parent === undefined ? {} : { parent: run.parent, retry: settings.retry !== undefined }),
    kind,
  };
}

/** The end of a run whose result could not be written; the ledger has all outcomes. */
async function unreported(
  { services, id, settings, kind }: RunContext,
  ended: StageEnd,
  reason: Message,
): Promise<RunEnd> {
  const run = await requireRun(services.ledger, id);
  const counts = await services.ledger.runs.counts(id);
  services.log?.add({ run: id, event: 'report_failed', reason });
  return {
    run: id,
    job: run.job,
    operation: run.operation,
    connection: run.connection,
    sandbox: settings.connection.sandbox,
    status: ended.status,
    rows: run.rows,
    items: run.items,
    counts,
    requests: run.requests,
    retries: run.retries,
    executeMs: run.executeMs,
    exitCode: (counts.unknown ?? 0) > 0 ? EXIT.unknown : EXIT.internal,
    reason,
    kind,
  };
}
