import { type Code, type Language, type Message, message, render } from '../errors/message.js';
import type { Choice, Entry } from './entry.js';
import type { FieldUse, FieldWords, TemplateColumn } from './template-sheet.js';

const LISTED_IN_PROMPT = 4;

/** Describes columns in the user's language. */
export class Describer {
  readonly #words: FieldWords;
  readonly #language: Language;

  constructor(words: FieldWords, language: Language) {
    this.#words = words;
    this.#language = language;
  }

  /** A message in the user's language. */
  render(text: Message): string {
    return render(text, this.#language);
  }

  /** The text of a code with its parameters. */
  text<C extends Code>(...args: Parameters<typeof message<C>>): string {
    return this.render(message(...args));
  }

  /** A list of names for a sentence. */
  joined(names: readonly string[]): string {
    return names.join(this.#language === 'zh' ? '、' : ', ');
  }

  required(column: TemplateColumn): string {
    switch (column.need.kind) {
      case 'always':
        return this.text('template.required');
      case 'group':
        return this.text('template.required_with', { part: column.need.path });
      case 'no':
        return this.text('template.optional');
    }
  }

  /** The meaning of the column: that of its fields, and its other purposes in the job. */
  meaning(column: TemplateColumn): string {
    const texts = column.uses.map((use) => this.#meaningOf(use));
    return [...new Set([...texts, ...this.purposes(column)])].join('\n');
  }

  /** The purposes of the column other than filling fields. */
  purposes(column: TemplateColumn): readonly string[] {
    const texts: string[] = [];
    if (column.ties.length > 0)
      texts.push(this.text('template.key_of', { sheets: this.joined(column.ties) }));
    for (const list of new Set(column.groups)) texts.push(this.text('template.groups', { list }));
    if (column.where !== undefined) texts.push(this.text('template.where', { condition: column.where }));
    for (const { step, source } of column.whens)
      texts.push(this.text('template.when', { step, condition: source }));
    return texts;
  }

  /** The fields that the column fills, with their types; only the type if the header is the field's name. */
  fields(column: TemplateColumn): string {
    const shown = column.uses.map(({ path, field }) =>
      path === column.header ? field.type : `${path} (${field.type})`,
    );
    // Several steps may have fields with the same name.
    return [...new Set(shown)].join('\n');
  }

  sections(column: TemplateColumn): string {
    return [...new Set(column.uses.map((it) => it.field.section))].join(', ');
  }

  whatToEnter(entry: Entry, column: TemplateColumn): string {
    switch (entry.kind) {
      case 'list':
        return this.text('template.enter_list');
      case 'date': {
        const params = { example: exampleOf(entry) };
        const whole = column.uses.some((it) => it.leaf.kind === 'column' && it.leaf.end === 'day');
        return whole ? this.text('template.enter_end', params) : this.text('template.enter_date', params);
      }
      case 'whole':
        return this.text('template.enter_whole', { least: entry.least });
      case 'duration':
        return this.text('template.enter_duration');
      case 'email':
        return this.text('template.enter_email');
      case 'texts': {
        const lineBreak = this.text('template.line_break');
        const signs = entry.split === undefined ? [',', ';', '、', lineBreak] : [...entry.split];
        if (signs.length === 0) return this.text('template.enter_id');
        return this.text('template.enter_texts', { separators: signs.join(' ') });
      }
      case 'text':
        return this.text(entry.identifier ? 'template.enter_id' : 'template.enter_text');
    }
  }

  /** `word = meaning` lines of a list. */
  choices(entry: Entry): readonly string[] {
    if (entry.kind !== 'list') return [];
    return entry.choices.map((it) => this.#choice(it));
  }

  note(column: TemplateColumn, entry: Entry): { readonly title: string; readonly lines: readonly string[] } {
    const lines = [
      this.required(column),
      ...this.meaning(column).split('\n'),
      this.whatToEnter(entry, column),
      ...this.choices(entry),
      ...this.whenEmpty(column),
      ...column.uses
        .filter((it) => it.path !== column.header)
        .map((it) => this.text('template.field', { field: `${it.path} (${it.field.section})` })),
    ];
    return { title: column.header, lines: [...new Set(lines)].filter((it) => it !== '') };
  }

  /** The hint shown next to a cell during entry. */
  prompt(column: TemplateColumn, entry: Entry): string {
    const choices = this.choices(entry);
    const listed = choices.length > 0 && choices.length <= LISTED_IN_PROMPT ? choices.join('; ') : undefined;
    const parts = [
      this.required(column),
      this.meaning(column).replaceAll('\n', '; '),
      listed ?? this.whatToEnter(entry, column),
    ];
    return parts.filter((it) => it !== '').join(this.#language === 'zh' ? '。' : '. ');
  }

  whenEmpty(column: TemplateColumn): readonly string[] {
    return column.uses.flatMap(({ field, leaf }): readonly string[] => {
      if (field.generated === true && leaf.at.line === 0) return [this.text('template.generated')];
      const columnDefault = leaf.kind === 'column' ? leaf.default : undefined;
      const value = columnDefault ?? field.default;
      if (value === undefined || typeof value === 'object') return [];
      return [this.text('template.when_empty', { value: String(value) })];
    });
  }

  #meaningOf({ field, leaf, path }: FieldUse): string {
    const meaning = this.#words.meaning(field);
    if (leaf.kind !== 'template' && leaf.kind !== 'expr') return meaning;
    return this.text('template.built_into', { field: path, source: leaf.source });
  }

  #choice({ word, value, field }: Choice): string {
    const meaning = typeof value === 'boolean' ? undefined : this.#words.value(field, value);
    const shown = [typeof value === 'boolean' ? '' : String(value), meaning ?? ''].filter(
      (it) => it !== '' && it.toLowerCase() !== String(word).toLowerCase(),
    );
    return shown.length === 0 ? String(word) : `${word} = ${shown.join(', ')}`;
  }
}

/** An example date in the format of the column. */
export function exampleOf(entry: Entry & { kind: 'date' }): string {
  return entry.pattern
    .replace(/'((?:[^']|'')*)'/g, (_, text: string) => (text === '' ? "'" : text.replaceAll("''", "'")))
    .replace(/y+/, '2026')
    .replace(/M+/, '12')
    .replace(/d+/, '31')
    .replace(/H+/, '08')
    .replace(/m+/, '30')
    .replace(/s+/, '00')
    .replace(/S+/, '000');
}
