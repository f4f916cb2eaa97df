import { rm } from 'node:fs/promises';
import path from 'node:path';
import { message } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';
import { applyChanges, type JobChanges } from '../../job/job-changes.js';
import type { Import } from '../../ledger/contract/imports.js';
import type { Ledger } from '../../ledger/contract/ledger.js';
import type { Run } from '../../ledger/contract/runs.js';
import { EndNotReportedError } from '../../ledger/rules/run-states.js';
import { cellsPath, tidyCells } from '../../run/cells/cells-folder.js';
import { writeCells } from '../../run/cells/write-cells.js';
import { correctionsText } from '../../run/corrections/corrections-file.js';
import { Overlay } from '../../run/corrections/overlay.js';
import { writeCorrected } from '../../run/corrections/write-corrected.js';
import { exportResult } from '../../run/report/export-result.js';
import type { RunServices } from '../../run/run-context.js';
import type { RunEnd } from '../../run/run-end.js';
import { unpackAny } from '../../run/settings.js';
import { startRun } from '../../run/start-run.js';
import { systemClock } from '../../util/clock.js';
import type { RunCommandResult, WatchedContext } from '../context.js';
import { RunFrame } from '../run-frame.js';
import { ledgerLocation, runNamed, withLedger } from '../with-ledger.js';
import { writeText } from '../write-text.js';
import { importJob, importNamed } from './import-job.js';
import { checkOf, connectionOf } from './imports.js';

/**
 * Checks a whole import with a dry run and stores its rows for the grid. The previous check is removed.
 * Lookups are treated as given unless the import requests them.
 */
export function checkImport(context: WatchedContext, id: string): Promise<RunCommandResult> {
  return runOfImport(context, id, 'validate', async (parts, start) => {
    const { ledger } = parts;
    const cells = (run: string) => cellsPath(ledger.stateFolder, run);
    let isWritten = false;
    const end = await start('dry_run', {
      ...parts,
      writeReport: async (run, settings) => {
        const written = await writeCells(parts, run, settings, cells(run.id));
        isWritten = true;
        return written;
      },
    });
    if (end.status === 'interrupted') return end;
    if (!isWritten) {
      // Without a stored failure, a page would wait forever and restart the check each time.
      if (end.reason) await ledger.imports.patch(id, { failure: [end.reason] });
      return end;
    }
    const last = (await ledger.imports.get(id))?.checkRun;
    await ledger.imports.patch(id, { checkRun: end.run });
    if (last !== undefined) await removeCheck(ledger, last);
    await tidyCells(ledger.stateFolder);
    return end;
  });
}

/**
 * Creates a stored plan of an import with its corrections. Lookups are requested.
 * @param changes as the flags of `plan` change a job
 */
export function planImport(
  context: WatchedContext,
  id: string,
  changes: Pick<JobChanges, 'onInvalid'> = {},
): Promise<RunCommandResult> {
  const plan = async (parts: RunServices, start: Start): Promise<RunEnd> => {
    const end = await start('plan', parts);
    // A plan that is blocked by invalid rows is stored too: it shows what must be fixed.
    if (end.exitCode === 0 || end.status === 'completed' || end.status === 'invalid')
      await parts.ledger.imports.patch(id, { planRun: end.run });
    return end;
  };
  return runOfImport(context, id, 'plan', plan, changes);
}

/** Recreates the cells of a run if they are not on this machine. */
export async function cellsOfRun(context: WatchedContext, id: string): Promise<void> {
  await withLedger(context, async ({ ledger }) => {
    const run = await runNamed(ledger, id);
    const { watch: observer, env } = context;
    await writeCells(
      { ledger, observer, env },
      run,
      unpackAny(run.settings),
      cellsPath(ledger.stateFolder, id),
    );
    await tidyCells(ledger.stateFolder);
  });
}

type Start = (kind: 'dry_run' | 'plan', services: RunServices) => Promise<RunEnd>;

