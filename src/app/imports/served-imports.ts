import { createReadStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { message, render } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';
import type { Import } from '../../ledger/contract/imports.js';
import type { Ledger } from '../../ledger/contract/ledger.js';
import type { Progress } from '../../run/observer.js';
import { type AppContext, wordsOf } from '../context.js';
import { type OpenedLedger, type Wish, withLedger } from '../open.js';
import {
  type CorrectingAct,
  correctCells,
  correctionsState,
  correctionsTold,
  nearestTold,
  proposalsTold,
  type TypedCell,
  takeBack,
} from './correct-import.js';
import { faultyTold } from './faulty-rows.js';
import { importedFile, importNamed } from './import-job.js';
import { countsNow, type ImportNow, ImportViews, versionOf } from './import-views.js';
import { checkOf, failureTold } from './imports.js';
import { ownFolder } from './own-folder.js';
import { columnsTold, faultsTold, importAbout, type RowsWish, rowsTold, rowTold } from './show-import.js';

const SETTLED_WITHIN_MS = 120_000;
const SETTLED_LOOK_MS = 300;

/** What carries checks, and what it tells of them. Whoever serves imports has children for that. */
export interface ImportCarrier {
  /** Lets the whole import be checked, now or as soon as there is room, as somebody who may. */
  check(context: AppContext, id: string, when: 'now' | 'after a pause'): void;
  checking(id: string): { readonly progress?: Progress } | undefined;
  /** Makes the cells of a run, the check of an import, again; resolves when they are there. */
  makeCells(context: AppContext, run: string, id: string): Promise<void>;
}

/** Imports as those who sit at a page see and correct them. There is one for a ledger that is open for long. */
export class ServedImports {
  readonly #carrier: ImportCarrier;
  readonly #views: ImportViews;

  constructor(stateFolder: string, carrier: ImportCarrier) {
    this.#carrier = carrier;
    this.#views = new ImportViews(stateFolder);
  }

  close(): Promise<void> {
    return this.#views.close();
  }

  /** How an import stands. @param mayCheck where nobody checks it any more, it is checked again as this person */
  show(context: AppContext, id: string, mayCheck: boolean) {
    return withLedger(context, async ({ ledger, actor: { who } }) => {
      // Asked for before the import is read: what a check that ends meanwhile came to isn't in what is read.
      const before = this.#carrier.checking(id);
      const it = await importNamed(ledger, id);
      const { last } = await ledger.corrections.current(id, who);
      if (mayCheck && !it.failure && it.checkRun === undefined && !before)
        this.#carrier.check(context, id, 'now');
      const checking = this.#carrier.checking(id) ?? before;
      const common = {
        ...(await importAbout(context, ledger, it)),
        version: versionOf(it, last),
        corrections: await correctionsState(ledger, id, who),
        ...(checking?.progress ? { progress: progressTold(checking.progress) } : {}),
      };
      const { checkRun } = it;
      if (it.failure && !checking) {
        return {
          ...common,
          state: 'failed' as const,
          checkingAgain: false,
          failure: failureTold(it.failure, wordsOf(context), [
            path.dirname(importedFile(ledger, it)),
            context.cwd,
          ]),
          counts: {},
          faults: [],
          warnings: [],
        };
      }
      const empty = { ...common, counts: {}, faults: [], warnings: [], checkingAgain: false };
      if (checkRun === undefined) return { ...empty, state: 'checking' as const };
      return this.#views.with(context, ledger, { ...it, checkRun }, async (now) => {
        if (!now) {
          void this.#carrier.makeCells(context, checkRun, id).catch(() => {});
          return { ...empty, state: 'checking' as const };
        }
        // The console that was to check it again is gone.
        if (mayCheck && now.since.size > 0 && !checking) this.#carrier.check(context, id, 'now');
        return {
          ...common,
          state: 'checked' as const,
          checkingAgain: (this.#carrier.checking(id) ?? before) !== undefined,
          counts: await countsNow(now),
          rows: now.cells.facts.rows,
          faults: await faultsTold(now, wordsOf(context)),
          warnings: await warningsTold(ledger, checkRun, context),
        };
      });
    });
  }

  columns(context: AppContext, id: string) {
    return this.#now(context, id, async (now) => columnsTold(now));
  }

  rows(context: AppContext, id: string, wish: RowsWish) {
    return this.#now(context, id, async (now) => ({
      ...(await rowsTold(now, wish, wordsOf(context))),
      version: versionOf(now.it, now.last),
    }));
  }

  faulty(context: AppContext, id: string, kind: string | undefined) {
    return this.#now(context, id, async (now) => ({
      ...(await faultyTold(now, kind)),
      version: versionOf(now.it, now.last),
    }));
  }

  /** Keeps what was typed, and tells at once what the rows are now. */
  async correct(
    context: AppContext,
    id: string,
    cells: readonly TypedCell[],
    act: Omit<CorrectingAct, 'who'>,
  ) {
    await this.#now(
      context,
      id,
      (now, { ledger, actor: { who } }) => correctCells(ledger, now, cells, { ...act, who }),
      { act: 'correct' },
    );
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
      return { items: await correctionsTold(ledger, id) };
    });
  }

  proposals(context: AppContext, id: string, kind: string) {
    return this.#now(context, id, (now) => proposalsTold(now, kind));
  }

  async nearest(context: AppContext, id: string, row: number, column: number) {
    const text = await this.#now(context, id, (now) => nearestTold(now, row, column));
    return text === undefined ? {} : { text };
  }

  /**
   * Resolves when no check is to come any more, so that what is then read is what a page shows.
   * @throws ProductError usage where that takes too long
   */
  async settled(context: AppContext, id: string, mayCheck: boolean): Promise<void> {
    for (const until = performance.now() + SETTLED_WITHIN_MS; performance.now() < until; ) {
      const { state, checkingAgain } = await this.show(context, id, mayCheck);
      if (state !== 'checking' && !checkingAgain) return;
      await setTimeout(SETTLED_LOOK_MS);
    }
    throw new ProductError('usage', message('imports.not_checked'));
  }

  /** Asks for look-ups from now on, or no more, and checks again. */
  recheck(context: AppContext, id: string, lookups: boolean | undefined) {
    return withLedger(
      context,
      async ({ ledger }) => {
        const it = await importNamed(ledger, id);
        if (lookups !== undefined && lookups !== it.lookups) await ledger.imports.patch(id, { lookups });
        this.#carrier.check(context, id, 'now');
      },
      { act: 'validate' },
    );
  }

  async #corrected(context: AppContext, id: string, rows: readonly number[]) {
    const told = await this.#now(context, id, async (now, { ledger, actor: { who } }) => {
      const seen = [...new Set([...rows, ...now.since.keys()])].sort((a, b) => a - b).slice(0, MOST_TOLD);
      return {
        rows: await Promise.all(seen.map((row) => rowTold(now, row, wordsOf(context)))),
        counts: await countsNow(now),
        faults: await faultsTold(now, wordsOf(context)),
        corrections: await correctionsState(ledger, id, who),
      };
    });
    this.#carrier.check(context, id, 'after a pause');
    return { ...told, checking: true };
  }

  async #now<T>(
    context: AppContext,
    id: string,
    work: (now: ImportNow, opened: OpenedLedger) => Promise<T>,
    wish: Wish = { act: 'read' },
  ): Promise<T> {
    const once = (opened: OpenedLedger): Promise<{ readonly it: T } | { readonly lacks: string }> =>
      importNamed(opened.ledger, id).then((it: Import) => {
        const checkRun = checkOf(it);
        return this.#views.with(context, opened.ledger, { ...it, checkRun }, async (now) =>
          now ? { it: await work(now, opened) } : { lacks: checkRun },
        );
      });
    return withLedger(
      context,
      async (opened) => {
        const found = await once(opened);
        if ('it' in found) return found.it;
        await this.#carrier.makeCells(context, found.lacks, id);
        const again = await once(opened);
        if ('it' in again) return again.it;
        throw new ProductError('usage', message('imports.not_checked'));
      },
      wish,
    );
  }
}

/** Rows that an answer to a correction tells; a page asks for others itself. */
const MOST_TOLD = 500;

function progressTold(progress: Progress): {
  readonly stage: string;
  readonly done: number;
  readonly total?: number;
} {
  const { stage, done } = progress;
  const total = 'total' in progress ? progress.total : undefined;
  return { stage, done, ...(total === undefined ? {} : { total }) };
}

async function warningsTold(ledger: Ledger, run: string, context: AppContext): Promise<readonly string[]> {
  const warnings = await ledger.plan.warnings(run);
  const reason = (await ledger.runs.get(run))?.reason;
  return [...(reason ? [reason] : []), ...warnings].map((it) => render(it, wordsOf(context)));
}

/** A place for a file that is made to be taken away; the file as a stream removes it when it ends. */
export async function passingFolder(ledger: Pick<Ledger, 'stateFolder'>) {
  const folder = await ownFolder(ledger, 'going');
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true });
  const stream = (name: string) =>
    createReadStream(path.join(folder, path.basename(name))).once(
      'close',
      () => void remove().catch(() => {}),
    );
  return { folder, remove, stream };
}
