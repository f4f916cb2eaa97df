import { message } from '../errors/message.js';
import { ProductError } from '../errors/product-error.js';
import type { Operation } from '../model/operation.js';
import type { Header } from '../model/row.js';
import { nearest } from '../util/name-match.js';
import { columnLetters } from '../util/spreadsheet-text.js';
import { shown } from './column-leaf.js';
import { headerForms, likeness, squash } from './header-meaning.js';
import type { Profile } from './profile.js';
import { headerWords, nameScore, namesOf, type TargetField, targetsOf } from './targets.js';

/** Minimum score of a header for a field. It is high because no user reviews the choice. */
const LEAST = 0.8;
/** A smaller difference of scores is ambiguous. */
const CLOSE = 0.03;

/**
 * The header of each of these fields of an operation: by the field's name or path, otherwise by its words, as `guess` reads them.
 * Cells are not read.
 * @throws ProductError usage for a field without a matching header, or with several equally good ones
 */
export function columnsFor(
  operation: Operation,
  names: readonly string[],
  headers: readonly Header[],
  sheet: string,
): ReadonlyMap<string, Header> {
  const targets = targetsOf(operation).filter((it) => it.level === '' && names.includes(it.field.name));
  return new Map(targets.map((target) => [target.field.name, columnFor(target, headers, sheet)]));
}

function columnFor(target: TargetField, headers: readonly Header[], sheet: string): Header {
  const { name } = target.field;
  const rated = headers
    .map((header) => ({ header, score: nameScore(headerWords(header.text), target) }))
    .filter(({ score }) => score >= LEAST)
    .sort((a, b) => b.score - a.score);
  const [best, next] = rated;
  if (!best) throw new ProductError('usage', missingColumn(target, headers, sheet));
  // Two columns with the same name are reported when the map is bound.
  if (next && best.score - next.score < CLOSE && next.header.folded !== best.header.folded) {
    const shown = ({ header }: typeof best): string => `${columnLetters(header.column)} "${header.text}"`;
    const params = { sheet, name, first: shown(best), second: shown(next) };
    throw new ProductError('usage', message('guess.column_contested', params));
  }
  return best.header;
}

function missingColumn(target: TargetField, headers: readonly Header[], sheet: string) {
  const { name } = target.field;
  const texts = headers.map((it) => it.text);
  const near = [name, ...namesOf(target)].map((it) => nearest(it, texts)).find((it) => it !== undefined);
  return near === undefined
    ? message('guess.no_column', { sheet, name, headers: texts.slice(0, 20).join(', ') })
    : message('guess.no_column_nearest', { sheet, name, nearest: near });
}

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

/** Share of common substrings; more tolerant than the comparison for a match. */
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
