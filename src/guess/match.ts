import { contentScore, fitness } from './content.js';
import { type HeaderWords, headerWords, nameScore } from './name-score.js';
import type { Profile } from './profile.js';
import { type TargetField, tableOf } from './targets.js';

/** A column and the field it is taken for. */
export interface Match {
  readonly target: TargetField;
  readonly column: Profile;
  /** 0 to 1. */
  readonly score: number;
  /** What told it. */
  readonly by: 'name' | 'content';
  /** Words of the header that the field is known by: of two names that fit, the one that says more. */
  readonly specific: number;
  /** Other fields that the column could be meant for, where it isn't sure; as people write them. */
  readonly others?: readonly string[];
}

export type Sureness = 'sure' | 'likely' | 'unsure';

export function sureness({ score }: Match): Sureness {
  if (score >= SURE) return 'sure';
  return score >= 0.7 ? 'likely' : 'unsure';
}

const SURE = 0.9;
/** What is told as likely at most. */
const LIKELY = 0.85;
/** Below this a column is left alone. */
const LEAST = 0.5;
/** From here another field is worth asking about. */
const OFFERED = 0.6;
/** Content that a field can't take halves what the name is worth. */
const UNFIT = 0.52;

/** Where a name fits in several tables: products rather than their asset, the order rather than its product. */
const TABLES: readonly string[] = ['', 'orderList', 'products', 'licenseOrderProductList', 'assets'];

/**
 * Takes columns for fields, the surest first, each column for one field and each field from one column. Columns whose
 * name fits but is taken already are left over.
 */
export function matchColumns(columns: readonly Profile[], targets: readonly TargetField[]): readonly Match[] {
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
  const taken = all.filter(({ target, column }) => {
    if (fields.has(target) || used.has(column)) return false;
    fields.add(target);
    used.add(column);
    return true;
  });
  return taken.map((it) => {
    const match = isContested(it, all, taken) ? { ...it, score: Math.min(it.score, LIKELY) } : it;
    return match.score < SURE ? { ...match, others: othersFor(match, all, taken) } : match;
  });
}

function hasEnd({ level }: TargetField, taken: readonly Match[]): boolean {
  return taken.some((it) => it.target.level === level && it.target.field.name === 'limitEndDate');
}

/** Fields without a sure column of their own that the column could be meant for as well. */
function othersFor(match: Match, all: readonly Match[], taken: readonly Match[]): readonly string[] {
  const fields = all.filter(
    (it) =>
      it.column === match.column &&
      it.target.field.name !== match.target.field.name &&
      it.score >= OFFERED &&
      !taken.some((other) => other.target === it.target && other.score >= SURE),
  );
  return [...new Set(fields.map((it) => it.target.field.name))].slice(0, 3);
}

/** Whether another field would have done as well for the column, and no column of its own says otherwise. */
function isContested(match: Match, all: readonly Match[], taken: readonly Match[]): boolean {
  if (match.score < SURE) return false;
  // A day by itself may be when something else takes effect.
  if (match.target.field.name === 'limitStartDate' && match.specific === 1 && !hasEnd(match.target, taken)) {
    return true;
  }
  return all.some(
    (it) =>
      it.column === match.column &&
      it.target.field.name !== match.target.field.name &&
      it.score >= SURE &&
      it.score >= match.score - 0.03 &&
      !taken.some((other) => other.target === it.target && other.score >= SURE),
  );
}

function rate(column: Profile, header: HeaderWords, target: TargetField): Match | undefined {
  const byName = nameScore(header, target);
  const fits = fitness(column, target);
  const score = byName * (fits === undefined ? 1 : fits < 0.3 ? UNFIT : fits > 0.8 ? 1.05 : 1);
  // What is named as a remark or a salesperson's isn't ours, whatever its cells look like.
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
