import { createHash } from 'node:crypto';
import { message } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';
import type { Import } from '../../ledger/contract/imports.js';
import type { Ledger } from '../../ledger/contract/ledger.js';
import type { Correction } from '../../model/row.js';
import type { Status } from '../../model/status.js';
import type { CellsFile, CellsHeader, CellsRow } from '../../run/cells/cells-file.js';
import { OpenCells } from '../../run/cells/cells-folder.js';
import { RowChecks } from '../../run/corrections/check-rows.js';
import type { CheckedRow } from '../../run/corrections/check-window.js';
import { keptOverlay, Overlay } from '../../run/corrections/overlay.js';
import { unpackAny } from '../../run/settings.js';
import type { AppContext } from '../context.js';
import { importJob } from './import-job.js';
import { connectionOf } from './imports.js';

/** Number of imports whose row checks stay open. */
const READY = 8;

/** Current state of an import: the last check of all its rows, and the corrections since. */
export interface ImportNow {
  readonly record: Import;
  readonly cells: CellsFile;
  /** All current corrections. */
  readonly overlay: Overlay;
  /** Number of the last correcting action. */
  readonly last: number;
  /** Rows that changed since the check, with their current check results. */
  readonly since: ReadonlyMap<number, CheckedRow>;
  readonly checks: RowChecks;
}

interface Since {
  readonly key: string;
  readonly rows: ReadonlyMap<number, CheckedRow>;
}

/** Views of imports for pages. Keeps cells and row checks of the last few imports open so that replies take milliseconds. */
export class ImportViews {
  readonly cells: OpenCells;
  readonly #ready = new Map<string, { readonly key: string; readonly checks: Promise<RowChecks> }>();
  readonly #since = new Map<string, Since>();
  /** Overlays of checks, by their digests. */
  #known: { readonly sha256: string; readonly overlay: Overlay } | undefined;

  constructor(stateFolder: string) {
    this.cells = new OpenCells(stateFolder);
  }

  /** Calls `work` with the current state of the import; `undefined` if the cells of its check are not on this machine. */
  with<T>(
    context: AppContext,
    ledger: Ledger,
    record: Import & { readonly checkRun: string },
    work: (now: ImportNow | undefined) => Promise<T>,
  ): Promise<T> {
    return this.cells.with(record.checkRun, async (cells) => {
      if (!cells) return work(undefined);
      const { cells: corrected, last } = await ledger.corrections.current(record.id, '');
      const overlay = Overlay.of(corrected);
      const checks = await this.#checks(context, ledger, record, overlay);
      const since = await this.#rowsSince(ledger, record, { cells, overlay, checks });
      return work({ record, cells, overlay, last, since, checks });
    });
  }

  /** The first rows of an import whose check is in progress. Rules for the whole sheet are not applied yet. */
  async first(context: AppContext, ledger: Ledger, record: Import) {
    const { cells } = await ledger.corrections.current(record.id, '');
    const overlay = Overlay.of(cells);
    const checks = await this.#checks(context, ledger, record, overlay);
    const { rows, checked } = await checks.checkFirst(overlay);
    const since = new Map(checked.map((it) => [it.row, it]));
    const { sheet, headers } = checks.table;
    return { rows, facts: { sheet: sheet.name, headers }, since, overlay };
  }

  async close(): Promise<void> {
    await this.cells.close();
    for (const { checks } of this.#ready.values()) await (await checks.catch(() => undefined))?.close();
  }

  /** Row checks, bound to the headers once for each import and job. */
  #checks(context: AppContext, ledger: Ledger, record: Import, overlay: Overlay): Promise<RowChecks> {
    const key = JSON.stringify([
      record.inputSha256,
      record.jobFile,
      record.jobSha256,
      record.sheet,
      record.connection,
    ]);
    const cached = this.#ready.get(record.id);
    if (cached?.key === key) return cached.checks;
    const checks = this.#openChecks(context, ledger, record, overlay);
    this.#ready.delete(record.id);
    this.#ready.set(record.id, { key, checks });
    checks.catch(() => {
      if (this.#ready.get(record.id)?.checks === checks) this.#ready.delete(record.id);
    });
    void cached?.checks.then((old) => old.close()).catch(() => {});
    if (this.#ready.size > READY) {
      const [[oldest, { checks: unused }]] = this.#ready as unknown as [
        [string, { checks: Promise<RowChecks> }],
      ];
      this.#ready.delete(oldest);
      this.#since.delete(oldest);
      void unused.then((old) => old.close()).catch(() => {});
    }
    return checks;
  }

