import type { ColumnMeaning } from '../../mapping/mapping.js';
import type { Connection } from '../../model/connection.js';
import type { AllowedValue, FieldType } from '../../model/field.js';
import { type Job, type StepsJob, stepJob } from '../../model/job.js';
import type { Row } from '../../model/row.js';
import { operationNamed } from '../../platform/operations/catalogue.js';
import type { Table } from '../../source/table.js';
import { InputReading, type ReadColumns, usedByAny } from '../input/input-reading.js';
import { Joins } from '../input/joins.js';
import { bindMapping, type OpenedInput, openInput } from '../input/opened-input.js';
import {
  addRowsAbove,
  type CheckedMap,
  type CheckedRow,
  checkWindow,
  type FileRows,
  lastDependentRow,
  MAX_ROWS,
  type WindowCheck,
} from './check-window.js';
import { type CorrectedCell, CorrectedCells, correctedRow, correctedTable } from './corrected-table.js';
import { allowedTexts, namedValuesOf, nearestValue } from './nearest-value.js';
import { Overlay } from './overlay.js';

/** A column of the job's sheet, as shown during correction. */
export interface CheckedColumn {
  /** 1-based. */
  readonly column: number;
  readonly header: string;
  /** Wire path of its field, and the field's type; absent if the column alone does not fill a field. */
  readonly field?: string;
  readonly type?: FieldType;
  /** The values that it accepts, if they are a closed list. */
  readonly allowed?: readonly string[];
  /** The accepted values with names. */
  readonly named: readonly AllowedValue[];
}

/** Rows checked around a corrected row, because they may belong to its group. */
const AROUND = 4;
/** Corrected rows within this distance are checked together. */
const TOGETHER = 64;
/** Rows that can be checked before the cells of the whole sheet are stored. */
const FIRST_ROWS = 50;

interface RowChecksParts {
  readonly job: Job | StepsJob;
  readonly input: OpenedInput;
  readonly maps: readonly (CheckedMap & { readonly joins: Joins })[];
  readonly reads: ReadColumns;
  readonly end: number | undefined;
  readonly first: readonly Row[];
}

/**
 * Checks corrected rows of an opened input immediately, each with all rows that it is mapped with. Some rules need the
 * whole sheet or the ledger and are left to planning: repeated keys and conflicts, distant rows of one order, and
 * the end of the table.
 */
export class RowChecks {
  readonly #parts: RowChecksParts;

  private constructor(parts: RowChecksParts) {
    this.#parts = parts;
  }

  /**
   * @param copy the stored input
   * @param overlay the corrections so far; they may change the end of the table
   * @throws ProductError if the job does not match the input, as a run would
   */
  static async open(
    { job, connection }: { readonly job: Job | StepsJob; readonly connection: Connection },
    copy: string,
    env: NodeJS.ProcessEnv | undefined,
    overlay: Overlay = Overlay.NONE,
  ): Promise<RowChecks> {
    const input = await openInput(job, copy, env);
    const maps: (CheckedMap & { readonly joins: Joins })[] = [];
    try {
      const jobs = 'steps' in job ? job.steps.map((step) => stepJob(job, step)) : [job];
      const mappings = await Promise.all(
        jobs.map((it) => bindMapping(it, operationNamed(it.operation), connection, input)),
      );
      const used = usedByAny(mappings);
      const reads = { ...used, unmapped: mappings.flatMap((mapping) => mapping.steps?.columns ?? []) };
      for (const [index, mapping] of mappings.entries()) {
        const reading = await InputReading.bind(job, input, { ...reads, joins: mapping.joins });
        maps.push({ job: jobs[index]!, mapping, joins: await Joins.index(mapping, reading, job) });
      }
      const unjoined = { ...reads, joins: [] };
      const end = job.source.until ? await endOfTable(job, input, unjoined, overlay) : undefined;
      const first: Row[] = [];
      for await (const page of input.table.rows()) {
        first.push(...page.slice(0, FIRST_ROWS - first.length));
        if (first.length === FIRST_ROWS) break;
      }
      return new RowChecks({ job, input: withoutFile(input), maps, reads: unjoined, end, first });
    } catch (error) {
      for (const { joins } of maps) joins.close();
      throw error;
    } finally {
      await input.source.close();
    }
  }

