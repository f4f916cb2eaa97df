import { isChoice, readWord } from './cell-words.js';
import { dateShare, holdsCounts, type Profile } from './profile.js';
import type { TargetField } from './targets.js';

const MOBILES: ReadonlySet<string> = new Set(['adminCellNumber', 'passwordMobile']);
const LOCKS: ReadonlySet<string> = new Set(['assetNos', 'assetNums']);

/**
 * The share of a column's cells that a field takes, 0 to 1; undefined if the field takes any text, or there are no cells.
 */
export function fitness(column: Profile, { field }: TargetField): number | undefined {
  const { filled } = column;
  if (filled === 0) return undefined;
  if (field.date || field.type === 'Date')
    return Math.max(dateShare(column), column.compact / filled, column.serials / filled);
  if (isChoice(field)) return column.open ? 0 : choiceShare(column, field);
  if (field.type === 'Integer' || field.type === 'Long') return column.whole / filled;
  if (field.name === 'adminEmail') return column.emails / filled;
  if (MOBILES.has(field.name)) return digitsShare(column);
  if (field.name === 'timeDurationExpression') return column.durations / filled;
  // `Lock: yes` and `Locks wanted: 4` are no lock numbers, and `Unit: month` no company.
  if (LOCKS.has(field.name) && (column.yesNo === filled || holdsCounts(column))) return 0;
  if (/Name$/.test(field.name) && isOfUnits(column)) return 0;
  // Days and e-mail addresses are neither names nor numbers of anything.
  if (field.name === 'identity' || field.name === 'operatorIdentity' || field.name === 'adminAccount') {
    return dateShare(column) > 0.5 ? 0 : undefined;
  }
  return dateShare(column) > 0.5 || column.emails * 2 > filled ? 0 : undefined;
}

/**
 * How likely a column belongs to a field by its cells alone; 0 unless they are so particular that hardly another field can
 * be meant.
 */
export function contentScore(column: Profile, { field }: TargetField): number {
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
  let alike = 0;
  let all = 0;
  for (const [text, count] of column.texts) {
    all += count;
    if (/^\+?[\d\s()-]{6,20}$/.test(text)) alike += count;
  }
  return all === 0 ? 0 : alike / all;
}
