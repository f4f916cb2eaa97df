import type { examinedData } from '../app/doctor.js';
import type { GuessInput, guessedData } from '../app/guess.js';
import type { InitializedFolder } from '../app/init.js';
import type { showJob as showsJob } from '../app/jobs.js';
import type { TemplateInput } from '../app/template.js';
import type { WrittenFile } from '../app/template-files.js';
import { render } from '../errors/message.js';
import { contextOf } from './context.js';
import { type CommonOptions, checkCall } from './options.js';

// The modules for guessing, checking and templates are loaded only when needed.

/** The findings of all checks; `ok`: a run is possible. */
export type Examination = ReturnType<typeof examinedData>;
/** A job file created from a spreadsheet's headers, with notes for the user to review. */
export type GuessedJobFile = ReturnType<typeof guessedData> & { readonly notes: readonly string[] };

/**
 * Checks connection, token and clock without changing anything.
 * @param options.jobFile the job whose connection is checked; default the connection of the folder
 */
export async function doctor(
  options: CommonOptions & { readonly jobFile?: string; readonly connection?: string } = {},
): Promise<Examination> {
  checkCall(options, {}, ['jobFile']);
  const app = await import('../app/doctor.js');
  return app.examinedData(await app.doctor(contextOf(options), options), options.language ?? 'en');
}

/**
 * Writes a job file from a spreadsheet's headers.
 * @throws LicenseSyncError (usage) if the job file exists and `force` is not set, or if no operation fits
 */
export async function guessJob(
  spreadsheet: string,
  options: CommonOptions & GuessInput = {},
): Promise<GuessedJobFile> {
  checkCall(options, {}, ['operation', 'encoding', 'passwordEnv', 'force']);
  const app = await import('../app/guess.js');
  const result = await app.guessJob(contextOf(options), spreadsheet, options);
  return { ...app.guessedData(result), notes: result.guess.notes.map((it) => render(it, options.language)) };
}

/** The effective job: each value with its origin, and the whole as a runnable file. */
export type ShownJob = Awaited<ReturnType<typeof showsJob>>;

/**
 * Returns the effective job, with the fragments and defaults of `license-sync.yaml` and with `set`. Variables are shown by
 * name, and secrets are omitted. The spreadsheet is not read.
 * @param options.set as `--set`: `run.retries=2`
 * @throws LicenseSyncError (usage) if the job file is invalid
 */
export async function showJob(
  jobFile: string,
  options: CommonOptions & { readonly set?: readonly string[] } = {},
): Promise<ShownJob> {
  checkCall(options, { jobFile }, ['set']);
  return (await import('../app/jobs.js')).showJob(contextOf(options), jobFile, options);
}

/**
 * Writes a fill-in workbook for an operation or a job, with lists, notes and an example.
 * @param of the name of an operation, or the path of a job file
 * @throws LicenseSyncError (usage) if another file exists and `force` is not set
 */
export async function writeTemplate(
  of: string,
  options: CommonOptions & TemplateInput = {},
): Promise<readonly WrittenFile[]> {
  checkCall(options, {}, ['nested', 'filled', 'force']);
  return (await import('../app/template.js')).writeTemplate(contextOf(options), of, options);
}

/** Creates a folder with a job that can be run on the sandbox. Existing files are not replaced. */
export async function initFolder(
  folder: string,
  options: CommonOptions & { readonly operation?: string } = {},
): Promise<InitializedFolder> {
  checkCall(options, {}, ['operation']);
  return (await import('../app/init.js')).initFolder(contextOf(options), folder, options);
}
