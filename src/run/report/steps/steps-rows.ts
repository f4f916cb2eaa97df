import type { Wording } from '../../../errors/at-page.js';
import { message } from '../../../errors/message.js';
import { ProductError } from '../../../errors/product-error.js';
import type { Ledger } from '../../../ledger/contract/ledger.js';
import type { RowResult } from '../../../ledger/contract/report.js';
import type { Run } from '../../../ledger/contract/run.js';
import type { JsonObject } from '../../../model/json.js';
import { type Status, standsAt, worstOfSteps } from '../../../model/status.js';
import { recordValues } from '../../../platform/operations/shared/records.js';
import { hasSteps, type StepRun, stepRunsOf } from '../../step-runs.js';
import { resultMessage } from '../result-message.js';

/** What became of a row over all steps of a run; what a plain run's row tells, and the steps' own. */
export interface StepsRow extends RowResult {
  /** Name of the step at which it stands. */
  readonly step: string;
  /** Of the steps, in order. */
  readonly names: readonly string[];
  /** By step; undefined where the step has not been planned as far as this row. */
  readonly steps: readonly (StepPart | undefined)[];
}

export type StepPart = RowResult & { readonly records?: readonly JsonObject[] };

const ROWS_AT_ONCE = 500;

/**
 * What became of the rows of any run, by ascending row: of a run of several steps, over all of them. Whoever tells of a
 * run's rows reads them here.
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
 * The rows of any run that have one of these statuses, or all of them, as far as they were looked through at a time:
 * rare ones are jumped to, and where they are many they are read on.
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
      const wish = { pendingAs: pendingAs(run), after: at };
      const { row, lookedTo } = await ledger.report.nextOf(run.id, statuses, wish);
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
      const rows = statuses ? page.filter((it) => statuses.includes(it.status)) : page;
      yield { rows, lookedTo: at };
      if (rows.length === 0) break;
    }
  }
}

/** How a row counts that is neither sent nor held back: a check would send it. */
export function pendingAs({ kind }: Pick<Run, 'kind'>): 'valid' | 'not_sent' {
  return kind === 'run' ? 'not_sent' : 'valid';
}

/**
 * The rows of all step runs side by side, a page of each in memory.
 * @param withRecords whether records of a step are wanted with its rows
 * @throws ProductError internal where a step that was planned lacks a row that another one has
 */
