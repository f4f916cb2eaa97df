import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { getJson, pageSession, sendJson } from '../../api/client.js';
import { pause } from '../../api/events.js';
import { isTemporary, type ProblemDocument, problemFrom, RequestProblem } from '../../api/problem.js';
import { type CellEdit, faultsAt, type GridRow } from '../../grid/positions.js';
import { RowPages } from '../../grid/row-pages.js';
import { announce } from '../../parts/notices.js';
import { statusWord } from '../../parts/status.js';
import { go, withQuery } from '../../router.js';
import { t } from '../../words/language.js';
import { CorrectionQueue, type QueuedAction } from './correction-queue.js';
import {
  type ColumnsAnswer,
  type CorrectedAnswer,
  type FaultGroup,
  type ImportAnswer,
  positionsOf,
  type RowPositionsAnswer,
} from './import-replies.js';
import { type RowFilter, rowsLoader } from './listed-rows.js';

const FIRST_POLL_MS = 150;
const POLL_MS = 700;
const FOLLOW_MS = 5000;

/** A cell: its position among all rows (undefined for the header), and its column as in Excel. */
interface CellTarget {
  readonly position: number | undefined;
  readonly column: number | undefined;
  readonly takesFocus: boolean;
}

export interface CorrectionConflict {
  readonly typed: readonly CellEdit[];
  /** The current texts of the changed cells, with their authors. */
  readonly now: NonNullable<ProblemDocument['cells']>;
}

/** The state of an import's page: the check, the rows, and unconfirmed corrections. */
export class ImportController {
  readonly id: string;
  readonly info = signal<ImportAnswer | undefined>(undefined);
  readonly columns = signal<ColumnsAnswer | undefined>(undefined);
  readonly problem = signal<ProblemDocument | undefined>(undefined);
  /** A rejected correction. */
  readonly refusal = signal<ProblemDocument | undefined>(undefined);
  /** A correction of cells that other users have changed since the user saw them. */
  readonly conflict = signal<CorrectionConflict | undefined>(undefined);
  readonly rows: ReadonlySignal<RowPages<GridRow>>;
  /** Changes when rows were loaded or changed. */
  readonly version = signal(0);
  /** Changes when the list of corrections has changed. */
  readonly history = signal(0);
  /** The cell that the grid has to make active. */
  readonly target = signal<CellTarget | undefined>(undefined);
  /** The active cell of the grid; undefined while its row is not loaded. */
  activeCell: () => Omit<CellTarget, 'takesFocus'> | undefined = () => undefined;
  readonly queue: CorrectionQueue<CorrectedAnswer>;
  readonly #rows: Signal<RowPages<GridRow>>;
  #filter: RowFilter = { invalid: false };
  /** The listed rows by their positions; undefined if all rows are listed in the order of the sheet. */
  #listed: Uint32Array | undefined;
  #visited: { readonly kind: string; readonly position: number } | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #closed = false;
  /** The version of the import that the loaded rows belong to. */
  #loadedVersion: number | undefined;

  constructor(id: string) {
    this.id = id;
    this.#rows = signal(this.#rowPages(this.#filter));
    this.rows = computed(() => this.#rows.value);
    this.queue = new CorrectionQueue<CorrectedAnswer>({
      // Of the user: waiting corrections must not be sent in another name.
      key: `license-sync.corrections.${encodeURIComponent(pageSession.who ?? '')}.${id}`,
      store: localStorage,
      send: ({ act: actionId, kind, cells }) =>
        sendJson<CorrectedAnswer>('POST', `${this.#path}/${kind}`, {
          act: actionId,
          ...(cells ? { cells } : {}),
        }),
      // A correction that failed because of an expired session or a rate limit is sent again.
      isUnanswered: (error) =>
        error instanceof RequestProblem &&
        (error.unanswered || [401, 408, 429, 503].includes(error.problem.status)),
      answered: (answer, queued) => this.#applyAnswer(answer, queued),
      refused: (error, { cells = [] }) => {
        const problem = problemFrom(error);
        if (problem.cells) this.conflict.value = { typed: cells, now: problem.cells };
        else this.refusal.value = problem;
        this.rows.value.refresh();
        void this.refresh();
      },
      pause: (tries) => pause(Math.min(1000 * 2 ** (tries - 1), 15_000)),
    });
  }

  get #path(): string {
    return `/imports/${encodeURIComponent(this.id)}`;
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
    this.queue.close();
    this.#rows.value.close();
  }

