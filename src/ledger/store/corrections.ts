import type { Correction } from '../../model/row.js';
import type { AuditEntry } from '../contract/audit.js';
import type { CorrectionActor, CorrectionLine, CurrentCorrections } from '../contract/imports.js';
import { type CorrectionAct, correctionState, currentCorrections } from '../rules/corrections.js';
import { appendAudit } from './audit.js';
import { SqlStore } from './runner.js';
import {
  execute,
  type InsertTarget,
  insertAll,
  query,
  queryOne,
  type Store,
  serverOnly,
} from './statement.js';

/** Actions on one import are serialised, because each gets the next number and an undo depends on the earlier ones. */
const LOCK = "SELECT pg_advisory_xact_lock(hashtextextended('license-sync corrections ' || $1, 0))";

const ACTS = 'SELECT n, id, kind, of_act AS "of", who, at FROM correction_acts WHERE import = $1 ORDER BY n';

const CELLS = `
SELECT act, "row" AS "row", col AS "column", header, shown_before AS before, typed AS text FROM correction_cells
WHERE import = $1 ORDER BY act, "row", col`;

const CELLS_OF_ACT = `
SELECT "row" AS "row", col AS "column" FROM correction_cells WHERE import = $1 AND act = $2 ORDER BY "row", col`;

const ADD_ACT = `
INSERT INTO correction_acts (import, n, id, kind, of_act, who, at)
SELECT CAST($1 AS text), coalesce(max(n), 0) + 1, CAST($2 AS text), CAST($3 AS text), CAST($4 AS int), CAST($5 AS text),
  CAST($6 AS bigint)
FROM correction_acts WHERE import = $1 RETURNING n`;

const ADD_CELLS: InsertTarget = {
  table: 'correction_cells',
  columns: {
    import: 'text',
    act: 'int',
    '"row"': 'bigint',
    col: 'int',
    header: 'text',
    shown_before: 'text',
    typed: 'text',
  },
  end: 'ON CONFLICT DO NOTHING',
};

type ActKind = CorrectionAct['what']['kind'];
type NewCell = Correction & { readonly before: string };
type CellPlace = Pick<Correction, 'row' | 'column'>;

interface Corrections {
  readonly acts: readonly CorrectionAct[];
  readonly cells: readonly (NewCell & { readonly act: number })[];
}

/**
 * Corrections of cells of imports, by several users at a time. Entries are never changed: an undo is a new entry.
 * Each user undoes their own actions, the last first. A later correction of the same cell by another user stays.
 * Everything is durable when it resolves.
 */
export class SqlCorrectionStore extends SqlStore {
  /** @param last the number of the last action that the caller has seen; false if there are newer ones: nothing is stored */
  add(importId: string, cells: readonly NewCell[], actor: CorrectionActor, last?: number): Promise<boolean> {
    return this.db.write(() => add(importId, cells, actor, last));
  }

  /** Undoes the user's last action that is not undone. Returns its cells; none if there is no such action. */
  undo(importId: string, actor: CorrectionActor): Promise<readonly CellPlace[]> {
    return this.db.write(() => undoOrRedo(importId, 'undo', actor));
  }

  /** Redoes the action that the user undid last, unless they have corrected something since. */
  redo(importId: string, actor: CorrectionActor): Promise<readonly CellPlace[]> {
    return this.db.write(() => undoOrRedo(importId, 'redo', actor));
  }

  async current(importId: string, who: string): Promise<CurrentCorrections> {
    const { acts, cells } = await this.db.read(() => corrections(importId));
    return currentCorrections(acts, cells, who);
  }

  /** All corrections ever entered, oldest first. */
  async lines(importId: string): Promise<readonly CorrectionLine[]> {
    const { acts, cells } = await this.db.read(() => corrections(importId));
    const { undone } = correctionState(acts);
    const byNumber = new Map(acts.map((it) => [it.n, it]));
    return cells.flatMap((cell): CorrectionLine[] => {
      const by = byNumber.get(cell.act);
      if (!by) return [];
      const back = undone.get(cell.act);
      return [{ ...cell, who: by.who, at: by.at, ...(back ? { undone: back } : {}) }];
    });
  }