function runOfImport(
  context: WatchedContext,
  id: string,
  act: 'validate' | 'plan',
  work: (parts: RunServices, start: Start) => Promise<RunEnd>,
  changes: JobChanges = {},
): Promise<RunCommandResult> {
  return RunFrame.run(context, {}, async (frame) => {
    const parts = await frame.openForNewRun(await ledgerLocation(context), act);
    const { ledger } = parts;
    const record = await importNamed(ledger, id);
    try {
      const { job, sha256 } = await importJob(context, ledger, record);
      if (sha256 !== record.jobSha256) await ledger.imports.patch(id, { jobSha256: sha256 });
      const { connection } = await frame.resolvePlace(job, false, record.connection);
      const { cells } = await ledger.corrections.current(id, '');
      return await work(parts, (kind, services) =>
        startRun(services, applyChanges(job, changes), connection, kind, {
          offline: kind === 'dry_run' && !record.lookups ? true : undefined,
          corrections: cells.length > 0 ? { cells } : undefined,
          inputSha256: record.inputSha256,
          import: id,
        }),
      );
    } catch (error) {
      // The user sees the import, not this process, so an error that they can fix is stored with the import.
      // The user who creates a plan sees the error directly, and the check does not change.
      const isOfCheck = act === 'validate' && !(error instanceof EndNotReportedError);
      if (isOfCheck && error instanceof ProductError && error.kind !== 'safety')
        await ledger.imports.patch(id, { failure: [error.detail, ...error.others] });
      throw error;
    }
  });
}

/** Removes a check that a newer check of the same import replaced. */
async function removeCheck({ runs, stateFolder }: Ledger, run: string): Promise<void> {
  await runs.prune(systemClock.now() + 1, [run]);
  await rm(cellsPath(stateFolder, run), { force: true });
}

export interface ImportFileOptions {
  readonly import: string;
  readonly what: 'checked.xlsx' | 'corrected.xlsx' | 'corrections.csv';
  /** Absolute path of the folder that the file is written to. */
  readonly folder: string;
}

/** A downloadable file of an import: `file` is its path, `name` the suggested name. */
export interface ImportFile {
  readonly file: string;
  readonly name: string;
}

/** How many times reading restarts because a newer check replaced the one being read. */
const MOST_CHECKS = 5;

/**
 * Reads the last check. A newer check may remove it during the reading, and then rows may be missing: the newer check is
 * read instead.
 */
async function readOneCheck(
  ledger: Ledger,
  { id }: Import,
  read: (run: Run) => Promise<unknown>,
): Promise<void> {
  const last = async (): Promise<string> => checkOf(await importNamed(ledger, id));
  for (let checks = 0; checks < MOST_CHECKS; checks += 1) {
    const run = await last();
    const failure = await read(await runNamed(ledger, run)).then(
      () => undefined,
      (error: unknown) => ({ error }),
    );
    if ((await last()) !== run) continue;
    if (failure) throw failure.error;
    return;
  }
  throw new ProductError('usage', message('imports.not_checked'));
}

/** Writes a downloadable file of an import. The corrected copy of a text file is a text file. */
export function writeImportFile(
  context: WatchedContext,
  { import: id, what, folder }: ImportFileOptions,
): Promise<ImportFile> {
  return withLedger(context, async ({ ledger }) => {
    const record = await importNamed(ledger, id);
    const { language, env, watch: observer } = context;
    const extension = path.extname(record.name);
    const stem = path.basename(record.name, extension);
    const isText = /^\.(?:csv|tsv|txt)$/i.test(extension);
    const ending = what === 'corrected.xlsx' && isText ? 'corrected.csv' : what;
    const file = path.join(folder, ending);
    const download = { file, name: `${stem}-${ending}` };
    if (what === 'checked.xlsx') {
      const services = { ledger, language, observer, env };
      await readOneCheck(ledger, record, (run) => exportResult(services, run, file));
      return download;
    }
    const { cells } = await ledger.corrections.current(id, '');
    if (what === 'corrections.csv') {
      await writeText(file, correctionsText(cells));
      return download;
    }
    const { job } = await importJob(context, ledger, record);
    const connection = await connectionOf(context, record, job);
    const copy = await ledger.inputs.file({ sha256: record.inputSha256, name: record.name });
    if (copy === undefined) throw new ProductError('usage', message('imports.no_such_upload'));
    const by = new Map(cells.map((cell) => [`${cell.row} ${cell.column}`, cell]));
    const authors = (row: number, column: number) => by.get(`${row} ${column}`);
    const overlay = Overlay.of(cells);
    await writeCorrected({ job, connection, copy, overlay, authors, language, env }, file);
    return download;
  });
}