  /** Loads the state of the import, and polls it while a check is running. */
  async refresh(wait = FIRST_POLL_MS): Promise<void> {
    clearTimeout(this.#timer);
    try {
      const info = await getJson<ImportAnswer>(this.#path);
      if (this.#closed) return;
      const wasChecking = this.info.value !== undefined && this.info.value.state === 'checking';
      this.problem.value = undefined;
      this.info.value = info;
      if (info.state === 'checked') {
        if (!this.columns.value) {
          void this.#loadColumns();
          this.rows.value.want(0, 1);
        }
        if (this.#loadedVersion !== undefined && this.#loadedVersion !== info.version) this.#changed(info);
        this.#loadedVersion = info.version;
        if (wasChecking) announce(t('import.check_finished'));
      }
      const isChecking = info.state === 'checking' || info.checkingAgain;
      this.#timer = setTimeout(() => this.#follow(), isChecking ? wait : FOLLOW_MS);
    } catch (error) {
      if (this.#closed) return;
      this.problem.value = problemFrom(error);
      if (isTemporary(error)) this.#timer = setTimeout(() => void this.refresh(POLL_MS), 2000);
    }
  }

  /** Follows the corrections of other users, while the page is visible. */
  #follow(): void {
    if (document.hidden) this.#timer = setTimeout(() => this.#follow(), FOLLOW_MS);
    else void this.refresh(POLL_MS);
  }

  /** The index in the grid of a row, by its position among all rows; -1 if it is not listed. */
  indexOf(position: number): number {
    return this.#listed ? this.#listed.indexOf(position) : position;
  }

  /** Lists other rows, or in another order. The active cell stays the same if its row is listed. */
  filter(filter: RowFilter): void {
    const before = this.#filter;
    if (JSON.stringify(filter) === JSON.stringify(before)) return;
    const cell = this.activeCell();
    this.#filter = filter;
    this.#listed = undefined;
    this.#rows.value.close();
    this.#rows.value = this.#rowPages(filter);
    if (!cell || this.target.value || (filter.kind !== undefined && filter.kind !== before.kind)) return;
    const takesFocus = filter.sort !== before.sort || filter.filter !== before.filter;
    this.target.value = { ...cell, takesFocus };
  }

  /** Goes to the first cell with an error of this kind; when repeated, to the next one. */
  async goTo({ kind, column }: FaultGroup): Promise<void> {
    if (column === undefined) return;
    try {
      const answer = await getJson<RowPositionsAnswer>(`${this.#path}/row-positions`, { query: { kind } });
      const positions = positionsOf(answer);
      const last = this.#visited?.kind === kind ? this.#visited.position : -1;
      const position = positions.find((it) => it > last) ?? positions[0];
      if (position === undefined) return;
      this.#visited = { kind, position };
      go(withQuery({ kind: undefined, invalid: undefined, filter: undefined }), { replace: true });
      this.target.value = { position, column, takesFocus: true };
      // At once: the target is a cell of the new list, not of the one that is still shown.
      this.filter({ ...this.#filter, invalid: false, kind: undefined, filter: undefined });
    } catch (error) {
      this.problem.value = problemFrom(error);
    }
  }

  edit(cells: readonly CellEdit[]): void {
    this.refusal.value = undefined;
    this.#showEdits(cells);
    this.queue.add({ act: crypto.randomUUID(), kind: 'corrections', cells });
  }

  /** @param replace whether the current texts of the changed cells are replaced; the other cells are corrected anyway */
  resolveConflict({ typed, now }: CorrectionConflict, replace: boolean): void {
    this.conflict.value = undefined;
    const cells = typed.flatMap((cell) => {
      const changed = now.find((it) => it.row === cell.row && it.column === cell.column);
      if (!changed) return [cell];
      return replace ? [{ ...cell, before: changed.text }] : [];
    });
    if (cells.length > 0) this.edit(cells);
  }

  undoOrRedo(kind: 'undo' | 'redo'): void {
    this.refusal.value = undefined;
    this.queue.add({ act: crypto.randomUUID(), kind });
  }

  /** Repeats a failed check. */
  async recheck(): Promise<void> {
    await sendJson('POST', `${this.#path}/check`, {});
    await this.refresh();
  }

  async cancelCheck(): Promise<void> {
    await sendJson('POST', `${this.#path}/cancel`, {});
    await this.refresh();
  }

  nearest = async (row: number, column: number): Promise<string | undefined> =>
    (await getJson<{ readonly text?: string }>(`${this.#path}/nearest`, { query: { row, column } })).text;

  async #loadColumns(): Promise<void> {
    try {
      this.columns.value = await getJson<ColumnsAnswer>(`${this.#path}/columns`);
    } catch (error) {
      this.problem.value = problemFrom(error);
    }
  }

  /**
   * Rows have changed. With a filter for errors, the list may contain other rows. Otherwise columns are not sorted and
   * filtered again: rows must not move while the user corrects them.
   */
  #changed({ faults }: ImportAnswer): void {
    this.history.value += 1;
    const { invalid, kind } = this.#filter;
    if (!invalid) this.rows.value.refresh();
    else this.rows.value.renew(!faults.some((it) => kind === undefined || it.kind === kind));
  }

  #rowPages(filter: RowFilter): RowPages<GridRow> {
    return new RowPages<GridRow>({
      open: () =>
        rowsLoader(this.#path, filter, (list) => {
          if (filter === this.#filter) this.#listed = list;
        }),
      isSame: (a, b) => a.row === b.row,
      changed: () => {
        this.version.value += 1;
      },
    });
  }

  /** Shows corrections before they are confirmed. */
  #showEdits(cells: readonly CellEdit[]): void {
    const headers = this.columns.value?.headers ?? [];
    const changed = [...new Set(cells.map((it) => it.row))].flatMap((number) => {
      const edits = cells.filter((it) => it.row === number);
      const row = this.rows.value.find((it) => it.row === number);
      if (!row) return [];
      const texts = [...row.cells];
      for (const { column, text } of edits) {
        const index = headers.findIndex((it) => it.column === column);
        if (index >= 0) texts[index] = text;
      }
      const columns = edits.map((it) => it.column);
      const faults = row.faults.filter((it) => it.column === undefined || !columns.includes(it.column));
      return [{ ...row, cells: texts, faults, pending: [...(row.pending ?? []), ...columns] }];
    });
    this.rows.value.replace(changed);
  }

  #applyAnswer(answer: CorrectedAnswer, queued: QueuedAction): void {
    const info = this.info.value;
    if (info) {
      this.info.value = {
        ...info,
        counts: answer.counts,
        faults: answer.faults ?? info.faults,
        corrections: answer.corrections,
        checkingAgain: answer.checking ?? info.checkingAgain ?? false,
      };
    }
    this.rows.value.replace(answer.rows);
    // Newer unconfirmed corrections are shown over the response.
    for (const { cells } of this.queue.waiting.value) if (cells) this.#showEdits(cells);
    this.history.value += 1;
    announce(this.#announcementOf(answer, queued));
    void this.refresh(POLL_MS);
  }

  /** The announcement of a confirmed action. */
  #announcementOf(answer: CorrectedAnswer, { kind, cells = [] }: QueuedAction): string {
    if (kind !== 'corrections') return t(kind === 'undo' ? 'import.undone' : 'import.redone');
    const [first] = cells;
    const row = answer.rows.find((it) => it.row === first?.row);
    if (cells.length !== 1 || !first || !row) return t('import.corrections_saved');
    const letter = this.columns.value?.headers.find((it) => it.column === first.column)?.letter ?? '';
    const fault = faultsAt(row, first.column);
    const cell = `${letter}${first.row}`;
    return fault === ''
      ? t('import.cell_corrected', { cell, status: statusWord(row.status) })
      : t('import.cell_still_invalid', { cell, fault });
  }
}
