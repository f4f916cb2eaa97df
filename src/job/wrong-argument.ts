import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { basename, isAbsolute, relative, resolve } from 'node:path';
import { type Message, message } from '../errors/message.js';
import { OPERATION_NAMES } from '../model/operation.js';
import { APPLICATION_ID } from '../util/ledger-address.js';
import { isRunId } from '../util/run-id.js';
import { CONFIG_FILE } from './find-config.js';

/** The argument that a command expects. Plans have ids of runs. `jobs`: a job file or a folder of job files. */
export type ExpectedArgument =
  | 'job'
  | 'jobs'
  | 'run'
  | 'operation'
  | 'operation_or_job'
  | 'spreadsheet'
  | 'command';

type GivenKind = 'spreadsheet' | 'folder' | 'run' | 'job' | 'operation' | 'settings' | 'ledger';

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
const JOB = /\.ya?ml$/i;
/** The header of a SQLite file, and the offset of its application id. */
const SQLITE = 'SQLite format 3\0';
const APPLICATION_ID_AT = 68;

/**
 * Explains an argument of the wrong kind: its kind, and the command for it.
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
  if (isRunId(basename(given))) return 'run';
  const stats = cwd === undefined ? undefined : statSync(resolve(cwd, given), { throwIfNoEntry: false });
  if (stats?.isDirectory()) return 'folder';
  if (basename(given) === CONFIG_FILE) return 'settings';
  if (cwd !== undefined && stats?.isFile() && isLedger(resolve(cwd, given))) return 'ledger';
  if (SPREADSHEET.test(given)) return 'spreadsheet';
  if (JOB.test(given)) return 'job';
  const isOperation = stats === undefined && (OPERATION_NAMES as readonly string[]).includes(given);
  return isOperation ? 'operation' : undefined;
}

function isLedger(file: string): boolean {
  const head = Buffer.alloc(APPLICATION_ID_AT + 4);
  try {
    const handle = openSync(file, 'r');
    readSync(handle, head, 0, head.length, 0);
    closeSync(handle);
  } catch {
    return false;
  }
  return (
    head.toString('latin1').startsWith(SQLITE) && head.readUInt32BE(APPLICATION_ID_AT) === APPLICATION_ID
  );
}

/** A path within the current folder is shown relative to it. */
function shown(given: string, kind: GivenKind, cwd: string | undefined): string {
  if (kind === 'run') return basename(given);
  if (kind === 'operation' || cwd === undefined) return given;
  const path = relative(cwd, resolve(cwd, given));
  const isWithin = path !== '' && !path.startsWith('..') && !isAbsolute(path);
  return isWithin ? path : given;
}
