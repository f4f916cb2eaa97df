import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { type Message, message } from '../../errors/message.js';
import type { MessageSurface } from '../../errors/message-surface.js';
import { ProductError } from '../../errors/product-error.js';
import type { Ledger } from '../../ledger/contract/ledger.js';
import type { Run } from '../../ledger/contract/runs.js';
import type { Connection } from '../../model/connection.js';
import type { SendingJob } from '../../model/job.js';
import { writeRows } from '../../source/rows-file.js';
import { newRunId } from '../../util/run-id.js';
import { noReversalReason } from '../eligibility.js';
import { refusePruned, refuseStepRun, requireRow } from '../run-checks.js';
import { refuseOtherHost } from '../run-connection.js';
import type { RunServices } from '../run-context.js';
import type { RunEnd } from '../run-end.js';
import { type RunSettings, unpackAny } from '../settings.js';
import { startRun } from '../start-run.js';
import { hasSteps } from '../step-runs.js';
import { HEADER_ROW, headerRow, SHEET, storedRow } from './reversal-table.js';
import { type RevertedPart, RevertTally, revertedParts, revertedRows } from './reverted-rows.js';

interface RevertOptions {
  /** Only these rows, by number; absent: all. */
  readonly rows?: readonly number[];
  readonly connection: Connection;
  /** The surface whose wording the reasons use, if not the command line's. */
  readonly wording?: MessageSurface | undefined;
  /** Applies the command's flags to the settings. */
  readonly change: (settings: RunSettings) => RunSettings;
}

/**
 * Creates a plan that reverts a run; nothing is sent. If nothing can be reverted, the result is only a dry run with the
 * reasons.
 * @throws ProductError usage if the run is not over, sends nothing, is pruned, or has no such row
 */
export async function revertRun(services: RunServices, run: Run, options: RevertOptions): Promise<RunEnd> {
  const { ledger, stateFolder, clock, language } = services;
  const words = options.wording ?? language;
  refuseOtherHost(run, options.connection);
  await refuseRevert(ledger, run);
  const parts = await revertedParts(ledger, run);
  const [first] = parts;
  if (first) for (const row of options.rows ?? []) await requireRow(ledger, first.run, row);
  for (const part of parts) {
    // Reversals of a process that died after its last reply.
    for (const { run: by } of await ledger.reversals.by(part.run.id)) await ledger.reversals.finish(by);
  }
  const tally = new RevertTally();
  const folder = path.join(stateFolder, 'reverts', newRunId(clock.now()));
  const file = path.join(folder, `revert-of-${run.id}.rows`);
  const headers = headerRow(parts.flatMap((part) => part.table.headers));
  async function* rows() {
    for await (const { number, cells } of revertedRows(ledger, parts, options.rows, words, tally))
      yield [storedRow(number, headers, cells)];
  }
  await mkdir(folder, { recursive: true, mode: 0o700 });
  try {
    await writeRows(file, { sheet: SHEET, headerRow: HEADER_ROW, headers, rows: rows() });
    const warnings: Message[] = [];
    if (tally.accepted > 0) warnings.push(message('revert.accepted', { count: tally.accepted }));
    if (run.state === 'stopped' || run.state === 'interrupted')
      warnings.push(message('revert.resumable', { run: run.id, state: run.state }));
    const reversible = parts.filter((part) => tally.reverted.has(part));
    const job = reversalJob(run, reversible.length > 0 ? reversible : parts.slice(0, 1), file, warnings);
    const changed = options.change({ job, connection: options.connection } as RunSettings).job;
    const kind = reversible.length > 0 ? 'plan' : 'dry_run';
    const end = await startRun(services, changed, options.connection, kind);
    // A dry run for a run of several steps has the rows of one step, but shows the whole run's operation.
    const operation = kind === 'dry_run' && hasSteps(run) ? run.operation : end.operation;
    const stays = tally.stays.sort((a, b) => a.row - b.row);
    // Rows that are only invalid are not reverted yet, and each names its reason.
    const nothing =
      reversible.length === 0 &&
      noReversalReason(
        run.id,
        stays.map((row) => row.reason),
      );
    return { ...end, operation, reverts: run.id, stays, reason: nothing || end.reason };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** @throws ProductError usage if the run is not over, sent nothing itself, or is pruned */
export async function refuseRevert(ledger: Ledger, run: Run): Promise<void> {
  const { id, kind, state } = run;
  if (kind === 'reconcile') {
    const actions = (await ledger.runs.children(id)).map((action) => action.id).join(', ');
    const why =
      actions === ''
        ? message('revert.comparison_only', { run: id })
        : message('revert.comparison', { run: id, actions });
    throw new ProductError('usage', why);
  }
  refuseStepRun(run);
  refusePruned(run);
  if (kind !== 'run') throw new ProductError('usage', message('revert.not_a_run', { run: id }));
  if (OVER.has(state)) return;
  throw new ProductError('usage', message('revert.unfinished', { run: id, state }));
}

const OVER: ReadonlySet<Run['state']> = new Set([
  'stopped',
  'interrupted',
  'executed',
  'completed',
  'invalid',
]);

/** The job whose rows revert a run, the last step first, with the limits and settings of the reverted job. */
function reversalJob(
  run: Run,
  parts: readonly RevertedPart[],
  file: string,
  warnings: readonly Message[],
): SendingJob {
  const { job } = unpackAny(run.settings);
  const { dir, name, ext } = path.parse(job.output.file);
  const base = {
    file: run.jobFile,
    sha256: run.jobSha256,
    name: `${run.job}-revert`,
    source: { file, headerRow: HEADER_ROW, encoding: 'auto', delimiter: 'auto', hiddenRows: 'include' },
    run: { ...job.run, onInvalid: 'skip' },
    // Stricter than the reverted job: nothing is reverted twice, or deleted from orders that it did not create.
    safety: { ...job.safety, duplicates: 'skip', allowDeleteFromAllOrders: false },
    output: {
      ...job.output,
      file: path.join(dir, `${name}${name.includes('{job}') ? '' : '-revert'}${ext}`),
    },
  } as const;
  const reversals = [...parts].reverse().map((part) => ({
    name: part.name,
    operation: part.back.name,
    map: part.table.map,
    batch: {},
    undoes: { run: run.id, itemsOf: part.run.id, ...part.table.marks, warnings },
  }));
  const [only] = reversals;
  if (reversals.length === 1) return { ...base, ...only!, name: base.name };
  const steps = reversals.map((it) => ({
    ...it,
    onPartial: 'continue' as const,
    at: { line: 0, column: 0 },
  }));
  return { ...base, steps, undoes: { run: run.id } };
}
