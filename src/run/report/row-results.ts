import { message } from '../../errors/message.js';
import type { MessageSurface } from '../../errors/message-surface.js';
import { ProductError } from '../../errors/product-error.js';
import type { Ledger } from '../../ledger/contract/ledger.js';
import type { RowResult } from '../../ledger/contract/report.js';
import type { Run } from '../../ledger/contract/runs.js';
import type { OutcomeReason } from '../../model/item.js';
import type { JsonObject } from '../../model/json.js';
import type { RunCounts } from '../../model/run-outcome.js';
import { type Status, statusPosition, worstOfSteps } from '../../model/status.js';
import { recordValues } from '../../platform/operations/shared/records.js';
import { hasSteps, type StepRun, stepRunsOf } from '../step-runs.js';
import { resultMessage } from './result-message.js';

/** The outcome of a row over all steps of a run: the members of a plain run's row, and the parts of each step. */
export interface StepsRow extends RowResult {
  /** Name of the step that the row is at. */
  readonly step: string;
  /** Names of the steps, in order. */
  readonly names: readonly string[];
  /** By step; undefined if the step has not been planned up to this row. */
  readonly steps: readonly (StepPart | undefined)[];
}

export type StepPart = RowResult & { readonly records?: readonly JsonObject[] };

const ROWS_AT_ONCE = 500;

/**
 * The outcomes of the rows of any run, by ascending row; of a run of several steps over all of them. Every list of a
 * run's rows uses this.
 * @param after only rows with higher numbers
 */
export async function* reportRows(
  ledger: Pick<Ledger, 'runs' | 'report'>,
  run: Run,
  after = 0,
): AsyncGenerator<readonly RowResult[]> {
  const steps = await stepRunsOf(ledger, run);
  if (steps.length === 0) yield* ledger.report.rows(run.id, pendingAs(run), after);
  else yield* stepsRows(ledger, run, steps, () => false, after);
}

/**
 * The rows of any run with one of these statuses, or all rows. Each page reports how far the rows were searched: rare
 * rows are found by an index, frequent ones by reading on.
 */
export async function* rowsByStatus(
  ledger: Pick<Ledger, 'runs' | 'report'>,
  run: Run,
  statuses: readonly Status[] | undefined,
  after: number,
): AsyncGenerator<{ readonly rows: readonly RowResult[]; readonly lookedTo: number }> {
  let at = after;
  for (let isRead = true; isRead; ) {
    if (statuses && !hasSteps(run)) {
      const options = { pendingAs: pendingAs(run), after: at };
      const { row, lookedTo } = await ledger.report.nextOf(run.id, statuses, options);
      if (row === undefined) {
        if (lookedTo === undefined) return;
        at = lookedTo;
        yield { rows: [], lookedTo };
        continue;
      }
      at = row - 1;
    }
    isRead = false;
    for await (const page of reportRows(ledger, run, at)) {
      isRead = true;
      at = page.at(-1)?.row ?? at;
      const rows = statuses ? page.filter((row) => statuses.includes(row.status)) : page;
      yield { rows, lookedTo: at };
      if (rows.length === 0) break;
    }
  }
}

/** The status of a row that is neither sent nor blocked. A check would send it. */
export function pendingAs({ kind }: Pick<Run, 'kind'>): 'valid' | 'not_sent' {
  return kind === 'run' ? 'not_sent' : 'valid';
}

/**
 * The rows of all step runs in parallel, with a page of each in memory.
 * @param withRecords whether the records of a step are read with its rows
 * @throws ProductError internal if a planned step lacks a row that another one has
 */
export async function* stepsRows(
  ledger: Pick<Ledger, 'report'>,
  run: Run,
  steps: readonly StepRun[],
  withRecords: (step: number) => boolean,
  after = 0,
): AsyncGenerator<readonly StepsRow[]> {
  const pending = pendingAs(run);
  const cursors = steps.map(({ run: stepRun }, index) => {
    if (!stepRun) return new Cursor<StepPart>(undefined);
    const isRead = pending === 'not_sent' && withRecords(index);
    return new Cursor<StepPart>(
      isRead ? ledger.report.gains(stepRun.id) : ledger.report.rows(stepRun.id, pending, after),
    );
  });
  // A step that is being planned, or was only checked, may have fewer rows than the others.
  const isPartial = steps.map(({ run: stepRun }) => stepRun === undefined || stepRun.state === 'planning');
  const names = steps.map(({ step }) => step.name);
  let page: StepsRow[] = [];
  try {
    for (;;) {
      let row = Infinity;
      for (const cursor of cursors) {
        // Awaited once per page, not for every row.
        if (cursor.isSpent) await cursor.fill();
        row = Math.min(row, cursor.next?.row ?? Infinity);
      }
      if (row === Infinity) break;
      const parts = cursors.map((cursor, index) => {
        if (cursor.next?.row === row) return cursor.take();
        if (!isPartial[index])
          throw new ProductError('internal', message('run.row_unaccounted', { row, file: run.inputFile }));
        return undefined;
      });
      page.push(stepsRow(row, parts, names, pending));
      if (page.length === ROWS_AT_ONCE) {
        yield page;
        page = [];
      }
    }
  } finally {
    for (const cursor of cursors) await cursor.close();
  }
  if (page.length > 0) yield page;
}

