import { type Language, type Message, message, render } from '../errors/message.js';
import { escapedText, scalarText } from '../job/yaml/scalar.js';
import { type AllowedValue, namedValue } from '../model/field.js';
import type { Scalar } from '../model/map.js';
import { plainText } from '../util/text.js';
import type { TargetField } from './targets.js';

/** A branch of the map to be written, with notes for the user. */
export interface DraftBranch {
  readonly kind: 'branch';
  readonly name: string;
  readonly notes: Message[];
  each?: DraftEach;
  readonly members: DraftNode[];
}

export type DraftEach =
  | { readonly kind: 'columns'; readonly columns: readonly string[] }
  | { readonly kind: 'sheet'; readonly sheet: string; readonly on: readonly string[] };

export type DraftNode = DraftBranch | DraftLeaf;

export interface DraftLeaf {
  readonly kind: 'leaf';
  readonly name: string;
  readonly notes: readonly Message[];
  readonly value: DraftValue;
}

/** A text of a column with an uncertain meaning. */
export interface OpenText {
  readonly text: string;
  readonly count: number;
  /** Possible values; empty if none is known. */
  readonly candidates: readonly AllowedValue[];
}

export type DraftValue =
  | {
      readonly kind: 'column';
      readonly column: string;
      readonly split?: string;
      readonly format?: string | readonly string[];
      readonly end?: 'day';
      readonly values?: readonly (readonly [string, Scalar])[];
      readonly open?: readonly OpenText[];
    }
  | { readonly kind: 'constant'; readonly value: Scalar }
  | { readonly kind: 'template'; readonly template: string }
  /** The result of an earlier step, `customer.customerId`; `else` for rows that were excluded from it. */
  | { readonly kind: 'from'; readonly from: string; readonly else?: DraftValue }
  /** The name of a nonexistent column, so that the job can be loaded and its check names the field. */
  | { readonly kind: 'lacking'; readonly column: string };

export function branch(name: string): DraftBranch {
  return { kind: 'branch', name, notes: [], members: [] };
}

/** The branch at a wire path of tables. Missing branches are created. */
export function branchAt(root: DraftBranch, tables: readonly string[]): DraftBranch {
  let at = root;
  for (const name of tables) {
    let next = at.members.find((it): it is DraftBranch => it.kind === 'branch' && it.name === name);
    if (!next) {
      next = branch(name);
      at.members.push(next);
    }
    at = next;
  }
  return at;
}

/** A required field without a column. */
export interface MissingField {
  readonly target: TargetField;
  /** Unused columns with the most similar names. */
  readonly nearest: readonly string[];
}

/** The parts of a job file other than its map. */
interface JobHead {
  readonly schema: string;
  readonly name: string;
  readonly description: string;
  readonly connection: string;
  /** Keys without a value are omitted. */
  readonly source: readonly (readonly [string, Scalar | PasswordPlace | undefined])[];
  readonly output: string;
}

const STEP = '  ';

/** One operation with its map. */
interface JobWork {
  readonly operation: string;
  readonly map: DraftBranch;
}

interface JobStepText extends JobWork {
  readonly name: string;
  /** The column that is filled if the step isn't needed. */
  readonly unless?: string;
}

/** The text of a job file with comments in the given language. */
export function jobText(
  head: JobHead,
  work: JobWork | readonly JobStepText[],
  notes: {
    readonly first: readonly Message[];
    readonly source: readonly Message[];
    readonly last: readonly Message[];
  },
  language: Language,
): string {
  const lines = [
    `# yaml-language-server: $schema=${head.schema}`,
    ...comments(notes.first, '', language),
    'version: 1',
    `name: ${scalarText(head.name)}`,
    `description: ${scalarText(head.description)}`,
    ...('operation' in work ? [`operation: ${work.operation}`] : []),
    `connection: ${scalarText(head.connection)}`,
    ...comments(notes.source, '', language),
    'source:',
    ...head.source.flatMap(([key, value]) =>
      value === undefined ? [] : [`${STEP}${key}: ${sourceText(value)}`],
    ),
    ...('operation' in work
      ? ['map:', ...members(work.map.members, STEP, language)]
      : ['steps:', ...work.flatMap((it) => step(it, language))]),
    'output:',
    `${STEP}file: ${JSON.stringify(escapedText(head.output))}`,
    ...comments(notes.last, '', language),
  ];
  return `${lines.join('\n')}\n`;
}

/** The source of a workbook's password. */
export type PasswordPlace = { readonly env: string } | { readonly file: string };

function sourceText(value: Scalar | PasswordPlace): string {
  if (typeof value !== 'object') return scalarText(value);
  return 'env' in value ? `{ env: ${JSON.stringify(value.env)} }` : `{ file: ${JSON.stringify(value.file)} }`;
}

