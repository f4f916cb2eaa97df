import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { render } from '../../src/errors/message.js';
import { ProductError } from '../../src/errors/product-error.js';
import { loadJobFile } from '../../src/job/load.js';
import { ProblemsError, renderProblems } from '../../src/job/problem.js';
import { packSettings, unpackKept } from '../../src/ledger/stored-settings.js';
import type { Connection } from '../../src/model/connection.js';
import type { AnyJob } from '../../src/model/job.js';
import { ALL_OPERATIONS, COMPARISONS } from '../../src/platform/operations/catalogue.js';
import { Complaint } from './reading.js';

const CONNECTION: Connection = {
  name: 'sandbox',
  sandbox: true,
  token: { kind: 'sandbox' },
  timestamps: 'milliseconds',
  timezone: 'Asia/Shanghai',
  allowInsecureHttp: false,
  confirm: 'default',
  retryCode500: 'retry',
};

export type Load = (file: string) => Promise<AnyJob>;

const load: Load = (file) =>
  loadJobFile(file, {
    env: { HOME: '/home/user' },
    operations: ALL_OPERATIONS,
    comparisons: COMPARISONS,
    cwd: path.dirname(file),
  });

/** Loads a mutated job file twice: a job, or problems at places of the file. Gives `job` or the first problem's code. */
export async function checkJob(file: string, loader: Load = load): Promise<string> {
  const first = await outcome(file, loader);
  const second = await outcome(file, loader);
  if (first.text !== second.text) throw new Complaint(`loaded again: ${first.text}\nthen: ${second.text}`);
  return first.code;
}

async function outcome(
  file: string,
  loader: Load,
): Promise<{ readonly code: string; readonly text: string }> {
  let job: AnyJob;
  try {
    job = await loader(file);
  } catch (error) {
    if (error instanceof ProblemsError) return checkProblems(error, await readFile(file, 'utf8'));
    if (!(error instanceof ProductError) || error.kind !== 'usage') throw error;
    if (!error.message.includes(path.basename(file))) throw new Complaint(`no file named: ${error.message}`);
    return { code: error.detail.code, text: error.message };
  }
  // What the ledger keeps of a job must be the job.
  const settings = { job, connection: CONNECTION };
  const kept = unpackKept(JSON.parse(JSON.stringify(packSettings(settings)))) as typeof settings;
  const text = JSON.stringify(packSettings(settings));
  if (JSON.stringify(packSettings(kept)) !== text)
    throw new Complaint('the job changes on its way through the ledger');
  if (!path.isAbsolute(job.source.file)) throw new Complaint(`a relative source: ${job.source.file}`);
  return { code: 'job', text };
}

function checkProblems(
  error: ProblemsError,
  whole: string,
): { readonly code: string; readonly text: string } {
  const lines = whole.replace(/^\ufeff/, '').split('\n');
  if (error.problems.length === 0) throw new Complaint('refused without a problem');
  for (const { line, column, message } of error.problems) {
    const there = lines[line - 1];
    if (there === undefined || column < 1 || column > there.length + 1) {
      throw new Complaint(`line ${line}, column ${column} is outside the file: ${render(message)}`);
    }
    for (const language of ['en', 'zh'] as const) {
      if (!render(message, language).includes(`:${line}:${column} `))
        throw new Complaint(`no place in ${render(message)}`);
    }
  }
  return { code: error.detail.code, text: renderProblems(error.problems) };
}
