import { fold } from '../util/text.js';
import { headerName } from './column-leaf.js';
import type { SheetView } from './find-tables.js';
import { type Match, matchSheet } from './match.js';
import type { Profile } from './profile.js';
import { type TargetField, tableOf } from './targets.js';

/** Another sheet of the workbook whose rows become the elements of a table of the request. */
export interface Join {
  readonly view: SheetView;
  /** Wire path of the table. */
  readonly level: string;
  /** Headers of both sheets. */
  readonly on: readonly string[];
  readonly matches: readonly Match[];
}

interface Found extends Join {
  readonly weight: number;
}

/** Tables that other sheets may contain. The order matters, because products may belong to joined assets. */
const ROLES = ['assets', 'merchandises', 'products'] as const;
type Role = (typeof ROLES)[number];

/**
 * Finds other sheets with products, packages, assets or features of the orders in the main sheet. Such sheets share the column of
 * the order number (or of the lock, or of the product) and have more fields of the table than the main sheet.
 */
export function findJoins(
  main: SheetView,
  others: readonly SheetView[],
  targets: readonly TargetField[],
): readonly Join[] {
  const mainMatches = matchSheet(main.columns, targets);
  const joins: Found[] = [];
  for (const role of ROLES) {
    const assets = joins.find((it) => tableOf(it.level) === 'assets');
    const keys = assets ? [...mainMatches, ...assets.matches] : mainMatches;
    const found = others
      .filter((view) => !joins.some((it) => it.view === view))
      .flatMap((view) => inRole(role, keys, mainMatches, view, targets) ?? []);
    // The sheet with the most matches, because a job can join only one sheet for a table.
    const [best] = found.sort((a, b) => b.weight - a.weight);
    if (best) joins.push(best);
  }
  const products = joins.find((it) => tableOf(it.level) === 'products');
  const features = featureSheet(products ?? { view: main, matches: mainMatches }, others, targets);
  return features ? [...joins, features] : joins;
}

/**
 * @param keys matches whose columns may be the key of the join
 * @param mainMatches matches of the main sheet
 */
function inRole(
  role: Role,
  keys: readonly Match[],
  mainMatches: readonly Match[],
  view: SheetView,
  targets: readonly TargetField[],
): Found | undefined {
  const level = targets.map((it) => it.level).find((it) => tableOf(it) === role);
  if (level === undefined) return undefined;
  const on = sharedKeys(keys, role === 'assets' ? ['channelOrderId'] : ['channelOrderId', 'assetNos'], view);
  if (on.length === 0) return undefined;
  const inside = targets.filter((it) => isWithin(it.level, level) && tableOf(it.level) !== 'productFeatures');
  const matches = matchSheet(without(view.columns, on), inside).filter((it) => it.by === 'name');
  const direct = matches.filter((it) => it.target.level === level);
  const inMain = mainMatches.filter((it) => isWithin(it.target.level, level));
  if (!isFuller(role, direct, inMain)) return undefined;
  // Each row of a joined sheet is an element, so that a sheet with repeated locks is not a list of locks.
  const listed =
    role === 'assets' && direct.some((it) => it.column.unique && ANCHORS.has(it.target.field.name));
  const weight = matches.length + (listed ? 1000 : 0);
  return { view, level, on: on.map(headerName), matches, weight };
}

function isFuller(role: Role, direct: readonly Match[], inMain: readonly Match[]): boolean {
  if (role === 'products') return direct.length >= 2 && direct.length > inMain.length;
  if (!direct.some((it) => ANCHORS.has(it.target.field.name))) return false;
  // Locks in the main sheet have precedence.
  return role === 'assets' ? !inMain.some((it) => it.target.field.name === 'assetNos') : inMain.length === 0;
}

const ANCHORS: ReadonlySet<string> = new Set(['merchandiseNum', 'merchandiseName', 'assetNos']);

function featureSheet(
  parent: Pick<Join, 'view' | 'matches'>,
  others: readonly SheetView[],
  targets: readonly TargetField[],
): Found | undefined {
  const level = targets.map((it) => it.level).find((it) => it.endsWith('products.productFeatures'));
  if (level === undefined) return undefined;
  const inside = targets.filter((it) => it.level === level);
  for (const view of others) {
    if (view === parent.view) continue;
    const on = sharedKeys(parent.matches, ['crmProductId'], view);
    const matches = on.length === 0 ? [] : matchSheet(without(view.columns, on), inside);
    if (matches.length >= 2) return { view, level, on: on.map(headerName), matches, weight: matches.length };
  }
  return undefined;
}

/** The columns of these fields whose headers the other sheet has too. */
function sharedKeys(
  matches: readonly Match[],
  fields: readonly string[],
  view: SheetView,
): readonly Profile[] {
  return fields.flatMap((field) => {
    const match = matches.find(
      (it) => it.target.field.name === field && tableOf(it.target.level) !== 'merchandises',
    );
    if (!match || match.column.doubles.length > 0) return [];
    const shared = view.columns.find((it) => it.header.folded === match.column.header.folded);
    return shared && shared.doubles.length === 0 ? [match.column] : [];
  });
}

function without(columns: readonly Profile[], on: readonly Profile[]): readonly Profile[] {
  const names = new Set(on.map((it) => fold(it.header.text)));
  return columns.filter((it) => !names.has(it.header.folded));
}

export function isWithin(level: string, table: string): boolean {
  return level === table || level.startsWith(`${table}.`);
}
