import path from 'node:path';
import { message } from '../errors/message.js';
import { ProductError } from '../errors/product-error.js';
import type { Header, Row } from '../model/row.js';
import { RESULT_NAMES, STEP_RESULTS } from '../platform/operations/catalogue.js';
import { findHeaderRow, firstRows, type HeaderRow } from '../source/header-row.js';
import { openSource } from '../source/open-source.js';
import { resultColumnCount } from '../source/result-file.js';
import type { FileSource, SheetInfo, SourceOptions } from '../source/source.js';
import { openTable, type Table } from '../source/table.js';
import { TableReader } from '../source/table-reader.js';
import { groupedBy } from '../util/grouped-by.js';
import { fold } from '../util/text.js';
import { headerForms, likeness, squash } from './header-meaning.js';
import { ColumnProfile, type Profile } from './profile.js';
import { SYNONYMS } from './targets.js';

const HEADER_NAMES: ReadonlySet<string> = new Set(
  Object.entries(SYNONYMS).flatMap(([key, names]) => [
    squash(key),
    squash(key.split('.').at(-1) ?? ''),
    ...names.map((it) => squash(it.text)),
  ]),
);

/** True if a text may be the header of a field's column. */
function isKnownHeader(text: string): boolean {
  const forms = headerForms(text);
  if (HEADER_NAMES.has(squash(text.split('.').at(-1) ?? '')) || forms.some((it) => HEADER_NAMES.has(it.text)))
    return true;
  return [...HEADER_NAMES].some((name) => likeness(forms, name) >= 0.78);
}

/** A sheet with its most likely header row. */
export interface FoundTable {
  readonly sheet: SheetInfo;
  readonly header: HeaderRow;
  readonly hasRows: boolean;
  /** Texts above the headers. */
  readonly titles: readonly string[];
  /** Folded, in the sheet's order. */
  readonly headers: readonly string[];
  /** The sheet's name is that of a sheet about the data, such as a summary or a guide. */
  readonly isAboutData: boolean;
}

export interface FoundTables {
  readonly source: FileSource;
  /** The most likely first. */
  readonly tables: readonly FoundTable[];
  /** Cells that contain only an operation's name, as in the guide of a template. */
  readonly marks: readonly string[];
  /** Text files: the values for the job; absent if `auto` finds them. */
  readonly delimiter?: string;
  readonly encoding?: string;
}

const DELIMITERS = [',', ';', '\t', '|'] as const;
/** A cell that contains only an operation's name. */
const OPERATION_MARK = /^(?:operation: )?[a-z]+\.[a-z_]+$/;
/** Names of sheets about the data. */
const ABOUT_DATA =
  /^(?:summary|guide|fields?|lists?|examples?|samples?|notes?|readme|instructions?|help|legend|records|changes? ?log|options?|lookups?|说明|指南|填写指南|填写说明|使用说明|填报说明|示例|样例|汇总|统计|字典|字段|选项|下拉|备注|目录|封面)/iu;

/**
 * Opens a spreadsheet and finds its tables: sheet, header row and, for text files, the delimiter.
 * @param encoding of a text file, if it is not clear from its bytes; the password of an encrypted workbook
 * @throws ProductError usage for a file that can't be opened, input for one that can't be read or contains no table
 */
export async function findTables(
  file: string,
  { encoding, password, env }: Pick<SourceOptions, 'encoding' | 'password' | 'env'> = {},
): Promise<FoundTables> {
  const given = encoding === undefined ? {} : { encoding };
  const source = await openSource(file, { ...given, password, env });
  try {
    if (source.isWorkbook) return await inWorkbook(source);
    const found = await inText(file, source, given);
    return (await findsEncoding(file, found.source)) ? found : { ...found, ...given };
  } catch (error) {
    await source.close();
    throw error;
  }
}

async function inWorkbook(source: FileSource): Promise<FoundTables> {
  const shown = source.sheets.filter((it) => it.visibility === 'visible');
  const tables: FoundTable[] = [];
  const marks: string[] = [];
  for (const sheet of shown.length > 0 ? shown : source.sheets) {
    const rows = await firstRows(source, sheet);
    marks.push(
      ...rows
        .flatMap((row) => row.cells().map((it) => it.text.trim()))
        .filter((it) => OPERATION_MARK.test(it)),
    );
    const found = tableIn(source, sheet, rows);
    if (found) tables.push(found);
  }
  if (tables.length === 0) throw noTable(source.file);
  return { source, marks, tables: [...tables].sort((a, b) => likelihood(b) - likelihood(a)) };
}

function likelihood({ header, hasRows, isAboutData }: FoundTable): number {
  return header.known * 2 + Math.min(header.columns, 20) / 20 + (hasRows ? 1 : 0) - (isAboutData ? 1000 : 0);
}

/** True if `auto` finds the same encoding without a warning, so that the job can omit it. */
async function findsEncoding(file: string, { encoding }: FileSource): Promise<boolean> {
  try {
    const source = await openSource(file);
    await source.close();
    return source.encoding === encoding && source.warnings.length === 0;
  } catch (error) {
    if (!(error instanceof ProductError)) throw error;
    return false;
  }
}

