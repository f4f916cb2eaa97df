import { type Language, type Message, message, render } from '../errors/message.js';
import type { FieldUse, FieldWords, TemplateColumn } from './contract.js';
import type { Choice, Entry } from './entry.js';

const LISTED_IN_PROMPT = 4;

/** Describes columns in the user's language. */
export class Describer {
  readonly #words: FieldWords;
  readonly #language: Language;

  constructor(words: FieldWords, language: Language) {
    this.#words = words;
    this.#language = language;
  }

  say(text: Message): string {
    return render(text, this.#language);
  }

  /** Lists of names in a sentence. */
  joined(names: readonly string[]): string {
    return names.join(this.#language === 'zh' ? '、' : ', ');
  }

  required(column: TemplateColumn): string {
    switch (column.need.kind) {
      case 'always':
        return this.say(message('template.required'));
      case 'group':
        return this.say(message('template.required_with', { part: column.need.path }));
      case 'no':
        return this.say(message('template.optional'));
    }
  }

  /** The column's meaning: that of its fields, and what else the job uses it for. */
  meaning(column: TemplateColumn): string {
    const said = column.uses.map((use) => this.#meaningOf(use));
    return [...new Set([...said, ...this.purposes(column)])].join('\n');
  }

  /** What the column is used for other than filling fields. */
  purposes(column: TemplateColumn): readonly string[] {
    const said: string[] = [];
    if (column.ties.length > 0)
      said.push(this.say(message('template.key_of', { sheets: this.joined(column.ties) })));
    for (const list of new Set(column.groups)) said.push(this.say(message('template.groups', { list })));
    if (column.where !== undefined)
      said.push(this.say(message('template.where', { condition: column.where })));
    for (const { step, source } of column.whens)
      said.push(this.say(message('template.when', { step, condition: source })));
    return said;
  }

  /** The fields that the column fills, with their types; only the type if the header is the field's name. */
  fields(column: TemplateColumn): string {
    const told = column.uses.map(({ path, field }) =>
      path === column.header ? field.type : `${path} (${field.type})`,
    );
    // Several steps may have a field of the same name.
    return [...new Set(told)].join('\n');
  }

  sections(column: TemplateColumn): string {
    return [...new Set(column.uses.map((it) => it.field.section))].join(', ');
  }

  whatToEnter(entry: Entry, column: TemplateColumn): string {
    switch (entry.kind) {
      case 'list':
        return this.say(message('template.enter_list'));
      case 'date': {
        const params = { example: exampleOf(entry) };
        const whole = column.uses.some((it) => it.leaf.kind === 'column' && it.leaf.end === 'day');
        return this.say(
          whole ? message('template.enter_end', params) : message('template.enter_date', params),
        );
      }
      case 'whole':
        return this.say(message('template.enter_whole', { least: entry.least }));
      case 'duration':
        return this.say(message('template.enter_duration'));
      case 'email':
        return this.say(message('template.enter_email'));
      case 'texts': {
        const lineBreak = this.say(message('template.line_break'));
        const signs = entry.split === undefined ? [',', ';', '、', lineBreak] : [...entry.split];
        if (signs.length === 0) return this.say(message('template.enter_id'));
        return this.say(message('template.enter_texts', { separators: signs.join(' ') }));
      }
      case 'text':
        return this.say(entry.identifier ? message('template.enter_id') : message('template.enter_text'));
    }
  }

  /** `word = meaning` lines of a list. */
  choices(entry: Entry): readonly string[] {
    if (entry.kind !== 'list') return [];
    return entry.choices.map((it) => this.#choice(it));
  }

  /** The full description for the note at a header: title and lines. */
  note(column: TemplateColumn, entry: Entry): { readonly title: string; readonly lines: readonly string[] } {
    const lines = [
      this.required(column),
      ...this.meaning(column).split('\n'),
      this.whatToEnter(entry, column),
      ...this.choices(entry),
      ...this.whenEmpty(column),
      ...column.uses
        .filter((it) => it.path !== column.header)
        .map((it) => this.say(message('template.field', { field: `${it.path} (${it.field.section})` }))),
    ];
    return { title: column.header, lines: [...new Set(lines)].filter((it) => it !== '') };
  }

  /** The hint beside a cell that is entered. */
  prompt(column: TemplateColumn, entry: Entry): string {
    const short = this.choices(entry);
    const listed = short.length > 0 && short.length <= LISTED_IN_PROMPT ? short.join('; ') : undefined;
    const parts = [
      this.required(column),
      this.meaning(column).replaceAll('\n', '; '),
      listed ?? this.whatToEnter(entry, column),
    ];
    return parts.filter((it) => it !== '').join(this.#language === 'zh' ? '。' : '. ');
  }

  whenEmpty(column: TemplateColumn): readonly string[] {
    return column.uses.flatMap(({ field, leaf }): readonly string[] => {
      if (field.generated === true && leaf.at.line === 0) return [this.say(message('template.generated'))];
      const own = leaf.kind === 'column' ? leaf.default : undefined;
      const value = own ?? field.default;
      if (value === undefined || typeof value === 'object') return [];
      return [this.say(message('template.when_empty', { value: String(value) }))];
    });
  }

  #meaningOf({ field, leaf, path }: FieldUse): string {
    const meaning = this.#words.meaning(field);
    if (leaf.kind !== 'template' && leaf.kind !== 'expr') return meaning;
    return this.say(message('template.built_into', { field: path, source: leaf.source }));
  }

  #choice({ word, value, field }: Choice): string {
    const meaning = typeof value === 'boolean' ? undefined : this.#words.value(field, value);
    const told = [typeof value === 'boolean' ? '' : String(value), meaning ?? ''].filter(
      (it) => it !== '' && it.toLowerCase() !== String(word).toLowerCase(),
    );
    return told.length === 0 ? String(word) : `${word} = ${told.join(', ')}`;
  }
}

/** A date as it is written in the column. */
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
