import type { ColumnMeaning } from '../../mapping/contract.js';
import type { Connection } from '../../model/connection.js';
import type { FieldType } from '../../model/field.js';
import { type Job, type StepsJob, stepJob } from '../../model/job.js';
import type { Row } from '../../model/row.js';
import { operationNamed } from '../../platform/operations/index.js';
import type { Table } from '../../source/table.js';
import { InputReading, type ReadColumns, usedByAny } from '../input/input-reading.js';
import { Joins } from '../input/joins.js';
import { bindMapping, type OpenedInput, openInput } from '../input/opened-input.js';
import { type CorrectedCell, CorrectedCells, correctedRow, correctedTable } from './corrected-table.js';
import { allowedTexts, nearestValue } from './nearest-value.js';
import { Overlay } from './overlay.js';
import { addRowsAbove, FARTHEST, type FileRows, lastTaking } from './taken-rows.js';
import { type CheckedMap, type CheckedRow, checkWindow, type WindowCheck } from './window-reading.js';

/** A column of the job's sheet, as its cells are corrected. */
export interface CheckedColumn {
  /** 1-based. */
  readonly column: number;
  readonly header: string;
  /** Wire path of the field that it stands for, and its type; absent where it stands for none by itself. */
  readonly field?: string;
  readonly type?: FieldType;
  /** The values that it takes, where they are a closed list. */
  readonly allowed?: readonly string[];
}

/** Rows around one that was corrected: neighbours that may go with it. */
const AROUND = 4;
/** Rows that are corrected so near each other are checked in one go. */
const TOGETHER = 64;

/**
 * Checks rows of an opened input at once, while cells are corrected: a row with all that it is mapped together with. What
 * only the whole sheet or the ledger can tell is left to the whole check, which every plan makes: repeated keys and
 * contradictions, rows of an order that stand far apart, and where the table ends.
 */
export class RowChecks {
  readonly #job: Job | StepsJob;
  readonly #input: OpenedInput;
  readonly #maps: readonly (CheckedMap & { readonly joins: Joins })[];
  readonly #reads: ReadColumns;
  readonly #end: number | undefined;

  private constructor(
    job: Job | StepsJob,
    input: OpenedInput,
    maps: readonly (CheckedMap & { readonly joins: Joins })[],
    reads: ReadColumns,
    end: number | undefined,
  ) {
    this.#job = job;
    this.#input = input;
    this.#maps = maps;
    this.#reads = reads;
    this.#end = end;
  }

  /**
   * @param copy the kept input
   * @param overlay as far as it is there already: it may say where the table ends
   * @throws ProductError where the job doesn't fit the input, as a run of it would end
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
      const any = usedByAny(mappings);
      const reads = { ...any, unmapped: mappings.flatMap((it) => it.steps?.columns ?? []) };
      for (const [at, mapping] of mappings.entries()) {
        const reading = await InputReading.bind(job, input, { ...reads, joins: mapping.joins });
        maps.push({ job: jobs[at]!, mapping, joins: await Joins.index(mapping, reading, job) });
      }
      const own = { ...reads, joins: [] };
      const end = job.source.until ? await endOfTable(job, input, own, overlay) : undefined;
      return new RowChecks(job, unread(input), maps, own, end);
    } catch (error) {
      for (const { joins } of maps) joins.close();
      throw error;
    } finally {
      await input.source.close();
    }
  }

  /** The job's sheet; its rows are as the file has them. */
  get table(): Table {
    return this.#input.table;
  }

  get maps(): readonly CheckedMap[] {
    return this.#maps;
  }

