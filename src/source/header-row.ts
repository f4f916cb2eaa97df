import { type Message, message } from '../errors/message.js';
import { ProductError } from '../errors/product-error.js';
import type { Row } from '../model/row.js';
import { nearest } from '../util/name-match.js';
import { fold } from '../util/text.js';
import { CsvRow } from './csv/csv-row.js';
import type { SheetInfo, Source } from './source.js';

/** The header is expected within this many rows. */
const ROWS_SEARCHED = 40;
const LONGEST_HEADER = 60;

/** The first rows of a sheet, among which its header is searched. */
export async function firstRows(source: Source, sheet: SheetInfo): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for await (const page of source.rows(sheet)) {
    rows.push(...page.slice(0, ROWS_SEARCHED - rows.length));
    if (rows.length >= ROWS_SEARCHED) break;
  }
  return rows;
}

export interface HeaderRow {
  /** As Excel shows it. */
  readonly number: number;
  readonly columns: number;
  /** Number of cells that `isKnown` recognised. */
  readonly known: number;
}

/**
 * The header row among a sheet's first rows, with titles above it and data below; undefined if no row qualifies.
 * @param isKnown whether a text is a header that the caller expects
 */
export function findHeaderRow(
  rows: readonly Row[],
  isKnown: (text: string) => boolean,
): HeaderRow | undefined {
  const widest = Math.max(0, ...rows.map((row) => row.cells().length));
  const candidates = rows.flatMap((row) => {
    const found = rate(row, widest, isKnown);
    return found ? [found] : [];
  });
  let best = candidates[0];
  for (const it of candidates) if (best === undefined || it.score > best.score) best = it;
  if (!best) return undefined;
  // Two header lines, possibly in two languages: the data begins below the second.
  const below = candidates.find((it) => it.number === best.number + 1);
  if (below && below.known >= 2 && below.known >= best.known * 0.8 && below.known * 2 >= below.columns)
    return below;
  return best;
}

function rate(
  row: Row,
  widest: number,
  isKnown: (text: string) => boolean,
): (HeaderRow & { readonly score: number }) | undefined {
  const cells = row.cells().filter((it) => fold(it.text) !== '');
  const texts = cells.map((it) => it.text);
  const words = cells.filter((it) => it.kind === 'text' && isWord(it.text));
  const wordy = words.length;
  if (cells.length === 0 || wordy * 2 < cells.length) return undefined;
  const known = words.filter((it) => isKnown(it.text)).length;
  const distinct = new Set(texts.map(fold)).size;
  const full = widest === 0 ? 0 : cells.length / widest;
  const score = known * 3 + 4 * full * (wordy / cells.length) * (distinct / cells.length);
  return { number: row.number, columns: cells.length, known, score };
}

/** Whether this text is plausible as a column header. */
function isWord(text: string): boolean {
  const trimmed = text.trim();
  if (trimmed.length > LONGEST_HEADER || !/\p{L}/u.test(trimmed) || /@/.test(trimmed)) return false;
  const date = /^\d{4}\s*年\s*\d{1,2}\s*月|^\d{4}-\d{2}-\d{2}[Tt]/;
  return !date.test(trimmed) && !/^[A-Za-z]*[-_]?\d{3,}/.test(trimmed);
}

/**
 * The sheet that a job names, by 1-based position or by name (exact, otherwise folded); the first visible one if it
 * names none.
 * @throws ProductError input, with the nearest name, if there is none
 */
export function findSheet(
  file: string,
  sheets: readonly SheetInfo[],
  sheet: string | number | undefined,
): SheetInfo {
  const all = sheets.map(({ name }) => name).join(', ');
  if (sheet === undefined) {
    const first = sheets.find(({ visibility }) => visibility === 'visible');
    if (!first)
      throw new ProductError('input', message('source.sheet_none_visible', { file, all: all || '-' }));
    return first;
  }
  if (typeof sheet === 'number') {
    const found = sheets.find(({ position }) => position === sheet);
    if (found) return found;
    throw new ProductError('input', message('source.sheet_position', { file, position: sheet, all }));
  }
  const exact = sheets.find(({ name }) => name === sheet);
  const alike = sheets.filter(({ name }) => fold(name) === fold(sheet));
  const found = exact ?? (alike.length === 1 ? alike[0] : undefined);
  if (found) return found;
  const near = nearest(
    sheet,
    sheets.map(({ name }) => name),
  );
  throw new ProductError(
    'input',
    near === undefined
      ? message('source.sheet_missing', { file, sheet, all })
      : message('source.sheet_missing_near', { file, sheet, near, all }),
  );
}

