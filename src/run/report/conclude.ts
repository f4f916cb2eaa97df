import { type Message, message, render } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';
import type { RunState } from '../../ledger/contract/run.js';
import { EXIT } from '../../model/exit-code.js';
import { operationNamed } from '../../platform/operations/index.js';
import { distinctMessages } from '../../util/distinct-messages.js';
import { doubtfulRuns, doubtWarning } from '../cut-off-runs.js';
import type { Ended } from '../ended.js';
import { existing } from '../existing-run.js';
import { exitCode, type RunEnd } from '../run-end.js';
import type { Current } from '../run-parts.js';
import { expectedOutcome, removeEarlierResult } from './inbox-result.js';
import { report } from './report.js';

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
export async function concludeRun(current: Current, ended: Ended, told: readonly Message[]): Promise<RunEnd> {
  const { parts, id, kind, settings } = current;
  const { ledger, clock } = parts;
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
  for (const warning of untold) parts.observer.warn(warning);
  const since = distinctMessages([...kept, ...told, ...untold]).slice(distinctMessages(kept).length);
  if (since.length > 0) await ledger.plan.addWarnings(id, since);
  const before = await existing(ledger, id);
  const outcome = await expectedOutcome(ledger, id, settings.job, ended.status);
  const reported = await report({
    ...parts,
    run: before,
    settings,
    operation: operationNamed(settings.job.operation),
    pendingAs: kind === 'run' ? 'not_sent' : 'valid',
    ...(outcome === undefined ? {} : { outcome }),
  }).catch(async (error: unknown) => {
    // What was sent was sent: the counts are told although there is no result to hold them.
    if (kind !== 'run' || ended.error !== undefined || !(error instanceof ProductError))
      throw ended.error ?? error;
    return { failure: message('run.report_failed', { why: render(error.detail, parts.language), run: id }) };
  });
  if ('failure' in reported) return unreported(current, ended, reported.failure);
  const { output, rows, counts } = reported;
  parts.log?.add({ run: id, event: 'report_written', output, rows, counts });
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
  const run = await existing(ledger, id);
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
  { parts, id, settings, kind }: Current,
  ended: Ended,
  reason: Message,
): Promise<RunEnd> {
  const run = await existing(parts.ledger, id);
  const counts = await parts.ledger.runs.counts(id);
  parts.log?.add({ run: id, event: 'report_failed', reason });
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
