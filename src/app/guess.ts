import path from 'node:path';
import { message } from '../errors/message.js';
import { ProductError } from '../errors/product-error.js';
import type { Guess } from '../guess/compose-job.js';
import { guessJob as guessText } from '../guess/guess.js';
import { type AppContext, fileFrom } from './context.js';
import { operationOf } from './known-operation.js';
import { isThere, writeText } from './write-text.js';

export interface GuessInput {
  /** Several, `enterprise.bind,order.new_buy`, make a job of as many steps. */
  readonly operation?: string;
  /** The job file; default the spreadsheet's name in the folder of the context. */
  readonly output?: string;
  /** Of a text file. */
  readonly encoding?: string;
  /** Of an encrypted workbook: the environment variable that holds its password. */
  readonly passwordEnv?: string;
  /** Writes over a job file that is there. */
  readonly force?: boolean;
}

interface GuessedJob {
  readonly guess: Guess;
  /** The job file that was written; absolute. */
  readonly file: string;
  /** The job schema that its first line names isn't there yet; absolute. */
  readonly missingSchema?: string;
}

/** `guess`: writes a job file from a spreadsheet's headers. */
export async function guessJob(context: AppContext, input: string, wish: GuessInput): Promise<GuessedJob> {
  const { cwd, language } = context;
  const operations = wish.operation?.split(',').map((it) => operationOf(it.trim())) ?? [];
  const output = wish.output ?? `${path.basename(input, path.extname(input))}.yaml`;
  if (!/\.ya?ml$/i.test(output)) throw new ProductError('usage', message('guess.not_yaml', { file: output }));
  const jobFile = path.resolve(cwd, output);
  if (!wish.force && (await isThere(jobFile))) {
    throw new ProductError('usage', message('guess.exists', { file: output }));
  }
  const schema = await schemaFor(path.dirname(jobFile));
  const guess = await guessText({
    file: fileFrom(context, input),
    jobFile,
    schema: path.relative(path.dirname(jobFile), schema.file).split(path.sep).join('/'),
    language,
    ...(operations.length > 1 ? { steps: operations } : { operation: operations[0] }),
    encoding: wish.encoding,
    env: context.env,
    ...(wish.passwordEnv === undefined ? {} : { password: { kind: 'env', name: wish.passwordEnv } }),
  });
  const file = await writeText(jobFile, guess.text);
  return { guess, file, missingSchema: schema.there ? undefined : schema.file };
}

/** What was guessed as plain data. */
export function guessedData({ guess, file }: GuessedJob) {
  const { operation, steps, proposals, columns, lacking, unused } = guess;
  const round = (score: number): number => Math.round(score * 100) / 100;
  return {
    file,
    operation,
    ...(steps ? { steps } : {}),
    proposals: proposals.slice(0, 3).map((it) => ({ operation: it.operation, score: round(it.score) })),
    columns,
    lacking,
    unused,
  };
}

const SCHEMA = 'job.schema.json';

/** The job schema that editors check a job in a folder by: the nearest one upwards, else one that is still to be made. */
async function schemaFor(folder: string): Promise<{ readonly file: string; readonly there: boolean }> {
  for (let at = folder; ; at = path.dirname(at)) {
    const file = path.join(at, SCHEMA);
    if (await isThere(file)) return { file, there: true };
    if (at === path.dirname(at)) return { file: path.join(folder, SCHEMA), there: false };
  }
}
