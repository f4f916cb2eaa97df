import { type Language, type Message, message, render } from '../errors/message.js';
import { escapedText, scalarText } from '../job/yaml/write-scalar.js';
import type { Scalar } from '../model/map.js';
import { plainText } from '../util/plain-text.js';
import type { DraftBranch, DraftEach, DraftLeaf, DraftNode, DraftValue, OpenText } from './draft.js';

/** The parts of a job file other than its map. */
interface JobHead {
  readonly schema: string;
  readonly name: string;
  readonly description: string;
  /** Keys without a value are left out. */
  readonly source: readonly (readonly [string, Scalar | PasswordPlace | undefined])[];
  readonly output: string;
}

const STEP = '  ';

/** What is done with a row: one operation with its map, or several steps. */
interface JobWork {
  readonly operation: string;
  readonly map: DraftBranch;
}

interface JobStepText extends JobWork {
  readonly name: string;
  /** The column that is filled where the step isn't needed. */
  readonly unless?: string;
}

/** The text of a job file. Comments come in the given language, values so that any header survives. */
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
    'connection: sandbox',
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

/** Where the password of a workbook is found. */
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
  // Leaves come first, so that a table doesn't separate them.
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

function each(it: DraftEach): string {
  if (it.kind === 'columns') return list(it.columns);
  return `{ sheet: ${scalarText(it.sheet)}, on: ${list(it.on)} }`;
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

/** A column without the options that take lines of their own: an id has none. */
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
  const own = scalarText(value.column);
  if (values.length + open.length === 0) {
    if (options.length === 0) return [`${indent}${name}: ${own}`];
    return [`${indent}${name}: { column: ${own}, ${options.join(', ')} }`];
  }
  const inner = indent + STEP;
  return [
    `${indent}${name}:`,
    `${inner}column: ${own}`,
    ...options.map((it) => `${inner}${it}`),
    ...(values.length > 0 ? [`${inner}values:`] : []),
    ...values.map(([text, it]) => `${inner}${STEP}${scalarText(text)}: ${scalarText(it)}`),
    ...openTexts(open, inner, values.length === 0, language),
  ];
}

/** Texts without a certain meaning, as commented lines to complete; nothing is sent for them until then. */
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
      const could = candidates.length === 0 ? '?' : candidates.join(' | ');
      return `${inner}# ${scalarText(plainText(text, 80))}: ${could}   (${count}×)`;
    }),
  ];
}

function comments(notes: readonly Message[], indent: string, language: Language): readonly string[] {
  return notes.flatMap((it) =>
    wrapped(plainText(render(it, language), 2000)).map((line) => `${indent}# ${line}`),
  );
}

/** Lines of a length that is easily read. */
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