/** Finds the delimiter with the best header row. Titles above it may contain no delimiter. */
async function inText(file: string, opened: FileSource, given: SourceOptions): Promise<FoundTables> {
  const sheet = opened.sheets[0]!;
  const first = tableIn(opened, sheet, await firstRows(opened, sheet));
  const tries = opened.hasOwnDelimiter ? [] : DELIMITERS.filter((it) => it !== opened.delimiter);
  let best = first && { table: first, delimiter: opened.delimiter ?? ',' };
  for (const delimiter of tries) {
    const source = await openSource(file, { ...given, delimiter });
    // With another delimiter a quote may never close.
    const rows = await firstRows(source, sheet).catch(() => undefined);
    const table = rows && tableIn(source, sheet, rows);
    await source.close();
    if (table && (!best || better(table.header, best.table.header))) best = { table, delimiter };
  }
  if (!best) throw noTable(file);
  const { table, delimiter } = best;
  const { number } = table.header;
  const source = await openSource(file, { ...given, headerRow: number });
  if (source.delimiter === delimiter) return { source, marks: [], tables: [table] };
  await source.close();
  const read = await openSource(file, { ...given, headerRow: number, delimiter });
  return { source: read, marks: [], tables: [table], delimiter };
}

function better(a: HeaderRow, b: HeaderRow): boolean {
  return a.known > b.known || (a.known === b.known && a.columns > b.columns);
}

function tableIn(source: FileSource, sheet: SheetInfo, rows: readonly Row[]): FoundTable | undefined {
  const result = resultHeader(source, sheet, rows);
  const header = result ?? findHeaderRow(rows, isKnownHeader);
  if (!header) return undefined;
  const hasRows = rows.some((it) => it.number > header.number);
  const titles = rows
    .filter((it) => it.number < header.number)
    .flatMap((row) => row.cells().map((it) => it.text));
  const headers = (rows.find((it) => it.number === header.number)?.cells() ?? [])
    .map((it) => fold(it.text))
    .filter((it) => it !== '');
  return { sheet, header, hasRows, titles, headers, isAboutData: ABOUT_DATA.test(sheet.name.trim()) };
}

/** The header of a result of an earlier run, which is always in row 1. */
function resultHeader(source: FileSource, sheet: SheetInfo, rows: readonly Row[]): HeaderRow | undefined {
  const [head] = rows;
  if (head?.number !== 1 || (source.isWorkbook && sheet.name !== 'Results')) return undefined;
  const cells = head.cells();
  const count = resultColumnCount(
    cells.map((it) => it.text),
    { resultColumns: RESULT_NAMES, stepResults: STEP_RESULTS },
  );
  return count > 0 ? { number: 1, columns: cells.length, known: cells.length } : undefined;
}

function noTable(file: string): ProductError {
  return new ProductError('input', message('guess.no_table', { file: path.basename(file) }));
}

/** Maximum number of rows that are read. */
export const ROWS_READ = 20_000;

/** A sheet with statistics of its columns. */
export interface SheetView {
  readonly sheet: SheetInfo;
  readonly headerRow: number;
  /** Number of data rows read. */
  readonly rows: number;
  /** The sheet has more rows than were read. */
  readonly cut: boolean;
  /** One for each distinct header, in the sheet's order. */
  readonly columns: readonly Profile[];
  /** The sheet is the `Results` of an earlier run. */
  readonly fromResult: boolean;
  /** Columns with data under merged ranges, which are read with the value of the range, as with `source.merged: fill`. */
  readonly merged: ReadonlySet<number>;
}

/**
 * Reads a sheet as a job would, and collects statistics of its columns.
 * @throws ProductError input if a run would reject the sheet
 */
export async function readSheet(
  source: FileSource,
  sheet: string | number | undefined,
  headerRow: number,
): Promise<SheetView> {
  const added = { resultColumns: RESULT_NAMES, stepResults: STEP_RESULTS };
  const options = { sheet, headerRow, ...added };
  const table = await openTable(source, options);
  const columns = profilesOf(table.headers);
  const reader = new TableReader(table, NOTHING_MAPPED, {
    merged: 'fill',
    fillDown: [],
    until: undefined,
    unmapped: table.headers.map(({ column }) => column),
  });
  let rows = 0;
  let cut = false;
  for await (const page of reader.plain()) {
    for (const row of page) {
      if (rows === ROWS_READ) {
        cut = true;
        break;
      }
      rows += 1;
      // The cells of an invalid line may have shifted into other columns.
      if (!row.faults) for (const column of columns) column.add(row);
    }
    if (cut) break;
  }
  const { fromResult } = table;
  const merged = columnsUnderMerges(table);
  return { sheet: table.sheet, headerRow: table.headerRow, rows, cut, columns, fromResult, merged };
}

/** No column is mapped yet: the map is derived from the columns read here. */
const NOTHING_MAPPED = { columns: [], key: [], identifiers: [], digits: [], texts: [] };

/** Only ranges over several rows of data: titles are merged above the header, and footers across columns. */
function columnsUnderMerges({ merges, headers, headerRow }: Table): ReadonlySet<number> {
  const found = new Set<number>();
  for (let range = 0; range < merges.count; range += 1) {
    if (merges.top(range) <= headerRow || merges.bottom(range) === merges.top(range)) continue;
    for (const { column } of headers) {
      if (column >= merges.left(range) && column <= merges.right(range)) found.add(column);
    }
  }
  return found;
}

function profilesOf(headers: readonly Header[]): readonly ColumnProfile[] {
  return [...groupedBy(headers, (it) => it.folded).values()].map(([first, ...rest]) => {
    const doubles = rest.map((it) => it.column);
    return new ColumnProfile(first!, doubles);
  });
}
