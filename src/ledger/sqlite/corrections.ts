import type { Correction } from '../../model/correction.js';
import type {
  CorrectionActor,
  CorrectionLine,
  CorrectionStore,
  CurrentCorrections,
} from '../contract/corrections.js';
import {
  type ActRecord,
  actTaken,
  type CellRecord,
  correctionAudit,
  toAct,
  toCurrent,
  toLines,
} from '../shared/corrections.js';
import { appendAudit } from './audit.js';
import { BulkInsert } from './bulk-insert.js';
import type { Database } from './database.js';

const ACTS = 'SELECT n, id, kind, of_act, who, at FROM correction_acts WHERE import = ? ORDER BY n';
const CELLS = `
SELECT act, "row", col, header, shown_before, typed FROM correction_cells WHERE import = ? ORDER BY act, "row", col`;
const ADD_ACT = `
INSERT INTO correction_acts (import, n, id, kind, of_act, who, at)
SELECT ?1, coalesce(max(n), 0) + 1, ?2, ?3, ?4, ?5, ?6 FROM correction_acts WHERE import = ?1`;
const ACT_NUMBER = 'SELECT n FROM correction_acts WHERE import = ? AND id = ?';
const COLUMNS = ['import', 'act', '"row"', 'col', 'header', 'shown_before', 'typed'];

export class SqliteCorrectionStore implements CorrectionStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async add(
    importId: string,
    cells: readonly (Correction & { readonly before: string })[],
    actor: CorrectionActor,
  ): Promise<void> {
    this.#db.write(() => {
      if (this.#number(importId, actor.id) !== undefined) return;
      const act = this.#addAct(importId, 'correct', undefined, actor);
      const lines = new BulkInsert(this.#db, 'correction_cells', COLUMNS, 'ON CONFLICT DO NOTHING');
      for (const it of cells) lines.add(importId, act, it.row, it.column, it.header, it.before, it.text);
      lines.finish();
      appendAudit(this.#db, correctionAudit(importId, 'correct', cells.length, actor), actor.at);
    });
  }

  undo(importId: string, actor: CorrectionActor): ReturnType<CorrectionStore['undo']> {
    return this.#take(importId, 'undo', actor);
  }

  redo(importId: string, actor: CorrectionActor): ReturnType<CorrectionStore['redo']> {
    return this.#take(importId, 'redo', actor);
  }

  async current(importId: string, who: string): Promise<CurrentCorrections> {
    const { acts, cells } = this.#all(importId);
    return toCurrent(acts, cells, who);
  }

  async lines(importId: string): Promise<readonly CorrectionLine[]> {
    const { acts, cells } = this.#all(importId);
    return toLines(acts, cells);
  }

  async remove(importId: string): Promise<void> {
    this.#db.write(() => {
      this.#db.run('DELETE FROM correction_cells WHERE import = ?', importId);
      this.#db.run('DELETE FROM correction_acts WHERE import = ?', importId);
    });
  }

  async #take(
    importId: string,
    kind: 'undo' | 'redo',
    actor: CorrectionActor,
  ): ReturnType<CorrectionStore['undo']> {
    return this.#db.write(() => {
      const acts = this.#db.all<ActRecord>(ACTS, importId).map(toAct);
      const taken = actTaken(acts, kind, actor);
      if (!taken) return [];
      if (!taken.isDone) this.#addAct(importId, kind, taken.of, actor);
      const cells = this.#db.all<{ row: number; column: number }>(
        'SELECT "row", col AS "column" FROM correction_cells WHERE import = ? AND act = ? ORDER BY "row", col',
        importId,
        taken.of,
      );
      if (!taken.isDone)
        appendAudit(this.#db, correctionAudit(importId, kind, cells.length, actor), actor.at);
      return cells;
    });
  }

  #all(importId: string): { readonly acts: ActRecord[]; readonly cells: CellRecord[] } {
    return this.#db.read(() => ({
      acts: this.#db.all<ActRecord>(ACTS, importId),
      cells: this.#db.all<CellRecord>(CELLS, importId),
    }));
  }

  #number(importId: string, id: string): number | undefined {
    return this.#db.get<{ n: number }>(ACT_NUMBER, importId, id)?.n;
  }

  #addAct(importId: string, kind: ActRecord['kind'], of: number | undefined, actor: CorrectionActor): number {
    const { id, who, at } = actor;
    this.#db.run(ADD_ACT, importId, id, kind, of ?? null, who, at);
    return this.#number(importId, id)!;
  }
}
