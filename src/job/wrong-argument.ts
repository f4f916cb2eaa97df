import { statSync } from 'node:fs';
import { basename, isAbsolute, relative, resolve } from 'node:path';
import { type Message, message } from '../errors/message.js';

/** What an argument must name. Plans are runs: both have the same ids. */
export type ExpectedArgument = 'job' | 'run' | 'operation';

type Kind = 'spreadsheet' | 'folder' | 'run' | 'job';

const SPREADSHEET = /\.(xlsx|xlsm|xlsb|xls|ods|csv|tsv)$/i;
const RUN = /^\d{8}-\d{6}-[0-9a-f]{6}(-\d+)?$/;
const JOB = /\.ya?ml$/i;

const MISSING = {
  job: 'argument.no_job',
  run: 'argument.no_run',
  operation: 'argument.no_operation',
} as const;
const GIVEN = {
  spreadsheet: 'argument.is_spreadsheet',
  folder: 'argument.is_folder',
  run: 'argument.is_run',
  job: 'argument.is_job',
} as const;

/**
 * Explains an argument that names something else than it must: what it is, and the command that takes it.
 * @param cwd where files are looked up; without it a folder is not recognised
 */
export function wrongArgument(given: string, expected: ExpectedArgument, cwd?: string): Message | undefined {
  const kind = kindOf(given, cwd);
  if (kind === undefined || kind === expected || (kind === 'job' && expected === 'operation'))
    return undefined;
  const what = message(MISSING[expected]);
  return message(GIVEN[kind], {
    given: kind === 'run' ? basename(given) : shown(given, cwd),
    what,
  });
}

function kindOf(given: string, cwd: string | undefined): Kind | undefined {
  if (SPREADSHEET.test(given)) return 'spreadsheet';
  if (RUN.test(basename(given))) return 'run';
  if (cwd !== undefined && statSync(resolve(cwd, given), { throwIfNoEntry: false })?.isDirectory())
    return 'folder';
  return JOB.test(given) ? 'job' : undefined;
}

/** From the current folder where it is within it. */
function shown(given: string, cwd: string | undefined): string {
  if (cwd === undefined) return given;
  const within = relative(cwd, resolve(cwd, given));
  return isAbsolute(given) && within !== '' && !within.startsWith('..') && !isAbsolute(within)
    ? within
    : given;
}
