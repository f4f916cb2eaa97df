import { type Field, isDateField, meansNoValue } from '../../model/field.js';
import type { ColumnLeaf, Scalar } from '../../model/map.js';
import { compileFormat } from '../../util/date-format.js';
import { fold } from '../../util/text.js';
import { unknownValue } from '../check.js';
import { type Problem, problemAt, refuse } from '../problem.js';
import { type MapEntry, type MappingNode, type ScalarNode, shown } from '../yaml/node.js';
import { readConstant } from './leaf-parts.js';

export type SchemaObject = { [key: string]: unknown };

/** An option in the job file, and the list for its problems. */
interface OptionSource {
  readonly entry: MapEntry;
  readonly field: Field;
  /** The mapping with all options of the leaf. */
  readonly owner: MappingNode;
  readonly problems: Problem[];
}

/** One option of a leaf: its reader and its JSON Schema. */
interface LeafOption {
  /** The fields that the option applies to; absent: all. */
  readonly only?: {
    readonly allows: (field: Field) => boolean;
    readonly code: 'job.only_for_dates' | 'job.only_for_texts' | 'job.only_for_lists';
  };
  readonly description: string;
  /** @param constant the JSON Schema of the field's constants */
  readonly schema: (constant: SchemaObject) => SchemaObject;
  /** Returns undefined if there are problems. */
  readonly read: (source: OptionSource) => unknown;
}

const isTextList = ({ type }: Field): boolean => type === 'String array';
const DATES = { allows: isDateField, code: 'job.only_for_dates' } as const;
const LISTS = { allows: isTextList, code: 'job.only_for_lists' } as const;
const TEXTS = {
  allows: (field: Field) => field.type === 'String' || isTextList(field),
  code: 'job.only_for_texts',
} as const;
const TEXT: SchemaObject = { type: 'string', minLength: 1 };

/** All options of columns (contract section 4), in the order of the JSON Schema. */
const OPTIONS: Readonly<Record<keyof ColumnOptions, LeafOption>> = {
  default: { description: 'Value for an empty cell.', schema: (constant) => constant, read: readDefault },
  values: {
    description: 'Texts of the cell and what they stand for.',
    schema: (constant) => ({ type: 'object', additionalProperties: constant }),
    read: readValues,
  },
  split: {
    only: LISTS,
    description: 'Characters that separate the texts.',
    schema: () => TEXT,
    read: ({ entry, problems }) => textOf(entry, problems)?.written,
  },
  asIs: {
    only: TEXTS,
    description: 'Sends the text as it is shown, unchecked.',
    schema: () => ({ type: 'boolean' }),
    read: readAsIs,
  },
  format: {
    only: DATES,
    description: 'How dates are written here, such as yyyy/MM/dd; a list is tried in order.',
    schema: () => ({ anyOf: [TEXT, { type: 'array', items: TEXT, minItems: 1 }] }),
    read: readFormat,
  },
  end: {
    only: DATES,
    description: 'Reads a date without a time as the last instant of its day.',
    schema: () => ({ const: 'day' }),
    read: (source) => readWord(source, 'day'),
  },
  time: {
    only: DATES,
    description: 'Ignores a time of day that a date cell holds and its format does not show.',
    schema: () => ({ const: 'ignore' }),
    read: (source) => readWord(source, 'ignore'),
  },
};

type ColumnOptions = Omit<ColumnLeaf, 'kind' | 'column' | 'at'>;

export const COLUMN_OPTIONS = Object.keys(OPTIONS) as readonly (keyof ColumnOptions)[];
export const EXPRESSION_OPTIONS = ['end', 'time'] as const;

/** The options that are allowed for this field, as properties of the leaf's JSON Schema. */
export function optionSchemas(
  names: readonly (keyof ColumnOptions)[],
  field: Field,
  constant: SchemaObject,
): SchemaObject {
  const allowed = names.filter((name) => OPTIONS[name].only?.allows(field) !== false);
  return Object.fromEntries(
    allowed.map((name) => {
      const { schema, description } = OPTIONS[name];
      return [name, { ...schema(constant), description }];
    }),
  );
}

