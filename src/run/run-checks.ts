import { message } from '../errors/message.js';
import { ProductError } from '../errors/product-error.js';
import type { Ledger } from '../ledger/contract/ledger.js';
import type { RowStory } from '../ledger/contract/report.js';
import type { Run } from '../ledger/contract/runs.js';
import type { Connection } from '../model/connection.js';
import type { Job } from '../model/job.js';
import { OPERATION_NAMES, type Operation } from '../model/operation.js';
import { operationNamed } from '../platform/operations/catalogue.js';
import { hasSteps } from './step-runs.js';

/** @throws ProductError usage if the run's rows and requests are no longer in the ledger, or never were */
export function refusePruned(run: Run): void {
  if (!hasSteps(run)) operationOf(run);
  if (run.prunedAt !== undefined) throw new ProductError('usage', message('run.pruned', { run: run.id }));
}

/** @throws ProductError usage for a step run, which is resumed, resolved and reported as part of its parent */
export function refuseStepRun({ id, step, parent = '' }: Run): void {
  if (step === undefined) return;
  throw new ProductError('usage', message('steps.name_parent', { run: id, step, parent }));
}

/** @throws ProductError usage, with the reason if there is one, if the run ended before its rows were planned */
export function refuseUnplanned({ id, state, rows, reason }: Run): void {
  if (state !== 'planning' && !(state === 'invalid' && rows === 0)) return;
  const others = reason === undefined ? [] : [reason];
  throw new ProductError('usage', message('run.not_planned', { run: id }), { others });
}

/** A run that must exist, because it was just created or read. */
export async function requireRun(ledger: Ledger, id: string): Promise<Run> {
  const run = await ledger.runs.get(id);
  if (!run)
    throw new ProductError('internal', message('run.no_such_run', { location: ledger.location, run: id }));
  return run;
}

/** @throws ProductError usage for a reconciliation, which has neither requests nor outcomes */
export function operationOf(run: Run): Operation {
  const name = OPERATION_NAMES.find((candidate) => candidate === run.operation);
  if (name === undefined)
    throw new ProductError('usage', message('run.is_reconciliation', { run: run.id, job: run.job }));
  return operationNamed(name);
}

/** @throws ProductError usage when the operation must send an application key and the connection has none (§4.5) */
export function refuseWithoutAppKey(job: Pick<Job, 'operation'>, connection: Connection): void {
  if (!operationNamed(job.operation).endpoint.needsAppKey || connection.appKey !== undefined) return;
  const params = { connection: connection.name, operation: job.operation };
  throw new ProductError('usage', message('run.needs_app_key', params));
}

const NEAREST = 3;
/** Greater than any row number of a sheet or file. The ledger reports no rows beyond. */
const LAST_ROW = 2 ** 32 - 1;

/**
 * The ledger's data of a row by its sheet row number.
 * @throws ProductError usage, naming the nearest rows, if the run has no such row; and for a pruned run
 */
export async function requireRow(ledger: Ledger, run: Run, row: number): Promise<RowStory> {
  refusePruned(run);
  const story = row > LAST_ROW ? undefined : await ledger.report.row(run.id, row);
  if (story) return story;
  throw await noSuchRow(ledger, run, row, run.id);
}

/** @param among the run with the rows; a run of several steps has them in its step runs */
export async function noSuchRow(
  ledger: Ledger,
  run: Run,
  row: number,
  among: string | undefined,
): Promise<ProductError> {
  const nearest = among === undefined ? [] : await ledger.report.nearestRows(among, row, NEAREST);
  const params = { run: run.id, row, nearest: nearest.join(', ') };
  return new ProductError(
    'usage',
    nearest.length > 0 ? message('explain.no_such_row', params) : message('explain.no_rows', { run: run.id }),
  );
}
