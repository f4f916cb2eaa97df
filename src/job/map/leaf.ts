import type { Field } from '../../model/field.js';
import type { MapLeaf, Scalar, ValueLeaf } from '../../model/map.js';
import { unknownKeyProblem } from '../check.js';
import { type Problem, problemAt, refuse } from '../problem.js';
import { type MapEntry, type MappingNode, positionOf, type ScalarNode, shown } from '../yaml/node.js';
import { COLUMN_OPTIONS, EXPRESSION_OPTIONS, expectedText, readOptions } from './leaf-options.js';
import { parseTemplate, readConstant, readFrom } from './leaf-parts.js';
import { readLookup } from './lookup.js';
import { type MapScope, readExpression } from './scope.js';

/** The kinds of a leaf by their deciding key, with all keys allowed for the kind. */
const KEYS_BY_KIND = {
  column: ['column', ...COLUMN_OPTIONS],
  value: ['value'],
  template: ['template'],
  expr: ['expr', ...EXPRESSION_OPTIONS],
  from: ['from', 'else'],
} as const;

/** A mapping with one of these keys is a leaf, unless the key is the name of a field there. */
export const LEAF_KEYS = ['column', 'value', 'template', 'expr', 'lookup', 'from'] as const;

/** Reads the leaf of a scalar field (contract section 4); undefined if there are problems. */
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
      if (typeof node.value !== 'string') return readConstantLeaf(field, node, node, problems);
      if (isBlank(node, entry, problems)) return undefined;
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
  const [kind, second] = LEAF_KEYS.filter((key) => node.entries.has(key));
  if (kind === undefined) return misplacedMapping(field, entry, node, problems);
  if (second !== undefined) {
    const place = node.entries.get(second)!.keyPlace;
    return refuse(problems, place, 'job.leaf_conflict', { first: kind, second, field: field.name });
  }
  if (kind === 'lookup') return readLookup(field, entry, node, scope, problems, readLeaf);
  const known: readonly string[] = KEYS_BY_KIND[kind];
  const before = problems.length;
  for (const { key, keyPlace } of node.entries.values())
    if (!known.includes(key))
      problems.push(
        COLUMN_OPTIONS.some((option) => option === key)
          ? problemAt(keyPlace, 'job.leaf_option_without_column', { key, kind })
          : unknownKeyProblem(keyPlace, key, known),
      );
  const leaf = readKind(field, kind, node, scope, problems);
  return problems.length > before ? undefined : leaf;
}

/** Reports a mapping for a scalar field without a deciding key: a misspelt key, or fields that the field does not have. */
function misplacedMapping(field: Field, entry: MapEntry, node: MappingNode, problems: Problem[]): undefined {
  const misspelt = [...node.entries.values()]
    .map(({ key, keyPlace }) => unknownKeyProblem(keyPlace, key, LEAF_KEYS))
    .filter((problem) => problem.unknownKey?.meant !== undefined);
  problems.push(...misspelt);
  if (misspelt.length > 0) return undefined;
  const params = { field: field.name, type: field.type };
  return refuse(problems, entry.keyPlace, 'job.map_branch_for_field', params);
}

function readKind(
  field: Field,
  kind: keyof typeof KEYS_BY_KIND,
  owner: MappingNode,
  scope: MapScope,
  problems: Problem[],
): MapLeaf | undefined {
  const entry = owner.entries.get(kind)!;
  if (kind === 'value') return readValue(field, entry, owner, problems);
  const node = entry.value;
  if (node.kind !== 'scalar' || node.value === null) return expectedText(entry, kind, problems);
  if (isBlank(node, entry, problems)) return undefined;
  const at = positionOf(owner.place);
  switch (kind) {
    case 'column': {
      const column = node.written.trim();
      scope.column?.(column, node.place, problems);
      return { kind, column, ...readOptions(COLUMN_OPTIONS, field, owner, problems), at };
    }
    case 'template': {
      const parsed = parseTemplate(node.written);
      if (!parsed.ok) return refuse(problems, node.placeAt(parsed.at), TEMPLATE_PROBLEMS[parsed.problem], {});
      for (const part of parsed.parts)
        if (typeof part !== 'string')
          scope.column?.(part.column, node.placeAt(node.written.indexOf(part.column)), problems);
      return { kind, source: node.written, parts: parsed.parts, at };
    }
    case 'from':
      return readFrom(field, node, owner, scope, problems, (entry) =>
        readLeaf(field, entry, scope, problems),
      );
    case 'expr': {
      if (!readExpression(node, kind, scope, 'any', problems)) return undefined;
      const options = readOptions(EXPRESSION_OPTIONS, field, owner, problems);
      return { kind, source: node.written, ...options, at };
    }
  }
}

const TEMPLATE_PROBLEMS = {
  unclosed: 'job.template_unclosed',
  unopened: 'job.template_unopened',
  empty: 'job.template_empty',
} as const;

function readValue(
  field: Field,
  entry: MapEntry,
  owner: MappingNode,
  problems: Problem[],
): ValueLeaf | undefined {
  const node = entry.value;
  if (node.kind === 'scalar') return readConstantLeaf(field, node, owner, problems);
  if (node.kind !== 'list' || field.type !== 'String array') {
    const params = { field: field.name, value: shown(node), type: field.type };
    return refuse(problems, node.place, 'job.bad_constant', params);
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

/** @param owner the node at whose position the leaf is reported */
function readConstantLeaf(
  field: Field,
  node: ScalarNode,
  owner: ScalarNode | MappingNode,
  problems: Problem[],
): ValueLeaf | undefined {
  const value = readConstant(field, node, problems);
  return value === undefined ? undefined : { kind: 'value', value, at: positionOf(owner.place) };
}

/** Reports a blank column name, template or expression; true if it is blank. */
function isBlank(node: ScalarNode, entry: MapEntry, problems: Problem[]): boolean {
  if (node.written.trim() !== '') return false;
  problems.push(problemAt(node.place, 'job.empty_text', { key: entry.key }));
  return true;
}
