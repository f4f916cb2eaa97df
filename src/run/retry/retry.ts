import path from 'node:path';
import { type Message, message } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';
import type { Ledger } from '../../ledger/contract/ledger.js';
import type { Run } from '../../ledger/contract/run.js';
import { checkedInputOf } from '../../ledger/inputs.js';
import { scopeOf } from '../../ledger/rules/scopes.js';
import { takeLock } from '../../ledger/take-lock.js';
import type { Connection } from '../../model/connection.js';
import type { Status } from '../../model/status.js';
import { rangesOf } from '../input/row-ranges.js';
import { reportRows } from '../report/steps/steps-rows.js';
import { chainWithoutKeys, keysPreventRepeats, retryChain, rowsAlreadySent } from '../retry-chain.js';
import { operationOf, refuseStepRun } from '../run-checks.js';
import { refuseOtherHost } from '../run-connection.js';
import type { RunServices } from '../run-context.js';
import type { RunEnd } from '../run-end.js';
import { startRetry } from '../run-job.js';
import {
  type RetryOf,
  type RunSettings,
  type SettingsChange,
  type StepsSettings,
  unpackAny,
  unpackSettings,
} from '../settings.js';
import { hasSteps, stepRunsOf } from '../step-runs.js';
import { nothingToRetry } from './nothing-left.js';

/** Statuses that a retry may include beside `failed`. */
export const RETRY_INCLUDES = ['unknown', 'rejected', 'not_sent'] as const;
export type RetryInclude = (typeof RETRY_INCLUDES)[number];

interface RetryOptions {
  readonly include: ReadonlySet<RetryInclude>;
  /** As configured now; may be another than the run's. */
  readonly connection: Connection;
  /** The rows are planned only: `apply` sends them. */
  readonly plan?: boolean | undefined;
  /** Applies the command's flags to the settings. */
  readonly change: SettingsChange;
}

/** No row was to be sent again, so no run was made. */
export interface NothingToRetry {
  readonly nothing: Message;
  readonly parent: Run;
}

/**
 * Starts a new run of another run's failed rows (and of the included ones), from its kept input and settings. The rows
 * are planned anew: what another run carried out meanwhile is skipped.
 * @throws ProductError usage when the run is not finished, a plan, or pruned; internal when its input's copy is gone
 */
export async function retryRun(
  services: RunServices,
  wanted: Run,
  options: RetryOptions,
): Promise<RunEnd | NothingToRetry> {
  const { ledger } = services;
  refuseStepRun(wanted);
  refuseOtherHost(wanted, options.connection);
  // Held only while rows are chosen, so that their outcomes can't change. The retry takes the lock again.
  const lock = await takeLock(ledger, wanted.job, wanted.scope, wanted.id);
  let chosen: Chosen;
  let parent = wanted;
  try {
    parent = (await ledger.runs.get(wanted.id)) ?? wanted;
    const refusal = retryRefusal(parent, options);
    if (refusal) throw new ProductError('usage', refusal);
    chosen = await chooseRows(ledger, parent, options.include);
    const other = await leaveOutSent(ledger, parent, chosen.rows, options.connection);
    if (other !== undefined && chosen.rows.size === 0) {
      return { nothing: message('retry.all_taken', { run: parent.id, other }), parent };
    }
  } finally {
    await lock.release();
  }
  if (chosen.rows.size === 0) {
    const statuses = ['failed', ...options.include].join(', ');
    return { nothing: message('retry.nothing', { run: parent.id, statuses }), parent };
  }
  if (options.plan && options.include.size === 0) {
    const nothing = await nothingToRetry(ledger, parent, Number.POSITIVE_INFINITY);
    if (nothing) return { nothing, parent };
  }
  const before = unpackAny(parent.settings);
  await checkedInputOf(ledger.inputs, parent);
  const unknown = [...chosen.unknown].filter((row) => chosen.rows.has(row)).length;
  const retry: RetryOf = { parent: parent.id, rows: rangesOf(chosen.rows), unknown };
  const settings = {
    job: { ...before.job, output: { file: ownOutput(before.job.output.file) } },
    connection: options.connection,
    corrections: before.corrections,
    import: before.import,
    retry,
  } as RunSettings | StepsSettings;
  return startRetry(services, parent, options.change(settings), options.plan ? 'plan' : 'run');
}

