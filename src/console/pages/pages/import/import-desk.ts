import { computed, type ReadonlySignal, signal } from '@preact/signals';
import { act, ask } from '../../api/client.js';
import { mayPass, type ProblemDocument, problemFrom, RequestProblem } from '../../api/problem.js';
import { type CellEdit, faultsAt, type GridRow } from '../../grid/grid-data.js';
import { type LoadedRows, RowPages, type RowsLoader } from '../../grid/row-pages.js';
import { announce } from '../../parts/live.js';
import { statusWord } from '../../parts/status.js';
import { IMPORT } from '../../words/import.js';
import { say } from '../../words/language.js';
import { CorrectionQueue, type QueuedAct } from './correction-queue.js';
import {
  type ColumnsAnswer,
  type CorrectedAnswer,
  type FaultyAnswer,
  type ImportAnswer,
  placesOf,
} from './import-data.js';

const FIRST_LOOK_MS = 150;
const LOOK_MS = 700;

/** Which rows the grid shows. */
export interface RowFilter {
  readonly faulty: boolean;
  readonly kind?: string | undefined;
}

/** One import as its page has it: how the check stands, its rows, and the corrections that are on their way. */
export class ImportDesk {
  readonly id: string;
  readonly info = signal<ImportAnswer | undefined>(undefined);
  readonly columns = signal<ColumnsAnswer | undefined>(undefined);
  readonly problem = signal<ProblemDocument | undefined>(undefined);
  /** A correction that was refused. */
  readonly refusal = signal<ProblemDocument | undefined>(undefined);
  readonly rows: ReadonlySignal<RowPages<GridRow>>;
  /** Changes when rows have come or changed. */
  readonly version = signal(0);
  /** Changes when the list of corrections has. */
  readonly history = signal(0);
  readonly queue: CorrectionQueue<CorrectedAnswer>;
  readonly #rows = signal<RowPages<GridRow>>(this.#pages({ faulty: false }));
  #filter: RowFilter = { faulty: false };
  #timer: ReturnType<typeof setTimeout> | undefined;
  #closed = false;
  /** The state of the console's that the rows are of. */
  #seen: number | undefined;

