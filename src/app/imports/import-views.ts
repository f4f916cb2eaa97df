import { createHash } from 'node:crypto';
import { message } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';
import type { Import } from '../../ledger/contract/imports.js';
import type { Ledger } from '../../ledger/contract/ledger.js';
import type { Correction } from '../../model/correction.js';
import type { Status } from '../../model/status.js';
import type { CellsFile, CellsRow } from '../../run/cells/cells-file.js';
import { OpenCells } from '../../run/cells/cells-folder.js';
import type { CellsHeader } from '../../run/cells/format.js';
import { RowChecks } from '../../run/corrections/check-rows.js';
import { keptOverlay, Overlay } from '../../run/corrections/overlay.js';
import type { CheckedRow } from '../../run/corrections/window-reading.js';
import { unpackAny } from '../../run/settings.js';
import type { AppContext } from '../context.js';
import { importJob } from './import-job.js';
import { connectionOf } from './imports.js';

/** Imports whose jobs are held ready to check a row at once. */
const READY = 8;

/** What is known of an import at this moment: the last check of all its rows, and what was corrected since. */
export interface ImportNow {
  readonly it: Import;
  readonly cells: CellsFile;
  /** All that holds now. */
  readonly overlay: Overlay;
  /** Of the last act. */
  readonly last: number;
  /** Rows that are other ones than those of the check, as they would be checked now. */
  readonly since: ReadonlyMap<number, CheckedRow>;
  readonly checks: RowChecks;
}

interface Since {
  readonly key: string;
  readonly rows: ReadonlyMap<number, CheckedRow>;
}

/** Shows imports to those who sit at a page: holds open what answers within milliseconds, for the last few of them. */
export class ImportViews {
  readonly #cells: OpenCells;
  readonly #ready = new Map<string, { readonly key: string; readonly checks: Promise<RowChecks> }>();
  readonly #since = new Map<string, Since>();
  /** Overlays of checks, by their digests. */
  #known: { readonly sha256: string; readonly overlay: Overlay } | undefined;

  constructor(stateFolder: string) {
    this.#cells = new OpenCells(stateFolder);
  }

  /**
   * Gives the import as it stands now to the work; `undefined` where the cells of its check are not on this machine (any more).
   */
  with<T>(
    context: AppContext,
    ledger: Ledger,
    it: Import & { readonly checkRun: string },
    work: (now: ImportNow | undefined) => Promise<T>,
  ): Promise<T> {
    return this.#cells.with(it.checkRun, async (cells) => {
      if (!cells) return work(undefined);
      const { cells: corrected, last } = await ledger.corrections.current(it.id, '');
      const overlay = Overlay.of(corrected);
      const checks = await this.#checks(context, ledger, it, overlay);
      const since = await this.#rowsSince(ledger, it, { cells, overlay, checks });
      return work({ it, cells, overlay, last, since, checks });
    });
  }

  async close(): Promise<void> {
    await this.#cells.close();
    for (const { checks } of this.#ready.values()) await (await checks.catch(() => undefined))?.close();
  }

  /** Bound to the headers once for an import and its job. */
  #checks(context: AppContext, ledger: Ledger, it: Import, overlay: Overlay): Promise<RowChecks> {
    const key = JSON.stringify([it.inputSha256, it.jobFile, it.jobSha256, it.sheet, it.connection]);
    const held = this.#ready.get(it.id);
    if (held?.key === key) return held.checks;
    const checks = this.#openChecks(context, ledger, it, overlay);
    this.#ready.delete(it.id);
    this.#ready.set(it.id, { key, checks });
    checks.catch(() => {
      if (this.#ready.get(it.id)?.checks === checks) this.#ready.delete(it.id);
    });
    void held?.checks.then((old) => old.close()).catch(() => {});
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

  async #openChecks(context: AppContext, ledger: Ledger, it: Import, overlay: Overlay): Promise<RowChecks> {
    const { job } = await importJob(context, ledger, it);
    const connection = await connectionOf(context, it, job);
    const input = { sha256: it.inputSha256, name: it.name };
    const copy = await ledger.inputs.file(input);
    if (copy === undefined) throw new ProductError('internal', message('imports.input_gone', { id: it.id }));
    try {
      return await RowChecks.open({ job, connection }, copy, context.env, overlay);
    } finally {
      await ledger.inputs.letGo(input);
    }
  }

  /** Maps what was corrected since the check, with all rows of its groups; what the whole check says later is the truth. */
  async #rowsSince(
    ledger: Ledger,
    it: Import & { readonly checkRun: string },
    { cells, overlay, checks }: Pick<ImportNow, 'cells' | 'overlay' | 'checks'>,
  ): Promise<ReadonlyMap<number, CheckedRow>> {
    const key = `${it.checkRun} ${overlay.sha256}`;
    const held = this.#since.get(it.id);
    if (held?.key === key) return held.rows;
    const before = await this.#overlayOfCheck(ledger, it.checkRun);
    const rows = new Map<number, CheckedRow>();
    const numbers = changedRows(before, overlay);
    if (numbers.length > 0) {
      const source = {
        row: async (number: number) => (await cells.row(number))?.row,
        last: cells.facts.last,
      };
      for (const checked of await checks.check(source, overlay, numbers)) rows.set(checked.row, checked);
    }
    this.#since.set(it.id, { key, rows });
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

/** Rows whose corrected cells aren't the same in both. */
function changedRows(before: Overlay, after: Overlay): readonly number[] {
  const numbers = new Set([...before.rows(), ...after.rows()]);
  const textOf = (overlay: Overlay, row: number): string =>
    JSON.stringify([...(overlay.row(row)?.values() ?? [])].map((it) => [it.column, it.text]));
  return [...numbers].filter((row) => textOf(before, row) !== textOf(after, row)).sort((a, b) => a - b);
}

/** A number that is another one when rows may have changed. */
export function versionOf(it: Import, last: number): number {
  const text = JSON.stringify([it.checkRun, it.failure, last]);
  return createHash('sha256').update(text).digest().readUInt32BE(0);
}

/** What a row shows: each header's cell as it is now. */
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

/** Counts of the check, with the rows that are others since. */
export async function countsNow({ cells, since }: Pick<ImportNow, 'cells' | 'since'>) {
  const counts: Partial<Record<Status, number>> = { ...cells.facts.counts };
  for (const [number, { status }] of since) {
    const before = (await cells.row(number))?.status;
    if (before) counts[before] = (counts[before] ?? 0) - 1;
    counts[status] = (counts[status] ?? 0) + 1;
  }
  return counts;
}
