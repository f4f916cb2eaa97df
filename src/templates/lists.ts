import type { Workbook, Worksheet } from 'exceljs';
import type { TemplateColumn, TemplateSheet } from './contract.js';
import type { Entry } from './entry.js';

/** Longest list within a rule. */
const INLINE_LIMIT = 255;

/**
 * Lists of words for drop-downs. Short ones are part of the rule, the others are columns of a hidden sheet with a defined
 * name.
 */
export class WordLists {
  readonly #formulas = new Map<string, string>();
  readonly #kept: { readonly name: string; readonly words: readonly (string | number)[] }[] = [];

  constructor(sheets: readonly TemplateSheet[], entryOf: (column: TemplateColumn) => Entry) {
    for (const sheet of sheets) for (const column of sheet.columns) this.#add(entryOf(column));
  }

  /** The formula of an entry's list; undefined if it has none. */
  formula(entry: Entry): string | undefined {
    return entry.kind === 'list' ? this.#formulas.get(keyOf(entry)) : undefined;
  }

  get isKept(): boolean {
    return this.#kept.length > 0;
  }

  /** Fills the hidden sheet and names its columns. */
  write(book: Workbook, sheet: Worksheet): void {
    this.#kept.forEach(({ name, words }, index) => {
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
    const words = entry.choices.map((it) => it.word);
    const inline = `"${words.join(',')}"`;
    if (inline.length <= INLINE_LIMIT && !words.some((it) => /[",]|^\s|\s$/.test(String(it)))) {
      this.#formulas.set(key, inline);
      return;
    }
    const name = `choices_${this.#kept.length + 1}`;
    this.#kept.push({ name, words });
    this.#formulas.set(key, name);
  }
}

function keyOf(entry: Entry & { kind: 'list' }): string {
  return JSON.stringify(entry.choices.map((it) => it.word));
}
