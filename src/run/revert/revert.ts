import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { type Message, message } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';
import type { Ledger } from '../../ledger/contract/ledger.js';
import type { Run } from '../../ledger/contract/run.js';
import type { Connection } from '../../model/connection.js';
import type { Job } from '../../model/job.js';
import { operationNamed } from '../../platform/operations/index.js';
import { writeRows } from '../../source/rows/write.js';
import { newRunId } from '../../util/run-id.js';
import { operationOf, refusePruned, requireRow } from '../run-checks.js';
import { refuseOtherHost } from '../run-connection.js';
import type { RunServices } from '../run-context.js';
import type { RunEnd } from '../run-end.js';
import { startRun } from '../run-job.js';
import { type RunSettings, unpackSettings } from '../settings.js';
import { type StayingRow, undoingLines } from './undoing-lines.js';
import { HEADER_ROW, headerRow, ownHeaders, SHEET, storedRow, UndoingTable } from './undoing-table.js';

interface RevertOptions {
  /** Only these rows, by their numbers; absent: all. */
  readonly rows?: readonly number[];
  readonly connection: Connection;
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
  refuseOtherHost(run, options.connection);
  await refuseRevert(ledger, run);
  for (const row of options.rows ?? []) await requireRow(ledger, run, row);
  // What a process left behind that died after its last answer.
  for (const it of await ledger.undoings.by(run.id)) await ledger.undoings.settle(it.run);
  const operation = operationOf(run);
  const back =
    operation.wayBack.kind === 'operation' ? operationNamed(operation.wayBack.operation) : operation;
  const table = new UndoingTable(run.id, back, back !== operation);
  const stays: StayingRow[] = [];
  const told = { undone: 0, accepted: 0 };
  const folder = path.join(stateFolder, 'reverts', newRunId(clock.now()));
  const file = path.join(folder, `revert-of-${run.id}.rows`);
  const headers = headerRow(table.headers);
  const lines = undoingLines(ledger, { run: run.id, operation, rows: options.rows }, language, {
    stays: (rows, reason) => {
      for (const row of rows) stays.push({ row, reason });
    },
    accepted: () => {
      told.accepted += 1;
    },
  });
  async function* rows() {
    for await (const line of lines) {
      if (line.reason === undefined) told.undone += 1;
      yield [storedRow(line.number, headers, table.cells(line))];
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
    const { job } = unpackSettings(run.settings);
    const undoing = undoingJob(run, job, { operation: back.name, table, file, warnings });
    const changed = options.change({ job: undoing, connection: options.connection }).job;
    const kind = told.undone > 0 ? 'plan' : 'dry_run';
    const end = await startRun(services, changed, options.connection, kind);
    return { ...end, reverts: run.id, stays: stays.sort((a, b) => a.row - b.row) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function refuseRevert(ledger: Ledger, run: Run): Promise<void> {
  const { id, kind, state } = run;
  if (kind === 'reconcile') {
    const actions = (await ledger.runs.children(id)).map((it) => it.id).join(', ');
    const why =
      actions === ''
        ? message('revert.comparison_only', { run: id })
        : message('revert.comparison', { run: id, actions });
    throw new ProductError('usage', why);
  }
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

interface UndoingParts {
  readonly operation: Job['operation'];
  readonly table: UndoingTable;
  /** With its rows. */
  readonly file: string;
  readonly warnings: readonly Message[];
}

/** The job whose rows take another one's back: its limits and manners are those of the other. */
function undoingJob(run: Run, job: Job, { operation, table, file, warnings }: UndoingParts): Job {
  const { item, reason } = ownHeaders('');
  const { dir, name, ext } = path.parse(job.output.file);
  return {
    file: run.jobFile,
    sha256: run.jobSha256,
    name: `${run.job}-revert`,
    operation,
    source: { file, headerRow: HEADER_ROW, encoding: 'auto', delimiter: 'auto', hiddenRows: 'include' },
    map: table.map,
    batch: {},
    run: { ...job.run, onInvalid: 'skip' },
    // Whatever the other one allowed: nothing is taken back twice, nor from orders that it didn't make.
    safety: { ...job.safety, duplicates: 'skip', allowDeleteFromAllOrders: false },
    output: {
      ...job.output,
      file: path.join(dir, `${name}${name.includes('{job}') ? '' : '-revert'}${ext}`),
    },
    undoes: { run: run.id, itemsOf: run.id, item, reason, warnings },
  };
}
