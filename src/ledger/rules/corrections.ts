import type { CorrectedBy } from '../../model/correction.js';
import type { CurrentCorrections } from '../contract/corrections.js';

/** One act on the corrections of an import. */
export interface CorrectionAct extends CorrectedBy {
  /** From 1, in order. */
  readonly n: number;
  readonly id: string;
  /** `of`: the act that is taken back, or holds again. */
  readonly what: { readonly kind: 'correct' } | { readonly kind: 'undo' | 'redo'; readonly of: number };
}

interface Standing {
  /** Acts that correct cells and were taken back, by whom. */
  readonly undone: ReadonlyMap<number, CorrectedBy>;
  /** What a person can take back, and what they can let hold again. */
  undoable(who: string): number | undefined;
  redoable(who: string): number | undefined;
}

/** What holds after all acts of an import, in order. */
export function standingOf(acts: readonly CorrectionAct[]): Standing {
  const undone = new Map<number, CorrectedBy>();
  const held = new Map<string, number[]>();
  const taken = new Map<string, number[]>();
  const stack = (of: Map<string, number[]>, who: string): number[] => {
    const found = of.get(who) ?? [];
    of.set(who, found);
    return found;
  };
  for (const { n, who, at, what } of acts) {
    switch (what.kind) {
      case 'correct':
        stack(held, who).push(n);
        taken.delete(who);
        break;
      case 'undo':
        undone.set(what.of, { who, at });
        stack(held, who).pop();
        stack(taken, who).push(what.of);
        break;
      case 'redo':
        undone.delete(what.of);
        stack(taken, who).pop();
        stack(held, who).push(what.of);
    }
  }
  return { undone, undoable: (who) => held.get(who)?.at(-1), redoable: (who) => taken.get(who)?.at(-1) };
}

type CorrectedCell = CurrentCorrections['cells'][number];

/**
 * What is corrected at present: of each cell the last act that holds says it.
 * @param cells of all acts, oldest first
 */
export function currentCorrections(
  acts: readonly CorrectionAct[],
  cells: readonly (Omit<CorrectedCell, keyof CorrectedBy> & { readonly act: number })[],
  who: string,
): CurrentCorrections {
  const { undone, undoable, redoable } = standingOf(acts);
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
