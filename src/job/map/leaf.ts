import { type Field, isDateField, leavesOut } from '../../model/field.js';
import type { ColumnLeaf, MapLeaf, Scalar, ValueLeaf } from '../../model/map.js';
import { compileFormat } from '../../util/date-format.js';
import { fold } from '../../util/fold.js';
import { unknownKeyProblem, unknownValue } from '../check.js';
import { type Problem, problemAt, refuse } from '../problem.js';
import { type MapEntry, type MappingNode, type ScalarNode, shown } from '../yaml/node.js';
import { positionOf } from '../yaml/text.js';
import { readConstant } from './constant.js';
import { FROM_KEYS, readFrom } from './from.js';
import { readLookup } from './lookup.js';
import { parseTemplate } from './parse-template.js';
import { type MapScope, readExpression } from './scope.js';

/** A mapping with one of these is a leaf (unless that is a field's name there). */
export const LEAF_KEYS = ['column', 'value', 'template', 'expr', 'lookup', 'from'] as const;
const COLUMN_KEYS = ['column', 'default', 'values', 'split', 'format', 'end', 'time', 'asIs'] as const;

/** Reads a scalar field's leaf (contract section 4); undefined when there are problems. */
export function readLeaf(
  field: Field,
  entry: MapEntry,
  scope: MapScope,
  problems: Problem[],
): MapLeaf | undefined {
  const node = entry.value;
  const at = positionOf(node.place);
  switch (node.kind) {
    case 'list':
      return refuse(problems, node.place, 'job.map_list', { field: field.name });
    case 'mapping':
      return readMapping(field, entry, node, scope, problems);
    case 'scalar':
      if (node.value === null) {
        return refuse(problems, entry.keyPlace, 'job.empty_value', { key: entry.key });
      }
      if (typeof node.value !== 'string') return constant(field, node, problems);
      if (!isName(node, entry, problems)) return undefined;
      scope.column?.(node.value.trim(), node.place, problems);
      return { kind: 'column', column: node.value.trim(), at };
  }
}

function readMapping(
  field: Field,
  entry: MapEntry,
  node: MappingNode,
  scope: MapScope,
  problems: Problem[],
): MapLeaf | undefined {
  const kinds = LEAF_KEYS.filter((key) => node.entries.has(key));
  const [kind, second] = kinds;
  if (kind === undefined) return misplacedMapping(field, entry, node, problems);
  if (second !== undefined) {
    const place = node.entries.get(second)!.keyPlace;
    return refuse(problems, place, 'job.leaf_conflict', { first: kind, second, field: field.name });
  }
  if (kind === 'lookup') return readLookup(field, entry, node, scope, problems, readLeaf);
  const known: readonly string[] = kind === 'column' ? COLUMN_KEYS : kind === 'from' ? FROM_KEYS : [kind];
  const before = problems.length;
  for (const { key, keyPlace } of node.entries.values())
    if (!known.includes(key))
      problems.push(
        COLUMN_KEYS.some((option) => option === key)
          ? problemAt(keyPlace, 'job.leaf_option_without_column', { key, kind })
          : unknownKeyProblem(keyPlace, key, known),
      );
  const inner = node.entries.get(kind)!;
  const leaf = readKind(field, kind, inner, node, scope, problems);
  return problems.length > before ? undefined : leaf;
}

/** A scalar field got a mapping without `column` and the like: a misspelt leaf, or fields that it doesn't have. */
function misplacedMapping(field: Field, entry: MapEntry, node: MappingNode, problems: Problem[]): undefined {
  const misspelt = [...node.entries.values()]
    .map((one) => unknownKeyProblem(one.keyPlace, one.key, LEAF_KEYS))
    .filter((problem) => problem.unknownKey?.meant !== undefined);
  problems.push(...misspelt);
  if (misspelt.length > 0) return undefined;
  const params = { field: field.name, type: field.type };
  return refuse(problems, entry.keyPlace, 'job.map_branch_for_field', params);
}

