import { message } from '../errors/message.js';
import { isNeeded } from '../model/field.js';
import { plainText } from '../util/plain-text.js';
import { columnLeaf, headerName, shown } from './column-leaf.js';
import { branch, branchAt, type DraftBranch, type DraftLeaf, type MissingField } from './draft.js';
import { fillIn, missingLeaf, usedColumnFor } from './fill-in.js';
import { squash } from './header-forms.js';
import { isWithin, type Join } from './joins.js';
import type { Match } from './match.js';
import { matchSheet } from './match-sheet.js';
import { nearestColumns } from './nearest-columns.js';
import type { Profile } from './profile.js';
import type { SheetView } from './read-sheet.js';
import { type TargetField, tableOf } from './targets.js';

/** The map to be written, and what it was made from. */
export interface Draft {
  readonly map: DraftBranch;
  readonly matches: readonly (Match & { readonly sheet: string })[];
  readonly lacking: readonly MissingField[];
  /** Columns of the main sheet and of joined ones that the map doesn't read. */
  readonly unused: readonly { readonly sheet: string; readonly column: Profile }[];
}

interface Place {
  readonly view: SheetView;
  readonly matches: readonly Match[];
  readonly on: readonly string[];
}

/** Puts matches, constants and placeholders for missing fields into the shape of the request body. */
export function buildDraft(targets: readonly TargetField[], main: SheetView, joins: readonly Join[]): Draft {
  const levels = joins.map((it) => it.level);
  const own = targets.filter((it) => !levels.some((level) => isWithin(it.level, level)));
  const home: Place = { view: main, matches: matchSheet(main.columns, own), on: [] };
  const placeOf = (level: string): Place => nearestJoin(joins, level) ?? home;
  const matches = [home, ...joins].flatMap((it) => it.matches);
  const used = usedLevels(targets, matches);
  const unused = unusedColumns([home, ...joins]);
  const map = branch('map');
  const lacking: MissingField[] = [];
  for (const target of targets) {
    if (!used.has(target.level)) continue;
    const { view, matches: there } = placeOf(target.level);
    const parent = branchAt(map, target.path.slice(0, -1));
    const match = there.find((it) => it.target === target);
    if (match) parent.members.push(columnLeaf(match, view.columns, view.cut));
    else if (isNeeded(target.field)) parent.members.push(later(target));
  }
  fillAll(map, []);
  for (const level of used) group(level);
  return { map, matches: withSheets([home, ...joins]), lacking, unused };

  /** Constants may need what is matched further down: they are fillMissing when all matches stand. */
  function later(target: TargetField): DraftLeaf {
    return { kind: 'leaf', name: target.field.name, notes: [], value: { kind: 'lacking', column: '' } };
  }

  function fillAll(at: DraftBranch, tables: readonly string[]): void {
    const level = tables.join('.');
    for (const [index, member] of at.members.entries()) {
      if (member.kind === 'branch') fillAll(member, [...tables, member.name]);
      else if (member.value.kind === 'lacking') {
        const target = targets.find((it) => it.level === level && it.field.name === member.name)!;
        at.members[index] = fillMissing(target, at);
      }
    }
  }

  function fillMissing(target: TargetField, at: DraftBranch): DraftLeaf {
    const { view, matches: there } = placeOf(target.level);
    const siblings = there.filter((it) => isWithin(it.target.level, target.level));
    const found = fillIn(target, siblings, at);
    if (found) return found;
    const free = unused.filter((it) => it.sheet === view.sheet.name).map((it) => it.column);
    const nearest = nearestColumns(target, free);
    lacking.push({ target, nearest });
    return missingLeaf(
      target,
      new Set(view.columns.map((it) => squash(it.header.text))),
      nearest,
      usedColumnFor(target, there),
    );
  }

  function group(level: string): void {
    if (level === '') return;
    const node = branchAt(map, level.split('.'));
    const join = joins.find((it) => it.level === level);
    if (join) {
      node.each = { kind: 'sheet', sheet: join.view.sheet.name, on: join.on };
      const key = keyColumn(level, [...home.matches, ...join.matches]);
      if (key && !key.unique) {
        const params = { sheet: plainText(join.view.sheet.name, 40), column: shown(key) };
        node.notes.push(message('guess.element_by_row', params));
      }
      return;
    }
    const key = keyColumn(level, placeOf(level).matches);
    if (!key) return;
    node.each = { kind: 'columns', columns: [headerName(key)] };
    if (tableOf(level) === 'orderList' && !key.unique) node.notes.push(message('guess.rows_share_order'));
  }
}

/** The column whose values distinguish the elements of a table; only if the orders are grouped themselves. */
export function keyColumn(level: string, matches: readonly Match[]): Profile | undefined {
  const find = (name: string, inside: string): Profile | undefined =>
    matches.find((it) => it.target.field.name === name && it.target.level === inside)?.column;
  const order = matches.find((it) => it.target.field.name === 'channelOrderId');
  const usable = (it: Profile | undefined): Profile | undefined =>
    it && it.doubles.length === 0 && it.filled > 0 ? it : undefined;
  switch (tableOf(level)) {
    case 'orderList':
      return usable(order?.column);
    case 'assets':
      return order && usable(find('assetNos', level));
    case 'products':
      return order && usable(find('crmProductId', level));
    case 'licenseOrderProductList':
      return usable(find('crmProductId', level));
    case 'merchandises':
      return order && usable(find('crmProductId', level) ?? find('merchandiseNum', level));
    default:
      return undefined;
  }
}

/** Tables that are written: those with a column, their parents, and those that an order needs. */
function usedLevels(targets: readonly TargetField[], matches: readonly Match[]): ReadonlySet<string> {
  const used = new Set<string>(['']);
  const add = (tables: readonly string[]): void => {
    tables.forEach((_, index) => {
      used.add(tables.slice(0, index + 1).join('.'));
    });
  };
  for (const { target } of matches) add(target.path.slice(0, -1));
  const packed = [...used].some((it) => tableOf(it) === 'merchandises');
  for (const target of targets) {
    const tables = target.path.slice(0, -1);
    const optional = ['assetExtendList', 'merchandises', 'licenseOrderProductList', 'productFeatures'];
    if (tables.some((it) => optional.includes(it))) continue;
    if (packed && tables.includes('products')) continue;
    add(tables);
  }
  return used;
}

function nearestJoin(joins: readonly Join[], level: string): Join | undefined {
  const fitting = joins.filter((it) => isWithin(level, it.level));
  return fitting.sort((a, b) => b.level.length - a.level.length)[0];
}

function unusedColumns(places: readonly Place[]) {
  const keys = new Set(places.flatMap((it) => it.on));
  return places.flatMap(({ view, matches }) =>
    view.columns
      .filter((column) => !matches.some((it) => it.column === column) && !keys.has(headerName(column)))
      .map((column) => ({ sheet: view.sheet.name, column })),
  );
}

function withSheets(places: readonly Place[]) {
  return places.flatMap(({ view, matches }) => matches.map((it) => ({ ...it, sheet: view.sheet.name })));
}