export async function* stepsRows(
  ledger: Pick<Ledger, 'report'>,
  run: Run,
  steps: readonly StepRun[],
  withRecords: (step: number) => boolean,
  after = 0,
): AsyncGenerator<readonly StepsRow[]> {
  const pending = pendingAs(run);
  const cursors = steps.map(({ run: of }, index) => {
    if (!of) return new Cursor<StepPart>(undefined);
    const isRead = pending === 'not_sent' && withRecords(index);
    return new Cursor<StepPart>(
      isRead ? ledger.report.gains(of.id) : ledger.report.rows(of.id, pending, after),
    );
  });
  // A step that is being planned, or was only checked, may have fewer rows than the others, or none.
  const mayLack = steps.map(({ run: of }) => of === undefined || of.state === 'planning');
  const names = steps.map(({ step }) => step.name);
  let page: StepsRow[] = [];
  try {
    for (;;) {
      let row = Infinity;
      for (const cursor of cursors) {
        // Awaited once a page, not for every row.
        if (cursor.isSpent) await cursor.fill();
        row = Math.min(row, cursor.next?.row ?? Infinity);
      }
      if (row === Infinity) break;
      const parts = cursors.map((cursor, index) => {
        if (cursor.next?.row === row) return cursor.take();
        if (!mayLack[index]) {
          throw new ProductError('internal', message('run.row_unaccounted', { row, file: run.inputFile }));
        }
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

/** One row over all steps. */
export function stepsRow(
  row: number,
  steps: readonly (StepPart | undefined)[],
  names: readonly string[],
  pending: Status,
): StepsRow {
  const statuses = steps.map((it) => it?.status ?? pending);
  const status = worstOfSteps(statuses);
  const at = standsAt(statuses);
  const licenseOrderId = steps.findLast((it) => it?.licenseOrderId !== undefined)?.licenseOrderId;
  const code = steps[at]?.code;
  return {
    row,
    status,
    ...(licenseOrderId === undefined ? {} : { licenseOrderId }),
    ...(code === undefined ? {} : { code }),
    // What makes the row what it is, and what another run must be looked at for.
    messages: steps.flatMap((part, index) =>
      (part?.messages ?? [])
        .filter(({ reason }) => statuses[index] === status || reason?.kind === 'held_unknown')
        .map(({ item, ...said }) => ({
          item: item === undefined ? names[index]! : `${names[index]} ${item}`,
          ...said,
          step: names[index]!,
        })),
    ),
    faults: distinctFaults(steps),
    attempts: steps.reduce((sum, it) => sum + (it?.attempts ?? 0), 0),
    columns: columnsOf(steps, names),
    step: names[at]!,
    names,
    steps,
  };
}

const NO_FAULTS: RowResult['faults'] = [];

/** A cell that two steps map is at fault once. */
function distinctFaults(steps: readonly (StepPart | undefined)[]): RowResult['faults'] {
  const all = steps.flatMap((it) => it?.faults ?? []);
  if (all.length < 2) return all.length === 0 ? NO_FAULTS : all;
  return [...new Map(all.map((it) => [JSON.stringify(it), it])).values()];
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

/** A row's columns by their names in the result; of a row over several steps what each came to as well. */
export function allColumns(result: RowResult | StepsRow, language: Wording): RowResult['columns'] {
  if (!('steps' in result)) return result.columns;
  const columns: Record<string, string> = Object.create(null);
  columns.step = result.step;
  result.names.forEach((name, index) => {
    const part = result.steps[index];
    if (!part) return;
    columns[`${name}.status`] = part.status;
    if (part.code !== undefined) columns[`${name}.code`] = part.code;
    const said = resultMessage(part, language);
    if (said !== '') columns[`${name}.message`] = said;
    if (part.licenseOrderId !== undefined) columns[`${name}.licenseOrderId`] = part.licenseOrderId;
  });
  return Object.assign(columns, result.columns);
}

/** What a step returned for a row, by a name of its operation's `returns`; undefined where it returned nothing. */
export function resultText(part: StepPart, name: string, isOfRecords: boolean): string | undefined {
  if (name === 'licenseOrderId') return part.licenseOrderId;
  return part.columns[name] ?? (isOfRecords ? recordsText(part, name) : undefined);
}

/** A field of all records, divided as the map divides a cell into several values. */
function recordsText({ records = [] }: StepPart, field: string): string | undefined {
  const texts = records.flatMap((it) => recordValues(it, [field]).filter((value) => value !== undefined));
  return texts.length === 0 ? undefined : texts.join('; ');
}

/** Reads a stream of pages one by one. */
class Cursor<T> {
  readonly #pages: AsyncIterator<readonly T[]> | undefined;
  #page: readonly T[] = [];
  #at = 0;
  #ended: boolean;

  constructor(pages: AsyncIterable<readonly T[]> | undefined) {
    this.#pages = pages?.[Symbol.asyncIterator]();
    this.#ended = pages === undefined;
  }

  /** The page is read to its end, and others may follow. */
  get isSpent(): boolean {
    return this.#at === this.#page.length && !this.#ended;
  }

  get next(): T | undefined {
    return this.#page[this.#at];
  }

  async fill(): Promise<void> {
    while (this.isSpent) {
      const page = await this.#pages!.next();
      this.#ended = page.done === true;
      this.#page = page.done ? [] : page.value;
      this.#at = 0;
    }
  }

  take(): T {
    const taken = this.#page[this.#at]!;
    this.#at += 1;
    return taken;
  }

  async close(): Promise<void> {
    if (!this.#ended) await this.#pages?.return?.();
  }
}
