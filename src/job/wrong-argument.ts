import { statSync } from 'node:fs';
import { basename, isAbsolute, relative, resolve } from 'node:path';
import { type Message, message } from '../errors/message.js';
import { OPERATION_NAMES } from '../model/operation.js';

/** What a command must be given. Plans are runs: both have the same ids. `jobs`: a job file or a folder of them. */
export type ExpectedArgument =
  | 'job'
  | 'jobs'
  | 'run'
  | 'operation'
  | 'operation_or_job'
  | 'spreadsheet'
  | 'command';

type GivenKind = 'spreadsheet' | 'folder' | 'run' | 'job' | 'operation';

const ALLOWED: Readonly<Record<ExpectedArgument, readonly GivenKind[]>> = {
  job: ['job'],
  jobs: ['job', 'folder'],
  run: ['run'],
  operation: ['operation'],
  operation_or_job: ['operation', 'job'],
  spreadsheet: ['spreadsheet'],
  command: [],
};

const SPREADSHEET = /\.(xlsx|xlsm|xlsb|xls|ods|csv|tsv)$/i;
const RUN = /^\d{8}-\d{6}-[0-9a-f]{6}(-\d+)?$/;
const JOB = /\.ya?ml$/i;

/**
 * Explains an argument that names something else than it must: what it is, and the command that takes it.
 * @param cwd where files are looked up; without it a folder is not recognised
 */
export function wrongArgument(given: string, expected: ExpectedArgument, cwd?: string): Message | undefined {
  const kind = kindOf(given, cwd);
  if (kind === undefined || ALLOWED[expected].includes(kind)) return undefined;
  const params = { given: shown(given, kind, cwd), what: message(`argument.no_${expected}`) };
  if (kind === 'folder' && expected === 'spreadsheet') return message('argument.is_folder_of_sheets', params);
  if (kind === 'spreadsheet' && expected === 'command') return message('argument.is_keys', params);
  return message(`argument.is_${kind}`, params);
}

function kindOf(given: string, cwd: string | undefined): GivenKind | undefined {
  if (RUN.test(basename(given))) return 'run';
  const found = cwd === undefined ? undefined : statSync(resolve(cwd, given), { throwIfNoEntry: false });
  if (found?.isDirectory()) return 'folder';
  if (SPREADSHEET.test(given)) return 'spreadsheet';
  if (JOB.test(given)) return 'job';
  const isOperation = found === undefined && (OPERATION_NAMES as readonly string[]).includes(given);
  return isOperation ? 'operation' : undefined;
}

/** A path from the current folder where it is within it. */
function shown(given: string, kind: GivenKind, cwd: string | undefined): string {
  if (kind === 'run') return basename(given);
  if (kind === 'operation' || cwd === undefined) return given;
  const within = relative(cwd, resolve(cwd, given));
  const isWithin = within !== '' && !within.startsWith('..') && !isAbsolute(within);
  return isWithin ? within : given;
}
