import path from 'node:path';
import { message } from '../errors/message.js';
import { ProductError } from '../errors/product-error.js';
import type { Guess } from '../guess/compose-job.js';
import { guessJob as guessText } from '../guess/guess.js';
import { type AppContext, fileFrom } from './context.js';
import { operationOf } from './input-values.js';
import { isThere, writeText } from './write-text.js';

export interface GuessInput {
  /** Several, such as `enterprise.bind,order.new_buy`, create a job with one step each. */
  readonly operation?: string;
  /** The job file; default the spreadsheet's name in the folder of the context. */
  readonly output?: string;
  /** Of a text file. */
  readonly encoding?: string;
  /** The environment variable with the password of an encrypted workbook. */
  readonly passwordEnv?: string;
  /** Replaces an existing job file. */
  readonly force?: boolean;
}

interface GuessedJob {
  readonly guess: Guess;
  /** The job file that was written; absolute. */
  readonly file: string;
  /** Absolute path of the job schema that the first line names, if it does not exist. */
  readonly missingSchema?: string;
}

/** `guess`: writes a job file from a spreadsheet's headers. */
export async function guessJob(context: AppContext, input: string, options: GuessInput): Promise<GuessedJob> {
  const { cwd, language } = context;
  const operations = options.operation?.split(',').map((it) => operationOf(it.trim())) ?? [];
  const output = options.output ?? `${path.basename(input, path.extname(input))}.yaml`;
  if (!/\.ya?ml$/i.test(output)) throw new ProductError('usage', message('guess.not_yaml', { file: output }));
  const jobFile = path.resolve(cwd, output);
  if (!options.force && (await isThere(jobFile))) {
    throw new ProductError('usage', message('guess.exists', { file: output }));
  }
  const schema = await schemaFor(path.dirname(jobFile));
  const guess = await guessText({
    file: fileFrom(context, input),
    jobFile,
    schema: path.relative(path.dirname(jobFile), schema.file).split(path.sep).join('/'),
    language,
    ...(operations.length > 1 ? { steps: operations } : { operation: operations[0] }),
    encoding: options.encoding,
    env: context.env,
    ...(options.passwordEnv === undefined ? {} : { password: { kind: 'env', name: options.passwordEnv } }),
  });
  const file = await writeText(jobFile, guess.text);
  return { guess, file, missingSchema: schema.there ? undefined : schema.file };
}

/** The guess as plain data. */
export function guessedData({ guess, file }: GuessedJob) {
  const { operation, steps, proposals, columns, lacking, unused } = guess;
  const round = (score: number): number => Math.round(score * 100) / 100;
  return {
    file,
    operation,
    steps,
    proposals: proposals.slice(0, 3).map((it) => ({ operation: it.operation, score: round(it.score) })),
    columns,
    lacking,
    unused,
  };
}

const SCHEMA = 'job.schema.json';

/** The job schema for editors: the nearest one upwards, otherwise a path in the folder itself. */
async function schemaFor(folder: string): Promise<{ readonly file: string; readonly there: boolean }> {
  for (let parent = folder; ; parent = path.dirname(parent)) {
    const file = path.join(parent, SCHEMA);
    if (await isThere(file)) return { file, there: true };
    if (parent === path.dirname(parent)) return { file: path.join(folder, SCHEMA), there: false };
  }
}
