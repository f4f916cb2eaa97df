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
import { bulkInsert, columnsOf } from './bulk-insert.js';
import type { Database } from './database.js';
import type { Queryable } from './transaction.js';

const ACTS = 'SELECT n, id, kind, of_act, who, at FROM correction_acts WHERE import = $1 ORDER BY n';
const CELLS = `
SELECT act, "row", col, header, shown_before, typed FROM correction_cells WHERE import = $1 ORDER BY act, "row", col`;
const ADD_ACT = `
INSERT INTO correction_acts (import, n, id, kind, of_act, who, at)
SELECT $1::text, coalesce(max(n), 0) + 1, $2::text, $3::text, $4::int, $5::text, $6::bigint
FROM correction_acts WHERE import = $1 RETURNING n`;
const ACT_NUMBER = 'SELECT n FROM correction_acts WHERE import = $1 AND id = $2';
const ADD_CELLS = bulkInsert(
  'correction_cells',
  {
    import: 'text',
    act: 'int',
    '"row"': 'bigint',
    col: 'int',
    header: 'text',
    shown_before: 'text',
    typed: 'text',
  },
  'ON CONFLICT DO NOTHING',
);
/** Acts on one import go one at a time: each is numbered after the last, and an undo is of what holds. */
const LOCK = "SELECT pg_advisory_xact_lock(hashtextextended('license-sync corrections ' || $1, 0))";

export class PostgresCorrectionStore implements CorrectionStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async add(
    importId: string,
    cells: readonly (Correction & { readonly before: string })[],
    actor: CorrectionActor,
  ): Promise<void> {
    await this.#db.transaction(async (tx) => {
      await tx.all(LOCK, [importId]);
      if (await tx.get(ACT_NUMBER, [importId, actor.id])) return;
      const act = await addAct(tx, importId, 'correct', undefined, actor);
      const lines = cells.map((it) => [importId, act, it.row, it.column, it.header, it.before, it.text]);
      await tx.run(ADD_CELLS, columnsOf(lines, 7));
      await appendAudit(tx, correctionAudit(importId, 'correct', cells.length, actor), actor.at);
    });
  }

  undo(importId: string, actor: CorrectionActor): ReturnType<CorrectionStore['undo']> {
    return this.#take(importId, 'undo', actor);
  }

  redo(importId: string, actor: CorrectionActor): ReturnType<CorrectionStore['redo']> {
    return this.#take(importId, 'redo', actor);
  }

  async current(importId: string, who: string): Promise<CurrentCorrections> {
    const { acts, cells } = await this.#all(importId);
    return toCurrent(acts, cells, who);
  }

  async lines(importId: string): Promise<readonly CorrectionLine[]> {
    const { acts, cells } = await this.#all(importId);
    return toLines(acts, cells);
  }

  async remove(importId: string): Promise<void> {
    await this.#db.transaction(async (tx) => {
      await tx.run('DELETE FROM correction_cells WHERE import = $1', [importId]);
      await tx.run('DELETE FROM correction_acts WHERE import = $1', [importId]);
    });
  }

  #take(
    importId: string,
    kind: 'undo' | 'redo',
    actor: CorrectionActor,
  ): ReturnType<CorrectionStore['undo']> {
    return this.#db.transaction(async (tx) => {
      await tx.all(LOCK, [importId]);
      const acts = (await tx.all<ActRecord>(ACTS, [importId])).map(toAct);
      const taken = actTaken(acts, kind, actor);
      if (!taken) return [];
      if (!taken.isDone) await addAct(tx, importId, kind, taken.of, actor);
      const cells = await tx.all<{ row: number; column: number }>(
        'SELECT "row", col AS "column" FROM correction_cells WHERE import = $1 AND act = $2 ORDER BY "row", col',
        [importId, taken.of],
      );
      if (!taken.isDone)
        await appendAudit(tx, correctionAudit(importId, kind, cells.length, actor), actor.at);
      return cells;
    });
  }

  /** Acts first: cells of acts that came in between are left out. */
  async #all(importId: string): Promise<{ readonly acts: ActRecord[]; readonly cells: CellRecord[] }> {
    const acts = await this.#db.all<ActRecord>(ACTS, [importId]);
    return { acts, cells: await this.#db.all<CellRecord>(CELLS, [importId]) };
  }
}

async function addAct(
  tx: Queryable,
  importId: string,
  kind: ActRecord['kind'],
  of: number | undefined,
  { id, who, at }: CorrectionActor,
): Promise<number> {
  return (await tx.get<{ n: number }>(ADD_ACT, [importId, id, kind, of ?? null, who, at]))!.n;
}
