import type { MapBranch } from '../model/map.js';
import { OPERATION_NAMES, type Operation, type OperationName } from '../model/operation.js';
import { operationNamed } from '../platform/operations/index.js';
import { nestedMap, ORDERS_SHEET } from '../templates/nested-map.js';
import { operationMap } from '../templates/operation-map.js';
import { templateSheets } from '../templates/sheets.js';
import { fold } from '../util/fold.js';
import type { FoundTable, FoundTables } from './find-tables.js';
import { operationIn } from './purpose.js';
import { readSheet, type SheetView } from './read-sheet.js';

/** A workbook made by the command `template`, with its map. */
export interface OwnTemplate {
  readonly operation: Operation;
  readonly map: MapBranch;
  readonly main: SheetView;
  /** By the name that the map knows them by; the main sheet under ''. */
  readonly views: ReadonlyMap<string, SheetView>;
}

/** One of the workbooks that `template` makes, by the headers of its sheets; the first is the job's own. */
interface Form {
  readonly operation: Operation;
  readonly map: MapBranch;
  readonly sheets: readonly { readonly name: string; readonly headers: readonly string[] }[];
}

interface Fit {
  readonly form: Form;
  readonly tables: ReadonlyMap<string, FoundTable>;
  /** Every column of the template is there. */
  readonly isWhole: boolean;
  readonly columns: number;
}

/** With a lower share of known headers a sheet only has some of them by chance. */
const LEAST_KNOWN = 0.8;
/** Nobody writes this many paths such as `assets.assetNos` by chance. */
const LEAST_PATHS = 3;

/**
 * The template that a workbook was made from. The guide of a template names its operation. A workbook that lost its guide,
 * or was saved as text, is recognised by its headers if only one template has them.
 * @param named the operation, if it is known from elsewhere
 */
export async function ownTemplate(
  found: FoundTables,
  named: OperationName | undefined,
): Promise<OwnTemplate | undefined> {
  const fits = formsOf(named ?? markOf(found)).flatMap((form) => fitOf(form, found) ?? []);
  const best = fits.toSorted((a, b) => Number(b.isWhole) - Number(a.isWhole) || b.columns - a.columns)[0];
  if (!best) return undefined;
  const alike = fits.filter(
    (it) =>
      it.isWhole === best.isWhole && it.columns === best.columns && it.form.operation !== best.form.operation,
  );
  if (alike.length > 0 || (named === undefined && markOf(found) === undefined && !best.isWhole))
    return undefined;
  const views = new Map<string, SheetView>();
  for (const [name, { sheet, header }] of best.tables)
    views.set(name, await readSheet(found.source, sheet, header.number));
  const main = views.get('')!;
  return { operation: best.form.operation, map: best.form.map, main, views };
}

/** The operation that a cell of the guide names; undefined if cells name several. */
function markOf({ marks }: FoundTables): OperationName | undefined {
  const named = new Set(
    marks.map((it) => /^(?:operation: )?([a-z]+\.[a-z_]+)$/.exec(it.trim())?.[1] ?? '').map(operationIn),
  );
  named.delete(undefined);
  const [only] = named;
  return named.size === 1 ? only : undefined;
}

function formsOf(name: OperationName | undefined): readonly Form[] {
  const names = name === undefined ? OPERATION_NAMES : [name];
  return names.map(operationNamed).flatMap((operation) => {
    const nested = nestedMap(operation);
    return [
      formOf(operation, operationMap(operation), ''),
      ...(nested ? [formOf(operation, nested, ORDERS_SHEET)] : []),
    ];
  });
}

function formOf(operation: Operation, map: MapBranch, sheet: string): Form {
  const sheets = templateSheets({ operation, map, sheet, headerRow: 1 });
  return {
    operation,
    map,
    sheets: sheets.map((it) => ({ name: it.name, headers: it.columns.map(({ header }) => fold(header)) })),
  };
}

function fitOf(form: Form, found: FoundTables): Fit | undefined {
  const tables = new Map<string, FoundTable>();
  let isWhole = true;
  let columns = 0;
  let paths = 0;
  for (const [index, { name, headers }] of form.sheets.entries()) {
    const table = name === '' ? found.tables[0] : found.tables.find((it) => it.sheet.name === name);
    const known = (table?.headers ?? []).filter((it) => headers.includes(it));
    const isThere =
      table !== undefined && known.length > 0 && known.length >= table.headers.length * LEAST_KNOWN;
    if (!isThere && index === 0) return undefined;
    if (known.length < headers.length) isWhole = false;
    if (!isThere) continue;
    tables.set(index === 0 ? '' : name, table);
    columns += known.length;
    paths += index === 0 ? known.filter((it) => it.includes('.')).length : known.length;
  }
  return isWhole || paths >= LEAST_PATHS ? { form, tables, isWhole, columns } : undefined;
}