  async #openChecks(
    context: AppContext,
    ledger: Ledger,
    record: Import,
    overlay: Overlay,
  ): Promise<RowChecks> {
    const { job } = await importJob(context, ledger, record);
    const connection = await connectionOf(context, record, job);
    const input = { sha256: record.inputSha256, name: record.name };
    const copy = await ledger.inputs.file(input);
    if (copy === undefined)
      throw new ProductError('internal', message('imports.input_gone', { id: record.id }));
    try {
      return await RowChecks.open({ job, connection }, copy, context.env, overlay);
    } finally {
      await ledger.inputs.release(input);
    }
  }

  /** Checks the rows corrected since the check, with all rows of their groups. The next whole check is authoritative. */
  async #rowsSince(
    ledger: Ledger,
    record: Import & { readonly checkRun: string },
    { cells, overlay, checks }: Pick<ImportNow, 'cells' | 'overlay' | 'checks'>,
  ): Promise<ReadonlyMap<number, CheckedRow>> {
    const key = `${record.checkRun} ${overlay.sha256}`;
    const cached = this.#since.get(record.id);
    if (cached?.key === key) return cached.rows;
    const overlayOfCheck = await this.#overlayOfCheck(ledger, record.checkRun);
    const rows = new Map<number, CheckedRow>();
    const numbers = changedRows(overlayOfCheck, overlay);
    if (numbers.length > 0) {
      const source = {
        row: async (number: number) => (await cells.row(number))?.row,
        last: cells.facts.last,
      };
      for (const checked of await checks.check(source, overlay, numbers)) rows.set(checked.row, checked);
    }
    this.#since.set(record.id, { key, rows });
    return rows;
  }

  async #overlayOfCheck(ledger: Ledger, run: string): Promise<Overlay> {
    const found = await ledger.runs.get(run);
    const kept = found && found.prunedAt === undefined ? unpackAny(found.settings).corrections : undefined;
    if (!kept) return Overlay.NONE;
    if (this.#known?.sha256 === kept.sha256) return this.#known.overlay;
    const overlay = await keptOverlay(ledger.inputs, kept);
    this.#known = { sha256: kept.sha256, overlay };
    return overlay;
  }
}

/** Rows whose corrected cells differ. */
function changedRows(before: Overlay, after: Overlay): readonly number[] {
  const numbers = new Set([...before.rows(), ...after.rows()]);
  const textOf = (overlay: Overlay, row: number): string =>
    JSON.stringify([...(overlay.row(row)?.values() ?? [])].map((it) => [it.column, it.text]));
  return [...numbers].filter((row) => textOf(before, row) !== textOf(after, row)).sort((a, b) => a - b);
}

/** A number that changes when rows may have changed. */
export function versionOf(it: Import, last: number): number {
  const text = JSON.stringify([it.checkRun, it.failure, last]);
  return createHash('sha256').update(text).digest().readUInt32BE(0);
}

/** Texts of a row's cells in the order of the headers, with corrections applied. */
export function shownCells(
  row: CellsRow['row'] | undefined,
  headers: readonly CellsHeader[],
  corrected: ReadonlyMap<number, Correction> | undefined,
): string[] {
  return headers.map(({ column }) => {
    const correction = corrected?.get(column);
    if (correction) return correction.text;
    const cell = row?.cell(column);
    if (!cell) return '';
    if (cell.kind === 'date') return cell.text.replace('T', ' ');
    return cell.kind === 'merged' ? '' : (cell.shown ?? cell.text);
  });
}

/** Counts of the check, updated with the rows that changed since. */
export async function countsNow({ cells, since }: Pick<ImportNow, 'cells' | 'since'>) {
  const counts: Partial<Record<Status, number>> = { ...cells.facts.counts };
  for (const [number, { status }] of since) {
    const before = (await cells.row(number))?.status;
    if (before) counts[before] = (counts[before] ?? 0) - 1;
    counts[status] = (counts[status] ?? 0) + 1;
  }
  return counts;
}
