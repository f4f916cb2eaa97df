import type { Random } from '../support/random.js';
import type { Moment, Unit } from './days.js';

/** What a careful person takes a cell to mean. */
export type Value = string | number | Moment | readonly string[];

/** A cell as it is in the file. */
export type Laid =
  | {
      readonly kind: 'text';
      readonly text: string;
      /** As a hand-made workbook stores it, where that differs (`_x0041_`). */
      readonly stored?: string;
      /** Pieces with fonts of their own. */
      readonly runs?: readonly string[];
      /** All of it is struck out, or its second piece. */
      readonly struck?: 'whole' | 'part';
      /** As a text file holds it, bytes for bytes: never quoted. */
      readonly asIs?: string;
    }
  | { readonly kind: 'number'; readonly number: number; readonly format?: string; readonly shown?: string }
  | { readonly kind: 'date'; readonly moment: Moment; readonly format: string; readonly shown: string }
  | { readonly kind: 'boolean'; readonly boolean: boolean }
  | { readonly kind: 'error'; readonly text: string }
  | { readonly kind: 'formula'; readonly formula: string; readonly result?: Laid };

export type ColumnType = 'identifier' | 'lock' | 'name' | 'word' | 'whole' | 'date' | 'end';

export interface Column {
  /** As it is in the sheet. */
  header: string;
  /** Path in the request; absent: the map doesn't name this column. */
  readonly field?: string;
  readonly type: ColumnType;
  /** Of what a value belongs to: its record, or a part of that. */
  readonly level: 'order' | 'asset' | 'product';
  readonly key?: boolean;
  readonly optional?: boolean;
  readonly list?: boolean;
  /** Words in the sheet and what they stand for. */
  readonly values?: Readonly<Record<string, string>>;
  /** Of the column's date texts, as the map says it. */
  format?: string | readonly string[];
}

/**
 * - data: is in its request as `record` says
 * - fault: must be reported and must not be sent, and nothing that it is part of may
 * - maybe: as `record` says, or reported and not sent
 * - aside: no record at all; reported, unless nothing would be lost
 * - filtered: excluded by the job
 */
export type Verdict = 'data' | 'fault' | 'maybe' | 'aside' | 'filtered';

export interface Line {
  cells: (Laid | undefined)[];
  /** By column; empty for lines that are no data. */
  readonly record: Map<Column, Value>;
  verdict: Verdict;
  hidden?: boolean;
  /** A text line as it stands, in place of its cells. */
  asIs?: string;
  /** As Excel numbers it; known once it is written. */
  row?: number;
  /** Why it isn't plain data, for the report of a failure. */
  reasons: string[];
}

/** Cells that are one, from one line to another and from one column to another (0-based). */
export interface Merge {
  readonly from: Line;
  readonly to: Line;
  readonly first: number;
  readonly last: number;
}

export interface Page {
  readonly name: string;
  readonly columns: Column[];
  /** Lines above the header. */
  readonly above: Line[];
  readonly header: Line;
  readonly lines: Line[];
  readonly merges: Merge[];
  filter?: boolean;
  /** Fields of a text file's lines, where there are more than columns. */
  width?: number;
}

export interface Settings {
  unit: Unit;
  onInvalid: 'abort' | 'skip';
  merged?: 'refuse' | 'fill';
  fillDown?: string[];
  until?: string;
  where?: string;
  hiddenRows?: 'include' | 'skip' | 'refuse';
  headerRow?: number;
  /** Whether the job names its sheet. */
  namesSheet: boolean;
  encoding?: string;
  delimiter?: string;
}

export interface TextStyle {
  encoding: 'utf-8' | 'utf-8-bom' | 'utf-16le' | 'utf-16be' | 'gb18030';
  delimiter: ',' | ';' | '\t' | '|';
  newline: '\n' | '\r\n';
  sepLine?: boolean;
  quoteAll?: boolean;
}

export interface BookStyle {
  writer: 'exceljs' | 'by hand';
  date1904: boolean;
  /** Of the hand-made workbook. */
  prefix: string;
  strict: boolean;
  strings: 'shared' | 'inline' | 'mixed';
  references: boolean;
  claims: boolean;
  /** The file says that its formulas must be calculated on opening. */
  pending?: boolean;
}

export interface Scenario {
  readonly name: string;
  readonly operation: string;
  readonly language: 'en' | 'zh';
  /** Members of the map that are constants, by path; objects as YAML writes them. */
  readonly constants: Readonly<Record<string, string | number | boolean>>;
  /** What the request contains though no map names it (contract section 4), by path. */
  readonly implied: Readonly<Record<string, unknown>>;
  /** `each` by path of its node. */
  readonly each: Readonly<Record<string, readonly string[] | { sheet: string; on: readonly string[] }>>;
  /** Fields put together from columns with `-` between, by path. */
  readonly templates?: Readonly<Record<string, readonly string[]>>;
  /** No `map`: headers are field names. */
  readonly mapless?: boolean;
}

/** A sheet in the making. */
export interface Draft {
  readonly seed: number;
  readonly random: Random;
  readonly scenario: Scenario;
  readonly page: Page;
  /** The joined sheet, where there is one. */
  readonly joined?: Page;
  format: 'xlsx' | 'csv';
  readonly settings: Settings;
  readonly text: TextStyle;
  /** Of the file's name. */
  readonly extension: string;
  readonly book: BookStyle;
  /** Sheets that stand before the data, and whether they are hidden. */
  readonly before: { readonly name: string; readonly hidden: boolean; readonly lines: readonly string[][] }[];
  /** Whether the whole file may, or must, be refused. */
  refusal: 'no' | 'may' | 'must';
  /** What was done to it. */
  readonly done: string[];
}

export const text = (it: string): Laid => ({ kind: 'text', text: it });

/** A line's verdict never gets better: what is an error for one reason stays one. */
export function judge(line: Line, verdict: 'fault' | 'maybe', reason: string): void {
  line.reasons.push(reason);
  if (verdict === 'fault' || line.verdict === 'data') line.verdict = verdict;
}

export function dataLines(page: Page): Line[] {
  return page.lines.filter((it) => it.record.size > 0);
}

/** The columns by which a record is distinguished from others. */
export function keyColumns(page: Page): Column[] {
  return page.columns.filter((it) => it.key && it.level === 'order');
}

/** Lines of one record stand together; the lists of them in order. */
export function runs(page: Page): Line[][] {
  const keys = keyColumns(page);
  const found: Line[][] = [];
  let before: string | undefined;
  for (const line of page.lines) {
    if (line.record.size === 0) {
      before = undefined;
      continue;
    }
    const key = keys.map((it) => String(line.record.get(it))).join('|');
    if (key === before) found.at(-1)?.push(line);
    else found.push([line]);
    before = key;
  }
  return found;
}
