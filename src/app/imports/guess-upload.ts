import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { message, render } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';
import type { Guess } from '../../guess/compose-job.js';
import { guessJob } from '../../guess/guess.js';
import { loadConnections } from '../../job/connections.js';
import { editedJob } from '../../job/edit-map.js';
import type { KeptInput } from '../../ledger/contract/inputs.js';
import type { Ledger } from '../../ledger/contract/ledger.js';
import type { SecretSource } from '../../util/secret-source.js';
import { type AppContext, wordsOf } from '../context.js';
import { operationOf } from '../input-values.js';
import { type OpenedLedger, withLedger } from '../with-ledger.js';
import { importNamed } from './import-job.js';
import { withPasswords } from './upload.js';

export interface GuessOptions {
  /** SHA-256 of the uploaded file. */
  readonly upload: string;
  /** Several, separated by commas, create a job with one step each. */
  readonly operation?: string | undefined;
  readonly sheet?: string | undefined;
}

/** The guess for an uploaded file, with the text of its job file. Nothing is saved. */
export interface GuessedUpload extends Pick<Guess, 'operation' | 'steps' | 'columns'> {
  /** A name for the job file. */
  readonly file: string;
  readonly yaml: string;
  /** Notes for the user to review. */
  readonly notes: readonly string[];
}

/** @throws ProductError usage if the file fits no operation, or is not stored here */
export function guessUpload(context: AppContext, options: GuessOptions): Promise<GuessedUpload> {
  const guessStored = async ({ ledger }: OpenedLedger): Promise<GuessedUpload> => {
    const { name, file } = await uploadedFile(ledger, options.upload);
    const operations = options.operation?.split(',').map((it) => operationOf(it.trim())) ?? [];
    const jobFile = `${path.basename(name, path.extname(name))}.yaml`;
    const { cwd, env, language } = context;
    const connections = await loadConnections(undefined, { env, cwd });
    const { defaultConnection: connection } = connections;
    const guessWith = (password?: SecretSource) =>
      guessJob({
        file,
        called: path.join(cwd, name),
        jobFile: path.join(cwd, 'jobs', jobFile),
        schema: '../job.schema.json',
        language,
        sheet: options.sheet,
        connection,
        ...(operations.length > 1 ? { steps: operations } : { operation: operations[0] }),
        env,
        password,
      });
    const guess = await withPasswords(context, name, guessWith);
    const notes = guess.notes.map((it) => render(it, wordsOf(context)));
    const { operation, steps, columns, text: yaml } = guess;
    return { file: jobFile, yaml, notes, operation, steps, columns };
  };
  return withLedger(context, guessStored, { act: 'import' });
}

/** The path of an uploaded file, readable until the input is released, and its name. @throws ProductError usage if it is not stored here */
export async function uploadedFile(
  { imports, inputs }: Pick<Ledger, 'imports' | 'inputs'>,
  sha256: string,
  name?: string,
): Promise<{ readonly name: string; readonly file: string; readonly kept: KeptInput }> {
  const [upload] = await imports.uploads(sha256);
  // Only uploaded files: inputs of other runs cannot be read through an upload.
  const input = upload && { sha256, name: upload.name };
  const file = input && (await inputs.file(input));
  if (file === undefined) throw new ProductError('usage', message('imports.no_such_upload'));
  return { name: name ?? input!.name, file, kept: input! };
}

export async function storeGuessedJob(
  { inputs }: Pick<Ledger, 'inputs'>,
  { file, yaml }: Pick<GuessedUpload, 'file' | 'yaml'>,
): Promise<string> {
  const bytes = async function* (): AsyncGenerator<Uint8Array> {
    yield Buffer.from(yaml);
  };
  return (await inputs.put(file, bytes())).sha256;
}

const JOB_NAME = /^[\p{L}\p{N}][\p{L}\p{N}_-]{0,59}$/u;

/**
 * Saves the unsaved job of an import as a new file in `jobs/`. The import uses that file from then on.
 * @returns its path relative to the folder
 * @throws ProductError usage if a file of that name exists: files are never overwritten
 */
export function saveImportedJob(context: AppContext, id: string, name: string): Promise<string> {
  const save = async ({ ledger }: OpenedLedger): Promise<string> => {
    const record = await importNamed(ledger, id);
    if (!record.guessed) {
      const params = { file: path.relative(context.cwd, record.jobFile) };
      throw new ProductError('usage', message('imports.nothing_saved', params));
    }
    const chunks: Uint8Array[] = [];
    const input = { sha256: record.jobSha256, name: path.basename(record.jobFile) };
    for await (const chunk of ledger.inputs.bytes(input)) chunks.push(chunk);
    const file = await saveJob(context, name, Buffer.concat(chunks).toString('utf8'));
    await ledger.imports.patch(id, { jobFile: path.join(context.cwd, file), guessed: false });
    return file;
  };
  return withLedger(context, save, { act: 'import' });
}

/**
 * Writes a new file in `jobs/`. A schedule is removed, because the copy would run in addition to the job.
 * @returns its path relative to the folder
 * @throws ProductError usage if a file of that name exists: files are never overwritten
 */
export async function saveJob(
  { cwd }: Pick<AppContext, 'cwd'>,
  name: string,
  yaml: string,
  connection?: string,
): Promise<string> {
  const stem = name.replace(/\.ya?ml$/i, '');
  if (!JOB_NAME.test(stem)) throw new ProductError('usage', message('imports.job_name', { name }));
  const set = connection === undefined ? [] : [[['connection'], connection] as const];
  const text = set.length > 0 || /^schedule\s*:/m.test(yaml) ? editedJob(yaml, { set }) : yaml;
  await writeNew(path.join(cwd, 'jobs', `${stem}.yaml`), Buffer.from(text));
  return path.posix.join('jobs', `${stem}.yaml`);
}

async function writeNew(file: string, bytes: Uint8Array): Promise<void> {
  try {
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, bytes, { flag: 'wx', flush: true });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST')
      throw new ProductError('usage', message('imports.job_exists', { file: path.basename(file) }));
    if (code === undefined) throw error;
    throw new ProductError('usage', message('guess.unwritable', { file, reason: code }), { cause: error });
  }
}
