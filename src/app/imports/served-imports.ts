import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { message } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';
import type { CurrentCorrections, Import } from '../../ledger/contract/imports.js';
import type { Progress } from '../../run/observer.js';
import { systemClock } from '../../util/clock.js';
import { planRowsData } from '../console/plan-rows.js';
import { type AppContext, wordsOf } from '../context.js';
import { type LedgerOptions, type OpenedLedger, withLedger } from '../with-ledger.js';
import {
  type CorrectingAct,
  correctCells,
  correctionsState,
  correctionsView,
  nearestView,
  type ProposalQuery,
  proposalsView,
  type TypedCell,
  takeBack,
} from './correct-import.js';
import { importedFile, importNamed } from './import-job.js';
import { countsNow, type ImportNow, ImportViews, versionOf } from './import-views.js';
import { checkOf, failureView } from './imports.js';
import { positionsView, type RowListQuery } from './row-positions.js';
import {
  columnsView,
  faultsView,
  firstRowsView,
  type ImportRowsQuery,
  importAbout,
  rowsView,
  rowView,
  warningsView,
} from './show-import.js';

const SETTLED_WITHIN_MS = 120_000;
const SETTLED_POLL_MS = 300;

/** A page that has not asked for this time was left. */
const PRESENT_MS = 15_000;
const RECENT_MS = 60_000;

/** Executes checks of imports in child processes and reports their progress. */
export interface ImportExecutor {
  /** Starts or schedules a check of the whole import, as the user of the context. */
  check(context: AppContext, id: string, when: 'now' | 'after a pause'): void;
  checking(id: string): { readonly progress?: Progress } | undefined;
  /** Recreates the cells of a run; resolves when they are stored. Failures of checks are recorded for their import. */
  makeCells(context: AppContext, run: string, id?: string): Promise<void>;
}

/** Imports as pages show and correct them. One instance for each open ledger. */
export class ServedImports {
  readonly #executor: ImportExecutor;
  readonly #views: ImportViews;
  /** Users who look at an import at this console. */
  readonly #present = new Map<string, { readonly id: string; readonly who: string; readonly at: number }>();

  constructor(stateFolder: string, executor: ImportExecutor) {
    this.#executor = executor;
    this.#views = new ImportViews(stateFolder);
  }

  close(): Promise<void> {
    return this.#views.close();
  }

