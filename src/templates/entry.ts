import type { Workbook, Worksheet } from 'exceljs';
import { type AllowedValue, type Field, isDateField } from '../model/field.js';
import type { ColumnLeaf } from '../model/map.js';
import type { FieldUse, TemplateColumn, TemplateSheet } from './template-sheet.js';

/** One choice of a drop-down list. */
export interface Choice {
  readonly word: string | number;
  /** The field's value for the word. */
  readonly value: string | number | boolean;
  readonly field: Field;
}

/** The kind of value to enter into a column. */
export type Entry =
  /** `open`: words outside the list cause a warning instead of an error. `names`: names of the values, offered after them. */
  | {
      readonly kind: 'list';
      readonly choices: readonly Choice[];
      readonly names?: readonly string[];
      readonly open: boolean;
    }
  /** `pattern`: the format of text dates; `digits`: the text consists of digits only. */
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
  name(value: AllowedValue): string;
}

const ISO_DAY = 'yyyy-MM-dd';
/** The most restrictive first: if a column fills several fields, the most restrictive kind applies. */
const NARROWNESS: readonly Entry['kind'][] = ['list', 'date', 'text', 'whole', 'duration', 'email', 'texts'];

/** The entry of a column by the fields that it fills; text if only templates and expressions read it. */
export function entryOf(column: TemplateColumn, words: EntryWords): Entry {
  const entries = column.uses.flatMap((use) => entryOfUse(use, words) ?? []);
  const [first, ...others] = entries.sort((a, b) => NARROWNESS.indexOf(a.kind) - NARROWNESS.indexOf(b.kind));
  if (!first) return { kind: 'text', identifier: column.groups.length > 0 || column.ties.length > 0 };
  if (first.kind === 'date') {
    return { ...first, strict: entries.some((it) => it.kind === 'date' && it.strict) };
  }
  if (first.kind !== 'list') return first;
  return { ...first, open: first.open || others.some((it) => it.kind !== 'list') };
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
  if (field.values) {
    const choices = field.values.map((it) => choice(it, field));
    return { kind: 'list', choices, names: field.values.map((it) => words.name(it)), open: false };
  }
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

/** The words of a `values` table. Any other text is converted by the field, which may accept it. */
function listOfTable(values: NonNullable<ColumnLeaf['values']>, field: Field): Entry {
  const choices = [...values].map(([word, value]): Choice => ({ word, value, field }));
  return { kind: 'list', choices, open: field.values === undefined && field.type !== 'Boolean' };
}

/** All entries of a drop-down list. */
export function listedWords({ choices, names = [] }: Entry & { kind: 'list' }): readonly (string | number)[] {
  return [...choices.map((it) => it.word), ...names];
}

function choice({ value }: AllowedValue, field: Field): Choice {
  return { word: value, value, field };
}

/** If 0 means "no date", entries other than dates only cause a warning. */
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
      return entry.choices.some((it) => typeof it.word === 'string' && !['TRUE', 'FALSE'].includes(it.word))
        ? '@'
        : 'General';
    default:
      // Text columns keep leading zeros and all digits of long numbers.
      return '@';
  }
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

/** Excel's limit for a list within a rule. */
const INLINE_LIMIT = 255;

/**
 * Lists of words for drop-downs. Short lists are part of the rule, others are columns of a hidden sheet with a defined name.
 */
export class WordLists {
  readonly #formulas = new Map<string, string>();
  readonly #columns: { readonly name: string; readonly words: readonly (string | number)[] }[] = [];

  constructor(sheets: readonly TemplateSheet[], entryOf: (column: TemplateColumn) => Entry) {
    for (const sheet of sheets) for (const column of sheet.columns) this.#add(entryOf(column));
  }

  formula(entry: Entry): string | undefined {
    return entry.kind === 'list' ? this.#formulas.get(keyOf(entry)) : undefined;
  }

  get isKept(): boolean {
    return this.#columns.length > 0;
  }

  /** Fills the hidden sheet and names its columns. */
  write(book: Workbook, sheet: Worksheet): void {
    this.#columns.forEach(({ name, words }, index) => {
      const column = sheet.getColumn(index + 1);
      column.values = [name, ...words];
      column.width = 32;
      const letter = column.letter;
      book.definedNames.add(`'${sheet.name}'!$${letter}$2:$${letter}$${words.length + 1}`, name);
    });
  }

  #add(entry: Entry): void {
    if (entry.kind !== 'list') return;
    const key = keyOf(entry);
    if (this.#formulas.has(key)) return;
    const words = listedWords(entry);
    const inline = `"${words.join(',')}"`;
    if (inline.length <= INLINE_LIMIT && !words.some((it) => /[",]|^\s|\s$/.test(String(it)))) {
      this.#formulas.set(key, inline);
      return;
    }
    const name = `choices_${this.#columns.length + 1}`;
    this.#columns.push({ name, words });
    this.#formulas.set(key, name);
  }
}

function keyOf(entry: Entry & { kind: 'list' }): string {
  return JSON.stringify(listedWords(entry));
}
