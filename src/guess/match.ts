import { contentScore, fitness } from './content.js';
import { headerForms, likeness, squash } from './header-forms.js';
import type { Profile } from './profile.js';
import { namesOf, type Target, tableOf } from './targets.js';

/** A column and the field it is taken for. */
export interface Match {
  readonly target: Target;
  readonly column: Profile;
  /** 0 to 1. */
  readonly score: number;
  /** What told it. */
  readonly by: 'name' | 'content';
}

export type Sureness = 'sure' | 'likely' | 'unsure';

export function sureness({ score }: Match): Sureness {
  if (score >= 0.9) return 'sure';
  return score >= 0.7 ? 'likely' : 'unsure';
}

/** Below this a column is left alone. */
const LEAST = 0.5;
/** Content that a field can't take halves what the name is worth. */
const UNFIT = 0.52;

/** Where a name fits in several tables: products rather than their asset, the order rather than its product. */
const TABLES: readonly string[] = ['', 'orderList', 'products', 'licenseOrderProductList', 'assets'];

/**
 * Takes columns for fields, the surest first, each column for one field and each field from one column. Columns whose
 * name fits but is taken already are left over.
 */
export function matchColumns(columns: readonly Profile[], targets: readonly Target[]): readonly Match[] {
  const all = columns.flatMap((column) => {
    const forms = headerForms(column.header.text);
    return targets.flatMap((target) => {
      const found = rate(column, forms, target);
      return found ? [found] : [];
    });
  });
  all.sort((a, b) => b.score - a.score || rank(a.target) - rank(b.target));
  const fields = new Set<Target>();
  const used = new Set<Profile>();
  return all.filter(({ target, column }) => {
    if (fields.has(target) || used.has(column)) return false;
    fields.add(target);
    used.add(column);
    return true;
  });
}

function rate(column: Profile, forms: ReturnType<typeof headerForms>, target: Target): Match | undefined {
  const byName = nameScore(column.header.text, forms, target);
  const fits = fitness(column, target);
  const score = byName * (fits === undefined ? 1 : fits < 0.3 ? UNFIT : fits > 0.8 ? 1.05 : 1);
  const byContent = byName < LEAST ? contentScore(column, target) : 0;
  const best = Math.min(1, Math.max(score, byContent));
  if (best < LEAST) return undefined;
  return { target, column, score: best, by: byContent > score ? 'content' : 'name' };
}

function nameScore(header: string, forms: ReturnType<typeof headerForms>, target: Target): number {
  const { name } = target.field;
  const whole = squash(header);
  if (whole === squash(target.shown) || whole === squash(target.path.join('.'))) return 1;
  if (whole === squash(name)) return 0.999;
  let best = likeness(forms, squash(name)) * 0.97;
  for (const other of namesOf(target)) best = Math.max(best, likeness(forms, squash(other)) * 0.99);
  return best;
}

function rank({ level }: Target): number {
  const at = TABLES.indexOf(tableOf(level));
  return at < 0 ? TABLES.length : at;
}
