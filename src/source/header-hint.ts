import { type Message, message } from '../errors/message.js';
import { ProductError } from '../errors/product-error.js';
import type { Row } from '../model/row.js';
import { fold } from '../util/fold.js';
import type { SheetInfo, Source } from './contract.js';
import { CsvRow } from './csv/row.js';
import { findHeaderRow, firstRows } from './header-row.js';
import type { Table } from './table.js';

/** Further sheets have their beginnings read only to say something helpful. */
const SHEETS_SEARCHED = 20;

/**
 * Runs `work`, which binds a job to its tables. If it fails because columns are missing and another row near the top of
 * the sheet has them, the error also names that row: a title above the header is the most common cause. Else it names the
 * other sheet of the workbook that has them.
 */
export async function withHeaderHint<T>(
  source: Source,
  tables: readonly [main: Table, ...joined: Table[]],
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

/** Folded names of the columns that the messages say a sheet lacks. */
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

/** Names the first sheet that has the columns and that the job doesn't read. */
async function otherSheet(
  source: Source,
  tables: readonly Table[],
  names: ReadonlySet<string>,
): Promise<readonly Message[]> {
  const read = new Set(tables.map((it) => it.sheet.position));
  const others = source.isWorkbook ? source.sheets.filter((it) => !read.has(it.position)) : [];
  for (const other of others.slice(0, SHEETS_SEARCHED)) {
    const row = await rowWith(source, other, names);
    if (row === undefined) continue;
    return [message('source.header_other_sheet', { sheet: tables[0]!.sheet.name, other: other.name, row })];
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
  const others = rows.filter(({ number }) => number !== except).map(splitAnew);
  const found = findHeaderRow(others, (text) => names.has(fold(text)));
  // A single one of many names may stand anywhere by chance.
  return found && (found.known >= 2 || found.known === names.size) ? found.number : undefined;
}

/**
 * A text file's delimiter is found from its header row. If that was a title, the real header is still one piece; it is
 * split here by the delimiter that it contains itself.
 */
function splitAnew(row: Row): Row {
  if (!(row instanceof CsvRow) || row.fields.length > 1) return row;
  const text = row.fields[0] ?? '';
  const pieces = [';', '\t', '|', ','].map((it) => text.split(it)).sort((a, b) => b.length - a.length)[0]!;
  if (pieces.length < 2) return row;
  return new CsvRow(
    row.sheet,
    row.number,
    pieces.map((it) => it.replaceAll('"', '')),
  );
}
