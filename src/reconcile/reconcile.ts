import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { type Message, message, render } from '../errors/message.js';
import { ProductError } from '../errors/product-error.js';
import { inputOf, keepInput } from '../ledger/inputs.js';
import { onPlatform, scopeOf } from '../ledger/rules/scopes.js';
import { packSettings } from '../ledger/stored-settings.js';
import { takeLock } from '../ledger/take-lock.js';
import { EXIT } from '../model/run-outcome.js';
import { Inquiry } from '../platform/client/inquiry.js';
import { comparisonNamed } from '../platform/operations/catalogue.js';
import { withOriginalName } from '../source/source.js';
import { distinctMessages } from '../util/error-detail.js';
import { newRunId } from '../util/run-id.js';
import { resultPath } from '../workbook/result-files.js';
import { refuseTarget } from '../workbook/write.js';
import { type InquiryEnd, queryPlatform } from './ask-platform.js';
import { DriftRows, DriftStore } from './drift-store.js';
import { openReconcileInput, type Reconciliation, type StartedReconciliation } from './input.js';
import { writeReconciliation } from './lines.js';
import { type ActionsOutcome, actionsFolder, runProposedActions } from './propose.js';
import { readSource, type SourceRead } from './read-source.js';
import type { ReconcileEnd, ReconcileObserver, ReconcileOptions, ReconcileServices } from './services.js';
import { checkActions } from './when.js';

/**
 * Compares a source with the platform (contract section 8) and, if `apply` is set, executes the job's actions and reads
 * the touched rows again. Without `apply` nothing is changed.
 * @throws ProductError if the comparison could not begin (usage, input, another run in progress) or its result could
 * not be written
 */
export async function reconcile(caller: ReconcileServices, options: ReconcileOptions): Promise<ReconcileEnd> {
  const warned: Message[] = [];
  const observer: ReconcileObserver = {
    started: (run, about) => caller.observer.started(run, about),
    progress: (progress) => caller.observer.progress(progress),
    paused: (pause) => caller.observer.paused(pause),
    warn: (warning) => {
      warned.push(warning);
      caller.observer.warn(warning);
    },
  };
  const services: ReconcileServices = { ...caller, observer };
  const { ledger, clock } = services;
  const { job, connection } = options;
  if (job.source.pattern) {
    const params = { job: job.file, file: job.source.file };
    throw new ProductError('usage', message('reconcile.one_file', params));
  }
  const run = newRunId(clock.now());
  const output = resultPath(job, run);
  await refuseTarget(job, output);
  const platform = onPlatform(connection);
  const lock = await takeLock(ledger, job.name, platform.scope, run);
  try {
    await removeLeftActions(services, options);
    const { sha256: inputSha256 } = await keepInput(ledger.inputs, job.source.file);
    const start = {
      id: run,
      kind: 'reconcile' as const,
      job: job.name,
      jobFile: job.file,
      jobSha256: job.sha256,
      operation: `reconcile.${job.reconcile}` as const,
      ...platform,
      inputFile: job.source.file,
      inputSha256,
      settings: packSettings({ job, connection }),
      startedAt: clock.now(),
      by: services.by?.who,
      bySubject: services.by?.subject,
    };
    await ledger.runs.create(start, services.by?.act);
    observer.started(run, about(options));
    const store = new DriftStore();
    try {
      const comparison = comparisonNamed(job.reconcile);
      const copy = await inputOf(ledger.inputs, { id: run, inputFile: job.source.file, inputSha256 });
      const startedAt = clock.now();
      const started = {
        ...services,
        ...options,
        run,
        comparison,
        output,
        copy,
        inputSha256,
        startedAt,
        store,
      };
      return await withOriginalName(copy, job.source.file, () => compare({ ...started, warned }));
    } catch (error) {
      await recordFailure(services, run, error);
      throw error;
    } finally {
      store.close();
      await rm(path.join(actionsFolder(services.stateFolder), run), { recursive: true, force: true });
    }
  } finally {
    await lock.release();
  }
}

async function compare(started: StartedReconciliation): Promise<ReconcileEnd> {
  const { job, connection, clock, stop, observer, store } = started;
  const input = await openReconcileInput(started);
  const reconciliation: Reconciliation = { ...started, input };
  try {
    checkActions(reconciliation);
    const read = await readSource(reconciliation);
    const platform = await started.openClient();
    try {
      const inquiry = new Inquiry({
        client: platform.client,
        connection,
        job,
        clock,
        signal: stop.signal,
        onPause: (pause) => observer.paused(pause),
      });
      const inquiryEnd = await queryPlatform(reconciliation, inquiry, 'all');
      giveExtrasVerdicts(store, read);
      const outcome = await runProposedActions(reconciliation, read, inquiryEnd);
      const reread = outcome.touched ? await queryPlatform(reconciliation, inquiry, 'touched') : undefined;
      return await conclude(reconciliation, { read, inquiryEnd, outcome, again: reread, made: inquiry.made });
    } finally {
      await platform.close();
    }
  } finally {
    await input.source.close();
  }
}