function readKind(
  field: Field,
  kind: Exclude<(typeof LEAF_KEYS)[number], 'lookup'>,
  entry: MapEntry,
  owner: MappingNode,
  scope: MapScope,
  problems: Problem[],
): MapLeaf | undefined {
  if (kind === 'value') return readValue(field, entry, owner, problems);
  const node = entry.value;
  if (node.kind !== 'scalar' || node.value === null) {
    return expectedText(entry, kind, problems);
  }
  if (!isName(node, entry, problems)) return undefined;
  const at = positionOf(owner.place);
  switch (kind) {
    case 'column':
      scope.column?.(node.written.trim(), node.place, problems);
      return readColumn(field, node.written.trim(), owner, problems);
    case 'template': {
      const parsed = parseTemplate(node.written);
      if (parsed.ok) {
        for (const part of parsed.parts)
          if (typeof part !== 'string')
            scope.column?.(part.column, node.placeAt(node.written.indexOf(part.column)), problems);
        return { kind, source: node.written, parts: parsed.parts, at };
      }
      return refuse(problems, node.placeAt(parsed.at), TEMPLATE_PROBLEMS[parsed.problem], {});
    }
    case 'from':
      return readFrom(field, node, owner, scope, problems, (it) => readLeaf(field, it, scope, problems));
    case 'expr': {
      const sound = readExpression(node, kind, scope, 'any', problems);
      return sound ? { kind, source: node.written, at } : undefined;
    }
  }
}

const TEMPLATE_PROBLEMS = {
  unclosed: 'job.template_unclosed',
  unopened: 'job.template_unopened',
  empty: 'job.template_empty',
} as const;

function readColumn(field: Field, column: string, owner: MappingNode, problems: Problem[]): ColumnLeaf {
  const option = (key: string) => owner.entries.get(key);
  const format = option('format') && readFormat(field, option('format')!, problems);
  const fallback = option('default');
  let byDefault: Scalar | undefined;
  if (fallback) {
    const node = fallback.value;
    if (node.kind !== 'scalar') expectedText(fallback, 'default', problems);
    else byDefault = readConstant(field, node, problems, { anyDate: format !== undefined });
  }
  const values = option('values') && readValues(field, option('values')!, problems);
  const split = option('split') && readSplit(field, option('split')!, problems);
  const end = option('end') && readWord(field, option('end')!, 'day', problems);
  const time = option('time') && readWord(field, option('time')!, 'ignore', problems);
  const asIs = option('asIs') && readAsIs(field, option('asIs')!, problems);
  return {
    kind: 'column',
    column,
    default: byDefault,
    values,
    split,
    format,
    end,
    ...(time ? { time } : {}),
    ...(asIs === true ? { asIs } : {}),
    at: positionOf(owner.place),
  };
}

function readAsIs(field: Field, entry: MapEntry, problems: Problem[]): boolean | undefined {
  const node = entry.value;
  if (field.type !== 'String' && field.type !== 'String array')
    return refuse(problems, entry.keyPlace, 'job.only_for_texts', optionOf(entry, field));
  if (node.kind === 'scalar' && typeof node.value === 'boolean') return node.value;
  problems.push(unknownValue(node.place, entry.key, shown(node), ['true', 'false']));
  return undefined;
}

/** One pattern, or a list of them. */
function readFormat(field: Field, entry: MapEntry, problems: Problem[]): ColumnLeaf['format'] {
  if (!isDateField(field)) {
    return refuse(problems, entry.keyPlace, 'job.only_for_dates', optionOf(entry, field));
  }
  const nodes = entry.value.kind === 'list' ? entry.value.items : [entry.value];
  if (nodes.length === 0) problems.push(problemAt(entry.value.place, 'job.format_list_empty', {}));
  const before = problems.length;
  const formats: string[] = [];
  for (const value of nodes) {
    const text = textOf({ ...entry, value }, problems);
    if (text && isPattern(text, problems)) formats.push(text.written);
  }
  if (problems.length > before) return undefined;
  return entry.value.kind === 'list' ? formats : formats[0];
}