export function stepsRow(
  row: number,
  steps: readonly (StepPart | undefined)[],
  names: readonly string[],
  pending: Status,
): StepsRow {
  const statuses = steps.map((part) => part?.status ?? pending);
  const status = worstOfSteps(statuses);
  const position = statusPosition(statuses);
  return {
    row,
    status,
    licenseOrderId: steps.findLast((part) => part?.licenseOrderId !== undefined)?.licenseOrderId,
    code: steps[position]?.code,
    // The messages of the deciding steps, and those that point to another run.
    messages: steps.flatMap((part, index) =>
      (part?.messages ?? [])
        .filter(({ reason }) => statuses[index] === status || reason?.kind === 'held_unknown')
        .map(({ item, ...rest }) => ({
          item: item === undefined ? names[index]! : `${names[index]} ${item}`,
          ...rest,
          step: names[index]!,
        })),
    ),
    faults: distinctFaults(steps),
    attempts: steps.reduce((sum, part) => sum + (part?.attempts ?? 0), 0),
    columns: columnsOf(steps, names),
    step: names[position]!,
    names,
    steps,
  };
}

const NO_FAULTS: RowResult['faults'] = [];

/** Removes duplicates: a cell that two steps map has the same error in both. */
function distinctFaults(steps: readonly (StepPart | undefined)[]): RowResult['faults'] {
  const all = steps.flatMap((part) => part?.faults ?? []);
  if (all.length < 2) return all.length === 0 ? NO_FAULTS : all;
  return [...new Map(all.map((fault) => [JSON.stringify(fault), fault])).values()];
}

function columnsOf(
  steps: readonly (StepPart | undefined)[],
  names: readonly string[],
): Record<string, string> {
  const columns: Record<string, string> = Object.create(null);
  steps.forEach((part, index) => {
    for (const [name, value] of Object.entries(part?.columns ?? {}))
      columns[`${names[index]}.${name}`] = value;
  });
  return columns;
}

/** A row's columns by their names in the result; of a row over several steps also the outcome of each step. */
export function allColumns(result: RowResult | StepsRow, language: MessageSurface): RowResult['columns'] {
  if (!('steps' in result)) return result.columns;
  const columns: Record<string, string> = Object.create(null);
  columns.step = result.step;
  result.names.forEach((name, index) => {
    const part = result.steps[index];
    if (!part) return;
    columns[`${name}.status`] = part.status;
    if (part.code !== undefined) columns[`${name}.code`] = part.code;
    const text = resultMessage(part, language);
    if (text !== '') columns[`${name}.message`] = text;
    if (part.licenseOrderId !== undefined) columns[`${name}.licenseOrderId`] = part.licenseOrderId;
  });
  return Object.assign(columns, result.columns);
}

/** The value that a step returned for a row, by a name of its operation's `returns`; undefined if it returned none. */
export function resultText(part: StepPart, name: string, isOfRecords: boolean): string | undefined {
  if (name === 'licenseOrderId') return part.licenseOrderId;
  return part.columns[name] ?? (isOfRecords ? recordsText(part, name) : undefined);
}

/** A field of all records, joined in the form that the map splits into several values. */
function recordsText({ records = [] }: StepPart, field: string): string | undefined {
  const texts = records.flatMap((it) => recordValues(it, [field]).filter((value) => value !== undefined));
  return texts.length === 0 ? undefined : texts.join('; ');
}

/** Reads a stream of pages item by item. */
export class Cursor<T> {
  readonly #pages: AsyncIterator<readonly T[]> | undefined;
  #page: readonly T[] = [];
  #index = 0;
  #ended: boolean;

  constructor(pages: AsyncIterable<readonly T[]> | undefined) {
    this.#pages = pages?.[Symbol.asyncIterator]();
    this.#ended = pages === undefined;
  }

  /** True if the page is read to its end and others may follow. */
  get isSpent(): boolean {
    return this.#index === this.#page.length && !this.#ended;
  }

  get next(): T | undefined {
    return this.#page[this.#index];
  }

  async fill(): Promise<void> {
    while (this.isSpent) {
      const page = await this.#pages!.next();
      this.#ended = page.done === true;
      this.#page = page.done ? [] : page.value;
      this.#index = 0;
    }
  }

  take(): T {
    const item = this.#page[this.#index]!;
    this.#index += 1;
    return item;
  }

  async close(): Promise<void> {
    if (!this.#ended) await this.#pages?.return?.();
  }
}

type HeldBack = Extract<OutcomeReason, { readonly run: string }>;

/** The item that holds the key of one of the row's items, if the item was excluded for that reason. */
export function heldBackBy({ messages }: RowResult): HeldBack | undefined {
  for (const { reason } of messages) if (reason && reason.kind !== 'resolved_by_person') return reason;
  return undefined;
}

/** The row of an earlier run with an unknown outcome that blocks this row. A user must resolve it. */
export function heldByUnknown({ messages }: RowResult): HeldBack | undefined {
  for (const { reason } of messages) if (reason?.kind === 'held_unknown') return reason;
  return undefined;
}

/** The number of rows of a run that are blocked by unknown rows: skipped, or not sent by a later step. */
export async function countHeld(
  ledger: Pick<Ledger, 'runs' | 'report'>,
  run: Run,
  counts: RunCounts,
): Promise<number> {
  if (!counts.skipped && !(hasSteps(run) && counts.not_sent)) return 0;
  let held = 0;
  for await (const page of reportRows(ledger, run)) held += page.filter(heldByUnknown).length;
  return held;
}
