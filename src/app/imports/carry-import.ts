import { rm } from 'node:fs/promises';
import path from 'node:path';
import { message } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';
import { applyChanges, type JobChanges } from '../../job/job-changes.js';
import type { Import } from '../../ledger/contract/imports.js';
import type { Ledger } from '../../ledger/contract/ledger.js';
import type { Run } from '../../ledger/contract/run.js';
import { cellsPath, tidyCells } from '../../run/cells/cells-folder.js';
import { writeCells } from '../../run/cells/write-cells.js';
import { correctionsText } from '../../run/corrections/corrections-file.js';
import { Overlay } from '../../run/corrections/overlay.js';
import { writeCorrected } from '../../run/corrections/write-corrected.js';
import { exportResult } from '../../run/report/export-result.js';
import type { RunServices } from '../../run/run-context.js';
import { EndUntoldError, type RunEnd } from '../../run/run-end.js';
import { startRun } from '../../run/run-job.js';
import { unpackAny } from '../../run/settings.js';
import { systemClock } from '../../util/clock.js';
import type { CarriedRun, WatchedContext } from '../context.js';
import { ledgerLocation, runNamed, withLedger } from '../open.js';
import { inRunFrame } from '../run-frame.js';
import { writeText } from '../write-text.js';
import { importJob, importNamed } from './import-job.js';
import { checkOf, connectionOf } from './imports.js';

/**
 * Checks a whole import: a run that only checks, whose rows are kept where a grid finds them. The check before it goes: it
 * holds the same rows. Look-ups count as given unless somebody wants them asked.
 */
export function checkImport(context: WatchedContext, id: string): Promise<CarriedRun> {
  return carry(context, id, 'validate', async (parts, start) => {
    const { ledger } = parts;
    const cells = (run: string) => cellsPath(ledger.stateFolder, run);
    let isTold = false;
    const end = await start('dry_run', {
      ...parts,
      writeReport: async (run, settings) => {
        const written = await writeCells(parts, run, settings, cells(run.id));
        isTold = true;
        return written;
      },
    });
    if (end.status === 'interrupted') return end;
    if (!isTold) {
      // Whoever looks at it would wait for ever otherwise, and have it begun again each time.
      if (end.reason) await ledger.imports.patch(id, { failure: [end.reason] });
      return end;
    }
    const last = (await ledger.imports.get(id))?.checkRun;
    await ledger.imports.patch(id, { checkRun: end.run });
    if (last !== undefined) await forget(ledger, last);
    await tidyCells(ledger.stateFolder);
    return end;
  });
}

/**
 * Makes a kept plan of an import with its corrections; look-ups are asked.
 * @param changes as the flags of `plan` change a job
 */
export function planImport(
  context: WatchedContext,
  id: string,
  changes: Pick<JobChanges, 'onInvalid'> = {},
): Promise<CarriedRun> {
  const plan = async (parts: RunServices, start: Start): Promise<RunEnd> => {
    const end = await start('plan', parts);
    // One whose invalid rows hold it back is a plan as well: it says what has to be mended.
    if (end.exitCode === 0 || end.status === 'completed' || end.status === 'invalid')
      await parts.ledger.imports.patch(id, { planRun: end.run });
    return end;
  };
  return carry(context, id, 'plan', plan, changes);
}

/** Makes the cells of a run again that are not on this machine (any more). */
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

function carry(
  context: WatchedContext,
  id: string,
  act: 'validate' | 'plan',
  work: (parts: RunServices, start: Start) => Promise<RunEnd>,
  changes: JobChanges = {},
): Promise<CarriedRun> {
  return inRunFrame(context, {}, async (frame) => {
    const location = await ledgerLocation(context);
    return frame.withLedgerForNewRun(location, act, async (parts) => {
      const { ledger } = parts;
      const it = await importNamed(ledger, id);
      try {
        const { job, sha256 } = await importJob(context, ledger, it);
        if (sha256 !== it.jobSha256) await ledger.imports.patch(id, { jobSha256: sha256 });
        const { connection } = await frame.resolvePlace(job, false, it.connection);
        const { cells } = await ledger.corrections.current(id, '');
        return await work(parts, (kind, services) =>
          startRun(services, applyChanges(job, changes), connection, kind, {
            offline: kind === 'dry_run' && !it.lookups ? true : undefined,
            ...(cells.length > 0 ? { corrections: { cells } } : {}),
            inputSha256: it.inputSha256,
            import: id,
          }),
        );
      } catch (error) {
        // What a person can do something about; they look at the import, not at this process. Whoever plans hears it
        // themselves, and the check stays as it is.
        const isChecks = act === 'validate' && !(error instanceof EndUntoldError);
        if (isChecks && error instanceof ProductError && error.kind !== 'safety')
          await ledger.imports.patch(id, { failure: [error.detail, ...error.others] });
        throw error;
      }
    });
  });
}

/** Takes a check away that another one of the same import has taken the place of. */
async function forget({ runs, stateFolder }: Ledger, run: string): Promise<void> {
  await runs.prune(systemClock.now() + 1, [run]);
  await rm(cellsPath(stateFolder, run), { force: true });
}

export interface ImportFileWish {
  readonly import: string;
  readonly what: 'checked.xlsx' | 'corrected.xlsx' | 'corrections.csv';
  /** Where it is written; absolute. */
  readonly folder: string;
}

/** A file that an import is taken home as: where it was written, and what it should be called. */
export interface ImportFile {
  readonly file: string;
  readonly name: string;
}

/** So often another check may take the place of the one that is being written. */
const MOST_CHECKS = 5;

/**
 * Lets the last check be read. One that another takes the place of meanwhile is taken away under the reader's hands: then
 * what was read may lack rows, and is read anew of the one that took its place.
 */
async function ofOneCheck(ledger: Ledger, it: Import, read: (run: Run) => Promise<unknown>): Promise<void> {
  const last = async (): Promise<string> => checkOf(await importNamed(ledger, it.id));
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

/** Writes what an import is taken home as. The corrected copy of a text file is one, too. */
export function writeImportFile(
  context: WatchedContext,
  { import: id, what, folder }: ImportFileWish,
): Promise<ImportFile> {
  return withLedger(context, async ({ ledger }) => {
    const it = await importNamed(ledger, id);
    const { language, env, watch: observer } = context;
    const extension = path.extname(it.name);
    const stem = path.basename(it.name, extension);
    const isText = /^\.(?:csv|tsv|txt)$/i.test(extension);
    const ending = what === 'corrected.xlsx' && isText ? 'corrected.csv' : what;
    const file = path.join(folder, ending);
    const told = { file, name: `${stem}-${ending}` };
    if (what === 'checked.xlsx') {
      const services = { ledger, language, observer, env };
      await ofOneCheck(ledger, it, (run) => exportResult(services, run, file));
      return told;
    }
    const { cells } = await ledger.corrections.current(id, '');
    if (what === 'corrections.csv') {
      await writeText(file, correctionsText(cells));
      return told;
    }
    const { job } = await importJob(context, ledger, it);
    const connection = await connectionOf(context, it, job);
    const copy = await ledger.inputs.file({ sha256: it.inputSha256, name: it.name });
    if (copy === undefined) throw new ProductError('usage', message('imports.no_such_upload'));
    const by = new Map(cells.map((cell) => [`${cell.row} ${cell.column}`, cell]));
    const authors = (row: number, column: number) => by.get(`${row} ${column}`);
    const overlay = Overlay.of(cells);
    await writeCorrected({ job, connection, copy, overlay, authors, language, env }, file);
    return told;
  });
}
