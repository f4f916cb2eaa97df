import type { Wording } from '../../errors/at-page.js';
import { message, render } from '../../errors/message.js';
import type { Ledger } from '../../ledger/contract/ledger.js';
import type { Run } from '../../ledger/contract/run.js';
import type { Json } from '../../model/json.js';
import type { Operation } from '../../model/operation.js';
import { operationNamed } from '../../platform/operations/index.js';
import { operationOf } from '../run-checks.js';
import { hasSteps, stepRunsOf } from '../step-runs.js';
import { type StayingRow, undoingLines } from './undoing-lines.js';
import { type RevertLine, UndoingTable } from './undoing-table.js';

/** A run that is taken back; or one step of it, which has columns and a way back of its own. */
export interface RevertedPart {
  /** The step's; empty for a run of one operation. */
  readonly name: string;
  readonly run: Run;
  readonly operation: Operation;
  /** What takes it back; itself where nothing does. */
  readonly back: Operation;
  readonly table: UndoingTable;
}

/** What is found out of a run while its rows are written. */
export class RevertTally {
  readonly stays: StayingRow[] = [];
  readonly undone = new Set<RevertedPart>();
  accepted = 0;
}

/** The parts of a run in their order: steps that were sent, or the run itself. */
export async function revertedParts(ledger: Ledger, run: Run): Promise<readonly RevertedPart[]> {
  if (!hasSteps(run)) return [partOf('', run, operationOf(run))];
  return (await stepRunsOf(ledger, run)).flatMap(({ step, operation, run: of }) =>
    of ? [partOf(step.name, of, operation)] : [],
  );
}

function partOf(name: string, run: Run, operation: Operation): RevertedPart {
  const { wayBack } = operation;
  const back = wayBack.kind === 'operation' ? operationNamed(wayBack.operation) : operation;
  const prefix = name === '' ? '' : `${name}.`;
  return { name, run, operation, back, table: new UndoingTable(run.id, back, back !== operation, prefix) };
}

interface RevertedRow {
  readonly number: number;
  readonly cells: ReadonlyMap<string, Json>;
}

/** What a run did, row by row, ascending: all its parts side by side. */
export async function* revertedRows(
  ledger: Ledger,
  parts: readonly RevertedPart[],
  rows: readonly number[] | undefined,
  language: Wording,
  tally: RevertTally,
): AsyncGenerator<RevertedRow> {
  const streams = parts.map((part) => {
    const step = part.name === '' ? {} : { step: part.name };
    const of = { run: part.run.id, operation: part.operation, rows };
    return undoingLines(ledger, of, language, {
      stays: (numbers, reason) => {
        for (const row of numbers) tally.stays.push({ row, ...step, reason });
      },
      accepted: () => {
        tally.accepted += 1;
      },
    });
  });
  const heads: (RevertLine | undefined)[] = [];
  for (const it of streams) heads.push((await it.next()).value ?? undefined);
  for (;;) {
    const number = Math.min(...heads.map((it) => it?.number ?? Infinity));
    if (number === Infinity) return;
    const lines = heads.map((it) => (it?.number === number ? it : undefined));
    yield { number, cells: cellsOf(parts, lines, language, tally) };
    for (const [at, line] of lines.entries()) {
      if (line) heads[at] = (await streams[at]!.next()).value ?? undefined;
    }
  }
}

function cellsOf(
  parts: readonly RevertedPart[],
  lines: readonly (RevertLine | undefined)[],
  language: Wording,
  tally: RevertTally,
): ReadonlyMap<string, Json> {
  const reasons = lines.flatMap((line, at) => (line?.reason ? [`${parts[at]!.name}: ${line.reason}`] : []));
  const idle = reasons.length > 0 ? reasons.join('; ') : render(message('revert.elsewhere'), language);
  const cells = new Map<string, Json>();
  for (const [at, part] of parts.entries()) {
    const line = lines[at];
    if (line && line.reason === undefined) tally.undone.add(part);
    for (const [header, value] of line ? part.table.cells(line) : part.table.idle(idle))
      cells.set(header, value);
  }
  return cells;
}
