import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { message } from '../errors/message.js';
import { ProductError } from '../errors/product-error.js';
import type { KeptCorrections } from '../model/row.js';
import { sha256Of, sha256OfBytes } from '../util/files.js';
import type { InputStore, KeptInput } from './contract/inputs.js';
import type { Ledger } from './contract/ledger.js';
import type { Run } from './contract/runs.js';
import { prunableInputs } from './rules/pruning.js';

type FromInput = Pick<Run, 'id' | 'inputFile' | 'inputSha256'>;

/** Names of the kept corrections: every kept input has a name and a digest. */
export const OVERLAY_NAME = 'corrections.json';
export const AUTHORS_NAME = 'corrections-by.json';

/** All kept inputs of a run. A pruned run still has their digests. */
export function keptInputsOf({
  inputFile,
  inputSha256,
  settings,
}: Pick<Run, 'inputFile' | 'inputSha256' | 'settings'>): readonly KeptInput[] {
  const input = { sha256: inputSha256, name: basename(inputFile) };
  const corrections = settings.corrections as KeptCorrections | undefined;
  if (!corrections) return [input];
  const { sha256, authors } = corrections;
  return [input, { sha256, name: OVERLAY_NAME }, { sha256: authors, name: AUTHORS_NAME }];
}

/** An input file can't be kept: it is missing, or it changed while it was read. */
export class InputNotKeptError extends ProductError {
  readonly why: 'missing' | 'changed';

  constructor(why: 'missing' | 'changed', file: string) {
    if (why === 'missing') super('usage', message('cli.file_missing', { file }));
    else super('input', message('run.input_changed', { file }));
    this.why = why;
  }
}

/**
 * Keeps an input file in the ledger for a new run.
 * @throws InputNotKeptError when the file is missing, or changes while it is being read
 * @throws ProductError usage if it is a folder
 */
export async function keepInput(inputs: Pick<InputStore, 'put'>, file: string): Promise<KeptInput> {
  const before = await stat(file).catch(() => undefined);
  if (before?.isDirectory()) throw new ProductError('usage', message('source.file_is_folder', { file }));
  if (!before?.isFile()) throw new InputNotKeptError('missing', file);
  const unchanged = async function* (): AsyncGenerator<Uint8Array> {
    yield* createReadStream(file, { highWaterMark: 1 << 20 });
    const after = await stat(file);
    if (after.size !== before.size || after.mtimeMs !== before.mtimeMs)
      throw new InputNotKeptError('changed', file);
  };
  return inputs.put(basename(file), unchanged());
}

/**
 * The path of a local file with the kept input of a run. If the input is lost, the original file is used if it is unchanged.
 * @throws ProductError internal when both are missing
 */
export async function inputOf(inputs: InputStore, run: FromInput): Promise<string> {
  const file = (await inputs.file(keptInputOf(run))) ?? (await originalOf(run));
  if (file === undefined) throw inputMissing(inputs, run);
  return file;
}

/**
 * Like `inputOf`, but checks the digest: rows of another file must not be reported as this file's.
 * @throws ProductError internal when it is missing or altered
 */
export async function checkedInputOf(inputs: InputStore, run: FromInput): Promise<string> {
  const file = await inputs.file(keptInputOf(run));
  if (file === undefined) return inputOf(inputs, run);
  if ((await sha256OfBytes(inputs.bytes(keptInputOf(run)))) === run.inputSha256) return file;
  await releaseInput(inputs, run);
  throw inputMissing(inputs, run);
}

/** The original file of the run, if it is unchanged. */
async function originalOf({ inputFile, inputSha256 }: FromInput): Promise<string | undefined> {
  return (await sha256Of(inputFile).catch(() => undefined)) === inputSha256 ? inputFile : undefined;
}

/** Releases a file returned by `inputOf` or `checkedInputOf`. */
export function releaseInput(inputs: InputStore, run: FromInput): Promise<void> {
  return inputs.release(keptInputOf(run));
}

function keptInputOf({ inputFile, inputSha256 }: FromInput): KeptInput {
  return { sha256: inputSha256, name: basename(inputFile) };
}

function inputMissing(inputs: InputStore, run: FromInput): ProductError {
  const params = { run: run.id, file: inputs.place(keptInputOf(run)) };
  return new ProductError('internal', message('run.input_gone', params));
}

/**
 * Removes old imports and uploads, and the kept inputs that are no longer needed: those of pruned runs and removed imports.
 * @param now milliseconds since 1970
 * @param before remove older imports and uploads; absent: only inputs of pruned runs
 * @returns the number of inputs removed
 */
export async function pruneInputs(
  { runs, inputs, imports }: Ledger,
  now: number,
  before?: number,
): Promise<number> {
  const left = before === undefined ? [] : await imports.prune(before);
  const all = (await runs.list(Number.MAX_SAFE_INTEGER)).map((run) => ({
    prunedAt: run.prunedAt,
    inputs: keptInputsOf(run).map(({ sha256 }) => sha256),
  }));
  const needed = await imports.files();
  const prunable = prunableInputs(all, await inputs.list(), now, { left, needed });
  for (const sha256 of prunable) await inputs.remove(sha256);
  return prunable.length;
}