function isPattern(text: ScalarNode, problems: Problem[]): boolean {
  const compiled = compileFormat(text.written);
  if (compiled.ok) return true;
  const value = shown(text);
  problems.push(
    compiled.part === ''
      ? problemAt(text.place, 'job.format_without_day', { value })
      : problemAt(text.place, 'job.bad_format', { value, letters: compiled.part }),
  );
  return false;
}

function readValues(
  field: Field,
  entry: MapEntry,
  problems: Problem[],
): ReadonlyMap<string, Scalar> | undefined {
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
    const read = leavesOut(value.value, field) ? 'none' : readConstant(field, value, problems);
    if (read !== undefined) values.set(key, read);
  }
  return values;
}

function readSplit(field: Field, entry: MapEntry, problems: Problem[]): string | undefined {
  const text = textOf(entry, problems);
  if (text && field.type !== 'String array') {
    return refuse(problems, entry.keyPlace, 'job.only_for_lists', optionOf(entry, field));
  }
  return text?.written;
}

function optionOf({ key }: MapEntry, field: Field) {
  return { key, field: field.name, type: field.type };
}

/** An option of dates that takes one word only. */
function readWord<W extends string>(
  field: Field,
  entry: MapEntry,
  word: W,
  problems: Problem[],
): W | undefined {
  const text = textOf(entry, problems);
  if (!text) return undefined;
  if (!isDateField(field)) refuse(problems, entry.keyPlace, 'job.only_for_dates', optionOf(entry, field));
  if (text.written !== word) problems.push(unknownValue(text.place, entry.key, shown(text), [word]));
  return word;
}

function readValue(
  field: Field,
  entry: MapEntry,
  owner: MappingNode,
  problems: Problem[],
): ValueLeaf | undefined {
  const node = entry.value;
  if (node.kind === 'scalar') {
    const leaf = constant(field, node, problems);
    return leaf && { ...leaf, at: positionOf(owner.place) };
  }
  if (node.kind !== 'list' || field.type !== 'String array') {
    return refuse(problems, node.place, 'job.bad_constant', {
      field: field.name,
      value: shown(node),
      type: field.type,
    });
  }
  const list: Scalar[] = [];
  for (const item of node.items) {
    if (item.kind === 'scalar') {
      const read = readConstant(field, item, problems);
      if (read !== undefined) list.push(read);
    } else problems.push(problemAt(item.place, 'job.expected_text', { key: entry.key, value: shown(item) }));
  }
  return { kind: 'value', value: list, at: positionOf(owner.place) };
}

function constant(field: Field, node: ScalarNode, problems: Problem[]): ValueLeaf | undefined {
  const value = readConstant(field, node, problems);
  return value === undefined ? undefined : { kind: 'value', value, at: positionOf(node.place) };
}

/** A text that isn't blank: a column's name, a template, an expression. */
function isName(node: ScalarNode, entry: MapEntry, problems: Problem[]): boolean {
  if (node.written.trim() !== '') return true;
  problems.push(problemAt(node.place, 'job.empty_text', { key: entry.key }));
  return false;
}

function textOf(entry: MapEntry, problems: Problem[]): ScalarNode | undefined {
  const node = entry.value;
  if (node.kind === 'scalar' && node.value !== null && node.written !== '') return node;
  return expectedText(entry, entry.key, problems);
}

function expectedText({ keyPlace, value: node }: MapEntry, key: string, problems: Problem[]): undefined {
  if (node.kind === 'scalar' && node.value === null)
    return refuse(problems, keyPlace, 'job.empty_value', { key });
  return refuse(problems, node.place, 'job.expected_text', { key, value: shown(node) });
}
