import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { type Message, message, render } from '../errors/message.js';
import { ProductError } from '../errors/product-error.js';
import { inputOf, keepInput } from '../ledger/inputs.js';
import { packSettings } from '../ledger/kept-settings.js';
import { onPlatform, scopeOf } from '../ledger/rules/scopes.js';
import { takeLock } from '../ledger/take-lock.js';
import { EXIT } from '../model/exit-code.js';
import { Inquiry } from '../platform/client/inquiry.js';
import { comparisonNamed } from '../platform/comparisons/index.js';
import { withOriginalName } from '../source/original-name.js';
import { distinctMessages } from '../util/distinct-messages.js';
import { newRunId } from '../util/run-id.js';
import { resultPath } from '../workbook/result-path.js';
import { refuseTarget } from '../workbook/write.js';
import { askPlatform, type InquiryEnd } from './ask-platform.js';
import { checkActions } from './check-actions.js';
import type { ReconcileEnd, ReconcileObserver, ReconcileOptions, ReconcileServices } from './contract.js';
import { DriftRows } from './drift-rows.js';
import { DriftStore } from './drift-store.js';
import { openReconcileInput } from './input.js';
import { actionsFolder } from './propose.js';
import { readSource, type SourceRead } from './read-source.js';
import type { BegunReconciliation, Reconciliation } from './reconciliation.js';
import { writeReconciliation } from './result.js';
import { type ActionsOutcome, runProposedActions } from './run-proposed-actions.js';

/**
 * Compares a source with the platform (contract section 8) and, if `apply` is set, carries out the job's actions and
 * reads again what they touched. Without `apply` nothing is changed.
 * @throws ProductError when the comparison could not begin (usage, input, another run going on) or its result not be
 *   written
 */
export async function reconcile(given: ReconcileServices, options: ReconcileOptions): Promise<ReconcileEnd> {
  const warned: Message[] = [];
  const observer: ReconcileObserver = {
    started: (run, what) => given.observer.started(run, what),
    progress: (progress) => given.observer.progress(progress),
    paused: (pause) => given.observer.paused(pause),
    warn: (warning) => {
      warned.push(warning);
      given.observer.warn(warning);
    },
  };
  const services: ReconcileServices = { ...given, observer };
  const { ledger, clock } = services;
  const { job, connection } = options;
  if (job.source.pattern) {
    const params = { job: job.file, file: job.source.file };
    throw new ProductError('usage', message('reconcile.one_file', params));
  }
  const run = newRunId(clock.now());
  const output = resultPath(job, run);
  await refuseTarget(job, output);
  const on = onPlatform(connection);
  const lock = await takeLock(ledger, job.name, on.scope, run);
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
      ...on,
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
      const begun = { ...services, ...options, run, comparison, output, copy, inputSha256, startedAt, store };
      return await withOriginalName(copy, job.source.file, () => compare({ ...begun, warned }));
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

async function compare(begun: BegunReconciliation): Promise<ReconcileEnd> {
  const { job, connection, clock, stop, observer, store } = begun;
  const input = await openReconcileInput(begun);
  const it: Reconciliation = { ...begun, input };
  try {
    checkActions(it);
    const read = await readSource(it);
    const platform = await begun.openClient();
    try {
      const inquiry = new Inquiry({
        client: platform.client,
        connection,
        job,
        clock,
        signal: stop.signal,
        tell: (pause) => observer.paused(pause),
      });
      const asked = await askPlatform(it, inquiry, 'all');
      giveExtrasVerdicts(store, read);
      const carried = await runProposedActions(it, read, asked);
      const again = carried.touched ? await askPlatform(it, inquiry, 'touched') : undefined;
      return await conclude(it, { read, asked, carried, again, made: inquiry.made });
    } finally {
      await platform.close();
    }
  } finally {
    await input.source.close();
  }
}

/** Numbers the extra records after the source's rows and gives each its verdict. */
function giveExtrasVerdicts(store: DriftStore, { lastRow }: SourceRead): void {
  store.numberExtras(lastRow + 1);
  for (const extras of store.extras()) {
    for (const { line, label, record } of extras) {
      const told = message('reconcile.extra', { record: label });
      store.setVerdict(line, { status: 'extra', differences: [], actual: record, message: told });
    }
  }
}

interface Found {
  readonly read: SourceRead;
  readonly asked: InquiryEnd | undefined;
  readonly carried: ActionsOutcome;
  /** Why not all that actions touched was read again. */
  readonly again: InquiryEnd | undefined;
  readonly made: Inquiry['made'];
}

async function conclude(it: Reconciliation, found: Found): Promise<ReconcileEnd> {
  const { run, ledger, clock, observer, warned } = it;
  const { read, carried } = found;
  const counts = it.store.counts();
  const { status, reason } = statusOf(it, found);
  for (const warning of [...read.warnings, ...carried.warnings]) observer.warn(warning);
  const endedAt = clock.now();
  const numbers = { counts, ...found.made };
  const drift = new DriftRows();
  const end = { ...numbers, endedAt, reason, actions: carried.runs };
  const written = await writeReconciliation(it, end, drift);
  const exitCode = exitCodeOf(status, counts, carried);
  await ledger.runs.patch(run, { state: status, ...numbers, endedAt, exitCode, output: written, reason });
  return {
    run,
    ...about(it),
    sandbox: it.connection.sandbox,
    status,
    rows: Object.values(counts).reduce((sum, count) => sum + count, 0),
    ...numbers,
    output: written,
    exitCode,
    reason,
    warnings: distinctMessages(warned),
    drift: drift.problems(),
    actions: carried.runs.map(({ rows: _, exitCode: __, ...action }) => action),
  };
}

function statusOf(
  { stop, language }: Reconciliation,
  { asked, carried, again }: Found,
): { readonly status: ReconcileEnd['status']; readonly reason?: Message } {
  if (stop.cause?.kind === 'interrupted' || stop.cause?.kind === 'abandoned') {
    return { status: 'interrupted', reason: message('reconcile.interrupted') };
  }
  if (asked?.kind === 'stopped') return { status: 'stopped', reason: asked.reason };
  if (!carried.refusal && again?.kind === 'stopped') return { status: 'stopped', reason: again.reason };
  if (!carried.refusal) return { status: 'completed' };
  const reason = message('reconcile.actions_left', { why: render(carried.refusal, language) });
  return { status: carried.invalid ? 'invalid' : 'stopped', reason };
}

/**
 * 0 when all is in sync, or was brought into sync; 1 when differences are left (contract section 8) or could not be
 * determined.
 */
function exitCodeOf(
  status: ReconcileEnd['status'],
  counts: ReconcileEnd['counts'],
  carried: ActionsOutcome,
): number {
  if (status === 'interrupted') return EXIT.interrupted;
  if (status === 'invalid') return EXIT.input;
  // The action's own exit code counts too: its rows may be held back by an earlier run's unknown ones.
  const doubtful = carried.runs.some((it) => (it.counts.unknown ?? 0) > 0 || it.exitCode === EXIT.unknown);
  if (doubtful) return EXIT.unknown;
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

/**
 * Removes action sources that killed reconciliations of this job left. The job's lock is held, so none of them is
 * running.
 */
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

/** Records in the ledger that the reconciliation failed. */
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
    // The first error is the one to tell.
    .catch(() => {});
}
