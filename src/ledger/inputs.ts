import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { message } from '../errors/message.js';
import { ProductError } from '../errors/product-error.js';
import type { KeptCorrections } from '../model/correction.js';
import type { InputStore, KeptInput } from './contract/inputs.js';
import type { Ledger } from './contract/ledger.js';
import type { Run } from './contract/run.js';
import { prunableInputs } from './rules/pruning.js';

type FromInput = Pick<Run, 'id' | 'inputFile' | 'inputSha256'>;

/** Of the kept corrections: as every kept input, each has a name beside its digest. */
export const OVERLAY_NAME = 'corrections.json';
export const AUTHORS_NAME = 'corrections-by.json';

/** All kept inputs that a run is read from. Of a pruned run too: it remembers their digests. */
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

/** An input file can't be kept: there is none, or it changed while it was read. */
export class InputNotKeptError extends ProductError {
  readonly why: 'missing' | 'changed';

  constructor(why: 'missing' | 'changed', file: string) {
    if (why === 'missing') super('usage', message('cli.file_missing', { file }));
    else super('input', message('run.input_changed', { file }));
    this.why = why;
  }
}

/**
 * Keeps an input file in the ledger, as a run is to be made from it.
 * @throws InputNotKeptError when the file is missing, or changes while it is being read
 */
export async function keepInput(inputs: Pick<InputStore, 'put'>, file: string): Promise<KeptInput> {
  const before = await stat(file).catch(() => undefined);
  if (!before?.isFile()) throw new InputNotKeptError('missing', file);
  const unchanged = async function* (): AsyncGenerator<Uint8Array> {
    yield* createReadStream(file, { highWaterMark: 1 << 20 });
    const after = await stat(file);
    if (after.size !== before.size || after.mtimeMs !== before.mtimeMs) {
      throw new InputNotKeptError('changed', file);
    }
  };
  return inputs.put(basename(file), unchanged());
}

/**
 * Where the kept input of a run can be read as a local file. If it is gone, the original is read while it is unchanged.
 * @throws ProductError internal when it is gone
 */
export async function inputOf(inputs: InputStore, run: FromInput): Promise<string> {
  const file = (await inputs.file(keptInputOf(run))) ?? (await originalOf(run));
  if (file === undefined) throw inputGone(inputs, run);
  return file;
}

/**
 * The same, its bytes compared with what the run was planned from: rows of another file must not be told as this one's.
 * @throws ProductError internal when it is gone or altered
 */
export async function checkedInputOf(inputs: InputStore, run: FromInput): Promise<string> {
  const file = await inputs.file(keptInputOf(run));
  if (file === undefined) return inputOf(inputs, run);
  const hash = createHash('sha256');
  for await (const chunk of inputs.bytes(keptInputOf(run))) hash.update(chunk);
  if (hash.digest('hex') === run.inputSha256) return file;
  await letGoOf(inputs, run);
  throw inputGone(inputs, run);
}

/** The file that the run was planned from, where it is unchanged; undefined otherwise. */
async function originalOf({ inputFile, inputSha256 }: FromInput): Promise<string | undefined> {
  try {
    const hash = createHash('sha256');
    for await (const chunk of createReadStream(inputFile)) hash.update(chunk);
    return hash.digest('hex') === inputSha256 ? inputFile : undefined;
  } catch {
    return undefined;
  }
}

/** Whoever was given a run's input by these reads it no more. */
export function letGoOf(inputs: InputStore, run: FromInput): Promise<void> {
  return inputs.letGo(keptInputOf(run));
}

function keptInputOf({ inputFile, inputSha256 }: FromInput): KeptInput {
  return { sha256: inputSha256, name: basename(inputFile) };
}

function inputGone(inputs: InputStore, run: FromInput): ProductError {
  const params = { run: run.id, file: inputs.place(keptInputOf(run)) };
  return new ProductError('internal', message('run.input_gone', params));
}

/**
 * Removes imports and uploads from before a time, and the kept inputs that nothing is made of any more: those of pruned
 * runs, and of the imports. Gives how many inputs were removed.
 * @param now milliseconds since 1970
 * @param before what was put in earlier goes; absent: only inputs of pruned runs
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
