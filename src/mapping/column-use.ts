import type { ColumnUse } from '../model/column-use.js';
import type { Field } from '../model/field.js';
import type { BoundEntry, BoundLeaf } from './bound-entry.js';
import type { JoinSpec } from './contract.js';
import { isSheetColumn } from './steps/step-columns.js';

/**
 * The columns that the entries read from one sheet: the job's own, or a joined one.
 * @param key columns of an item's key. Without any, the required identifiers take their place.
 */
export function columnUse(
  entries: readonly BoundEntry[],
  columns: readonly number[],
  key: readonly number[],
  join?: JoinSpec,
): ColumnUse {
  const found = { identifiers: new Set(key), needed: new Map<number, Field>() };
  for (const bound of entries) gather(bound, undefined, join, found);
  const identifiers = [...found.identifiers].filter((column) => columns.includes(column));
  if (key.length > 0) return { columns, key, identifiers };
  // The person who locks is required, but names no item.
  const naming = [...found.needed.values()].filter((it) => it.freeText !== true);
  const keyIsLocks =
    naming.length > 0 && naming.every((it) => it.type === 'String array' && it.unbroken === true);
  return { columns, key: [...found.needed.keys()], identifiers, ...(keyIsLocks ? { keyIsLocks } : {}) };
}

interface Found {
  readonly identifiers: Set<number>;
  readonly needed: Map<number, Field>;
}

/** @param within the join whose sheet the entry reads; undefined for the job's own sheet */
function gather(
  bound: BoundEntry,
  within: JoinSpec | undefined,
  wanted: JoinSpec | undefined,
  found: Found,
): void {
  if (bound.kind === 'leaf') {
    if (within === wanted && bound.field.identifier) add(bound, found);
    return;
  }
  const { source } = bound;
  if (source.kind !== 'rows' && within === wanted) {
    for (const column of source.columns) found.identifiers.add(column);
  }
  const inner = source.kind === 'sheet' ? source.join : within;
  for (const it of bound.members.entries) gather(it, inner, wanted, found);
}

function add({ columns, field }: BoundLeaf, { identifiers, needed }: Found): void {
  for (const column of columns.filter(isSheetColumn)) {
    identifiers.add(column);
    if (field.required) needed.set(column, field);
  }
}