/** Reads the options of a leaf. An option that is not allowed for the field is a problem. */
export function readOptions<Name extends keyof ColumnOptions>(
  names: readonly Name[],
  field: Field,
  owner: MappingNode,
  problems: Problem[],
): Pick<ColumnOptions, Name> {
  const found: { [Option in Name]?: unknown } = {};
  for (const name of names) {
    const entry = owner.entries.get(name);
    const { only, read } = OPTIONS[name];
    if (entry && only?.allows(field) === false) {
      problems.push(problemAt(entry.keyPlace, only.code, { key: name, field: field.name, type: field.type }));
    } else found[name] = entry && read({ entry, field, owner, problems });
  }
  return found as Pick<ColumnOptions, Name>;
}

function readDefault({ entry, field, owner, problems }: OptionSource): Scalar | undefined {
  const node = entry.value;
  if (node.kind !== 'scalar') return expectedText(entry, entry.key, problems);
  return readConstant(field, node, problems, { anyDate: owner.entries.has('format') });
}

function readValues({ entry, field, problems }: OptionSource): ColumnLeaf['values'] {
  const node = entry.value;
  if (node.kind !== 'mapping') {
    return refuse(problems, node.place, 'job.expected_mapping', { key: entry.key, value: shown(node) });
  }
  const values = new Map<string, Scalar>();
  const folded = new Set<string>();
  for (const { key, keyPlace, value } of node.entries.values()) {
    if (folded.has(fold(key))) problems.push(problemAt(keyPlace, 'job.values_alike', { key }));
    folded.add(fold(key));
    if (value.kind !== 'scalar') {
      problems.push(problemAt(value.place, 'job.expected_text', { key, value: shown(value) }));
      continue;
    }
    const read = meansNoValue(value.value, field) ? 'none' : readConstant(field, value, problems);
    if (read !== undefined) values.set(key, read);
  }
  return values;
}

/** `false` is the same as no option. */
function readAsIs({ entry, problems }: OptionSource): true | undefined {
  const node = entry.value;
  if (node.kind === 'scalar' && typeof node.value === 'boolean') return node.value || undefined;
  problems.push(unknownValue(node.place, entry.key, shown(node), ['true', 'false']));
  return undefined;
}

/** One date pattern, or a list of them. */
function readFormat({ entry, problems }: OptionSource): ColumnLeaf['format'] {
  const { value } = entry;
  if (value.kind !== 'list') return patternOf(entry, problems);
  if (value.items.length === 0) problems.push(problemAt(value.place, 'job.format_list_empty', {}));
  return value.items.flatMap((item) => patternOf({ ...entry, value: item }, problems) ?? []);
}

function patternOf(entry: MapEntry, problems: Problem[]): string | undefined {
  const text = textOf(entry, problems);
  const compiled = text && compileFormat(text.written);
  if (!compiled || compiled.ok) return text?.written;
  const value = shown(text);
  return compiled.part === ''
    ? refuse(problems, text.place, 'job.format_without_day', { value })
    : refuse(problems, text.place, 'job.bad_format', { value, letters: compiled.part });
}

/** An option that has a single possible value. */
function readWord<W extends string>({ entry, problems }: OptionSource, word: W): W | undefined {
  const text = textOf(entry, problems);
  if (text?.written === word || !text) return text && word;
  problems.push(unknownValue(text.place, entry.key, shown(text), [word]));
  return undefined;
}

function textOf(entry: MapEntry, problems: Problem[]): ScalarNode | undefined {
  const node = entry.value;
  if (node.kind === 'scalar' && node.value !== null && node.written !== '') return node;
  return expectedText(entry, entry.key, problems);
}

export function expectedText(entry: MapEntry, key: string, problems: Problem[]): undefined {
  const { keyPlace, value } = entry;
  if (value.kind === 'scalar' && value.value === null)
    return refuse(problems, keyPlace, 'job.empty_value', { key });
  return refuse(problems, value.place, 'job.expected_text', { key, value: shown(value) });
}
