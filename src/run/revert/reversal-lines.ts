import { type Message, message, render } from '../../errors/message.js';
import type { MessageSurface } from '../../errors/message-surface.js';
import type { Ledger } from '../../ledger/contract/ledger.js';
import type { ItemEffect } from '../../ledger/contract/reversals.js';
import { isObject, type JsonObject } from '../../model/json.js';
import type { ItemContent, Operation, ReversalItem } from '../../model/operation.js';
import { objectElements } from '../../platform/operations/shared/rule-report.js';
import { wholeRunOf } from '../../util/run-id.js';
import type { RevertLine } from './reversal-table.js';

/** A row that is not reverted, as shown to users. */
export interface StayingRow {
  /** Row number in the reverted run. */
  readonly row: number;
  /** For a run of several steps: the step that stays. */
  readonly step?: string;
  readonly reason: Message;
}

/** Receives each line as it is created. */
interface RevertListener {
  stays(rows: readonly number[], reason: Message): void;
  /** An item is reverted although its outcome is not final. */
  accepted(): void;
}

interface LinesOf {
  readonly run: string;
  readonly operation: Operation;
  readonly rows?: readonly number[] | undefined;
  readonly isOfExtensions: boolean;
  /** Items that another part of the table lists. */
  readonly isOfOther?: ((item: number) => boolean) | undefined;
}

/** Greater than any row number of a sheet or file. */
const LAST_ROW = 2 ** 32 - 1;

/**
 * The effects of a run, one line per item, by ascending numbers. Further items of a row come after all others. Of the
 * rows requested by number, those without an effect are listed too.
 */
export async function* reversalLines(
  ledger: Ledger,
  { run, operation, rows, isOfExtensions, isOfOther = () => false }: LinesOf,
  language: MessageSurface,
  listener: RevertListener,
): AsyncGenerator<RevertLine> {
  const line = (number: number, effect: ItemEffect): RevertLine => {
    const { item, envelope, body } = effect;
    const reversal = reversalOf(operation, effect, isOfExtensions);
    if (reversal.kind === 'item') {
      if (effect.outcome.status === 'accepted') listener.accepted();
      const [first] = slicesOf(reversal.content);
      return { number, rows: effect.rows, item, ...first! };
    }
    listener.stays(effect.rows, reversal.reason);
    const sentContent = operation.place.kind === 'strings' ? { content: { envelope, body } } : {};
    return { number, rows: effect.rows, item, ...sentContent, reason: render(reversal.reason, language) };
  };
  // Listed once, by the part with the run's other items.
  const idle = isOfExtensions ? [] : await rowsWithoutEffect(ledger, run, rows ?? []);
  const nothing = (row: number): RevertLine => {
    const reason = message('way_back.not_done');
    listener.stays([row], reason);
    return { number: row, rows: [row], reason: render(reason, language) };
  };
  let last = 0;
  let furtherItems = 0;
  for await (const effects of ledger.reversals.effects(run, rows)) {
    for (const effect of effects) {
      const row = effect.rows[0] ?? 0;
      if (row === last) {
        furtherItems += 1;
        continue;
      }
      last = row;
      while (idle[0] !== undefined && idle[0] < row) yield nothing(idle.shift()!);
      if (isOfOther(effect.item)) continue;
      yield line(row, effect);
      const reversal = reversalOf(operation, effect, isOfExtensions);
      if (reversal.kind === 'item') furtherItems += slicesOf(reversal.content).length - 1;
    }
  }
  for (const row of idle) yield nothing(row);
  if (furtherItems === 0) return;
  let number = (await ledger.report.nearestRows(run, LAST_ROW, 1))[0] ?? last;
  last = 0;
  for await (const effects of ledger.reversals.effects(run, rows)) {
    for (const effect of effects) {
      const row = effect.rows[0] ?? 0;
      const isFirst = row !== last;
      last = row;
      if (isOfOther(effect.item)) continue;
      if (!isFirst) {
        number += 1;
        yield line(number, effect);
      }
      const reversal = reversalOf(operation, effect, isOfExtensions);
      if (reversal.kind !== 'item') continue;
      for (const slice of slicesOf(reversal.content).slice(1)) {
        number += 1;
        yield { number, rows: effect.rows, item: effect.item, ...slice };
      }
    }
  }
}

/** The rows that have no item with an effect, ascending. */
async function rowsWithoutEffect(ledger: Ledger, run: string, rows: readonly number[]): Promise<number[]> {
  const left = new Set(rows);
  if (left.size === 0) return [];
  for await (const effects of ledger.reversals.effects(run, rows)) {
    for (const effect of effects) for (const row of effect.rows) left.delete(row);
  }
  return [...left].sort((a, b) => a - b);
}

/** A row of the table has one asset with one product. Further ones have separate rows. */
function slicesOf(content: ItemContent): readonly Pick<RevertLine, 'content' | 'place'>[] {
  const { envelope, body } = content;
  const assets = isObject(body) ? objectElements(body, 'assets', '') : [];
  if (assets.length === 0) return [{ content }];
  return assets.flatMap(({ value }, asset) => {
    const withAsset = (asset: JsonObject): ItemContent => ({
      envelope,
      body: { ...(body as JsonObject), assets: [asset] },
    });
    const products = objectElements(value, 'products', '');
    if (products.length === 0) return [{ content: withAsset(value), place: { asset, product: 0 } }];
    return products.map((element, product) => ({
      content: withAsset({ ...value, products: [element.value] }),
      place: { asset, product },
    }));
  });
}

/** The item that reverts another one, or why there is none. */
export function reversalOf(
  { reversal }: Operation,
  { envelope, body, outcome, undone }: ItemEffect,
  isExtension = false,
): ReversalItem {
  if (undone) {
    const { row, status } = undone;
    const run = wholeRunOf(undone.run);
    const code = status === 'unknown' ? 'revert.perhaps_undone' : 'revert.undone';
    return { kind: 'none', reason: message(code, { run, row }) };
  }
  if (reversal.kind === 'none') return reversal;
  if (outcome.status === 'unknown') return { kind: 'none', reason: message('revert.unknown') };
  const { undo } = (isExtension ? reversal.ofExtension : undefined) ?? reversal;
  return undo({ envelope, body }, outcome);
}
