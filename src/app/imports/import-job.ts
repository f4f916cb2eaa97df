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
import { sha256Of } from '../../util/file-identity.js';
import { OWN_FOLDER } from '../../util/ledger-place.js';
import type { AppContext } from '../context.js';
import { jobReading } from '../job-reading.js';

const JOB_FILE = /\.ya?ml$/i;

/** The job files that an import may choose from, by their names: those in `jobs/` beside `license-sync.yaml`. */
export async function jobFiles({ cwd }: Pick<AppContext, 'cwd'>): Promise<readonly string[]> {
  const names = await readdir(path.join(cwd, 'jobs')).catch(() => []);
  return names.filter((it) => JOB_FILE.test(it)).sort();
}

/**
 * Where the job file of that name lies; a path, or anything that is not in the folder, is none.
 * @throws ProductError usage, naming those that are there
 */
export async function jobFileNamed(context: Pick<AppContext, 'cwd'>, wanted: string): Promise<string> {
  const names = await jobFiles(context);
  const plain = wanted.startsWith('jobs/') ? wanted.slice('jobs/'.length) : wanted;
  const name = names.find((it) => it === plain) ?? names.find((it) => it.replace(JOB_FILE, '') === plain);
  if (name !== undefined) return path.join(context.cwd, 'jobs', name);
  throw new ProductError(
    'usage',
    message('imports.no_such_job', { job: wanted, jobs: names.join(', ') || '-' }),
  );
}

/**
 * A guessed job that was not saved is in the folder of the default ledger, from where the settings of the current folder are
 * found. A `.license-sync/` in the current folder would be the nearest one for its jobs.
 */
async function guessedPath({ env, cwd }: AppContext, sha256: string, name: string): Promise<string> {
  const { folder } = (await loadConnections(undefined, { env, cwd })).ledger;
  return path.join(folder, OWN_FOLDER, 'guessed', sha256.slice(0, 16), path.basename(name));
}

/** The import's job file on this machine: a guessed one is taken from the ledger where it isn't there. */
async function jobFileOf(
  { inputs }: Pick<Ledger, 'inputs'>,
  it: Import,
  context: AppContext,
): Promise<string> {
  if (!it.guessed) return it.jobFile;
  const file = await guessedPath(context, it.jobSha256, it.jobFile);
  const isThere = await access(file).then(
    () => true,
    () => false,
  );
  if (!isThere) {
    const kept = { sha256: it.jobSha256, name: path.basename(it.jobFile) };
    await writeAtomically(file, async (sink) => {
      for await (const bytes of inputs.bytes(kept)) sink.write(bytes);
    });
  }
  return file;
}

/** What an import's job is, read by the import's file: the file that the job itself names is not looked at. */
export interface ImportJob {
  readonly job: SendingJob;
  /** Of its file as it is now. */
  readonly sha256: string;
}

/**
 * Loads the job of an import and turns it to the import's file and sheet.
 * @throws ProductError usage where it can't be loaded, or is one that compares
 */
export async function importJob(
  context: AppContext,
  ledger: Pick<Ledger, 'inputs' | 'stateFolder'>,
  it: Import,
): Promise<ImportJob> {
  const file = await jobFileOf(ledger, it, context);
  const loaded = await loadSendingJob(file, jobReading(context));
  const { pattern: _, ...source } = loaded.source;
  const output = it.guessed ? { file: path.join(context.cwd, 'results', '{job}-{run}.xlsx') } : loaded.output;
  const job: SendingJob = {
    ...loaded,
    output,
    source: {
      ...source,
      file: importedFile(ledger, it),
      ...(it.sheet === undefined ? {} : { sheet: it.sheet }),
    },
  };
  return { job, sha256: await sha256Of(file) };
}

/** What runs call the file: where a ledger in a file keeps it. On a server nothing lies there, and the ledger has it. */
export function importedFile(
  { stateFolder }: Pick<Ledger, 'stateFolder'>,
  { inputSha256, name }: Pick<Import, 'inputSha256' | 'name'>,
): string {
  return path.join(inputsFolder(stateFolder), inputSha256, path.basename(name));
}

/** @throws ProductError usage when the ledger has no import of that id */
export async function importNamed(
  { imports, location }: Pick<Ledger, 'imports' | 'location'>,
  id: string,
): Promise<Import> {
  const found = await imports.get(id);
  if (found) return found;
  throw new ProductError('usage', message('imports.no_such_import', { import: id, location }));
}
