import type { Wording } from '../../errors/at-page.js';
import { type Message, message, render } from '../../errors/message.js';
import type { Ledger } from '../../ledger/contract/ledger.js';
import type { ItemEffect } from '../../ledger/contract/undoings.js';
import type { Operation, UndoingItem } from '../../model/operation.js';
import { wholeRunOf } from '../../util/run-id.js';
import type { RevertLine } from './undoing-table.js';

/** A row that isn't taken back, as people are told. */
export interface StayingRow {
  /** Of the reverted run. */
  readonly row: number;
  /** Of a run of several steps: the one that stays. */
  readonly step?: string;
  readonly reason: Message;
}

/** Told of each line, as it is made. */
interface Told {
  stays(rows: readonly number[], reason: Message): void;
  /** An item that is taken back although its outcome isn't known for certain. */
  accepted(): void;
}

/** More than any sheet or file has. */
const LAST_ROW = 2 ** 32 - 1;

/**
 * What a run did, a line an item, by ascending numbers. Items of one row beyond its first one come after all others. Of
 * the rows that are asked for by number, those that did nothing are told too.
 */
export async function* undoingLines(
  ledger: Ledger,
  {
    run,
    operation,
    rows,
  }: { readonly run: string; readonly operation: Operation; readonly rows?: readonly number[] | undefined },
  language: Wording,
  told: Told,
): AsyncGenerator<RevertLine> {
  const line = (number: number, effect: ItemEffect): RevertLine => {
    const { item, envelope, body } = effect;
    const way = wayBackOf(operation, effect);
    if (way.kind === 'item') {
      if (effect.outcome.status === 'accepted') told.accepted();
      return { number, rows: effect.rows, item, content: way.content };
    }
    told.stays(effect.rows, way.reason);
    const sent = operation.place.kind === 'strings' ? { content: { envelope, body } } : {};
    return { number, rows: effect.rows, item, ...sent, reason: render(way.reason, language) };
  };
  const idle = await rowsWithoutEffect(ledger, run, rows ?? []);
  const nothing = (row: number): RevertLine => {
    const reason = message('way_back.not_done');
    told.stays([row], reason);
    return { number: row, rows: [row], reason: render(reason, language) };
  };
  let last = 0;
  let others = 0;
  for await (const effects of ledger.undoings.effects(run, rows)) {
    for (const effect of effects) {
      const row = effect.rows[0] ?? 0;
      if (row === last) {
        others += 1;
        continue;
      }
      last = row;
      while (idle[0] !== undefined && idle[0] < row) yield nothing(idle.shift()!);
      yield line(row, effect);
    }
  }
  for (const row of idle) yield nothing(row);
  if (others === 0) return;
  let number = (await ledger.report.nearestRows(run, LAST_ROW, 1))[0] ?? last;
  last = 0;
  for await (const effects of ledger.undoings.effects(run, rows)) {
    for (const effect of effects) {
      const row = effect.rows[0] ?? 0;
      if (row !== last) {
        last = row;
        continue;
      }
      number += 1;
      yield line(number, effect);
    }
  }
}

/** Those of the rows that no item with an effect was made of, ascending. */
async function rowsWithoutEffect(ledger: Ledger, run: string, rows: readonly number[]): Promise<number[]> {
  const left = new Set(rows);
  if (left.size === 0) return [];
  for await (const effects of ledger.undoings.effects(run, rows)) {
    for (const effect of effects) for (const row of effect.rows) left.delete(row);
  }
  return [...left].sort((a, b) => a - b);
}

/** The item that takes one back, or why there is none. */
export function wayBackOf(
  { wayBack }: Operation,
  { envelope, body, outcome, undone }: ItemEffect,
): UndoingItem {
  if (undone) {
    const { row, status } = undone;
    const run = wholeRunOf(undone.run);
    const code = status === 'unknown' ? 'revert.perhaps_undone' : 'revert.undone';
    return { kind: 'none', reason: message(code, { run, row }) };
  }
  if (wayBack.kind === 'none') return wayBack;
  if (outcome.status === 'unknown') return { kind: 'none', reason: message('revert.unknown') };
  return wayBack.undo({ envelope, body }, outcome);
}