/** Why no row of the run may be sent again; undefined when they may. */
function retryRefusal(run: Run, options: Pick<RetryOptions, 'include' | 'connection'>): Message | undefined {
  const { id, state } = run;
  if (run.prunedAt !== undefined) return message('run.pruned', { run: id });
  if (run.kind === 'reconcile') return message('run.is_reconciliation', { run: id, job: run.job });
  if (run.kind !== 'run') return message('retry.not_a_run', { run: id });
  if (state === 'planning' || state === 'planned' || state === 'executing') {
    return message('retry.unfinished', { run: id, state });
  }
  const { include, connection } = options;
  // What earlier steps returned is of that platform alone.
  const bound = include.has('unknown') || hasSteps(run);
  if (bound && connection.name !== run.connection) {
    return message('retry.other_connection', { run: id, connection: run.connection });
  }
  const resumable = state === 'stopped' || state === 'interrupted';
  if (resumable && include.has('not_sent') && unpackSettings(run.settings).canary !== undefined) {
    return message('retry.canary_left', { run: id });
  }
  const open = include.has('unknown') || include.has('not_sent');
  const apart =
    !keysPreventRepeats(run) ||
    (scopeOf(connection) !== run.scope && !hasSteps(run) && !operationOf(run).repeatable);
  if (resumable && open && apart) return message('retry.resume_instead', { run: id, state });
  return undefined;
}

interface Chosen {
  readonly rows: Set<number>;
  /** Those of them that are unknown. */
  readonly unknown: ReadonlySet<number>;
}

async function chooseRows(ledger: Ledger, run: Run, include: ReadonlySet<RetryInclude>): Promise<Chosen> {
  const wanted = new Set<Status>(['failed', ...include]);
  const rows = new Set<number>();
  const unknown = new Set<number>();
  for await (const page of reportRows(ledger, run)) {
    for (const { row, status } of page) {
      if (!wanted.has(status)) continue;
      rows.add(row);
      if (status === 'unknown') unknown.add(row);
    }
  }
  if (rows.size > 0) await addRowsOfSameOrder(ledger, await ordersOf(ledger, run), rows);
  return { rows, unknown };
}

/**
 * Removes the rows that other runs of the chain carried out or left unknown, where no key would prevent a repeat. Gives
 * one of the runs that have them.
 */
async function leaveOutSent(
  ledger: Ledger,
  run: Run,
  rows: Set<number>,
  connection: Connection,
): Promise<string | undefined> {
  // In steps every row has a key.
  if (hasSteps(run)) return undefined;
  const chain = chainWithoutKeys(run, await retryChain(ledger, run), connection);
  const pruned = chain.find((it) => it.prunedAt !== undefined);
  if (pruned) throw new ProductError('usage', message('retry.kin_pruned', { run: run.id, other: pruned.id }));
  let other: string | undefined;
  for (const [row, id] of await rowsAlreadySent(ledger, chain)) if (rows.delete(row)) other = id;
  return other;
}

/** The runs whose items may be of several rows that are nothing without each other. */
async function ordersOf(ledger: Ledger, run: Run): Promise<readonly Run[]> {
  if (!hasSteps(run)) return operationOf(run).subject === undefined ? [run] : [];
  const steps = await stepRunsOf(ledger, run);
  return steps.flatMap(({ run: of, operation }) => (of && operation.place.kind === 'array' ? [of] : []));
}

/** Adds the other rows of each order: sent without them, it would be another order. */
async function addRowsOfSameOrder(ledger: Ledger, runs: readonly Run[], rows: Set<number>): Promise<void> {
  for (let before = -1; before < rows.size; ) {
    before = rows.size;
    for (const { id } of runs) {
      for await (const together of ledger.report.sharedRows(id)) {
        if (together.some((row) => rows.has(row))) for (const row of together) rows.add(row);
      }
    }
  }
}

/** The path of the retry's result. One without the run's id would overwrite the parent's result, so the id is added. */
function ownOutput(file: string): string {
  if (file.includes('{run}')) return file;
  const { dir, name, ext } = path.parse(file);
  return path.join(dir, `${name}-{run}${ext}`);
}