/** Maximum number of further sheets that are searched for a hint. */
const SHEETS_SEARCHED = 20;

interface HeaderPlace {
  readonly sheet: SheetInfo;
  readonly headerRow: number;
}

/**
 * Runs `work`, which binds a job to its tables. If it fails because columns are missing and another row near the top of
 * the sheet has them, the error also names that row: the most common cause is a title above the header. Otherwise it
 * names the first other sheet of the workbook that has them.
 */
export async function withHeaderHint<T>(
  source: Source,
  tables: readonly [main: HeaderPlace, ...joined: HeaderPlace[]],
  work: () => T,
): Promise<T> {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof ProductError)) throw error;
    const hints: Message[] = [];
    for (const [index, table] of tables.entries()) {
      const names = lackingNames([error.detail, ...error.others], table.sheet.name);
      if (names.size === 0) continue;
      const row = await rowWith(source, table.sheet, names, table.headerRow);
      if (row === undefined) {
        if (index === 0) hints.push(...(await otherSheet(source, tables, names)));
        continue;
      }
      const params = { sheet: table.sheet.name, row, header: table.headerRow };
      hints.push(
        index === 0
          ? message('source.header_elsewhere', params)
          : message('source.header_elsewhere_joined', params),
      );
    }
    if (hints.length === 0) throw error;
    throw new ProductError(error.kind, error.detail, { cause: error, others: [...error.others, ...hints] });
  }
}

/** Folded names of the columns that are missing in a sheet according to the messages. */
function lackingNames(messages: readonly Message[], sheet: string): ReadonlySet<string> {
  const names = messages.flatMap(({ code, params }) => {
    if (params.sheet !== sheet) return [];
    if (code === 'mapping.headers_lacking') return fieldNames(String(params.fields));
    return LACKING.has(code) ? [String(params.name)] : [];
  });
  return new Set(names.map(fold));
}

const LACKING: ReadonlySet<string> = new Set<Message['code']>([
  'mapping.column_missing',
  'mapping.column_missing_nearest',
  'run.where_unknown_column',
  'run.until_unknown_column',
  'run.when_unknown_column',
  'run.fill_down_unknown_column',
  'guess.no_column',
  'guess.no_column_nearest',
]);

/** Without a map a header is a field's path or its last name. */
function fieldNames(fields: string): readonly string[] {
  return fields.split(', ').flatMap((path) => [path, path.split('.').at(-1)!]);
}

/** Names the first sheet that has the columns and that the job does not read. */
async function otherSheet(
  source: Source,
  tables: readonly HeaderPlace[],
  names: ReadonlySet<string>,
): Promise<readonly Message[]> {
  const read = new Set(tables.map((it) => it.sheet.position));
  const others = source.isWorkbook ? source.sheets.filter((it) => !read.has(it.position)) : [];
  for (const unread of others.slice(0, SHEETS_SEARCHED)) {
    const row = await rowWith(source, unread, names);
    if (row === undefined) continue;
    return [message('source.header_other_sheet', { sheet: tables[0]!.sheet.name, other: unread.name, row })];
  }
  return [];
}

async function rowWith(
  source: Source,
  sheet: SheetInfo,
  names: ReadonlySet<string>,
  except?: number,
): Promise<number | undefined> {
  const rows = await firstRows(source, sheet);
  const others = rows.filter(({ number }) => number !== except).map(splitAgain);
  const found = findHeaderRow(others, (text) => names.has(fold(text)));
  // A single one of many names may match by chance.
  return found && (found.known >= 2 || found.known === names.size) ? found.number : undefined;
}

/**
 * A text file's delimiter is detected in its header row. If that was a title, the real header is still a single field;
 * it is split here by the delimiter that it contains.
 */
function splitAgain(row: Row): Row {
  if (!(row instanceof CsvRow) || row.fields.length > 1) return row;
  const text = row.fields[0] ?? '';
  const fields = [';', '\t', '|', ','].map((it) => text.split(it)).sort((a, b) => b.length - a.length)[0]!;
  if (fields.length < 2) return row;
  return new CsvRow(
    row.sheet,
    row.number,
    fields.map((it) => it.replaceAll('"', '')),
  );
}
