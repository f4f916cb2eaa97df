import type { CorrectedBy } from '../../model/row.js';
import type { CurrentCorrections } from '../contract/imports.js';

/** One action on the corrections of an import. */
export interface CorrectionAct extends CorrectedBy {
  /** From 1, in order. */
  readonly n: number;
  readonly id: string;
  /** `of`: the action that is undone or redone. */
  readonly what: { readonly kind: 'correct' } | { readonly kind: 'undo' | 'redo'; readonly of: number };
}

interface CorrectionState {
  /** Undone actions, with the user who undid them. */
  readonly undone: ReadonlyMap<number, CorrectedBy>;
  /** The action that a user can undo or redo next. */
  undoable(who: string): number | undefined;
  redoable(who: string): number | undefined;
}

/** The state after all actions of an import, in order. */
export function correctionState(acts: readonly CorrectionAct[]): CorrectionState {
  const undone = new Map<number, CorrectedBy>();
  const toUndo = new Map<string, number[]>();
  const toRedo = new Map<string, number[]>();
  const stack = (byUser: Map<string, number[]>, who: string): number[] => {
    const found = byUser.get(who) ?? [];
    byUser.set(who, found);
    return found;
  };
  for (const { n, who, at, what } of acts) {
    switch (what.kind) {
      case 'correct':
        stack(toUndo, who).push(n);
        toRedo.delete(who);
        break;
      case 'undo':
        undone.set(what.of, { who, at });
        stack(toUndo, who).pop();
        stack(toRedo, who).push(what.of);
        break;
      case 'redo':
        undone.delete(what.of);
        stack(toRedo, who).pop();
        stack(toUndo, who).push(what.of);
    }
  }
  return { undone, undoable: (who) => toUndo.get(who)?.at(-1), redoable: (who) => toRedo.get(who)?.at(-1) };
}

type CorrectedCell = CurrentCorrections['cells'][number];

/**
 * The current corrections: for each cell that of the last action that is not undone.
 * @param cells of all actions, oldest first
 */
export function currentCorrections(
  acts: readonly CorrectionAct[],
  cells: readonly (Omit<CorrectedCell, keyof CorrectedBy> & { readonly act: number })[],
  who: string,
): CurrentCorrections {
  const { undone, undoable, redoable } = correctionState(acts);
  const byNumber = new Map(acts.map((it) => [it.n, it]));
  const last = new Map<string, CorrectedCell>();
  for (const { act, row, column, header, text } of cells) {
    const by = byNumber.get(act);
    if (!by || undone.has(act)) continue;
    last.set(`${row} ${column}`, { row, column, header, text, who: by.who, at: by.at });
  }
  return {
    cells: [...last.values()].sort((a, b) => a.row - b.row || a.column - b.column),
    last: acts.at(-1)?.n ?? 0,
    canUndo: undoable(who) !== undefined,
    canRedo: redoable(who) !== undefined,
  };
}
