import { contentScore, fitness } from './content-score.js';
import { type HeaderWords, headerWords, nameScore } from './name-score.js';
import type { Profile } from './profile.js';
import { type TargetField, tableOf } from './targets.js';

/** A column matched with a field. */
export interface Match {
  readonly target: TargetField;
  readonly column: Profile;
  /** 0 to 1. */
  readonly score: number;
  /** What the match is based on. */
  readonly by: 'name' | 'content';
  /** Number of words in the matched name. Of two names that fit, the longer one wins. */
  readonly specific: number;
  /** Other fields that the column may be meant for, if the match isn't sure. */
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
/** Below this score a column isn't matched. */
const LEAST = 0.5;
/** From this score on another field is mentioned. */
const OFFERED = 0.6;
/** Factor for a column whose cells don't fit the field. */
const UNFIT = 0.52;

/** Preference of tables, if a name fits in several. */
const TABLES: readonly string[] = ['', 'orderList', 'products', 'licenseOrderProductList', 'assets'];

/**
 * Matches columns with fields, the surest first. Each column feeds one field, and each field has one column.
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

/** Other fields, without a sure column of their own, that the column may be meant for. */
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

/** Whether another field without a column of its own fits the column just as well. */
function isContested(match: Match, all: readonly Match[], taken: readonly Match[]): boolean {
  if (match.score < SURE) return false;
  // A date without an end date may be the start of something else.
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
  // A column named as a remark or a salesperson is never matched by its cells.
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
