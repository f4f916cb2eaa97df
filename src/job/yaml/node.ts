import type { Scalar } from '../../model/map.js';
import type { Place } from './text.js';

/** A YAML file as data with positions: aliases resolved, variables put in. Keys are always text. */
export type Node = ScalarNode | MappingNode | ListNode;

export interface ScalarNode {
  readonly kind: 'scalar';
  readonly place: Place;
  readonly value: Scalar | null;
  /** The text it was written as, so that a text field keeps the zeros of `007`. */
  readonly written: string;
  /** Without quotes: only then may it be a number or a boolean. */
  readonly plain: boolean;
  /** Holds the value of an environment variable, which is not to be repeated in messages. */
  readonly substituted: boolean;
  /** The variables that it names and that aren't set, where problems of unused parts are of no matter. */
  readonly lacking?: readonly { readonly name: string; readonly place: Place }[];
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

/** The node at a path, with the entry that holds it where there is one. */
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

/** Where a missing key or an empty value is best shown: at the key above it. */
export function placeOfOwner(root: Node, path: NodePath): Place {
  const found = nodeAt(root, path);
  return found?.entry?.keyPlace ?? found?.node.place ?? root.place;
}

/** Plain values for a schema; objects have no prototype, so that every key is only a key. */
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

/** What stands there, for a message: shortened, and never the value of a variable. */
export function shown(node: Node): string {
  if (node.kind === 'mapping') return '{…}';
  if (node.kind === 'list') return '[…]';
  if (node.substituted) return '$…';
  return node.written.length > 60 ? `${node.written.slice(0, 59)}…` : node.written;
}
