import { shown } from './column-leaf.js';
import { headerForms, likeness, squash } from './header-forms.js';
import { headerWords } from './name-score.js';
import type { Profile } from './profile.js';
import { namesOf, type TargetField } from './targets.js';

const NAMED = 3;

/** The unused columns with the most similar names to a field, the nearest first. */
export function nearestColumns(target: TargetField, unused: readonly Profile[]): readonly string[] {
  const names = [target.field.name, ...namesOf(target)].map(squash);
  const rated = unused
    .filter(({ header }) => !headerWords(header.text).foreign)
    .map((column) => {
      const forms = headerForms(column.header.text);
      const best = Math.max(
        0,
        ...names.map((name) => Math.max(likeness(forms, name), common(forms[0]?.text ?? '', name))),
      );
      return { column, best };
    });
  return rated
    .filter(({ best }) => best >= 0.3)
    .sort((a, b) => b.best - a.best)
    .slice(0, NAMED)
    .map(({ column }) => shown(column));
}

/** Share of common parts, more tolerant than the comparison for a match. */
function common(a: string, b: string): number {
  if (a === '' || b === '') return 0;
  const wide = /[\u3400-\u9fff]/u.test(b);
  const length = wide ? 1 : 3;
  const parts = (text: string): Set<string> =>
    new Set(
      Array.from({ length: Math.max(0, text.length - length + 1) }, (_, at) => text.slice(at, at + length)),
    );
  const [left, right] = [parts(a), parts(b)];
  let shared = 0;
  for (const part of left) if (right.has(part)) shared += 1;
  return left.size + right.size === 0 ? 0 : (2 * shared) / (left.size + right.size);
}
