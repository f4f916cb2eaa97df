import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { message, render } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';
import { guessJob } from '../../guess/guess.js';
import type { KeptInput } from '../../ledger/contract/inputs.js';
import type { Ledger } from '../../ledger/contract/ledger.js';
import type { SecretSource } from '../../model/notification.js';
import { type AppContext, wordsOf } from '../context.js';
import { guessedData } from '../guess.js';
import { operationOf } from '../known-operation.js';
import { type OpenedLedger, withLedger } from '../open.js';
import { importNamed } from './import-job.js';
import { withPasswords } from './upload.js';

export interface GuessWish {
  /** Of the file that was put in. */
  readonly upload: string;
  /** Several with commas make a job of as many steps. */
  readonly operation?: string | undefined;
}

/** What was guessed from an uploaded file, with the job file that would come of it. Nothing is saved. */
export type GuessedUpload = Omit<ReturnType<typeof guessedData>, 'file'> & {
  /** A name for the job file. */
  readonly file: string;
  readonly yaml: string;
  /** For the person to look at. */
  readonly notes: readonly string[];
};

/** @throws ProductError usage where the file fits no operation, or is not here */
export function guessUpload(context: AppContext, wish: GuessWish): Promise<GuessedUpload> {
  const guessed = async ({ ledger }: OpenedLedger): Promise<GuessedUpload> => {
    const { name, file } = await uploadedFile(ledger, wish.upload);
    const operations = wish.operation?.split(',').map((it) => operationOf(it.trim())) ?? [];
    const jobFile = `${path.basename(name, path.extname(name))}.yaml`;
    const { cwd, env, language } = context;
    const guessWith = (password?: SecretSource) =>
      guessJob({
        file,
        called: path.join(cwd, name),
        jobFile: path.join(cwd, 'jobs', jobFile),
        schema: '../job.schema.json',
        language,
        ...(operations.length > 1 ? { steps: operations } : { operation: operations[0] }),
        env,
        password,
      });
    const guess = await withPasswords(context, name, guessWith);
    const notes = guess.notes.map((it) => render(it, wordsOf(context)));
    return { ...guessedData({ guess, file: jobFile }), yaml: guess.text, notes };
  };
  return withLedger(context, guessed, { act: 'import' });
}

/** Where an uploaded file can be read until it is let go of, and its name. @throws ProductError usage where it is not here (any more) */
export async function uploadedFile(
  { imports, inputs }: Pick<Ledger, 'imports' | 'inputs'>,
  sha256: string,
  name?: string,
): Promise<{ readonly name: string; readonly file: string; readonly kept: KeptInput }> {
  const [upload] = await imports.uploads(sha256);
  // Only what was put in here: other inputs are not for guessing at.
  const kept = upload && { sha256, name: upload.name };
  const file = kept && (await inputs.file(kept));
  if (file === undefined) throw new ProductError('usage', message('imports.no_such_upload'));
  return { name: name ?? kept!.name, file, kept: kept! };
}

/** Keeps a guessed job in the ledger, for as long as its import. */
export async function keepGuessed(
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
 * Saves the guessed job of an import as a new file in `jobs/`, and the import is read by that from now on.
 * @returns its path from the folder
 * @throws ProductError usage where a file of that name is there: nothing is ever written over
 */
export function saveGuessedJob(context: AppContext, id: string, wanted: string): Promise<string> {
  const save = async ({ ledger }: OpenedLedger): Promise<string> => {
    const it = await importNamed(ledger, id);
    if (!it.guessed) {
      const params = { file: path.relative(context.cwd, it.jobFile) };
      throw new ProductError('usage', message('imports.nothing_saved', params));
    }
    const stem = wanted.replace(/\.ya?ml$/i, '');
    if (!JOB_NAME.test(stem)) throw new ProductError('usage', message('imports.job_name', { name: wanted }));
    const jobFile = path.join(context.cwd, 'jobs', `${stem}.yaml`);
    const pieces: Uint8Array[] = [];
    const kept = { sha256: it.jobSha256, name: path.basename(it.jobFile) };
    for await (const piece of ledger.inputs.bytes(kept)) pieces.push(piece);
    await writeNew(jobFile, Buffer.concat(pieces));
    await ledger.imports.patch(id, { jobFile, guessed: false });
    return path.posix.join('jobs', `${stem}.yaml`);
  };
  return withLedger(context, save, { act: 'import' });
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
