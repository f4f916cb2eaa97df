import { type Message, message } from '../errors/message.js';
import { ProductError } from '../errors/product-error.js';
import { fold } from '../util/fold.js';
import type { Source } from './contract.js';
import { findHeaderRow, firstRows } from './header-row.js';
import type { Table } from './table.js';

/**
 * Runs what binds a job to its tables. Where columns are missing that another row near the top of the sheet bears,
 * the refusal names that row too: a title above the header is the commonest reason.
 */
export async function tellingHeaderRow<T>(
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
      const row = names.size === 0 ? undefined : await rowWith(source, table, names);
      if (row === undefined) continue;
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

/** Names of the columns that a sheet was said to lack, folded. */
function lackingNames(told: readonly Message[], sheet: string): ReadonlySet<string> {
  const names = told.flatMap(({ code, params }) => {
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
]);

/** Without a map a header is a field's path or its last name. */
function fieldNames(fields: string): readonly string[] {
  return fields.split(', ').flatMap((path) => [path, path.split('.').at(-1)!]);
}

async function rowWith(
  source: Source,
  table: Table,
  names: ReadonlySet<string>,
): Promise<number | undefined> {
  const others = (await firstRows(source, table.sheet)).filter(({ number }) => number !== table.headerRow);
  const found = findHeaderRow(others, (text) => names.has(fold(text)));
  // One word of many may stand anywhere.
  return found && (found.known >= 2 || found.known === names.size) ? found.number : undefined;
}
