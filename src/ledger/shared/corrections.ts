import type { AuditEntry } from '../contract/audit.js';
import type { CorrectionActor, CorrectionLine, CurrentCorrections } from '../contract/corrections.js';
import { type CorrectionAct, currentCorrections, standingOf } from '../rules/corrections.js';

/** A line of `correction_acts`. */
export interface ActRecord {
  readonly n: number;
  readonly id: string;
  readonly kind: CorrectionAct['what']['kind'];
  readonly of_act: number | null;
  readonly who: string;
  readonly at: number;
}

/** A line of `correction_cells`. */
export interface CellRecord {
  readonly act: number;
  readonly row: number;
  readonly col: number;
  readonly header: string;
  readonly shown_before: string;
  readonly typed: string;
}

export function toAct({ n, id, kind, of_act: of, who, at }: ActRecord): CorrectionAct {
  return { n, id, who, at, what: kind === 'correct' || of === null ? { kind: 'correct' } : { kind, of } };
}

/**
 * The act that an undo or a redo is about: also where the same was asked for before and done. undefined where there is none.
 */
export function actTaken(
  acts: readonly CorrectionAct[],
  kind: 'undo' | 'redo',
  { id, who }: CorrectionActor,
): { readonly of: number; readonly isDone: boolean } | undefined {
  const done = acts.find((it) => it.id === id);
  if (done) return done.what.kind === kind ? { of: done.what.of, isDone: true } : undefined;
  const standing = standingOf(acts);
  const of = kind === 'undo' ? standing.undoable(who) : standing.redoable(who);
  return of === undefined ? undefined : { of, isDone: false };
}

export function toCurrent(
  acts: readonly ActRecord[],
  cells: readonly CellRecord[],
  who: string,
): CurrentCorrections {
  const typed = cells.map(({ act, row, col, header, typed: text }) => ({
    act,
    row,
    column: col,
    header,
    text,
  }));
  return currentCorrections(acts.map(toAct), typed, who);
}

export function toLines(
  records: readonly ActRecord[],
  cells: readonly CellRecord[],
): readonly CorrectionLine[] {
  const acts = records.map(toAct);
  const { undone } = standingOf(acts);
  const byNumber = new Map(acts.map((it) => [it.n, it]));
  return cells.flatMap(({ act, row, col, header, shown_before: before, typed: text }): CorrectionLine[] => {
    const by = byNumber.get(act);
    if (!by) return [];
    const { who, at } = by;
    const back = undone.get(act);
    return [{ act, row, column: col, header, before, text, who, at, ...(back ? { undone: back } : {}) }];
  });
}

/** What the audit tells of an act: how many cells, never what stands in them. */
export function correctionAudit(
  importId: string,
  kind: ActRecord['kind'],
  cells: number,
  { who }: CorrectionActor,
): AuditEntry {
  return { who, act: 'correct', detail: { import: importId, kind, cells } };
}
