import type { Position, Scalar } from '../../model/map.js';

/** A YAML file as data with positions, aliases and variables resolved. Keys are always text. */
export type Node = ScalarNode | MappingNode | ListNode;

export interface ScalarNode {
  readonly kind: 'scalar';
  readonly place: Place;
  readonly value: Scalar | null;
  /** The text in the file, so that a text field keeps the zeros of `007`. */
  readonly written: string;
  /** True without quotes: only then may the value be a number or a boolean. */
  readonly plain: boolean;
  /** True if it contains the value of an environment variable, which messages must not repeat. */
  readonly substituted: boolean;
  /** The unset variables that it names. */
  readonly unset?: readonly { readonly name: string; readonly place: Place }[];
  /** Place of a character of `written` (UTF-16 index). */
  placeAt(index: number): Place;
}

export interface MappingNode {
  readonly kind: 'mapping';
  readonly place: Place;
  readonly entries: ReadonlyMap<string, MapEntry>;
}

interface ListNode {
  readonly kind: 'list';
  readonly place: Place;
  readonly items: readonly Node[];
}

export interface MapEntry {
  readonly key: string;
  readonly keyPlace: Place;
  readonly value: Node;
}

export type NodePath = readonly (string | number)[];

/** The node at a path, with the entry that contains it; a list item has no entry. */
export function nodeAt(
  root: Node,
  path: NodePath,
): { readonly node: Node; readonly entry: MapEntry | undefined } | undefined {
  let node: Node = root;
  let entry: MapEntry | undefined;
  for (const step of path) {
    if (node.kind === 'mapping') {
      entry = node.entries.get(String(step));
      if (!entry) return undefined;
      node = entry.value;
    } else if (node.kind === 'list') {
      const item: Node | undefined = node.items[Number(step)];
      if (!item) return undefined;
      entry = undefined;
      node = item;
    } else return undefined;
  }
  return { node, entry };
}

/** The position for a missing key or an empty value: the key above it. */
export function placeOfOwner(root: Node, path: NodePath): Place {
  const found = nodeAt(root, path);
  return found?.entry?.keyPlace ?? found?.node.place ?? root.place;
}

/** Plain values for a schema. Objects have no prototype, so that a key such as `__proto__` is harmless. */
export function toPlain(node: Node, replaced: ReadonlyMap<Node, Scalar>): unknown {
  switch (node.kind) {
    case 'scalar':
      return replaced.get(node) ?? node.value;
    case 'list':
      return node.items.map((item) => toPlain(item, replaced));
    case 'mapping': {
      const object: Record<string, unknown> = Object.create(null);
      for (const entry of node.entries.values()) object[entry.key] = toPlain(entry.value, replaced);
      return object;
    }
  }
}

/** A node's text for a message: shortened, and never the value of a variable. */
export function shown(node: Node): string {
  if (node.kind === 'mapping') return '{…}';
  if (node.kind === 'list') return '[…]';
  if (node.substituted) return '$…';
  return node.written.length > 60 ? `${node.written.slice(0, 59)}…` : node.written;
}

/** A text with positions for problems: a file, or one `--set` argument. */
export interface SourceText {
  /** As shown to users. */
  readonly name: string;
  readonly text: string;
  /** True for lines (1-based) that may contain a secret and are never shown. */
  readonly confidential: boolean | ((line: number) => boolean);
  /** The file contains parts that jobs share, so that positions name the file. */
  readonly shared?: true;
}

/** A position in a text; `offset` in UTF-16 units. */
export interface Place {
  readonly text: SourceText;
  readonly offset: number;
  /** Position at which a shared part is used. */
  readonly usedAt?: Place;
}

const lineStarts = new WeakMap<SourceText, readonly number[]>();

function startsOf(text: SourceText): readonly number[] {
  let starts = lineStarts.get(text);
  if (!starts) {
    starts = [0, ...[...text.text.matchAll(/\n/g)].map((match) => match.index + 1)];
    lineStarts.set(text, starts);
  }
  return starts;
}

export function positionOf(place: Place): Position {
  const { line, column } = lineAndColumn(place);
  if (!place.text.shared) return { line, column };
  const usedAt = place.usedAt && shownUses(place.usedAt);
  return { line, column, file: place.text.name, ...(usedAt === undefined ? {} : { usedAt }) };
}

/** `jobs/orders.yaml:9:5`. */
export function shownPosition(place: Place): string {
  const { line, column } = lineAndColumn(place);
  return `${place.text.name}:${line}:${column}`;
}

/** The position at which a part is used, followed by the uses of the parts that contain it. */
function shownUses(place: Place): string {
  const position = shownPosition(place);
  return place.usedAt ? `${position} < ${shownUses(place.usedAt)}` : position;
}

function lineAndColumn(place: Place): Pick<Position, 'line' | 'column'> {
  const starts = startsOf(place.text);
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (starts[middle]! <= place.offset) low = middle;
    else high = middle - 1;
  }
  return { line: low + 1, column: place.offset - starts[low]! + 1 };
}

/** One line without its line break; 1-based. */
export function lineOf(text: SourceText, line: number): string {
  const starts = startsOf(text);
  return text.text.slice(starts[line - 1], starts[line]).replace(/\r?\n$/, '');
}
