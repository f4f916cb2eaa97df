import { message } from '../errors/message.js';
import { ProductError } from '../errors/product-error.js';
import type { Operation } from '../model/operation.js';
import type { Header } from '../model/row.js';
import { columnLetters } from '../util/address.js';
import { nearest } from '../util/nearest.js';
import { headerWords, nameScore } from './name-score.js';
import { namesOf, type TargetField, targetsOf } from './targets.js';

/** Below this score a header isn't taken for a field: nobody looks at what was chosen before it is used. */
const LEAST = 0.8;
/** Scores this close leave it open which is meant. */
const CLOSE = 0.03;

/**
 * The header that names each of an operation's fields: by the field's name or path, else by its words, as `guess` reads
 * them. No cell is looked at.
 * @throws ProductError usage for a field that no header names, with the nearest one, or that several name as well
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
  if (!best) throw new ProductError('usage', lacking(target, headers, sheet));
  // Two columns of one name are told where the name is bound.
  if (next && best.score - next.score < CLOSE && next.header.folded !== best.header.folded) {
    const shown = ({ header }: typeof best): string => `${columnLetters(header.column)} "${header.text}"`;
    const params = { sheet, name, first: shown(best), second: shown(next) };
    throw new ProductError('usage', message('guess.column_contested', params));
  }
  return best.header;
}

function lacking(target: TargetField, headers: readonly Header[], sheet: string) {
  const { name } = target.field;
  const texts = headers.map((it) => it.text);
  const near = [name, ...namesOf(target)].map((it) => nearest(it, texts)).find((it) => it !== undefined);
  return near === undefined
    ? message('guess.no_column', { sheet, name, headers: texts.slice(0, 20).join(', ') })
    : message('guess.no_column_nearest', { sheet, name, nearest: near });
}