  /**
   * What becomes of rows whose cells were corrected, and of those next to them and those that take values from them: all
   * rows that may have changed. By ascending row.
   * @param overlay all that is corrected
   */
  async check(file: FileRows, overlay: Overlay, numbers: readonly number[]): Promise<readonly CheckedRow[]> {
    const checked = new Map<number, CheckedRow>();
    const wanted = [...new Set(numbers)].sort((a, b) => a - b);
    for (let from = 0; from < wanted.length; ) {
      let to = from + 1;
      while (to < wanted.length && wanted[to]! - wanted[to - 1]! <= TOGETHER) to += 1;
      for (const it of await this.#together(file, overlay, wanted[from]!, wanted[to - 1]!))
        checked.set(it.row, it);
      from = to;
    }
    return [...checked.values()].sort((a, b) => a.row - b.row);
  }

  /** What the columns of the sheet are, by their order. */
  columns(): readonly CheckedColumn[] {
    return this.table.headers.map(({ column, text }) => {
      const meanings = this.#meanings(column);
      const [first] = meanings;
      const allowed = allowedTexts(meanings);
      return {
        column,
        header: text,
        ...(first ? { field: first.path, type: first.field.type } : {}),
        ...(allowed.length > 0 ? { allowed } : {}),
      };
    });
  }

  /** What a faulty cell was most likely meant to say; its column takes it. */
  nearest(column: number, text: string): string | undefined {
    return nearestValue(this.#meanings(column), text);
  }

  /**
   * Corrections for faulty cells, for a person to look at: of those where something can be proposed, and which are then
   * without a fault.
   * @param overlay all that is corrected
   */
  async propose(
    file: FileRows,
    overlay: Overlay,
    cells: readonly { readonly row: number; readonly column: number }[],
  ): Promise<readonly CorrectedCell[]> {
    const proposed: CorrectedCell[] = [];
    for (const { row, column } of cells) {
      const header = this.table.headers.find((it) => it.column === column)?.text;
      if (header === undefined) continue;
      const before = overlay.row(row)?.get(column)?.text ?? (await file.row(row))?.cell(column)?.text ?? '';
      const text = this.nearest(column, before);
      if (text !== undefined) proposed.push({ row, column, header, before, text });
    }
    if (proposed.length === 0) return [];
    const rows = proposed.map((it) => it.row);
    const checked = await this.check(file, Overlay.of([...overlay.cells, ...proposed]), rows);
    const faulty = new Set(
      checked.flatMap(({ faults }) => faults.map((it) => `${it.sheet} ${it.row} ${it.column}`)),
    );
    const sheet = this.table.sheet.name;
    return proposed.filter(({ row, column }) => !faulty.has(`${sheet} ${row} ${column}`));
  }

  #meanings(column: number): readonly ColumnMeaning[] {
    return this.#maps.flatMap(({ mapping }) => mapping.meanings.filter((it) => it.column === column));
  }

  async close(): Promise<void> {
    for (const { joins } of this.#maps) joins.close();
  }

  async #together(file: FileRows, overlay: Overlay, first: number, last: number): Promise<CheckedRow[]> {
    const below = await lastTaking(this.#job, this.table, { file, overlay }, last);
    const { headerRow } = this.table;
    let above = AROUND;
    let beneath = AROUND;
    for (;;) {
      const top = Math.max(headerRow + 1, first - above);
      const bottom = Math.min(file.last, below + beneath);
      const check = await this.#window(file, overlay, top, bottom);
      const touched = groupsAround(check, first, below);
      const isHigh = top <= headerRow + 1 || above >= FARTHEST || !(check.isOpenAbove || touched.atTop);
      const isLow = bottom >= file.last || beneath >= FARTHEST || !(check.isOpenBelow || touched.atBottom);
      if (isHigh && isLow)
        return touched.rows.flatMap((row) => (check.rows.has(row) ? [check.rows.get(row)!] : []));
      if (!isHigh) above *= 4;
      if (!isLow) beneath *= 4;
    }
  }

  /** Rows from `top` to `bottom`, checked with what they take from rows above them. */
  async #window(file: FileRows, overlay: Overlay, top: number, bottom: number): Promise<WindowCheck> {
    const { table } = this.#input;
    const numbers = new Set<number>();
    for (let row = top; row <= bottom; row += 1) numbers.add(row);
    if (this.#end !== undefined && this.#end < top) numbers.add(this.#end);
    await addRowsAbove(this.#job, table, { file, overlay }, top, numbers);
    const ordered = [...numbers].sort((a, b) => a - b);
    const rows: Row[] = [];
    for (const number of ordered) {
      const row = correctedRow(table.sheet.name, number, await file.row(number), overlay.row(number));
      if (row) rows.push(row);
    }
    const input: OpenedInput = {
      ...this.#input,
      table: {
        ...table,
        async *rows() {
          if (rows.length > 0) yield rows;
        },
      },
    };
    const reading = await InputReading.bind(this.#job, input, this.#reads);
    return checkWindow(this.#maps, reading, table);
  }
}

/**
 * The input without its file: rows come from elsewhere. A workbook holds all its texts, and one that is read whole a process,
 * while a console keeps these checks ready for hours.
 */
function unread({
  source: { file, sheets, isWorkbook, warnings },
  table,
  ...input
}: OpenedInput): OpenedInput {
  const rows = async function* (): AsyncGenerator<readonly Row[]> {};
  const source = { file, sheets, isWorkbook, warnings, rows, close: async () => {} };
  const joined = new Map([...input.joined].map(([name, it]) => [name, { ...it, rows }]));
  return { ...input, source, table: { ...table, rows }, joined };
}

/** The rows of the groups that rows from `first` to `last` are of, and of the groups next to them. */
function groupsAround(
  { groups }: WindowCheck,
  first: number,
  last: number,
): { readonly rows: readonly number[]; readonly atTop: boolean; readonly atBottom: boolean } {
  const own = groups.flatMap((rows, at) => (rows.some((row) => row >= first && row <= last) ? [at] : []));
  const from = Math.max(0, (own[0] ?? 0) - 1);
  const to = Math.min(groups.length - 1, (own.at(-1) ?? -1) + 1);
  return {
    rows: groups.slice(from, to + 1).flat(),
    atTop: from === 0,
    atBottom: to === groups.length - 1,
  };
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