/** Numbers the extra records after the source's rows and sets their verdicts. */
function giveExtrasVerdicts(store: DriftStore, { lastRow }: SourceRead): void {
  store.numberExtras(lastRow + 1);
  for (const extras of store.extras()) {
    for (const { line, label, record } of extras) {
      const text = message('reconcile.extra', { record: label });
      store.setVerdict(line, { status: 'extra', differences: [], actual: record, message: text });
    }
  }
}

interface Found {
  readonly read: SourceRead;
  readonly inquiryEnd: InquiryEnd | undefined;
  readonly outcome: ActionsOutcome;
  /** Why not all rows that actions touched were read again. */
  readonly again: InquiryEnd | undefined;
  readonly made: Inquiry['made'];
}

async function conclude(reconciliation: Reconciliation, results: Found): Promise<ReconcileEnd> {
  const { run, ledger, clock, observer, warned } = reconciliation;
  const { read, outcome } = results;
  const counts = reconciliation.store.counts();
  const { status, reason } = statusOf(reconciliation, results);
  for (const warning of [...read.warnings, ...outcome.warnings]) observer.warn(warning);
  const endedAt = clock.now();
  const numbers = { counts, ...results.made };
  const drift = new DriftRows();
  const end = { ...numbers, endedAt, reason, actions: outcome.runs };
  const written = await writeReconciliation(reconciliation, end, drift);
  const exitCode = exitCodeOf(status, counts, outcome);
  await ledger.runs.patch(run, { state: status, ...numbers, endedAt, exitCode, output: written, reason });
  return {
    run,
    ...about(reconciliation),
    sandbox: reconciliation.connection.sandbox,
    status,
    rows: Object.values(counts).reduce((sum, count) => sum + count, 0),
    ...numbers,
    output: written,
    exitCode,
    reason,
    warnings: distinctMessages(warned),
    drift: drift.problems(),
    actions: outcome.runs.map(({ rows: _, exitCode: __, ...action }) => action),
  };
}

function statusOf(
  { stop, language }: Reconciliation,
  { inquiryEnd, outcome, again }: Found,
): { readonly status: ReconcileEnd['status']; readonly reason?: Message } {
  if (stop.cause?.kind === 'interrupted' || stop.cause?.kind === 'abandoned') {
    return { status: 'interrupted', reason: message('reconcile.interrupted') };
  }
  if (inquiryEnd?.kind === 'stopped') return { status: 'stopped', reason: inquiryEnd.reason };
  if (!outcome.refusal && again?.kind === 'stopped') return { status: 'stopped', reason: again.reason };
  if (!outcome.refusal) return { status: 'completed' };
  const reason = message('reconcile.actions_left', { why: render(outcome.refusal, language) });
  return { status: outcome.invalid ? 'invalid' : 'stopped', reason };
}

/** 0 if all is in sync, or was brought into sync; 1 if differences are left (contract section 8) or unknown. */
function exitCodeOf(
  status: ReconcileEnd['status'],
  counts: ReconcileEnd['counts'],
  outcome: ActionsOutcome,
): number {
  if (status === 'interrupted') return EXIT.interrupted;
  if (status === 'invalid') return EXIT.input;
  // The action's own exit code is included, because an earlier run's unknown rows may block its rows.
  const hasUnknown = outcome.runs.some((it) => (it.counts.unknown ?? 0) > 0 || it.exitCode === EXIT.unknown);
  if (hasUnknown) return EXIT.unknown;
  if (status === 'stopped') return EXIT.safety;
  const left = (counts.different ?? 0) + (counts.missing ?? 0) + (counts.extra ?? 0) + (counts.error ?? 0);
  return left > 0 ? EXIT.someRowsWrong : EXIT.ok;
}

function about({ job, connection }: ReconcileOptions) {
  return {
    job: job.name,
    operation: `reconcile.${job.reconcile}`,
    connection: connection.name,
  } as const;
}

/** Removes action sources of killed reconciliations. The job's lock is held, so none of them is running. */
async function removeLeftActions(
  { ledger, stateFolder }: ReconcileServices,
  options: ReconcileOptions,
): Promise<void> {
  const folder = actionsFolder(stateFolder);
  for (const id of await readdir(folder).catch(() => [])) {
    const run = await ledger.runs.get(id);
    if (run?.job !== options.job.name || run.scope !== scopeOf(options.connection)) continue;
    await rm(path.join(folder, id), { recursive: true, force: true });
  }
}

async function recordFailure(
  { ledger, clock }: ReconcileServices,
  run: string,
  error: unknown,
): Promise<void> {
  const kind = error instanceof ProductError ? error.kind : 'internal';
  const exitCode = kind === 'usage' ? EXIT.usage : kind === 'input' ? EXIT.input : EXIT.internal;
  await ledger.runs
    .patch(run, {
      state: 'invalid',
      endedAt: clock.now(),
      exitCode,
      reason: error instanceof ProductError ? error.detail : undefined,
    })
    // The first error is the one to report.
    .catch(() => {});
}
