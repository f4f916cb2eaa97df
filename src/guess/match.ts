import { isChoice, readWord } from './cell-words.js';
import { dateShare, isCountColumn, type Profile } from './profile.js';
import { type HeaderWords, headerWords, nameScore, type TargetField, tableOf } from './targets.js';

const MOBILES: ReadonlySet<string> = new Set(['adminCellNumber', 'passwordMobile']);
const LOCKS: ReadonlySet<string> = new Set(['assetNos', 'assetNums']);

/**
 * The share of a column's cells that a field accepts, 0 to 1; undefined if the field accepts any text, or if there are no cells.
 */
function fitness(column: Profile, { field }: TargetField): number | undefined {
  const { filled } = column;
  if (filled === 0) return undefined;
  if (field.date || field.type === 'Date')
    return Math.max(dateShare(column), column.compact / filled, column.serials / filled);
  if (isChoice(field)) return column.open ? 0 : choiceShare(column, field);
  if (field.type === 'Integer' || field.type === 'Long') return column.whole / filled;
  if (field.name === 'adminEmail') return column.emails / filled;
  if (MOBILES.has(field.name)) return digitsShare(column);
  if (field.name === 'timeDurationExpression') return column.durations / filled;
  // `Lock: yes` and `Locks wanted: 4` are not lock numbers, and `Unit: month` is not a company.
  if (LOCKS.has(field.name) && (column.yesNo === filled || isCountColumn(column))) return 0;
  if (/Name$/.test(field.name) && isOfUnits(column)) return 0;
  // Days and e-mail addresses are neither names nor identifiers.
  if (field.name === 'identity' || field.name === 'operatorIdentity' || field.name === 'adminAccount') {
    return dateShare(column) > 0.5 ? 0 : undefined;
  }
  return dateShare(column) > 0.5 || column.emails * 2 > filled ? 0 : undefined;
}

/**
 * Score of a match by the column's cells alone; 0 unless the cells are so specific that few other fields are possible.
 */
function contentScore(column: Profile, { field }: TargetField): number {
  const { filled } = column;
  if (filled === 0) return 0;
  const mostly = (count: number): boolean => count >= filled * 0.8;
  const { name } = field;
  if (name === 'licenseType') return column.open ? 0 : choiceShare(column, field) >= 0.8 ? 0.75 : 0;
  if (name === 'timeUnit') return isOfUnits(column) ? 0.72 : 0;
  if (name === 'timeDurationExpression') return mostly(column.durations) ? 0.6 : 0;
  if (name === 'customerType') return column.open ? 0 : choiceShare(column, field) >= 0.8 ? 0.62 : 0;
  if (name === 'defaultCustomer') return mostly(column.yesNo) && column.texts.size <= 2 ? 0.52 : 0;
  if (LOCKS.has(name)) return mostly(column.locks) ? 0.6 : 0;
  if (name === 'identity') {
    return mostly(column.emails + column.mobiles + column.locks) ? 0.55 : 0;
  }
  if (name === 'adminEmail') return mostly(column.emails) ? 0.57 : 0;
  if (name === 'operatorIdentity') return mostly(column.emails) ? 0.51 : 0;
  if (name === 'adminCellNumber') return mostly(column.mobiles) ? 0.56 : 0;
  if (name === 'passwordMobile') return mostly(column.mobiles) ? 0.53 : 0;
  return 0;
}

const UNITS: ReadonlySet<string> = new Set('year years month months day days 年 月 个月 日 天'.split(' '));

function isOfUnits(column: Profile): boolean {
  return (
    !column.open &&
    column.texts.size > 0 &&
    [...column.texts.keys()].every((it) => UNITS.has(it.toLowerCase()))
  );
}

function choiceShare(column: Profile, field: TargetField['field']): number {
  let known = 0;
  let all = 0;
  for (const [text, count] of column.texts) {
    all += count;
    if (readWord(field, text)) known += count;
  }
  return all === 0 ? 0 : known / all;
}

/** Share of telephone numbers of any kind, with any separators. */
function digitsShare(column: Profile): number {
  let numbers = 0;
  let all = 0;
  for (const [text, count] of column.texts) {
    all += count;
    if (/^\+?[\d\s()-]{6,20}$/.test(text)) numbers += count;
  }
  return all === 0 ? 0 : numbers / all;
}

/** A column matched with a field. */
export interface Match {
  readonly target: TargetField;
  readonly column: Profile;
  /** 0 to 1. */
  readonly score: number;
  /** The basis of the match. */
  readonly by: 'name' | 'content';
  /** Number of words in the matched name. Of two matching names, the longer one has precedence. */
  readonly specific: number;
  /** Other possible fields, if the match isn't sure. */
  readonly others?: readonly string[];
}

export type Sureness = 'sure' | 'likely' | 'unsure';

export function sureness({ score }: Match): Sureness {
  if (score >= SURE) return 'sure';
  return score >= 0.7 ? 'likely' : 'unsure';
}

const SURE = 0.9;
/** Highest score of a match that is only likely. */
const LIKELY = 0.85;
/** Minimum score of a match. */
const LEAST = 0.5;
/** Minimum score for mentioning another field. */
const OFFERED = 0.6;
/** Factor for a column whose cells the field doesn't accept. */
const UNFIT = 0.52;

