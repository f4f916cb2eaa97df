import { type Message, message } from '../errors/message.js';
import { isNeeded, namedValues } from '../model/field.js';
import { plainText } from '../util/text.js';
import { columnLeaf, headerName, shown } from './column-leaf.js';
import { nearestColumns } from './columns-for.js';
import type { SheetView } from './find-tables.js';
import { squash } from './header-meaning.js';
import { isWithin, type Join } from './joins.js';
import { type Match, matchSheet } from './match.js';
import type { Profile } from './profile.js';
import { type TargetField, tableOf } from './targets.js';
import {
  branch,
  branchAt,
  type DraftBranch,
  type DraftLeaf,
  type DraftValue,
  type MissingField,
} from './write-yaml.js';

const UNITS: readonly (readonly [RegExp, string])[] = [
  [/month|月/iu, 'month'],
  [/year|年/iu, 'year'],
  [/days?\b|天|日数/iu, 'day'],
];

/**
 * A value for a required field without a column, if one makes sense for any spreadsheet.
 * @param siblings matches of the same table and of those inside it
 * @param at the branch of that table, with the leaves of fields that are matched
 */
export function fillIn(
  target: TargetField,
  siblings: readonly Match[],
  at: DraftBranch,
): DraftLeaf | undefined {
  const { name } = target.field;
  const leaf = (value: DraftValue, ...notes: Message[]): DraftLeaf => ({ kind: 'leaf', name, notes, value });
  const matched = (field: string): Match | undefined => siblings.find((it) => it.target.field.name === field);
  switch (name) {
    case 'syncMode':
      return leaf({ kind: 'constant', value: 'sync' });
    case 'defaultCustomer':
      return leaf({ kind: 'constant', value: 'N' }, message('guess.default_customer'));
    case 'limitTimeDuration':
      return leaf({ kind: 'constant', value: 0 }, message('guess.no_usage_time'));
    case 'trial':
      return leaf({ kind: 'constant', value: 0 }, message('guess.no_trial'));
    case 'trialEndDate': {
      const end = at.members.find((it) => it.kind === 'leaf' && it.name === 'limitEndDate');
      if (end?.kind !== 'leaf' || end.value.kind !== 'column') return undefined;
      return leaf(end.value, message('guess.trial_end_from_end'));
    }
    case 'productUri': {
      const key = matched('gmsPid') ?? matched('appKey');
      return key && leaf({ kind: 'column', column: headerName(key.column) }, message('guess.uri_from_key'));
    }
    case 'timeUnit': {
      const unit = unitOf(matched('timeUnitQuantity'));
      return unit === undefined
        ? undefined
        : leaf({ kind: 'constant', value: unit }, message('guess.time_unit'));
    }
    case 'timeDurationExpression': {
      const template = durationTemplate(matched('timeUnitQuantity'));
      return template === undefined ? undefined : leaf({ kind: 'template', template });
    }
    default:
      return undefined;
  }
}

function unitOf(quantity: Match | undefined): string | undefined {
  if (!quantity) return undefined;
  const found = UNITS.filter(([pattern]) => pattern.test(quantity.column.header.text));
  return found.length === 1 ? found[0]![1] : undefined;
}

/** Years-months-days (§2.3) from a column that counts one of them. */
function durationTemplate(quantity: Match | undefined): string | undefined {
  const unit = unitOf(quantity);
  if (!quantity || unit === undefined) return undefined;
  const column = headerName(quantity.column);
  if (/[{}]/.test(column)) return undefined;
  const cell = `{${column}}`;
  return { month: `0-${cell}-0`, year: `${cell}-0-0`, day: `0-0-${cell}` }[unit];
}

/** Fields that often have the same column as another field. */
const OFTEN_ALIKE: Readonly<Record<string, readonly string[]>> = {
  passwordMobile: ['adminCellNumber'],
  adminCellNumber: ['passwordMobile'],
  adminAccount: ['adminEmail', 'adminCellNumber'],
  enterpriseName: ['customerName'],
};

