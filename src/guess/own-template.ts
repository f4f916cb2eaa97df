import { isNeeded } from '../model/field.js';
import type { MapBranch } from '../model/map.js';
import { OPERATION_NAMES, type Operation, type OperationName } from '../model/operation.js';
import { operationNamed } from '../platform/operations/catalogue.js';
import { nestedMap, ORDERS_SHEET, operationMap } from '../templates/operation-map.js';
import { templateSheets } from '../templates/sheets.js';
import { fold } from '../util/text.js';
import { type Draft, fillIn, keyColumn, missingLeaf } from './build-draft.js';
import { operationIn } from './cell-words.js';
import { columnLeaf, headerName } from './column-leaf.js';
import { type FoundTable, type FoundTables, readSheet, type SheetView } from './find-tables.js';
import { squash } from './header-meaning.js';
import type { Match } from './match.js';
import type { Profile } from './profile.js';
import { type TargetField, tableOf } from './targets.js';
import { branch, branchAt, type MissingField } from './write-yaml.js';

/** A workbook that the command `template` created, with its map. */
export interface OwnTemplate {
  readonly operation: Operation;
  readonly map: MapBranch;
  readonly main: SheetView;
  /** By the name in the map; the main sheet has the name ''. */
  readonly views: ReadonlyMap<string, SheetView>;
}

/** A workbook that `template` can create: the headers of its sheets, the job's own sheet first. */
interface Form {
  readonly operation: Operation;
  readonly map: MapBranch;
  readonly sheets: readonly { readonly name: string; readonly headers: readonly string[] }[];
}

interface Fit {
  readonly form: Form;
  readonly tables: ReadonlyMap<string, FoundTable>;
  /** True if all columns of the template are present. */
  readonly isWhole: boolean;
  readonly columns: number;
}

/** Minimum share of headers that are those of the template. */
const LEAST_KNOWN = 0.8;
/** Minimum number of headers that are paths such as `assets.assetNos`, which do not occur by chance. */
const LEAST_PATHS = 3;

/**
 * The template that a workbook was created from. The guide of a template names its operation. A workbook without a guide,
 * or saved as text, is recognised by its headers if only one template has them.
 * @param named the operation, if it is already known
 */
export async function ownTemplate(
  found: FoundTables,
  named: OperationName | undefined,
): Promise<OwnTemplate | undefined> {
  const fits = formsOf(named ?? markOf(found)).flatMap((form) => fitOf(form, found) ?? []);
  const best = fits.toSorted((a, b) => Number(b.isWhole) - Number(a.isWhole) || b.columns - a.columns)[0];
  if (!best) return undefined;
  const equallyGood = fits.filter(
    (it) =>
      it.isWhole === best.isWhole && it.columns === best.columns && it.form.operation !== best.form.operation,
  );
  if (equallyGood.length > 0 || (named === undefined && markOf(found) === undefined && !best.isWhole))
    return undefined;
  const views = new Map<string, SheetView>();
  for (const [name, { sheet, header }] of best.tables)
    views.set(name, await readSheet(found.source, sheet.position, header.number));
  const main = views.get('')!;
  return { operation: best.form.operation, map: best.form.map, main, views };
}

/** The operation named in a cell of the guide; undefined if cells name several. */
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

type Found = Match & { readonly sheet: string };

/** The map that a template was created from, adapted to its cells, without columns that were removed. */
export function templateDraft(template: OwnTemplate, targets: readonly TargetField[]): Draft {
  const { main, views } = template;
  const map = branch('map');
  const matches: Found[] = [];
  const lacking: MissingField[] = [];
  const keys = new Map<SheetView, Set<string>>([...views.values()].map((it) => [it, new Set<string>()]));
  walk(template.map, [], main);
  if (views.size === 1) groupRepeated();
  const unused = [...views.values()].flatMap((view) =>
    view.columns
      .filter(
        (column) => !matches.some((it) => it.column === column) && !keys.get(view)?.has(column.header.folded),
      )
      .map((column) => ({ sheet: view.sheet.name, column })),
  );
  return { map, matches, lacking, unused };

  function walk(node: MapBranch, path: readonly string[], view: SheetView): void {
    const at = branchAt(map, path);
    if (node.each?.kind === 'columns') {
      at.each = { kind: 'columns', columns: node.each.columns.map((it) => headerIn(view, it)) };
    }
    const open: TargetField[] = [];
    for (const [name, member] of node.fields) {
      if (member.kind !== 'column') continue;
      const target = targets.find((it) => it.path.join('.') === [...path, name].join('.'));
      const column = columnIn(view, member.column);
      if (target === undefined) continue;
      if (column) {
        const match: Match = { target, column, score: 1, by: 'name', specific: 1 };
        matches.push({ ...match, sheet: view.sheet.name });
        at.members.push(columnLeaf(match, view.columns, view.cut));
      } else if (isNeeded(target.field)) open.push(target);
    }
    for (const target of open) at.members.push(missing(target, view));
    for (const [name, member] of node.fields)
      if (member.kind === 'branch') inside(member, [...path, name], view);
  }

  function inside(node: MapBranch, path: readonly string[], view: SheetView): void {
    if (node.each?.kind !== 'sheet') {
      if (leavesOf(node).some((it) => columnIn(view, it))) walk(node, path, view);
      return;
    }
    const joined = views.get(node.each.sheet);
    if (!joined) return;
    const on = node.each.on.map((it) => headerIn(view, it));
    for (const header of on) for (const sheet of [view, joined]) keys.get(sheet)?.add(fold(header));
    branchAt(map, path).each = { kind: 'sheet', sheet: joined.sheet.name, on };
    walk(node, path, joined);
  }

  function missing(target: TargetField, view: SheetView) {
    const siblings = matches.filter((it) => it.target.level === target.level);
    const at = branchAt(map, target.path.slice(0, -1));
    const filled = fillIn(target, siblings, at);
    if (filled) return filled;
    lacking.push({ target, nearest: [] });
    return missingLeaf(target, new Set(view.columns.map((it) => squash(it.header.text))), [], undefined);
  }

  /** A flat template has one order per row. If an order number is repeated, the orders have several rows and are grouped. */
  function groupRepeated(): void {
    if (keyColumn('orderList', matches)?.unique !== false) return;
    for (const level of new Set(matches.map((it) => it.target.level))) {
      const key = ['orderList', 'assets', 'products'].includes(tableOf(level))
        ? keyColumn(level, matches)
        : undefined;
      if (key) branchAt(map, level.split('.')).each = { kind: 'columns', columns: [headerName(key)] };
    }
  }
}

function columnIn(view: SheetView, header: string): Profile | undefined {
  return view.columns.find((it) => it.header.folded === fold(header));
}

function headerIn(view: SheetView, header: string): string {
  const column = columnIn(view, header);
  return column ? headerName(column) : header;
}

function leavesOf(node: MapBranch): readonly string[] {
  return [...node.fields.values()].flatMap((it) =>
    it.kind === 'branch' ? leavesOf(it) : it.kind === 'column' ? [it.column] : [],
  );
}
