import { type AllowedValue, type Field, isDateField } from '../model/field.js';
import type { ColumnLeaf } from '../model/map.js';
import type { FieldUse, TemplateColumn } from './contract.js';

/** One choice of a drop-down list. */
export interface Choice {
  readonly word: string | number;
  /** The field's value that the word stands for. */
  readonly value: string | number | boolean;
  readonly field: Field;
}

/** The kind of value that is typed into a column. */
export type Entry =
  /** `open`: other words are allowed too, so that a word outside the list is questioned and not refused. */
  | { readonly kind: 'list'; readonly choices: readonly Choice[]; readonly open: boolean }
  /** `pattern`: as the job writes text dates; `digits`: nothing but digits, kept as text. */
  | { readonly kind: 'date'; readonly pattern: string; readonly digits: boolean; readonly strict: boolean }
  | { readonly kind: 'whole'; readonly least: number }
  /** `1-0-0` */
  | { readonly kind: 'duration' }
  | { readonly kind: 'email' }
  | { readonly kind: 'texts'; readonly split?: string }
  | { readonly kind: 'text'; readonly identifier: boolean };

interface EntryWords {
  readonly yes: string;
  readonly no: string;
}

const ISO_DAY = 'yyyy-MM-dd';
/** Narrower first: if a column fills several fields, the narrowest decides what may be typed. */
const NARROWNESS: readonly Entry['kind'][] = ['list', 'date', 'text', 'whole', 'duration', 'email', 'texts'];

/** The entry of a column, from the fields that it fills; text if only templates and expressions read it. */
export function entryOf(column: TemplateColumn, words: EntryWords): Entry {
  const entries = column.uses.flatMap((use) => entryOfUse(use, words) ?? []);
  const [first, ...others] = entries.sort((a, b) => narrowness(a) - narrowness(b));
  if (!first) return { kind: 'text', identifier: column.groups.length > 0 || column.ties.length > 0 };
  if (first.kind === 'date') {
    return { ...first, strict: entries.some((it) => it.kind === 'date' && it.strict) };
  }
  if (first.kind !== 'list') return first;
  return { ...first, open: first.open || others.some((it) => it.kind !== 'list') };
}

function narrowness(entry: Entry): number {
  return NARROWNESS.indexOf(entry.kind);
}

function entryOfUse(use: FieldUse, words: EntryWords): Entry | undefined {
  const { leaf, field } = use;
  if (leaf.kind !== 'column') return undefined;
  if (leaf.values && leaf.values.size > 0) return listOfTable(leaf.values, field);
  if (field.type === 'Boolean') {
    const choices = [
      { word: words.yes, value: true, field },
      { word: words.no, value: false, field },
    ];
    return { kind: 'list', choices, open: false };
  }
  if (field.values)
    return { kind: 'list', choices: field.values.map((it) => choice(it, field)), open: false };
  if (isDateField(field)) return dateEntry(leaf, field);
  if (field.type === 'Integer' || field.type === 'Long') {
    return { kind: 'whole', least: field.least ?? 0 };
  }
  if (field.type === 'String array') {
    return { kind: 'texts', split: leaf.split };
  }
  if (field.form === 'duration') return { kind: 'duration' };
  if (/email$/i.test(field.name)) return { kind: 'email' };
  return { kind: 'text', identifier: field.identifier === true };
}

/** Words of a `values` table. Text that isn't in it goes on to the field, which may take it. */
function listOfTable(values: NonNullable<ColumnLeaf['values']>, field: Field): Entry {
  const choices = [...values].map(([word, value]): Choice => ({ word, value, field }));
  return { kind: 'list', choices, open: field.values === undefined && field.type !== 'Boolean' };
}

function choice({ value }: AllowedValue, field: Field): Choice {
  return { word: value, value, field };
}

/** If 0 means no date, entries other than dates are only questioned. */
function dateEntry(leaf: ColumnLeaf, field: Field): Entry {
  const [pattern = ISO_DAY] = [leaf.format ?? []].flat();
  const digits = /^[yMdHmsS]+$/.test(pattern);
  return { kind: 'date', pattern, digits, strict: leaf.format === undefined && field.zeroIsNone !== true };
}

/** A Unicode date pattern as a spreadsheet's number format. */
export function numberFormat(entry: Entry): string {
  switch (entry.kind) {
    case 'date':
      return entry.digits ? '@' : sheetPattern(entry.pattern);
    case 'whole':
      return '0';
    case 'list':
      return entry.choices.some((it) => typeof it.word === 'string' && !isBooleanWord(it.word))
        ? '@'
        : 'General';
    default:
      // Text columns keep leading zeros and long numbers as they are typed.
      return '@';
  }
}

function isBooleanWord(word: string): boolean {
  return word === 'TRUE' || word === 'FALSE';
}

function sheetPattern(pattern: string): string {
  return pattern
    .replace(/'((?:[^']|'')*)'/g, (_, text: string) =>
      text === '' ? "'" : `"${text.replaceAll("''", "'")}"`,
    )
    .replace(/M/g, 'm')
    .replace(/H/g, 'h')
    .replace(/S+/g, '000')
    .replace(/[年月日时分秒]/g, (it) => `"${it}"`);
}
