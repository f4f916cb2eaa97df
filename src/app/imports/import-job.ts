import { access, readdir } from 'node:fs/promises';
import path from 'node:path';
import { message } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';
import { loadConnections } from '../../job/connections.js';
import { loadSendingJob } from '../../job/load.js';
import type { Import } from '../../ledger/contract/imports.js';
import type { Ledger } from '../../ledger/contract/ledger.js';
import { inputsFolder } from '../../ledger/files/inputs.js';
import type { SendingJob } from '../../model/job.js';
import { writeAtomically } from '../../util/atomic-file.js';
import { sha256Of } from '../../util/files.js';
import { OWN_FOLDER } from '../../util/ledger-address.js';
import type { AppContext } from '../context.js';
import { jobReading } from '../job-input.js';

const JOB_FILE = /\.ya?ml$/i;

/** Names of the job files that an import may use: those in `jobs/` of the current folder. */
export async function jobFiles({ cwd }: Pick<AppContext, 'cwd'>): Promise<readonly string[]> {
  const names = await readdir(path.join(cwd, 'jobs')).catch(() => []);
  return names.filter((it) => JOB_FILE.test(it)).sort();
}

/**
 * The path of a job file by its name. Paths and names that are not in the folder are refused.
 * @throws ProductError usage, naming those that exist
 */
export async function jobFileNamed(context: Pick<AppContext, 'cwd'>, job: string): Promise<string> {
  const names = await jobFiles(context);
  const plain = job.startsWith('jobs/') ? job.slice('jobs/'.length) : job;
  const name = names.find((it) => it === plain) ?? names.find((it) => it.replace(JOB_FILE, '') === plain);
  if (name !== undefined) return path.join(context.cwd, 'jobs', name);
  throw new ProductError('usage', message('imports.no_such_job', { job, jobs: names.join(', ') || '-' }));
}

/**
 * An unsaved guessed job is stored in the folder of the default ledger, from which the settings of the current folder are
 * found. A `.license-sync/` in the current folder would become the nearest one for its jobs.
 */
async function guessedPath({ env, cwd }: AppContext, sha256: string, name: string): Promise<string> {
  const { folder } = (await loadConnections(undefined, { env, cwd })).ledger;
  return path.join(folder, OWN_FOLDER, 'guessed', sha256.slice(0, 16), path.basename(name));
}

/** The import's job file on this machine. An unsaved one is written from the ledger if it is missing. */
async function jobFileOf(
  { inputs }: Pick<Ledger, 'inputs'>,
  record: Import,
  context: AppContext,
): Promise<string> {
  if (!record.guessed) return record.jobFile;
  const file = await guessedPath(context, record.jobSha256, record.jobFile);
  const isThere = await access(file).then(
    () => true,
    () => false,
  );
  if (!isThere) {
    const kept = { sha256: record.jobSha256, name: path.basename(record.jobFile) };
    await writeAtomically(file, async (sink) => {
      for await (const bytes of inputs.bytes(kept)) sink.write(bytes);
    });
  }
  return file;
}

/** The job of an import. It reads the import's file instead of the file that the job names. */
export interface ImportJob {
  readonly job: SendingJob;
  /** Digest of the current job file. */
  readonly sha256: string;
}

/**
 * Loads the job of an import and sets the import's file and sheet as its source.
 * @throws ProductError usage if it cannot be loaded or is a reconcile job
 */
export async function importJob(
  context: AppContext,
  ledger: Pick<Ledger, 'inputs' | 'stateFolder'>,
  record: Import,
): Promise<ImportJob> {
  const file = await jobFileOf(ledger, record, context);
  // The paths of an unsaved job are relative to the folder that it would be saved in.
  const reading = { ...jobReading(context), folder: path.dirname(record.jobFile) };
  const loaded = await loadSendingJob(file, reading);
  const { pattern: _, ...source } = loaded.source;
  const job: SendingJob = {
    ...loaded,
    source: {
      ...source,
      file: importedFile(ledger, record),
      sheet: record.sheet ?? source.sheet,
    },
  };
  return { job, sha256: await sha256Of(file) };
}

/** The input path of the import's runs. On a file ledger the copy is stored there; on a server only the ledger has it. */
export function importedFile(
  { stateFolder }: Pick<Ledger, 'stateFolder'>,
  { inputSha256, name }: Pick<Import, 'inputSha256' | 'name'>,
): string {
  return path.join(inputsFolder(stateFolder), inputSha256, path.basename(name));
}

/** @throws ProductError usage if the ledger has no import with this id */
export async function importNamed(
  { imports, location }: Pick<Ledger, 'imports' | 'location'>,
  id: string,
): Promise<Import> {
  const found = await imports.get(id);
  if (found) return found;
  throw new ProductError('usage', message('imports.no_such_import', { import: id, location }));
}