/** A column that is already used and may be suitable for the field too. */
function usedColumnFor(target: TargetField, matches: readonly Match[]): string | undefined {
  for (const name of OFTEN_ALIKE[target.field.name] ?? []) {
    const match = matches.find((it) => it.target.field.name === name);
    if (match) return headerName(match.column);
  }
  return undefined;
}

/** A placeholder for a required field: a nonexistent column with the field's name, so that the check of the job names it. */
export function missingLeaf(
  target: TargetField,
  headers: ReadonlySet<string>,
  nearest: readonly string[],
  used: string | undefined,
): DraftLeaf {
  const { name } = target.field;
  const unusedName = [name, target.shown, target.path.join('.')].find((it) => !headers.has(squash(it)));
  const column = unusedName ?? `${name} ?`;
  const notes = [
    nearest.length === 0
      ? message('guess.lacking', { field: name })
      : message('guess.lacking_nearest', { field: name, nearest: nearest.join(', ') }),
  ];
  if (used !== undefined) notes.push(message('guess.lacking_used', { column: used }));
  if (target.field.values) {
    notes.push(message('guess.lacking_values', { values: namedValues(target.field.values) }));
  }
  return { kind: 'leaf', name, notes, value: { kind: 'lacking', column } };
}

/** The map to be written, and its matches. */
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
  const mainTargets = targets.filter((it) => !levels.some((level) => isWithin(it.level, level)));
  const home: Place = { view: main, matches: matchSheet(main.columns, mainTargets), on: [] };
  const placeOf = (level: string): Place => nearestJoin(joins, level) ?? home;
  const matches = [home, ...joins].flatMap((it) => it.matches);
  const used = usedLevels(targets, matches);
  const unused = unusedColumns([home, ...joins]);
  const map = branch('map');
  const lacking: MissingField[] = [];
  for (const target of targets) {
    if (!used.has(target.level)) continue;
    const { view, matches: sheetMatches } = placeOf(target.level);
    const parent = branchAt(map, target.path.slice(0, -1));
    const match = sheetMatches.find((it) => it.target === target);
    if (match) parent.members.push(columnLeaf(match, view.columns, view.cut));
    else if (isNeeded(target.field)) parent.members.push(placeholder(target));
  }
  fillAll(map, []);
  for (const level of used) group(level);
  return { map, matches: withSheets([home, ...joins]), lacking, unused };

  /** Replaced by `fillMissing` after all columns are matched, because its value may depend on later matches. */
  function placeholder(target: TargetField): DraftLeaf {
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
    const { view, matches: sheetMatches } = placeOf(target.level);
    const siblings = sheetMatches.filter((it) => isWithin(it.target.level, target.level));
    const found = fillIn(target, siblings, at);
    if (found) return found;
    const unusedHere = unused.filter((it) => it.sheet === view.sheet.name).map((it) => it.column);
    const nearest = nearestColumns(target, unusedHere);
    lacking.push({ target, nearest });
    return missingLeaf(
      target,
      new Set(view.columns.map((it) => squash(it.header.text))),
      nearest,
      usedColumnFor(target, sheetMatches),
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

/** The column whose values distinguish the elements of a table, if there is one and the orders are grouped themselves. */
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

/** Tables of the map: those with a column, their parents, and those that an order requires. */
function usedLevels(targets: readonly TargetField[], matches: readonly Match[]): ReadonlySet<string> {
  const used = new Set<string>(['']);
  const add = (tables: readonly string[]): void => {
    tables.forEach((_, index) => {
      used.add(tables.slice(0, index + 1).join('.'));
    });
  };
  for (const { target } of matches) add(target.path.slice(0, -1));
  const hasPackages = [...used].some((it) => tableOf(it) === 'merchandises');
  for (const target of targets) {
    const tables = target.path.slice(0, -1);
    const optional = ['assetExtendList', 'merchandises', 'licenseOrderProductList', 'productFeatures'];
    if (tables.some((it) => optional.includes(it))) continue;
    if (hasPackages && tables.includes('products')) continue;
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
