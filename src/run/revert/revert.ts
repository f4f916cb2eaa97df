import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Wording } from '../../errors/at-page.js';
import { type Message, message } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';
import type { Ledger } from '../../ledger/contract/ledger.js';
import type { Run } from '../../ledger/contract/run.js';
import type { Connection } from '../../model/connection.js';
import type { SendingJob } from '../../model/job.js';
import { writeRows } from '../../source/rows/write.js';
import { newRunId } from '../../util/run-id.js';
import { refusePruned, refuseStepRun, requireRow } from '../run-checks.js';
import { refuseOtherHost } from '../run-connection.js';
import type { RunServices } from '../run-context.js';
import type { RunEnd } from '../run-end.js';
import { startRun } from '../run-job.js';
import { type RunSettings, unpackAny } from '../settings.js';
import { hasSteps } from '../step-runs.js';
import { whyNothing } from './nothing-left.js';
import { type RevertedPart, RevertTally, revertedParts, revertedRows } from './reverted-rows.js';
import { HEADER_ROW, headerRow, SHEET, storedRow } from './undoing-table.js';

interface RevertOptions {
  /** Only these rows, by their numbers; absent: all. */
  readonly rows?: readonly number[];
  readonly connection: Connection;
  /** In which words it is told why rows stay, where not in the command line's. */
  readonly wording?: Wording | undefined;
  /** Applies the command's flags to the settings. */
  readonly change: (settings: RunSettings) => RunSettings;
}

/**
 * Makes a plan that takes back what a run did; nothing is sent. Where nothing of it has a way back the plan is no more
 * than a dry run, which tells why.
 * @throws ProductError usage when the run isn't over, no run that sends, or pruned, or has no such row
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
    // What a process left behind that died after its last answer.
    for (const it of await ledger.undoings.by(part.run.id)) await ledger.undoings.settle(it.run);
  }
  const told = new RevertTally();
  const folder = path.join(stateFolder, 'reverts', newRunId(clock.now()));
  const file = path.join(folder, `revert-of-${run.id}.rows`);
  const headers = headerRow(parts.flatMap((it) => it.table.headers));
  async function* rows() {
    for await (const { number, cells } of revertedRows(ledger, parts, options.rows, words, told)) {
      yield [storedRow(number, headers, cells)];
    }
  }
  await mkdir(folder, { recursive: true, mode: 0o700 });
  try {
    await writeRows(file, { sheet: SHEET, headerRow: HEADER_ROW, headers, rows: rows() });
    const warnings: Message[] = [];
    if (told.accepted > 0) warnings.push(message('revert.accepted', { count: told.accepted }));
    if (run.state === 'stopped' || run.state === 'interrupted') {
      warnings.push(message('revert.resumable', { run: run.id, state: run.state }));
    }
    const undone = parts.filter((it) => told.undone.has(it));
    const job = undoingJob(run, undone.length > 0 ? undone : parts.slice(0, 1), file, warnings);
    const changed = options.change({ job, connection: options.connection } as RunSettings).job;
    const kind = undone.length > 0 ? 'plan' : 'dry_run';
    const end = await startRun(services, changed, options.connection, kind);
    // What only lists a run of several steps has one of them for its rows, and is of none.
    const operation = kind === 'dry_run' && hasSteps(run) ? run.operation : end.operation;
    const stays = told.stays.sort((a, b) => a.row - b.row);
    const nothing =
      end.items === 0 &&
      whyNothing(
        run.id,
        stays.map((it) => it.reason),
      );
    return { ...end, operation, reverts: run.id, stays, ...(nothing ? { reason: nothing } : {}) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** @throws ProductError usage where the run isn't over, did nothing itself, or is gone */
export async function refuseRevert(ledger: Ledger, run: Run): Promise<void> {
  const { id, kind, state } = run;
  if (kind === 'reconcile') {
    const actions = (await ledger.runs.children(id)).map((it) => it.id).join(', ');
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

/** The job whose rows take another one's back, the last step first: its limits and manners are those of the other. */
function undoingJob(
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
    // Whatever the other one allowed: nothing is taken back twice, nor from orders that it didn't make.
    safety: { ...job.safety, duplicates: 'skip', allowDeleteFromAllOrders: false },
    output: {
      ...job.output,
      file: path.join(dir, `${name}${name.includes('{job}') ? '' : '-revert'}${ext}`),
    },
  } as const;
  const works = [...parts].reverse().map((part) => ({
    name: part.name,
    operation: part.back.name,
    map: part.table.map,
    batch: {},
    undoes: { run: run.id, itemsOf: part.run.id, ...part.table.marks, warnings },
  }));
  const [only] = works;
  if (works.length === 1) return { ...base, ...only!, name: base.name };
  const steps = works.map((it) => ({ ...it, onPartial: 'continue' as const, at: { line: 0, column: 0 } }));
  return { ...base, steps, undoes: { run: run.id } };
}
