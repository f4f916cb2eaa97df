import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { type Message, message, render } from '../errors/message.js';
import { ProductError } from '../errors/product-error.js';
import { inputOf, keepInput } from '../ledger/inputs.js';
import { packSettings } from '../ledger/kept-settings.js';
import { scopeOf } from '../ledger/rules/scopes.js';
import { takeLock } from '../ledger/take-lock.js';
import { EXIT } from '../model/exit-code.js';
import { Inquiry } from '../platform/client/inquiry.js';
import { comparisonNamed } from '../platform/comparisons/index.js';
import { withOriginalName } from '../source/original-name.js';
import { distinctMessages } from '../util/distinct-messages.js';
import { newRunId } from '../util/run-id.js';
import { resultPath } from '../workbook/result-path.js';
import { refuseTarget } from '../workbook/write.js';
import { askPlatform, type InquiryContext, type InquiryEnd } from './ask-platform.js';
import { checkActions } from './check-actions.js';
import type { ReconcileEnd, ReconcileOptions, ReconcileServices } from './contract.js';
import { DriftRows } from './drift-rows.js';
import { DriftStore } from './drift-store.js';
import { type ComparedInput, openReconcileInput } from './input.js';
import { actionsFolder } from './propose.js';
import { readSource, type SourceRead } from './read-source.js';
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
  const { observer } = given;
  const services: ReconcileServices = {
    ...given,
    observer: {
      started: (run, what) => observer.started(run, what),
      progress: (progress) => observer.progress(progress),
      paused: (pause) => observer.paused(pause),
      warn: (warning) => {
        warned.push(warning);
        observer.warn(warning);
      },
    },
  };
  const { ledger, clock } = services;
  const { job, connection } = options;
  if (job.source.pattern) {
    const params = { job: job.file, file: job.source.file };
    throw new ProductError('usage', message('reconcile.one_file', params));
  }
  const run = newRunId(clock.now());
  const output = resultPath(job, run);
  await refuseTarget(job, output);
  const lock = await takeLock(ledger, job.name, connection.name, run);
  try {
    await removeLeftActions(services, options);
    const { sha256: inputSha256 } = await keepInput(ledger.inputs, job.source.file);
    await ledger.runs.create({
      id: run,
      kind: 'reconcile',
      job: job.name,
      jobFile: job.file,
      jobSha256: job.sha256,
      operation: `reconcile.${job.reconcile}`,
      connection: connection.name,
      scope: scopeOf(connection),
      inputFile: job.source.file,
      inputSha256,
      settings: packSettings({ job, connection }),
      startedAt: clock.now(),
    });
    services.observer.started(run, about(options));
    try {
      const copy = await inputOf(ledger.inputs, { id: run, inputFile: job.source.file, inputSha256 });
      return await withOriginalName(copy, job.source.file, () =>
        compare({ services, options, run, output, copy, inputSha256, warned }),
      );
    } catch (error) {
      await recordFailure(services, run, error);
      throw error;
    }
  } finally {
    await lock.release();
  }
}

interface ReconcileContext {
  readonly services: ReconcileServices;
  readonly options: ReconcileOptions;
  readonly run: string;
  readonly output: string;
  readonly copy: string;
  readonly inputSha256: string;
  /** Warnings so far. */
  readonly warned: readonly Message[];
}

