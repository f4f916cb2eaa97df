import path from 'node:path';
import { type Message, message } from '../errors/message.js';
import { ProductError } from '../errors/product-error.js';
import type { Ledger } from '../ledger/contract/ledger.js';
import type { Run } from '../ledger/contract/runs.js';
import { checkedInputOf } from '../ledger/inputs.js';
import { scopeOf } from '../ledger/rules/scopes.js';
import { takeLock } from '../ledger/take-lock.js';
import type { Connection } from '../model/connection.js';
import type { Status } from '../model/status.js';
import { nothingToRetry } from './eligibility.js';
import { rangesOf } from './input/row-ranges.js';
import { reportRows } from './report/row-results.js';
import { chainWithoutKeys, keysPreventRepeats, retryChain, rowsAlreadySent } from './retry-chain.js';
import { operationOf, refuseStepRun } from './run-checks.js';
import { refuseOtherHost } from './run-connection.js';
import type { RunServices } from './run-context.js';
import type { RunEnd } from './run-end.js';
import {
  type RetryOf,
  type RunSettings,
  type SettingsChange,
  type StepsSettings,
  unpackAny,
  unpackSettings,
} from './settings.js';
import { startRun } from './start-run.js';
import { hasSteps, stepRunsOf } from './step-runs.js';

/** Statuses that a retry may include in addition to `failed`. */
export const RETRY_INCLUDES = ['unknown', 'rejected', 'not_sent'] as const;
export type RetryInclude = (typeof RETRY_INCLUDES)[number];

interface RetryOptions {
  readonly include: ReadonlySet<RetryInclude>;
  /** As configured now; may differ from the run's. */
  readonly connection: Connection;
  /** Only plans the rows; `apply` sends them. */
  readonly plan?: boolean | undefined;
  /** Applies the command's flags to the settings. */
  readonly change: SettingsChange;
}

/** No row was to be sent again, so no run was created. */
export interface NothingToRetry {
  readonly nothing: Message;
  readonly parent: Run;
}

/**
 * Starts a new run of another run's failed rows (and of the included ones), from its stored input and settings. The
 * rows are planned again; those that another run has sent in the meantime are skipped.
 * @throws ProductError usage if the run is not finished, a plan, or pruned; internal if the copy of its input is
 * missing
 */
export async function retryRun(
  services: RunServices,
  requested: Run,
  options: RetryOptions,
): Promise<RunEnd | NothingToRetry> {
  const { ledger } = services;
  refuseStepRun(requested);
  refuseOtherHost(requested, options.connection);
  // Held only while rows are chosen, so that their outcomes cannot change. The retry takes the lock again.
  const lock = await takeLock(ledger, requested.job, requested.scope, requested.id);
  let chosen: Chosen;
  let parent = requested;
  try {
    parent = (await ledger.runs.get(requested.id)) ?? requested;
    const refusal = retryRefusal(parent, options);
    if (refusal) throw new ProductError('usage', refusal);
    chosen = await chooseRows(ledger, parent, options.include);
    const otherRun = await leaveOutSent(ledger, parent, chosen.rows, options.connection);
    if (otherRun !== undefined && chosen.rows.size === 0)
      return { nothing: message('retry.all_taken', { run: parent.id, other: otherRun }), parent };
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
  const { job, connection, corrections, ...settings } = options.change({
    job: { ...before.job, output: { file: retryOutput(before.job.output.file) } },
    connection: options.connection,
    corrections: before.corrections,
    import: before.import,
    retry,
  } as RunSettings | StepsSettings);
  return startRun(services, job, connection, options.plan ? 'plan' : 'run', {
    ...settings,
    corrections: corrections && { kept: corrections },
    parent: parent.id,
    inputSha256: parent.inputSha256,
  });
}

/** Why no row of the run may be sent again; undefined if they may. */
function retryRefusal(run: Run, options: Pick<RetryOptions, 'include' | 'connection'>): Message | undefined {
  const { id, state } = run;
  if (run.prunedAt !== undefined) return message('run.pruned', { run: id });
  if (run.kind === 'reconcile') return message('run.is_reconciliation', { run: id, job: run.job });
  if (run.kind !== 'run') return message('retry.not_a_run', { run: id });
  if (state === 'planning' || state === 'planned' || state === 'executing')
    return message('retry.unfinished', { run: id, state });
  const { include, connection } = options;
  // Results of earlier steps are valid only on that platform.
  const bound = include.has('unknown') || hasSteps(run);
  if (bound && connection.name !== run.connection)
    return message('retry.other_connection', { run: id, connection: run.connection });
  const resumable = state === 'stopped' || state === 'interrupted';
  if (resumable && include.has('not_sent') && unpackSettings(run.settings).canary !== undefined)
    return message('retry.canary_left', { run: id });
  const open = include.has('unknown') || include.has('not_sent');
  const crossesPlatforms =
    !keysPreventRepeats(run) ||
    (scopeOf(connection) !== run.scope && !hasSteps(run) && !operationOf(run).repeatable);
  if (resumable && open && crossesPlatforms) return message('retry.resume_instead', { run: id, state });
  return undefined;
}

interface Chosen {
  readonly rows: Set<number>;
  /** The unknown rows among them. */
  readonly unknown: ReadonlySet<number>;
}

async function chooseRows(ledger: Ledger, run: Run, include: ReadonlySet<RetryInclude>): Promise<Chosen> {
  const statuses = new Set<Status>(['failed', ...include]);
  const rows = new Set<number>();
  const unknown = new Set<number>();
  for await (const page of reportRows(ledger, run)) {
    for (const { row, status } of page) {
      if (!statuses.has(status)) continue;
      rows.add(row);
      if (status === 'unknown') unknown.add(row);
    }
  }
  if (rows.size > 0) await addRowsOfSameOrder(ledger, await ordersOf(ledger, run), rows);
  return { rows, unknown };
}

/**
 * Removes the rows that other runs of the chain sent or left unknown, if no key would prevent a repeat.
 * @returns one of the runs that sent them
 */
async function leaveOutSent(
  ledger: Ledger,
  run: Run,
  rows: Set<number>,
  connection: Connection,
): Promise<string | undefined> {
  // In a run of several steps every row has a key.
  if (hasSteps(run)) return undefined;
  const chain = chainWithoutKeys(run, await retryChain(ledger, run), connection);
  const pruned = chain.find((run) => run.prunedAt !== undefined);
  if (pruned) throw new ProductError('usage', message('retry.kin_pruned', { run: run.id, other: pruned.id }));
  let sentBy: string | undefined;
  for (const [row, id] of await rowsAlreadySent(ledger, chain)) if (rows.delete(row)) sentBy = id;
  return sentBy;
}

/** The runs whose items may have several rows that have to be sent together. */
async function ordersOf(ledger: Ledger, run: Run): Promise<readonly Run[]> {
  if (!hasSteps(run)) return operationOf(run).subject === undefined ? [run] : [];
  const steps = await stepRunsOf(ledger, run);
  return steps.flatMap(({ run: part, operation }) =>
    part && operation.place.kind === 'array' ? [part] : [],
  );
}

/** Adds the other rows of each order, because an order without them would be a different order. */
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

/** The path of the retry's result. The run's id is added if it is missing, to keep the parent's result. */
function retryOutput(file: string): string {
  if (file.includes('{run}')) return file;
  const { dir, name, ext } = path.parse(file);
  return path.join(dir, `${name}-{run}${ext}`);
}