/** Preference of tables, if a name matches in several. */
const TABLES: readonly string[] = ['', 'orderList', 'products', 'licenseOrderProductList', 'assets'];

/**
 * Matches columns with fields, the surest first. Each column fills at most one field, and each field has at most one
 * column.
 */
function matchColumns(columns: readonly Profile[], targets: readonly TargetField[]): readonly Match[] {
  const all = columns.flatMap((column) => {
    const header = headerWords(column.header.text);
    return targets.flatMap((target) => {
      const found = rate(column, header, target);
      return found ? [found] : [];
    });
  });
  all.sort((a, b) => b.score - a.score || b.specific - a.specific || rank(a.target) - rank(b.target));
  const fields = new Set<TargetField>();
  const used = new Set<Profile>();
  const chosen = all.filter(({ target, column }) => {
    if (fields.has(target) || used.has(column)) return false;
    fields.add(target);
    used.add(column);
    return true;
  });
  return chosen.map((it) => {
    const match = isContested(it, all, chosen) ? { ...it, score: Math.min(it.score, LIKELY) } : it;
    return match.score < SURE ? { ...match, others: othersFor(match, all, chosen) } : match;
  });
}

function hasEnd({ level }: TargetField, chosen: readonly Match[]): boolean {
  return chosen.some((it) => it.target.level === level && it.target.field.name === 'limitEndDate');
}

/** Other possible fields for the column: those without their own sure column. */
function othersFor(match: Match, all: readonly Match[], chosen: readonly Match[]): readonly string[] {
  const fields = all.filter(
    (it) =>
      it.column === match.column &&
      it.target.field.name !== match.target.field.name &&
      it.score >= OFFERED &&
      !chosen.some((other) => other.target === it.target && other.score >= SURE),
  );
  return [...new Set(fields.map((it) => it.target.field.name))].slice(0, 3);
}

/** True if another field without its own sure column matches the column equally well. */
function isContested(match: Match, all: readonly Match[], chosen: readonly Match[]): boolean {
  if (match.score < SURE) return false;
  // A start date without an end date may have another meaning.
  if (match.target.field.name === 'limitStartDate' && match.specific === 1 && !hasEnd(match.target, chosen)) {
    return true;
  }
  return all.some(
    (it) =>
      it.column === match.column &&
      it.target.field.name !== match.target.field.name &&
      it.score >= SURE &&
      it.score >= match.score - 0.03 &&
      !chosen.some((other) => other.target === it.target && other.score >= SURE),
  );
}

function rate(column: Profile, header: HeaderWords, target: TargetField): Match | undefined {
  const byName = nameScore(header, target);
  const fits = fitness(column, target);
  const score = byName * (fits === undefined ? 1 : fits < 0.3 ? UNFIT : fits > 0.8 ? 1.05 : 1);
  // A column with the name of a remark or a salesperson is never matched by its cells.
  const byContent = byName < LEAST && !header.foreign ? contentScore(column, target) : 0;
  const best = Math.min(1, Math.max(score, byContent));
  if (best < LEAST) return undefined;
  const by = byContent > score ? 'content' : 'name';
  return { target, column, score: best, by, specific: by === 'name' ? header.specific : 0 };
}

function rank({ level }: TargetField): number {
  const at = TABLES.indexOf(tableOf(level));
  return at < 0 ? TABLES.length : at;
}

/** Rarely used tables, which are matched only if one of these fields is matched by name. */
const ANCHORS: Readonly<Record<string, readonly string[]>> = {
  productFeatures: ['featureCode', 'featureName'],
  merchandises: ['merchandiseNum', 'merchandiseName'],
  assetExtendList: ['extendCode'],
};

/**
 * Matches the columns of a sheet with the fields of tables that the sheet may contain. Products belong to packages if (nearly)
 * every row names a package, otherwise directly to their asset.
 */
export function matchSheet(columns: readonly Profile[], targets: readonly TargetField[]): readonly Match[] {
  const anchored = new Map<string, Match>();
  for (const match of matchColumns(columns, targets.filter(isAnchor))) {
    const table = tableOf(match.target.level);
    if (match.by === 'name' && match.score >= 0.9) anchored.set(table, match);
  }
  const packages = anchored.get('merchandises');
  const inPackages = packages !== undefined && packages.column.filled >= packages.column.rows * 0.9;
  return matchColumns(
    columns,
    targets.filter((it) => isOpen(it.path.slice(0, -1), anchored, inPackages)),
  );
}

function isAnchor({ level, field }: TargetField): boolean {
  const parts = level.split('.');
  if (parts.includes('licenseOrderProductList')) return false;
  return ANCHORS[parts.at(-1) ?? '']?.includes(field.name) === true;
}

function isOpen(
  tables: readonly string[],
  anchored: ReadonlyMap<string, Match>,
  inPackages: boolean,
): boolean {
  if (tables.some((it) => Object.hasOwn(ANCHORS, it) && !anchored.has(it))) return false;
  const inList = tables.includes('licenseOrderProductList');
  if (inList && tables.includes('productFeatures')) return false;
  if (inList) return inPackages;
  return !(inPackages && tables.includes('products'));
}