async function compare(current: ReconcileContext): Promise<ReconcileEnd> {
  const { services, options } = current;
  const { job, connection } = options;
  const comparison = comparisonNamed(job.reconcile);
  const startedAt = services.clock.now();
  const store = new DriftStore();
  let input: ComparedInput | undefined;
  try {
    input = await openReconcileInput(job, comparison, connection, current.copy);
    checkActions(job, comparison, connection, input);
    const interrupted = (): boolean => services.stop.cause !== undefined;
    const reading = { job, comparison, input, store, observer: services.observer, stopped: interrupted };
    const read = await readSource(reading);
    const platform = await services.openClient();
    try {
      const { clock, stop, observer, language } = services;
      const inquiry = new Inquiry({
        client: platform.client,
        connection,
        job,
        clock,
        signal: stop.signal,
        tell: (pause) => observer.paused(pause),
      });
      const asking = { job, comparison, connection, inquiry, store, observer, language, interrupted };
      const asked = await askPlatform(asking, 'all');
      giveExtrasVerdicts(store, read);
      const carried = await runProposedActions({ ...current, comparison, input, store, read, asked });
      const again = carried.touched ? await askPlatform(asking, 'touched') : undefined;
      return await conclude(current, { input, asking, read, asked, carried, again, startedAt });
    } finally {
      await platform.close();
    }
  } finally {
    await input?.source.close();
    store.close();
    await rm(path.join(actionsFolder(services.stateFolder), current.run), { recursive: true, force: true });
  }
}

const EXTRAS_AT_ONCE = 500;

/** Numbers the extra records after the source's rows and gives each its verdict. */
function giveExtrasVerdicts(store: DriftStore, { lastRow }: SourceRead): void {
  store.numberExtras(lastRow + 1);
  for (let after = 0; ; ) {
    const extras = store.extras(after, EXTRAS_AT_ONCE);
    const last = extras.at(-1);
    if (!last) return;
    for (const { line, label, record } of extras) {
      const told = message('reconcile.extra', { record: label });
      store.setVerdict(line, { status: 'extra', differences: [], actual: record, message: told });
    }
    after = last.line;
  }
}

interface Found {
  readonly input: ComparedInput;
  readonly asking: InquiryContext;
  readonly read: SourceRead;
  readonly asked: InquiryEnd | undefined;
  readonly carried: ActionsOutcome;
  /** Why not all that actions touched was read again. */
  readonly again: InquiryEnd | undefined;
  readonly startedAt: number;
}

async function conclude(current: ReconcileContext, found: Found): Promise<ReconcileEnd> {
  const { services, options, run, output, inputSha256 } = current;
  const { ledger, clock, language, observer } = services;
  const { store, inquiry, comparison } = found.asking;
  const counts = store.counts();
  const { status, reason } = statusOf(current, found);
  for (const it of [...found.read.warnings, ...found.carried.warnings]) observer.warn(it);
  const endedAt = clock.now();
  const numbers = { counts, ...inquiry.made };
  const drift = new DriftRows();
  const written = await writeReconciliation(
    output,
    { input: found.input, store, comparison, language },
    {
      run,
      options,
      inputSha256,
      startedAt: found.startedAt,
      endedAt,
      ...numbers,
      reason,
      warnings: current.warned,
      actions: found.carried.runs,
    },
    drift,
  );
  if (written !== output) observer.warn(message('run.result_renamed', { wanted: output, written }));
  const exitCode = exitCodeOf(status, counts, found.carried);
  await ledger.runs.patch(run, {
    state: status,
    ...numbers,
    endedAt,
    exitCode,
    output: written,
    reason,
  });
  return {
    run,
    ...about(options),
    sandbox: options.connection.sandbox,
    status,
    rows: Object.values(counts).reduce((sum, it) => sum + it, 0),
    ...numbers,
    output: written,
    exitCode,
    reason,
    warnings: distinctMessages(current.warned),
    drift: drift.problems(),
    actions: found.carried.runs.map(({ rows: _, exitCode: __, ...it }) => it),
  };
}

function statusOf(
  { services }: ReconcileContext,
  { asked, carried, again }: Found,
): { readonly status: ReconcileEnd['status']; readonly reason?: Message } {
  if (services.stop.cause?.kind === 'interrupted') {
    return { status: 'interrupted', reason: message('reconcile.interrupted') };
  }
  if (asked?.kind === 'stopped') return { status: 'stopped', reason: asked.reason };
  if (!carried.refusal && again?.kind === 'stopped') return { status: 'stopped', reason: again.reason };
  if (!carried.refusal) return { status: 'completed' };
  const reason = message('reconcile.actions_left', { why: render(carried.refusal, services.language) });
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
    if (run?.job !== options.job.name || run.connection !== options.connection.name) continue;
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