  /** Removes the corrections of an import whose file was removed. */
  remove(importId: string): Promise<void> {
    return this.db.write(function* () {
      yield* execute('DELETE FROM correction_cells WHERE import = $1', importId);
      yield* execute('DELETE FROM correction_acts WHERE import = $1', importId);
    });
  }
}

/** Actions are read first, so that cells of newer actions are excluded. */
function* corrections(importId: string): Store<Corrections> {
  const acts = yield* actsOf(importId);
  return { acts, cells: yield* query<Corrections['cells'][number]>(CELLS, importId) };
}

function* actsOf(importId: string): Store<CorrectionAct[]> {
  type ActRow = Omit<CorrectionAct, 'what'> & { readonly kind: ActKind; readonly of: number | null };
  const found = yield* query<ActRow>(ACTS, importId);
  return found.map(({ kind, of, ...it }) => ({
    ...it,
    what: kind === 'correct' || of === null ? { kind: 'correct' } : { kind, of },
  }));
}

function* add(
  importId: string,
  cells: readonly NewCell[],
  actor: CorrectionActor,
  last: number | undefined,
): Store<boolean> {
  yield* serverOnly(LOCK, importId);
  const known = 'SELECT n FROM correction_acts WHERE import = $1 AND id = $2';
  if (yield* queryOne(known, importId, actor.id)) return true;
  const newer = 'SELECT n FROM correction_acts WHERE import = $1 AND n > $2 LIMIT 1';
  if (last !== undefined && (yield* queryOne(newer, importId, last))) return false;
  const act = yield* addAct(importId, 'correct', undefined, actor);
  const lines = cells.map((it) => [importId, act, it.row, it.column, it.header, it.before, it.text]);
  yield* insertAll(ADD_CELLS, lines);
  yield* appendAudit(correctionEntry(importId, 'correct', cells.length, actor), actor.at);
  return true;
}

function* undoOrRedo(
  importId: string,
  kind: 'undo' | 'redo',
  actor: CorrectionActor,
): Store<readonly CellPlace[]> {
  yield* serverOnly(LOCK, importId);
  const target = targetAct(yield* actsOf(importId), kind, actor);
  if (!target) return [];
  if (!target.isDone) yield* addAct(importId, kind, target.of, actor);
  const cells = yield* query<CellPlace>(CELLS_OF_ACT, importId, target.of);
  if (!target.isDone) yield* appendAudit(correctionEntry(importId, kind, cells.length, actor), actor.at);
  return cells;
}

function* addAct(
  importId: string,
  kind: ActKind,
  of: number | undefined,
  { id, who, at }: CorrectionActor,
): Store<number> {
  return (yield* queryOne<{ n: number }>(ADD_ACT, importId, id, kind, of, who, at))!.n;
}

/** The action that an undo or redo applies to, also if the same request was applied before. undefined if there is none. */
function targetAct(
  acts: readonly CorrectionAct[],
  kind: 'undo' | 'redo',
  { id, who }: CorrectionActor,
): { readonly of: number; readonly isDone: boolean } | undefined {
  const done = acts.find((it) => it.id === id);
  if (done) return done.what.kind === kind ? { of: done.what.of, isDone: true } : undefined;
  const state = correctionState(acts);
  const of = kind === 'undo' ? state.undoable(who) : state.redoable(who);
  return of === undefined ? undefined : { of, isDone: false };
}

/** The audit contains the number of cells, never their content. */
function correctionEntry(
  importId: string,
  kind: ActKind,
  cells: number,
  { who }: CorrectionActor,
): AuditEntry {
  return { who, act: 'correct', detail: { import: importId, kind, cells } };
}
