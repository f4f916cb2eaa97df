import { message, render } from '../../errors/message.js';
import type { MessageSurface } from '../../errors/message-surface.js';
import type { NamingItem } from '../../ledger/contract/asset-index.js';
import type { Ledger } from '../../ledger/contract/ledger.js';
import type { Run } from '../../ledger/contract/runs.js';
import type { Json } from '../../model/json.js';
import type { Operation } from '../../model/operation.js';
import { ASSETS } from '../../model/thing.js';
import { operationNamed } from '../../platform/operations/catalogue.js';
import { groupNaming } from '../conflicts/find-conflicts.js';
import { indexOlderRuns } from '../named-things.js';
import { operationOf } from '../run-checks.js';
import { hasSteps, stepRunsOf } from '../step-runs.js';
import { reversalLines, type StayingRow } from './reversal-lines.js';
import { ReversalTable, type RevertLine } from './reversal-table.js';

/** A run that is reverted, or one of its steps, with separate columns and a separate reversal. */
export interface RevertedPart {
  /** The step's name; empty for a run of one operation. With two parts of one run, each has a name. */
  readonly name: string;
  /** For a run of several steps: the step of this part. */
  readonly step?: string;
  /** Reverts only the orders that extended an asset. */
  readonly isOfExtensions: boolean;
  /** Items that belong to another part of the same run; absent if there is one part. */
  readonly isOfOther?: (item: number) => boolean;
  readonly run: Run;
  readonly operation: Operation;
  /** The reverting operation; the operation itself if nothing can be reverted. */
  readonly back: Operation;
  readonly table: ReversalTable;
}

/** Collected while the rows of a revert are written. */
export class RevertTally {
  readonly stays: StayingRow[] = [];
  readonly reverted = new Set<RevertedPart>();
  accepted = 0;
}

/** The parts of a run in order: the steps that were sent, or the run itself. */
export async function revertedParts(ledger: Ledger, run: Run): Promise<readonly RevertedPart[]> {
  if (!hasSteps(run)) return partsOf(ledger, run, operationOf(run));
  const parts: RevertedPart[] = [];
  for (const { step, operation, run: stepRun } of await stepRunsOf(ledger, run)) {
    if (stepRun) parts.push(...(await partsOf(ledger, stepRun, operation, step.name)));
  }
  return parts;
}

/** Two parts if some of the orders extended an asset and others did not. */
async function partsOf(
  ledger: Ledger,
  run: Run,
  operation: Operation,
  step?: string,
): Promise<readonly RevertedPart[]> {
  const { reversal } = operation;
  const name = step ?? '';
  const hasExtensions = reversal.kind === 'operation' && reversal.ofExtension !== undefined;
  const extensions = hasExtensions ? await extensionsOf(ledger, run.id) : new Set<number>();
  if (extensions.size === 0) return [partOf(name, run, operation, { step, isOfExtensions: false })];
  const isExtension = (item: number): boolean => extensions.has(item);
  return [
    partOf(step ?? 'assets', run, operation, { step, isOfExtensions: false, isOfOther: isExtension }),
    partOf(`${step === undefined ? '' : `${step}-`}products`, run, operation, {
      step,
      isOfExtensions: true,
      isOfOther: (item) => !isExtension(item),
    }),
  ];
}

function partOf(
  name: string,
  run: Run,
  operation: Operation,
  kind: Pick<RevertedPart, 'step' | 'isOfExtensions' | 'isOfOther'>,
): RevertedPart {
  const { reversal: whole } = operation;
  const reversal = whole.kind === 'operation' && kind.isOfExtensions ? whole.ofExtension! : whole;
  const back = 'operation' in reversal ? operationNamed(reversal.operation) : operation;
  const prefix = name === '' ? '' : `${name}.`;
  const table = new ReversalTable(run.id, back, back !== operation, prefix);
  return { name, run, operation, back, table, ...kind };
}

interface RevertedRow {
  readonly number: number;
  readonly cells: ReadonlyMap<string, Json>;
}

/** The effects of a run, row by row, ascending, with all its parts in parallel. */
export async function* revertedRows(
  ledger: Ledger,
  parts: readonly RevertedPart[],
  rows: readonly number[] | undefined,
  language: MessageSurface,
  tally: RevertTally,
): AsyncGenerator<RevertedRow> {
  const streams = parts.map((part) => {
    const { step, operation, isOfExtensions, isOfOther } = part;
    const options = { run: part.run.id, operation, rows, isOfExtensions, isOfOther };
    return reversalLines(ledger, options, language, {
      stays: (numbers, reason) => {
        for (const row of numbers) tally.stays.push({ row, step, reason });
      },
      accepted: () => {
        tally.accepted += 1;
      },
    });
  });
  const heads: (RevertLine | undefined)[] = [];
  for (const stream of streams) heads.push((await stream.next()).value ?? undefined);
  for (;;) {
    const number = Math.min(...heads.map((head) => head?.number ?? Infinity));
    if (number === Infinity) return;
    const lines = heads.map((head) => (head?.number === number ? head : undefined));
    yield { number, cells: cellsOf(parts, lines, language, tally) };
    for (const [index, line] of lines.entries()) {
      if (line) heads[index] = (await streams[index]!.next()).value ?? undefined;
    }
  }
}

function cellsOf(
  parts: readonly RevertedPart[],
  lines: readonly (RevertLine | undefined)[],
  language: MessageSurface,
  tally: RevertTally,
): ReadonlyMap<string, Json> {
  const reasons = lines.flatMap((line, index) =>
    line?.reason ? [`${parts[index]!.name}: ${line.reason}`] : [],
  );
  const idle = reasons.length > 0 ? reasons.join('; ') : render(message('revert.elsewhere'), language);
  const cells = new Map<string, Json>();
  for (const [index, part] of parts.entries()) {
    const line = lines[index];
    if (line && line.reason === undefined) tally.reverted.add(part);
    for (const [header, value] of line ? part.table.cells(line) : part.table.idle(idle))
      cells.set(header, value);
  }
  return cells;
}

/**
 * The orders of a run that extended an asset: they name an asset that an earlier order of the ledger named and that was
 * not revoked in between. Unknown earlier orders count too, because an asset that may have existed must not be revoked.
 */
async function extensionsOf(ledger: Ledger, run: string): Promise<ReadonlySet<number>> {
  const found = new Set<number>();
  await indexOlderRuns(ledger);
  for await (const effects of ledger.reversals.effects(run)) {
    const items = [...new Set(effects.map((effect) => effect.item))];
    const namedThings = await ledger.assetIndex.things(run, items);
    const assets = [...new Set(namedThings.flatMap(({ things }) => things.filter(isAsset)))];
    const orders = groupNaming(
      await ledger.assetIndex.naming(run, assets, { operations: 'orders', own: true }),
    );
    for (const { item, things } of namedThings) {
      const id = await ledger.assetIndex.idOf(run, item);
      if (things.some((it) => isAsset(it) && existedBefore(orders.get(it) ?? [], id))) found.add(item);
    }
  }
  return found;
}

/** @param orders and revocations of the asset that took effect, or may have, latest first */
function existedBefore(orders: readonly NamingItem[], id: number): boolean {
  const current = orders.find((order) => order.id === id);
  if (!current) return false;
  const before = orders.filter(
    (it) => it.status !== 'pending' && (it.at < current.at || (it.at === current.at && it.id < current.id)),
  );
  const last = before.find((order) => order.operation !== 'order.delete_asset' || order.status !== 'unknown');
  return last !== undefined && last.operation !== 'order.delete_asset';
}

function isAsset(thing: number): boolean {
  return thing < ASSETS.end;
}