  /** The job's sheet, with rows as in the file. */
  get table(): Table {
    return this.#parts.input.table;
  }

  /** The first rows as in the file, with their results. */
  async checkFirst(overlay: Overlay) {
    const { first: rows } = this.#parts;
    const numbers = rows.map((it) => it.number);
    const file = { row: async (number: number) => rows[numbers.indexOf(number)], last: numbers.at(-1) ?? 0 };
    return { rows, checked: await this.check(file, overlay, numbers) };
  }

  get maps(): readonly CheckedMap[] {
    return this.#parts.maps;
  }

  /**
   * The results of corrected rows, of rows next to them, and of rows that take values from them: all rows that may have
   * changed. By ascending row.
   * @param overlay all corrections
   */
  async check(file: FileRows, overlay: Overlay, numbers: readonly number[]): Promise<readonly CheckedRow[]> {
    const checked = new Map<number, CheckedRow>();
    const rowNumbers = [...new Set(numbers)].sort((a, b) => a - b);
    for (let from = 0; from < rowNumbers.length; ) {
      let to = from + 1;
      while (to < rowNumbers.length && rowNumbers[to]! - rowNumbers[to - 1]! <= TOGETHER) to += 1;
      for (const result of await this.#together(file, overlay, rowNumbers[from]!, rowNumbers[to - 1]!))
        checked.set(result.row, result);
      from = to;
    }
    return [...checked.values()].sort((a, b) => a.row - b.row);
  }

  /** The columns of the sheet, in order. */
  columns(): readonly CheckedColumn[] {
    return this.table.headers.map(({ column, text }) => {
      const meanings = this.#meanings(column);
      const [first] = meanings;
      const allowed = allowedTexts(meanings);
      return {
        column,
        header: text,
        field: first?.path,
        type: first?.field.type,
        allowed: allowed.length > 0 ? allowed : undefined,
        named: namedValuesOf(meanings),
      };
    });
  }

  /** The most likely intended value of an invalid cell, valid for its column. */
  nearest(column: number, text: string): string | undefined {
    return nearestValue(this.#meanings(column), text);
  }

  /**
   * Proposes corrections of invalid cells, for review. Only for cells with a proposal that removes the error.
   * @param overlay all corrections
   * @param how the nearest valid text, or for empty cells that of the row above
   */
  async propose(
    file: FileRows,
    overlay: Overlay,
    cells: readonly { readonly row: number; readonly column: number }[],
    how: 'nearest' | 'above',
  ): Promise<readonly CorrectedCell[]> {
    const proposed: CorrectedCell[] = [];
    const above = new Map<number, { readonly row: number; readonly text: string }>();
    const textIn = async (row: number, column: number): Promise<string> =>
      overlay.row(row)?.get(column)?.text ?? (await file.row(row))?.cell(column)?.text ?? '';
    for (const { row, column } of cells) {
      const header = this.table.headers.find((candidate) => candidate.column === column)?.text;
      if (header === undefined) continue;
      const before = await textIn(row, column);
      let text = how === 'nearest' ? this.nearest(column, before) : undefined;
      if (how === 'above' && before.trim() === '') {
        // The search ends at the last cell found, so that a long empty column is read once.
        const last = above.get(column);
        for (let from = row - 1; from > this.table.headerRow && text === undefined; from -= 1)
          text = from === last?.row ? last.text : (await textIn(from, column)).trim() || undefined;
        if (text !== undefined) above.set(column, { row, text });
      }
      if (text !== undefined) proposed.push({ row, column, header, before, text });
    }
    if (proposed.length === 0) return [];
    const rows = proposed.map((cell) => cell.row);
    const checked = await this.check(file, Overlay.of([...overlay.cells, ...proposed]), rows);
    const stillInvalid = new Set(
      checked.flatMap(({ faults }) => faults.map(({ sheet, row, column }) => `${sheet} ${row} ${column}`)),
    );
    const sheet = this.table.sheet.name;
    return proposed.filter(({ row, column }) => !stillInvalid.has(`${sheet} ${row} ${column}`));
  }

  #meanings(column: number): readonly ColumnMeaning[] {
    return this.#parts.maps.flatMap(({ mapping }) => mapping.meanings.filter((it) => it.column === column));
  }

  async close(): Promise<void> {
    for (const { joins } of this.#parts.maps) joins.close();
  }

  async #together(file: FileRows, overlay: Overlay, first: number, last: number): Promise<CheckedRow[]> {
    const below = await lastDependentRow(this.#parts.job, this.table, { file, overlay }, last);
    const { headerRow } = this.table;
    let above = AROUND;
    let beneath = AROUND;
    for (;;) {
      const top = Math.max(headerRow + 1, first - above);
      const bottom = Math.min(file.last, below + beneath);
      const check = await this.#window(file, overlay, top, bottom);
      const touched = groupsAround(check, first, below);
      const isHigh = top <= headerRow + 1 || above >= MAX_ROWS || !(check.isOpenAbove || touched.atTop);
      const isLow = bottom >= file.last || beneath >= MAX_ROWS || !(check.isOpenBelow || touched.atBottom);
      if (isHigh && isLow)
        return touched.rows.flatMap((row) => (check.rows.has(row) ? [check.rows.get(row)!] : []));
      if (!isHigh) above *= 4;
      if (!isLow) beneath *= 4;
    }
  }

  /** Checks the rows from `top` to `bottom`, with the rows above that they take values from. */
  async #window(file: FileRows, overlay: Overlay, top: number, bottom: number): Promise<WindowCheck> {
    const { table } = this.#parts.input;
    const numbers = new Set<number>();
    for (let row = top; row <= bottom; row += 1) numbers.add(row);
    if (this.#parts.end !== undefined && this.#parts.end < top) numbers.add(this.#parts.end);
    await addRowsAbove(this.#parts.job, table, { file, overlay }, top, numbers);
    const ordered = [...numbers].sort((a, b) => a - b);
    const rows: Row[] = [];
    for (const number of ordered) {
      const row = correctedRow(table.sheet.name, number, await file.row(number), overlay.row(number));
      if (row) rows.push(row);
    }
    const input: OpenedInput = {
      ...this.#parts.input,
      table: {
        ...table,
        async *rows() {
          if (rows.length > 0) yield rows;
        },
      },
    };
    const reading = await InputReading.bind(this.#parts.job, input, this.#parts.reads);
    return checkWindow(this.#parts.maps, reading, table);
  }
}

/**
 * The input without its open file; rows come from another source. An open workbook keeps all its texts in memory, or a
 * separate process, and a console keeps these checks for hours.
 */
function withoutFile({
  source: { file, sheets, isWorkbook, warnings },
  table,
  ...input
}: OpenedInput): OpenedInput {
  const rows = async function* (): AsyncGenerator<readonly Row[]> {};
  const source = { file, sheets, isWorkbook, warnings, rows, close: async () => {} };
  const joined = new Map([...input.joined].map(([name, joinedTable]) => [name, { ...joinedTable, rows }]));
  return { ...input, source, table: { ...table, rows }, joined };
}

/** The rows of the groups that contain rows from `first` to `last`, and of the groups next to them. */
function groupsAround(
  { groups }: WindowCheck,
  first: number,
  last: number,
): { readonly rows: readonly number[]; readonly atTop: boolean; readonly atBottom: boolean } {
  const touching = groups.flatMap((rows, index) =>
    rows.some((row) => row >= first && row <= last) ? [index] : [],
  );
  const from = Math.max(0, (touching[0] ?? 0) - 1);
  const to = Math.min(groups.length - 1, (touching.at(-1) ?? -1) + 1);
  return { rows: groups.slice(from, to + 1).flat(), atTop: from === 0, atBottom: to === groups.length - 1 };
}

/** The row at which `until` ends the table. */
async function endOfTable(
  job: Job | StepsJob,
  input: OpenedInput,
  reads: ReadColumns,
  overlay: Overlay,
): Promise<number | undefined> {
  const table = overlay.size === 0 ? input.table : correctedTable(input.table, overlay, new CorrectedCells());
  const reading = await InputReading.bind(job, { ...input, table }, reads);
  for await (const page of reading.main.rows()) {
    for (const { nonData } of page)
      if (nonData?.kind === 'ended' || nonData?.kind === 'beyond') return nonData.end;
  }
  return undefined;
}