  /**
   * State of an import.
   * @param mayCheck if no process checks it, it is checked again as this user
   * @param isPresent a page of this user shows it, and asks again every few seconds
   */
  show(context: AppContext, id: string, mayCheck: boolean, isPresent = false) {
    return withLedger(context, async ({ ledger, actor: { who } }) => {
      // Read before the import: the result of a check that ends in between is not in the import read below.
      const before = this.#executor.checking(id);
      const record = await importNamed(ledger, id);
      const { last, cells } = await ledger.corrections.current(id, who);
      if (isPresent) this.#present.set(`${id} ${who}`, { id, who, at: systemClock.now() });
      if (mayCheck && !record.failure && record.checkRun === undefined && !before)
        this.#executor.check(context, id, 'now');
      const checking = this.#executor.checking(id) ?? before;
      const common = {
        ...(await importAbout(context, ledger, record)),
        version: versionOf(record, last),
        corrections: await correctionsState(ledger, id, who),
        others: this.#others(id, who, cells),
        ...(checking?.progress ? { progress: progressView(checking.progress) } : {}),
      };
      const { checkRun } = record;
      if (record.failure && !checking) {
        return {
          ...common,
          state: 'failed' as const,
          checkingAgain: false,
          failure: failureView(record.failure, wordsOf(context), [
            path.dirname(importedFile(ledger, record)),
            context.cwd,
          ]),
          counts: {},
          faults: [],
          limits: [],
          warnings: [],
        };
      }
      const empty = { ...common, counts: {}, faults: [], limits: [], warnings: [], checkingAgain: false };
      if (checkRun === undefined) return { ...empty, state: 'checking' as const };
      return this.#views.with(context, ledger, { ...record, checkRun }, async (now) => {
        if (!now) {
          void this.#executor.makeCells(context, checkRun, id).catch(() => {});
          return { ...empty, state: 'checking' as const };
        }
        // The console that scheduled the check has exited.
        if (mayCheck && now.since.size > 0 && !checking) this.#executor.check(context, id, 'now');
        return {
          ...common,
          state: 'checked' as const,
          checkingAgain: (this.#executor.checking(id) ?? before) !== undefined,
          counts: await countsNow(now),
          rows: now.cells.facts.rows,
          faults: await faultsView(now, wordsOf(context)),
          ...(await warningsView(ledger, checkRun, wordsOf(context))),
        };
      });
    });
  }

  /** The first rows of an import, available before its check has finished. */
  firstRows(context: AppContext, id: string) {
    return withLedger(context, async ({ ledger }) => {
      const first = await this.#views.first(context, ledger, await importNamed(ledger, id));
      return firstRowsView(first, wordsOf(context));
    });
  }

  columns(context: AppContext, id: string) {
    return this.#now(context, id, async (now) => columnsView(now, wordsOf(context)));
  }

  rows(context: AppContext, id: string, query: ImportRowsQuery) {
    return this.#now(context, id, async (now) => ({
      ...(await rowsView(now, query, wordsOf(context))),
      version: versionOf(now.record, now.last),
    }));
  }

  /** A page of the rows that a plan sends. Its cells are written when they are first requested. */
  planRows(context: AppContext, run: string, query: Parameters<typeof planRowsData>[2]) {
    const make = () => this.#executor.makeCells(context, run);
    return planRowsData(context, run, query, { cells: this.#views.cells, make });
  }

  rowPositions(context: AppContext, id: string, query: RowListQuery) {
    return this.#now(context, id, async (now) => ({
      ...(await positionsView(now, query)),
      version: versionOf(now.record, now.last),
    }));
  }

  /** Stores typed cells and returns the changed rows. */
  async correct(
    context: AppContext,
    id: string,
    cells: readonly TypedCell[],
    act: Omit<CorrectingAct, 'who'>,
  ) {
    const tryOnce = (): Promise<boolean> =>
      this.#now(
        context,
        id,
        (now, { ledger, actor: { who } }) => correctCells(ledger, now, cells, { ...act, who }),
        { act: 'correct' },
      );
    // Another user corrected something in between: the cells are compared again.
    while (!(await tryOnce()));
    return this.#corrected(
      context,
      id,
      cells.map(({ row }) => row),
    );
  }

  async takeBack(context: AppContext, id: string, which: 'undo' | 'redo', act: Omit<CorrectingAct, 'who'>) {
    const rows = await withLedger(
      context,
      async ({ ledger, actor: { who } }) => {
        await importNamed(ledger, id);
        return takeBack(ledger, id, which, { ...act, who });
      },
      { act: 'correct' },
    );
    return this.#corrected(context, id, rows);
  }

  history(context: AppContext, id: string) {
    return withLedger(context, async ({ ledger }) => {
      await importNamed(ledger, id);
      return { items: await correctionsView(ledger, id) };
    });
  }

  proposals(context: AppContext, id: string, query: ProposalQuery) {
    return this.#now(context, id, (now) => proposalsView(now, query));
  }

  async nearest(context: AppContext, id: string, row: number, column: number) {
    const text = await this.#now(context, id, (now) => nearestView(now, row, column));
    return text === undefined ? {} : { text };
  }

  /**
   * Resolves when no check is running or scheduled, so that later reads return the final state.
   * @throws ProductError usage after two minutes
   */
  async settled(context: AppContext, id: string, mayCheck: boolean): Promise<void> {
    for (const until = performance.now() + SETTLED_WITHIN_MS; performance.now() < until; ) {
      const { state, checkingAgain } = await this.show(context, id, mayCheck);
      if (state !== 'checking' && !checkingAgain) return;
      await setTimeout(SETTLED_POLL_MS);
    }
    throw new ProductError('usage', message('imports.not_checked'));
  }

  /** Enables or disables lookups, and checks again. */
  recheck(context: AppContext, id: string, lookups: boolean | undefined) {
    return withLedger(
      context,
      async ({ ledger }) => {
        const record = await importNamed(ledger, id);
        if (lookups !== undefined && lookups !== record.lookups) await ledger.imports.patch(id, { lookups });
        this.#executor.check(context, id, 'now');
      },
      { act: 'validate' },
    );
  }

  /** Other users who look at an import at this console, or corrected it recently at any console. */
  #others(id: string, who: string, cells: CurrentCorrections['cells']): readonly string[] {
    const now = systemClock.now();
    for (const [key, { at }] of this.#present) if (at < now - PRESENT_MS) this.#present.delete(key);
    const present = [...this.#present.values()].filter((it) => it.id === id);
    const recent = cells.filter(({ at }) => at > now - RECENT_MS);
    return [...new Set([...present, ...recent].map((it) => it.who))].filter((it) => it !== who).sort();
  }

  async #corrected(context: AppContext, id: string, rows: readonly number[]) {
    const view = await this.#now(context, id, async (now, { ledger, actor: { who } }) => {
      const changed = [...new Set([...rows, ...now.since.keys()])].sort((a, b) => a - b).slice(0, MOST_ROWS);
      return {
        rows: await Promise.all(changed.map((row) => rowView(now, row, wordsOf(context)))),
        counts: await countsNow(now),
        faults: await faultsView(now, wordsOf(context)),
        corrections: await correctionsState(ledger, id, who),
      };
    });
    this.#executor.check(context, id, 'after a pause');
    return { ...view, checking: true };
  }

  async #now<T>(
    context: AppContext,
    id: string,
    work: (now: ImportNow, opened: OpenedLedger) => Promise<T>,
    options: LedgerOptions = { act: 'read' },
  ): Promise<T> {
    const tryOnce = (opened: OpenedLedger): Promise<{ readonly value: T } | { readonly missing: string }> =>
      importNamed(opened.ledger, id).then((record: Import) => {
        const checkRun = checkOf(record);
        return this.#views.with(context, opened.ledger, { ...record, checkRun }, async (now) =>
          now ? { value: await work(now, opened) } : { missing: checkRun },
        );
      });
    return withLedger(
      context,
      async (opened) => {
        const first = await tryOnce(opened);
        if ('value' in first) return first.value;
        await this.#executor.makeCells(context, first.missing, id);
        const second = await tryOnce(opened);
        if ('value' in second) return second.value;
        throw new ProductError('usage', message('imports.not_checked'));
      },
      options,
    );
  }
}

/** Maximum number of rows in the response to a correction; a page requests other rows itself. */
const MOST_ROWS = 500;

function progressView(progress: Progress): {
  readonly stage: string;
  readonly done: number;
  readonly total?: number;
} {
  const { stage, done } = progress;
  const total = 'total' in progress ? progress.total : undefined;
  return { stage, done, ...(total === undefined ? {} : { total }) };
}
