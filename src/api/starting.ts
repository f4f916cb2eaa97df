import type { examinedData } from '../app/doctor.js';
import type { GuessInput, guessedData } from '../app/guess.js';
import type { InitializedFolder } from '../app/init.js';
import type { showJob as showsJob } from '../app/show.js';
import type { TemplateInput } from '../app/template.js';
import type { WrittenFile } from '../app/template-files.js';
import { render } from '../errors/message.js';
import { contextOf } from './context.js';
import { type CommonOptions, refuseNoText, refuseUnknownOptions } from './options.js';

// Programs that only run jobs don't load what guesses, examines or makes workbooks.

/** What was found of everything that a run needs, step by step; `ok`: a run could go on from here. */
export type Examination = ReturnType<typeof examinedData>;
/** A job file that was made from a spreadsheet's headers, and what a person should look at. */
export type GuessedJobFile = ReturnType<typeof guessedData> & { readonly notes: readonly string[] };

/**
 * Checks connection, token and clock, and changes nothing.
 * @param options.jobFile the job whose connection is meant; default what a run in the folder would use
 */
export async function doctor(
  options: CommonOptions & { readonly jobFile?: string; readonly connection?: string } = {},
): Promise<Examination> {
  refuseUnknownOptions(options, ['jobFile']);
  const app = await import('../app/doctor.js');
  const steps = app.doctor(contextOf(options), options);
  const findings: Parameters<typeof examinedData>[1][number][] = [];
  let next = await steps.next();
  for (; !next.done; next = await steps.next()) findings.push(next.value);
  return app.examinedData(next.value, findings, options.language ?? 'en');
}

/**
 * Writes a job file from a spreadsheet's headers.
 * @throws LicenseSyncError (usage) where a job file is there and no `force`, or where no operation fits
 */
export async function guessJob(
  spreadsheet: string,
  options: CommonOptions & GuessInput = {},
): Promise<GuessedJobFile> {
  refuseUnknownOptions(options, ['operation', 'encoding', 'passwordEnv', 'force']);
  const app = await import('../app/guess.js');
  const made = await app.guessJob(contextOf(options), spreadsheet, options);
  return { ...app.guessedData(made), notes: made.guess.notes.map((it) => render(it, options.language)) };
}

/** A job as it counts: each value with where it comes from, and the whole as a file that can be run. */
export type ShownJob = Awaited<ReturnType<typeof showsJob>>;

/**
 * Tells a job as it counts, with the fragments and defaults of `license-sync.yaml` and with `set`; variables stand by
 * their names, and nothing secret is told. The spreadsheet isn't looked at.
 * @param options.set as `--set`: `run.retries=2`
 * @throws LicenseSyncError (usage) where the job file is at fault
 */
export async function showJob(
  jobFile: string,
  options: CommonOptions & { readonly set?: readonly string[] } = {},
): Promise<ShownJob> {
  refuseUnknownOptions(options, ['set']);
  refuseNoText('jobFile', jobFile);
  return (await import('../app/show.js')).showJob(contextOf(options), jobFile, options);
}

/**
 * Writes a fill-in workbook for an operation or a job, with lists, notes and an example.
 * @param of the name of an operation, or the path of a job file
 * @throws LicenseSyncError (usage) where another file is there and no `force`
 */
export async function writeTemplate(
  of: string,
  options: CommonOptions & TemplateInput = {},
): Promise<readonly WrittenFile[]> {
  refuseUnknownOptions(options, ['nested', 'filled', 'force']);
  return (await import('../app/template.js')).writeTemplate(contextOf(options), of, options);
}

/** Makes a folder with a job that runs on the sandbox at once; nothing that is there is written over. */
export async function initFolder(
  folder: string,
  options: CommonOptions & { readonly operation?: string } = {},
): Promise<InitializedFolder> {
  refuseUnknownOptions(options, ['operation']);
  return (await import('../app/init.js')).initFolder(contextOf(options), folder, options);
}
