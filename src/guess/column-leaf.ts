import { type Message, message } from '../errors/message.js';
import { endOption, type Field, isDateField } from '../model/field.js';
import type { Scalar } from '../model/map.js';
import { columnLetters } from '../util/address.js';
import { plainText } from '../util/plain-text.js';
import { isChoice, readsItself, readWord } from './cell-words.js';
import { findFormat } from './date-format.js';
import type { DraftLeaf, DraftValue, OpenText } from './draft.js';
import { type Match, sureness } from './match.js';
import type { Profile } from './profile.js';

type ColumnValue = DraftValue & { kind: 'column' };

/** A column with more texts has no list of choices; nobody would complete it one by one. */
const CHOICES = 30;
/** Default separators of a String array (contract section 4). */
const USUAL_SEPARATORS = /^[,;、，；\r\n]$/;

/** A header on one line, as a job names it. */
export function headerName(column: Profile): string {
  return column.header.text.replace(/[\s\u200b\ufeff]+/gu, ' ').trim();
}

/** The leaf for a matched column, with the options that its cells need. */
export function columnLeaf(match: Match, others: readonly Profile[], cut: boolean): DraftLeaf {
  const { column, target } = match;
  const { field } = target;
  const notes: Message[] = [];
  if (sureness(match) !== 'sure') notes.push(question(match));
  if (column.doubles.length > 0) {
    const columns = [column.header.column, ...column.doubles].map(columnLetters).join(', ');
    notes.push(message('guess.header_twice', { header: shown(column), columns }));
  }
  let value: ColumnValue = { kind: 'column', column: headerName(column) };
  if (isDateField(field)) value = withDates(value, field, column, others, notes);
  else if (isChoice(field)) value = withChoices(value, field, column, cut, notes);
  else if (field.type === 'String array') value = withSplit(value, column);
  return { kind: 'leaf', name: field.name, notes, value };
}

/** A question for the user, for every match that isn't certain. */
function question({ column, target, by, others = [] }: Match): Message {
  const params = { column: shown(column), field: target.field.name };
  if (by === 'content') return message('guess.by_content', params);
  if (others.length === 0) return message('guess.likely', params);
  return message('guess.likely_others', { ...params, others: others.join(', ') });
}

export function shown(column: Profile): string {
  return plainText(column.header.text, 60);
}

function withDates(
  value: ColumnValue,
  field: Field,
  column: Profile,
  others: readonly Profile[],
  notes: Message[],
): ColumnValue {
  const { format, notes: more } = findFormat(column, others);
  notes.push(...more);
  return { ...value, format, ...endOption(field) };
}

function withChoices(
  value: ColumnValue,
  field: Field,
  column: Profile,
  cut: boolean,
  notes: Message[],
): ColumnValue {
  if (column.open || column.texts.size > CHOICES) {
    if (field.values) notes.push(message('guess.many_values', { field: field.name }));
    return value;
  }
  const values: (readonly [string, Scalar])[] = [];
  const open: OpenText[] = [];
  const others: string[] = [];
  for (const [text, count] of column.texts) {
    if (readsItself(field, text)) continue;
    const reading = readWord(field, text);
    if (field.name === 'orderType' && reading?.kind !== 'value') {
      others.push(text);
      continue;
    }
    if (reading?.kind === 'value') values.push([text, reading.value]);
    // Without a closed list any text is a value.
    else if (field.values || field.type === 'Boolean')
      open.push({ text, count, candidates: reading?.candidates ?? [] });
  }
  if (others.length > 0) {
    const params = { texts: plainText(others.join(', '), 200), column: shown(column) };
    notes.push(message('guess.other_order_types', params));
  }
  if (cut && values.length + open.length > 0) notes.push(message('guess.values_cut'));
  return { ...value, values, open };
}

/** Adds `split` if a cell's numbers have a separator that isn't a default one. */
function withSplit(value: ColumnValue, column: Profile): ColumnValue {
  const signs = [...column.lists.keys()];
  if (signs.every((it) => USUAL_SEPARATORS.test(it))) return value;
  return { ...value, split: [...new Set([...signs, ',', ';', '、'])].join('') };
}