function step({ name, operation, unless, map }: JobStepText, language: Language): readonly string[] {
  const inner = STEP.repeat(2);
  const empty = unless === undefined ? [] : [`row[${JSON.stringify(unless)}] == ""`];
  return [
    `${STEP}- name: ${scalarText(name)}`,
    `${inner}operation: ${operation}`,
    ...empty.map((it) => `${inner}when: ${scalarText(it)}`),
    `${inner}map:`,
    ...members(map.members, inner + STEP, language),
  ];
}

function members(nodes: readonly DraftNode[], indent: string, language: Language): readonly string[] {
  // Leaves first, so that a table doesn't separate them.
  const ordered = [
    ...nodes.filter((it) => it.kind === 'leaf'),
    ...nodes.filter((it) => it.kind === 'branch'),
  ];
  return ordered.flatMap((node) => [
    ...comments(node.notes, indent, language),
    ...(node.kind === 'leaf' ? leaf(node, indent, language) : table(node, indent, language)),
  ]);
}

function table(node: DraftBranch, indent: string, language: Language): readonly string[] {
  const inner = indent + STEP;
  return [
    `${indent}${node.name}:`,
    ...(node.each ? [`${inner}each: ${each(node.each)}`] : []),
    ...members(node.members, inner, language),
  ];
}

function each(source: DraftEach): string {
  if (source.kind === 'columns') return list(source.columns);
  return `{ sheet: ${scalarText(source.sheet)}, on: ${list(source.on)} }`;
}

function list(names: readonly string[]): string {
  return `[${names.map(scalarText).join(', ')}]`;
}

function leaf({ name, value }: DraftLeaf, indent: string, language: Language): readonly string[] {
  switch (value.kind) {
    case 'constant':
      return [`${indent}${name}: { value: ${scalarText(value.value)} }`];
    case 'template':
      return [`${indent}${name}: { template: ${JSON.stringify(value.template)} }`];
    case 'from':
      return [
        `${indent}${name}: { from: ${value.from}${value.else ? `, else: ${inline(value.else)}` : ''} }`,
      ];
    case 'lacking':
      return [`${indent}${name}: ${scalarText(value.column)}`];
    case 'column':
      return column(name, value, indent, language);
  }
}

/** A value on one line. Columns of ids have no options. */
function inline(value: DraftValue): string {
  return value.kind === 'column' ? scalarText(value.column) : '""';
}

function column(
  name: string,
  value: DraftValue & { kind: 'column' },
  indent: string,
  language: Language,
): readonly string[] {
  const { values = [], open = [] } = value;
  const options = [
    ...(value.split === undefined ? [] : [`split: ${JSON.stringify(value.split)}`]),
    ...(value.format === undefined
      ? []
      : [`format: ${typeof value.format === 'string' ? scalarText(value.format) : list(value.format)}`]),
    ...(value.end === undefined ? [] : [`end: ${value.end}`]),
  ];
  const header = scalarText(value.column);
  if (values.length + open.length === 0) {
    if (options.length === 0) return [`${indent}${name}: ${header}`];
    return [`${indent}${name}: { column: ${header}, ${options.join(', ')} }`];
  }
  const inner = indent + STEP;
  return [
    `${indent}${name}:`,
    `${inner}column: ${header}`,
    ...options.map((it) => `${inner}${it}`),
    ...(values.length > 0 ? [`${inner}values:`] : []),
    ...values.map(([text, it]) => `${inner}${STEP}${scalarText(text)}: ${scalarText(it)}`),
    ...openTexts(open, inner, values.length === 0, language),
  ];
}

/** Texts with an uncertain meaning as comment lines, which the user completes. Their rows are invalid until then. */
function openTexts(
  open: readonly OpenText[],
  indent: string,
  alone: boolean,
  language: Language,
): readonly string[] {
  if (open.length === 0) return [];
  const inner = indent + STEP;
  return [
    ...comments([message('guess.open_values')], inner, language),
    ...(alone ? [`${indent}# values:`] : []),
    ...open.map(({ text, count, candidates }) => {
      const choices =
        candidates.length === 0 ? '?' : candidates.map((it) => namedValue(it, language)).join(' | ');
      return `${inner}# ${scalarText(plainText(text, 80))}: ${choices}   (${count}×)`;
    }),
  ];
}

function comments(notes: readonly Message[], indent: string, language: Language): readonly string[] {
  return notes.flatMap((it) =>
    wrapped(plainText(render(it, language), 2000)).map((line) => `${indent}# ${line}`),
  );
}

function wrapped(text: string): readonly string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + word.length > 98) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line];
}