  constructor(id: string) {
    this.id = id;
    this.rows = computed(() => this.#rows.value);
    this.queue = new CorrectionQueue<CorrectedAnswer>({
      key: `license-sync.corrections.${id}`,
      store: localStorage,
      send: ({ act: own, kind, cells }) =>
        act<CorrectedAnswer>('POST', `${this.#path}/${kind}`, { act: own, ...(cells ? { cells } : {}) }),
      // Whoever has to sign in again, or asks too often, is not refused for good.
      isUnanswered: (error) =>
        error instanceof RequestProblem &&
        (error.unanswered || [401, 408, 429, 503].includes(error.problem.status)),
      answered: (answer, done) => this.#take(answer, done),
      refused: (error) => {
        this.refusal.value = problemFrom(error);
        this.rows.value.refresh();
        void this.look();
      },
      pause: (tries) => untilOnline(Math.min(1000 * 2 ** (tries - 1), 15_000)),
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

  /** Asks how the check stands, and goes on asking while it is under way. */
  async look(wait = FIRST_LOOK_MS): Promise<void> {
    clearTimeout(this.#timer);
    try {
      const info = await ask<ImportAnswer>(this.#path);
      if (this.#closed) return;
      const wasChecking = this.info.value !== undefined && this.info.value.state === 'checking';
      this.problem.value = undefined;
      this.info.value = info;
      if (info.state === 'checked') {
        if (!this.columns.value) {
          void this.#askColumns();
          this.rows.value.want(0, 1);
        }
        if (this.#seen !== undefined && this.#seen !== info.version) this.#changed(info);
        this.#seen = info.version;
        if (wasChecking) announce(say(IMPORT.checked_told));
      }
      if (info.state === 'checking' || info.checkingAgain) {
        this.#timer = setTimeout(() => void this.look(LOOK_MS), wait);
      }
    } catch (error) {
      if (this.#closed) return;
      this.problem.value = problemFrom(error);
      if (mayPass(error)) this.#timer = setTimeout(() => void this.look(LOOK_MS), 2000);
    }
  }

  filter(filter: RowFilter): void {
    if (filter.faulty === this.#filter.faulty && filter.kind === this.#filter.kind) return;
    this.#filter = filter;
    this.#rows.value.close();
    this.#rows.value = this.#pages(filter);
  }

  edit(cells: readonly CellEdit[]): void {
    this.refusal.value = undefined;
    this.#show(cells);
    this.queue.add({ act: crypto.randomUUID(), kind: 'corrections', cells });
  }

  again(kind: 'undo' | 'redo'): void {
    this.refusal.value = undefined;
    this.queue.add({ act: crypto.randomUUID(), kind });
  }

  /** Lets the whole be checked again that came to nothing. */
  async recheck(): Promise<void> {
    await act('POST', `${this.#path}/check`, {});
    await this.look();
  }

  async cancelCheck(): Promise<void> {
    await act('POST', `${this.#path}/cancel`, {});
    await this.look();
  }

  nearest = async (row: number, column: number): Promise<string | undefined> =>
    (await ask<{ readonly text?: string }>(`${this.#path}/nearest`, { query: { row, column } })).text;

  async #askColumns(): Promise<void> {
    try {
      this.columns.value = await ask<ColumnsAnswer>(`${this.#path}/columns`);
    } catch (error) {
      this.problem.value = problemFrom(error);
    }
  }

  /** Rows have changed: those that are listed, and maybe which ones are. */
  #changed({ faults }: ImportAnswer): void {
    const { faulty, kind } = this.#filter;
    if (!faulty) this.rows.value.refresh();
    else this.rows.value.renew(!faults.some((it) => kind === undefined || it.kind === kind));
  }

  #pages(filter: RowFilter): RowPages<GridRow> {
    return new RowPages<GridRow>({
      open: () => (filter.faulty ? this.#faultyRows(filter.kind) : this.#allRows()),
      isSame: (one, other) => one.row === other.row,
      changed: () => {
        this.version.value += 1;
      },
    });
  }

  #allRows(): RowsLoader<GridRow> {
    return (from, count, signal) =>
      ask<LoadedRows<GridRow>>(`${this.#path}/rows`, { query: { from, count }, signal });
  }

  /** Rows that are faulty when the first of them are loaded: by then on all of them have their places, mended or not. */
  #faultyRows(kind: string | undefined): RowsLoader<GridRow> {
    let listed: Promise<Uint32Array> | undefined;
    const places = async (): Promise<Uint32Array> =>
      placesOf(await ask<FaultyAnswer>(`${this.#path}/faulty`, { query: { kind } }));
    return async (from, count, signal) => {
      listed ??= places().catch((error) => {
        listed = undefined;
        throw error;
      });
      const { length: total } = await listed;
      const at = (await listed).slice(from, from + count).join(',');
      if (at === '') return { items: [], total };
      const { items } = await ask<LoadedRows<GridRow>>(`${this.#path}/rows`, { query: { at }, signal });
      return { items, total };
    };
  }

  /** Shows what was typed before it is answered. */
  #show(cells: readonly CellEdit[]): void {
    const headers = this.columns.value?.headers ?? [];
    const changed = [...new Set(cells.map((it) => it.row))].flatMap((number) => {
      const edits = cells.filter((it) => it.row === number);
      const row = this.rows.value.find((it) => it.row === number);
      if (!row) return [];
      const texts = [...row.cells];
      for (const { column, text } of edits) {
        const at = headers.findIndex((it) => it.column === column);
        if (at >= 0) texts[at] = text;
      }
      const columns = edits.map((it) => it.column);
      const faults = row.faults.filter((it) => it.column === undefined || !columns.includes(it.column));
      return [{ ...row, cells: texts, faults, pending: [...(row.pending ?? []), ...columns] }];
    });
    this.rows.value.replace(changed);
  }

  #take(answer: CorrectedAnswer, done: QueuedAct): void {
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
    // What was typed since is shown over what was answered.
    for (const { cells } of this.queue.waiting.value) if (cells) this.#show(cells);
    this.history.value += 1;
    announce(this.#told(answer, done));
    void this.look(LOOK_MS);
  }

  /** What is said of an act that was carried out. */
  #told(answer: CorrectedAnswer, { kind, cells = [] }: QueuedAct): string {
    if (kind !== 'corrections') return say(kind === 'undo' ? IMPORT.undone_told : IMPORT.redone_told);
    const [first] = cells;
    const row = answer.rows.find((it) => it.row === first?.row);
    if (cells.length !== 1 || !first || !row) return say(IMPORT.corrected_told);
    const letter = this.columns.value?.headers.find((it) => it.column === first.column)?.letter ?? '';
    const fault = faultsAt(row, first.column);
    const cell = `${letter}${first.row}`;
    return fault === ''
      ? say(IMPORT.cell_told, { cell, status: statusWord(row.status) })
      : say(IMPORT.cell_fault_told, { cell, fault });
  }
}

/** Waits, but no longer than until the browser is on line again. */
function untilOnline(ms: number): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      removeEventListener('online', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    addEventListener('online', end);
  });
}
