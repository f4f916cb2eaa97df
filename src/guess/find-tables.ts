import path from 'node:path';
import { message } from '../errors/message.js';
import { ProductError } from '../errors/product-error.js';
import type { Row } from '../model/row.js';
import { RESULT_NAMES, STEP_RESULTS } from '../platform/operations/index.js';
import type { FileSource, SheetInfo, SourceOptions } from '../source/contract.js';
import { findHeaderRow, firstRows, type HeaderRow } from '../source/header-row.js';
import { openSource } from '../source/open.js';
import { resultColumnCount } from '../source/result-header.js';
import { fold } from '../util/fold.js';
import { headerForms, likeness, squash } from './header-forms.js';
import { SYNONYMS } from './synonyms.js';

const HEADER_NAMES: ReadonlySet<string> = new Set(
  Object.entries(SYNONYMS).flatMap(([key, names]) => [
    squash(key),
    squash(key.split('.').at(-1) ?? ''),
    ...names.map((it) => squash(it.text)),
  ]),
);

/** Whether a text may be the header of a field's column. */
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
  /** Its name is that of a sheet about the data, such as a summary or a guide. */
  readonly isAboutData: boolean;
}

export interface FoundTables {
  readonly source: FileSource;
  /** The likeliest first. */
  readonly tables: readonly FoundTable[];
  /** Cells that contain only an operation's name, as in the guide of a template. */
  readonly marks: readonly string[];
  /** Text files: what the job has to name; absent if `auto` finds it. */
  readonly delimiter?: string;
  readonly encoding?: string;
}

const DELIMITERS = [',', ';', '\t', '|'] as const;
/** Names of sheets about the data. */
const ABOUT_DATA =
  /^(?:summary|guide|fields?|lists?|examples?|samples?|notes?|readme|instructions?|help|legend|records|changes? ?log|options?|lookups?|说明|指南|填写指南|填写说明|使用说明|填报说明|示例|样例|汇总|统计|字典|字段|选项|下拉|备注|目录|封面)/iu;

/**
 * Opens a spreadsheet and finds its tables: sheet, header row and, for text files, the delimiter.
 * @param encoding of a text file, where its bytes don't tell it; the password of an encrypted workbook
 * @throws ProductError usage for a file that can't be opened, input for one that can't be read or holds no table
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
    marks.push(...rows.flatMap((row) => row.cells().map((it) => it.text.trim())).filter(isMark));
    const found = tableIn(source, sheet, rows);
    if (found) tables.push(found);
  }
  if (tables.length === 0) throw noTable(source.file);
  return { source, marks, tables: [...tables].sort((a, b) => likelihood(b) - likelihood(a)) };
}

function likelihood({ header, hasRows, isAboutData }: FoundTable): number {
  return header.known * 2 + Math.min(header.columns, 20) / 20 + (hasRows ? 1 : 0) - (isAboutData ? 1000 : 0);
}

/** Whether `auto` finds the same encoding without doubt, so that the job needn't name it. */
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

/** Finds the delimiter that gives the best header row. Titles above it may contain no delimiter at all. */
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

function isMark(text: string): boolean {
  return /^(?:operation: )?[a-z]+\.[a-z_]+$/.test(text);
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
