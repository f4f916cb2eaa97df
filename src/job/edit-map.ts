import { type Document, isMap, isScalar, isSeq, parseDocument } from 'yaml';
import type { Scalar } from '../model/map.js';
import { fold } from '../util/text.js';
import type { NodePath } from './yaml/node.js';
import { escapedText, hideBraces, showBraces } from './yaml/scalar.js';

type LeafOptions = Readonly<Record<string, unknown>>;

/** A change of one leaf of a map. */
export interface LeafEdit {
  /** The map in the file: `['map']`, or `['steps', 1, 'map']`. */
  readonly map: NodePath;
  /** Wire path of the field. */
  readonly path: readonly string[];
  /** The items' array, which a map may omit. */
  readonly items?: string;
  /** Replaces the leaf, or removes it; absent: the leaf stays. */
  readonly leaf?: 'none' | { readonly value: Scalar } | ({ readonly column: string } & LeafOptions);
  /** Options to set after that; an undefined one is removed. */
  readonly options?: LeafOptions;
}

interface JobEdit {
  /** Other parts of the file: the map of a job without one, its sheet, its connection. */
  readonly set?: readonly (readonly [at: NodePath, value: unknown])[];
  readonly leaves?: readonly LeafEdit[];
  /** New names of columns by their folded former ones, for everything that the job reads. */
  readonly renamed?: Names;
  /** The same for `each` alone. */
  readonly keys?: Names;
  /** `each` of arrays without one, by their path. */
  readonly each?: readonly (readonly [path: NodePath, columns: readonly string[]])[];
}

/**
 * The text of a job file with changed leaves and column names. Comments stay where the YAML library keeps them. Its schedule is
 * removed, because a copy of a job must not run in addition to the job. New texts are texts: `${NAME}` in them is no variable,
 * because their author must not read the environment of the program.
 */
export function editedJob(
  text: string,
  { set = [], leaves = [], renamed, keys, each = [] }: JobEdit,
): string {
  const document = parseDocument(hideBraces(text), { version: '1.2', schema: 'core', uniqueKeys: false });
  document.delete('schedule');
  for (const [at, value] of set) document.setIn(at, document.createNode(escaped(value)));
  if (renamed?.size) renameColumns(document, escapedNames(renamed));
  if (keys?.size) renameKeys(document.contents, escapedNames(keys));
  for (const edit of leaves) editLeaf(document, edit);
  for (const [path, columns] of each)
    document.setIn([...path, 'each'], document.createNode(escaped(columns), { flow: true }));
  return showBraces(document.toString({ lineWidth: 0 }));
}

function editLeaf(document: Document, { map, path, items, leaf, options }: LeafEdit): void {
  const isShort = items === path[0] && document.getIn([...map, path[0]!]) === undefined;
  const at = [...map, ...(isShort ? path.slice(1) : path)];
  if (leaf === 'none') document.deleteIn(at);
  else if (leaf) document.setIn(at, document.createNode(escaped(plainLeaf(leaf)), { flow: true }));
  for (const [key, given] of Object.entries(options ?? {})) {
    const value = escaped(given);
    const node = document.getIn(at, true);
    if (value === undefined) {
      if (isMap(node)) node.delete(key);
    } else if (isMap(node)) node.set(key, document.createNode(value, { flow: node.flow ?? false }));
    else if (isScalar(node) && key === 'column') node.value = value;
    else {
      const column = isScalar(node) ? node.value : node;
      document.setIn(at, document.createNode({ column, [key]: value }, { flow: true }));
    }
  }
}

function escaped(value: unknown): unknown {
  if (typeof value === 'string') return escapedText(value);
  if (Array.isArray(value)) return value.map(escaped);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, it]) => [escapedText(key), escaped(it)]));
}

function escapedNames(names: Names): Names {
  return new Map([...names].map(([from, to]) => [from, escapedText(to)]));
}

/** A column without options is its name. */
function plainLeaf(leaf: Exclude<LeafEdit['leaf'], 'none' | undefined>): unknown {
  const present = Object.fromEntries(Object.entries(leaf).filter(([, value]) => value !== undefined));
  return 'column' in leaf && Object.keys(present).length === 1 ? leaf.column : present;
}

type Names = ReadonlyMap<string, string>;

/** Keys whose texts are not columns, if they are keys of a leaf. */
const NOT_COLUMNS = new Set(
  'value default values format split end time asIs from take onNone onMany lookup use operation'.split(' '),
);
const EXPRESSIONS = new Set(['expr', 'where', 'until', 'when']);

function renameColumns(document: Document, names: Names): void {
  const source = document.get('source');
  if (isMap(source)) {
    for (const key of ['where', 'until']) rename(source.get(key, true), key, names);
    rename(source.get('fillDown', true), 'fillDown', names);
  }
  rename(document.get('map', true), 'map', names);
  const steps = document.get('steps');
  for (const step of isSeq(steps) ? steps.items : []) {
    if (!isMap(step)) continue;
    rename(step.get('when', true), 'when', names);
    rename(step.get('map', true), 'map', names);
  }
}

function rename(node: unknown, key: string, names: Names): void {
  if (isSeq(node)) for (const item of node.items) rename(item, key, names);
  else if (isMap(node)) {
    // The columns below are those of another sheet.
    if (isMap(node.get('each'))) return;
    for (const { key: inner, value } of node.items) {
      const name = isScalar(inner) ? String(inner.value) : '';
      if (!NOT_COLUMNS.has(name)) rename(value, name, names);
    }
  } else if (isScalar(node) && typeof node.value === 'string') {
    const text = node.value;
    if (EXPRESSIONS.has(key)) node.value = renamedInExpression(text, names);
    else if (key === 'template') node.value = renamedInTemplate(text, names);
    else node.value = names.get(fold(text)) ?? text;
  }
}

function renameKeys(node: unknown, names: Names): void {
  if (isSeq(node)) for (const item of node.items) renameKeys(item, names);
  if (!isMap(node)) return;
  for (const { key, value } of node.items)
    if (isScalar(key) && key.value === 'each') isSeq(value) && rename(value, 'each', names);
    else renameKeys(value, names);
}

function renamedInTemplate(text: string, names: Names): string {
  // Doubled braces are literal.
  return showBraces(text).replace(/\{\{|\}\}|\{([^{}]+)\}/g, (whole, column?: string) => {
    const name = column === undefined ? undefined : names.get(fold(column));
    return name === undefined ? whole : `{${name}}`;
  });
}

function renamedInExpression(text: string, names: Names): string {
  return text.replace(
    /\brow\s*\[\s*(?:"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)')\s*\]/g,
    (whole, double?: string, single?: string) => {
      const name = names.get(fold((double ?? single ?? '').replace(/\\(.)/g, '$1')));
      return name === undefined ? whole : `row[${JSON.stringify(name)}]`;
    },
  );
}
