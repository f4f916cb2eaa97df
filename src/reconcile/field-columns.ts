import type { ReconcileJob } from '../model/job.js';
import { columnsReadBy } from '../model/leaf-columns.js';
import type { MapBranch, MapLeaf } from '../model/map.js';
import type { Header } from '../model/row.js';
import { fold } from '../util/fold.js';

/** The source's columns (1-based) that feed each field. */
export interface FieldColumns {
  /** By the path of an expected field. */
  readonly expected: ReadonlyMap<string, readonly number[]>;
  /** Columns of the key. */
  readonly key: readonly number[];
  /** By field of the record, if a column holds its value unchanged. */
  readonly plain: ReadonlyMap<string, readonly number[]>;
}

export function fieldColumns(job: ReconcileJob, headers: readonly Header[]): FieldColumns {
  const expected = new Map<string, readonly number[]>();
  const plain = new Map<string, number[]>();
  const key = new Set<number>();
  for (const [path, leaf] of leavesOf(job.expect)) expected.set(path, columnsOf(leaf, headers));
  for (const [, leaf] of leavesOf(job.key)) for (const column of columnsOf(leaf, headers)) key.add(column);
  for (const [path, leaf] of [...leavesOf(job.key), ...leavesOf(job.expect)]) {
    // A table of values would have to be reversed, and a date formatted.
    if (leaf.kind !== 'column' || leaf.values || leaf.end || leaf.format !== undefined) continue;
    plain.set(path, [...(plain.get(path) ?? []), ...columnsOf(leaf, headers)]);
  }
  return { expected, key: [...key], plain };
}

function leavesOf(branch: MapBranch, prefix = ''): readonly (readonly [string, MapLeaf])[] {
  return [...branch.fields].flatMap(([name, node]): readonly (readonly [string, MapLeaf])[] => {
    const path = `${prefix}${name}`;
    return node.kind === 'branch' ? leavesOf(node, `${path}.`) : [[path, node]];
  });
}

function columnsOf(leaf: MapLeaf, headers: readonly Header[]): readonly number[] {
  return columnsReadBy(leaf).flatMap((name) =>
    headers.filter((it) => it.folded === fold(name)).map((it) => it.column),
  );
}
