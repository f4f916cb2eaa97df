import type { Json, JsonObject } from '../../model/json.js';
import type { ItemOutcome } from '../../model/outcome.js';
import { exactParse } from '../../util/exact-json.js';
import type { ItemEffect, Undoing } from '../contract/undoings.js';
import { EFFECTS, effectOf } from '../rules/item-standing.js';
import { packId, unpackId, unpackRows } from './ids.js';
import { mayHaveHadEffect, waitsInDoubt } from './item-standing.js';
import type { Lines } from './pages.js';

/** A row that takes an item back, with what came of it; without an item it was left out of its plan. */
export interface UndoingLine {
  readonly undone: number;
  readonly row: number;
  readonly item: number | null;
  readonly status: string | null;
  /** What had come of it when its run was pruned. */
  readonly kept_status: string | null;
  readonly in_doubt: number;
}

/** Lines of `undoings`; a condition on it follows. */
export const UNDOING_LINES = `
SELECT undoings.undone, undoings."row" AS "row", undoings.kept_status, item_rows.item, outcomes.status,
  CASE WHEN ${waitsInDoubt('item_rows.item')} THEN 1 ELSE 0 END AS in_doubt
FROM undoings LEFT JOIN item_rows ON item_rows."row" = undoings."row"
LEFT JOIN outcomes ON outcomes.item = item_rows.item`;

/** True of an item that another run has taken back for certain: nobody has its key because of it. */
export function isUndone(item: string): string {
  return `EXISTS (SELECT 1 FROM undoings LEFT JOIN item_rows AS taking ON taking."row" = undoings."row"
  LEFT JOIN outcomes AS taken ON taken.item = taking.item
  WHERE undoings.undone = ${item} AND coalesce(taken.status, undoings.kept_status) = 'succeeded')`;
}

/** What is taken back by the runs that a piece of `undoings` belongs to. */
export const BY_RUN = `
SELECT undoings."row" / ${packId(1, 0)} AS run, count(*) AS "rows",
  sum(CASE WHEN coalesce(outcomes.status, undoings.kept_status) = 'succeeded' THEN 1 ELSE 0 END) AS succeeded
FROM undoings LEFT JOIN item_rows ON item_rows."row" = undoings."row"
LEFT JOIN outcomes ON outcomes.item = item_rows.item`;

export const KEY_COLUMNS = `
SELECT items.id AS item, items.item_key AS key, runs.scope,
  CASE WHEN ${mayHaveHadEffect('items.id')} THEN 1 ELSE 0 END AS effect
FROM items JOIN runs ON runs.id = items.id / ${packId(1, 0)}
LEFT JOIN outcomes ON outcomes.item = items.id`;

/** An item with its key, as `KEY_COLUMNS` reads it. */
export interface KeyLine {
  readonly item: number;
  readonly key: string;
  readonly scope: number;
  readonly effect: number;
}

/** Licence orders that were taken back for certain; a condition on `undoings` and `runs` follows. */
export const UNDONE_ORDERS = `
SELECT undoings."row" AS "row", outcomes.license_order_id AS id FROM undoings
JOIN outcomes ON outcomes.item = undoings.undone AND outcomes.license_order_id IS NOT NULL
JOIN runs ON runs.id = undoings.undone / ${packId(1, 0)}
LEFT JOIN item_rows AS taking ON taking."row" = undoings."row"
LEFT JOIN outcomes AS taken ON taken.item = taking.item
WHERE coalesce(taken.status, undoings.kept_status) = 'succeeded'`;

export interface UndoneOrderLine {
  readonly row: number;
  readonly id: string;
}

export interface EffectLine {
  readonly row: number;
  readonly id: number;
  readonly envelope: number;
  readonly json: string;
  readonly rows_json: string;
  readonly status: string | null;
  readonly license_order_id: string | null;
  readonly code: string | null;
  readonly columns_json: string | null;
}

export const EFFECT_COLUMNS = `item_rows."row" AS "row", items.id, items.envelope, bodies.json, outcomes.status,
  outcomes.license_order_id, outcomes.code, outcomes.columns_json`;

interface UndoingReads {
  /** `UndoingLine`s of items. */
  of(items: readonly number[]): Lines<UndoingLine>;
  /** Items that the rows of these items take back. */
  takenBackBy(items: readonly number[]): Lines<{ readonly undone: number }>;
}

type Found = UndoingLine & { readonly effect: Undoing['status'] };

/**
 * The rows by which items were undone, or may have been, by item: the surest of each. A row that was itself undone for
 * certain doesn't count any more.
 */
export async function undoneBy(
  reads: Pick<UndoingReads, 'of'>,
  items: readonly number[],
): Promise<ReadonlyMap<number, Found>> {
  const found = new Map<number, Found>();
  if (items.length === 0) return found;
  const lines = (await reads.of(items)).flatMap((line): Found[] => {
    const effect = effectOfLine(line);
    return effect === undefined ? [] : [{ ...line, effect }];
  });
  const sure = lines.flatMap(({ item, effect }) => (item !== null && effect === 'succeeded' ? [item] : []));
  const undone = await undoneBy(reads, sure);
  for (const line of lines) {
    if (line.item !== null && undone.get(line.item)?.effect === 'succeeded') continue;
    const before = found.get(line.undone);
    if (!before || EFFECTS.indexOf(line.effect) < EFFECTS.indexOf(before.effect))
      found.set(line.undone, line);
  }
  return found;
}

function effectOfLine({ status, kept_status, in_doubt }: UndoingLine): Undoing['status'] | undefined {
  if (in_doubt === 1) return 'unknown';
  return EFFECTS.find((it) => it === (status ?? kept_status));
}

/**
 * What the rows of a run decide of keys: items that were undone for certain, and those that weren't after all; also those
 * that these had taken back in their turn.
 */
export async function keysToSettle(
  reads: UndoingReads,
  items: readonly number[],
): Promise<{ readonly released: readonly number[]; readonly kept: readonly number[] }> {
  const all = new Set(items);
  for (let next = items; next.length > 0; ) {
    const before = (await reads.takenBackBy(next)).map((it) => it.undone).filter((it) => !all.has(it));
    for (const it of before) all.add(it);
    next = before;
  }
  const undone = await undoneBy(reads, [...all]);
  const isSure = (item: number): boolean => undone.get(item)?.effect === 'succeeded';
  return { released: [...all].filter(isSure), kept: [...all].filter((it) => !isSure(it)) };
}

export function toUndoing({ row, effect }: Found, run: string): Undoing {
  return { run, row: unpackId(row), status: effect };
}

export function toEffect(it: EffectLine, envelope: JsonObject, undone: Undoing | undefined): ItemEffect {
  const { license_order_id: licenseOrderId, code, columns_json: columns } = it;
  return {
    item: unpackId(it.id),
    rows: unpackRows(it.rows_json),
    envelope,
    body: exactParse(it.json) as Json,
    outcome: {
      status: effectOf(it.status),
      ...(licenseOrderId === null ? {} : { licenseOrderId }),
      ...(code === null ? {} : { code }),
      ...(columns === null ? {} : { columns: JSON.parse(columns) as NonNullable<ItemOutcome['columns']> }),
    },
    ...(undone ? { undone } : {}),
  };
}
