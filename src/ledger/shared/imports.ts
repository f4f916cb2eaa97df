import type { Message } from '../../errors/message.js';
import type { Import, ImportPatch } from '../contract/imports.js';

/** A line of `imports`. */
export interface ImportRecord {
  readonly id: string;
  readonly made_by: string;
  readonly at: number;
  readonly name: string;
  readonly input_sha256: string;
  readonly job_file: string;
  readonly job_sha256: string;
  readonly guessed: number;
  readonly connection: string | null;
  readonly sheet: string | null;
  readonly lookups: number;
  readonly check_run: string | null;
  readonly plan_run: string | null;
  readonly failure_json: string | null;
}

export const IMPORT_COLUMNS = [
  'id',
  'made_by',
  'at',
  'name',
  'input_sha256',
  'job_file',
  'job_sha256',
  'guessed',
  'connection',
  'sheet',
  'lookups',
  'check_run',
  'plan_run',
  'failure_json',
] as const;

type ImportValue = string | number | null;

/** Aligned with `IMPORT_COLUMNS`. */
export function importValues(it: Import): ImportValue[] {
  return [
    it.id,
    it.by,
    it.at,
    it.name,
    it.inputSha256,
    it.jobFile,
    it.jobSha256,
    it.guessed ? 1 : 0,
    it.connection ?? null,
    it.sheet ?? null,
    it.lookups ? 1 : 0,
    it.checkRun ?? null,
    it.planRun ?? null,
    it.failure ? JSON.stringify(it.failure) : null,
  ];
}

/** Columns that a patch sets, each with its value. */
export function patchedColumns(patch: ImportPatch): (readonly [column: string, value: ImportValue])[] {
  const { jobFile, jobSha256, guessed, lookups, checkRun, planRun, failure } = patch;
  const given: (readonly [string, ImportValue | undefined])[] = [
    ['job_file', jobFile],
    ['job_sha256', jobSha256],
    ['guessed', guessed === undefined ? undefined : Number(guessed)],
    ['lookups', lookups === undefined ? undefined : Number(lookups)],
    ['check_run', checkRun],
    ['plan_run', planRun],
    ['failure_json', failure ? JSON.stringify(failure) : checkRun === undefined ? undefined : null],
  ];
  return given.flatMap(([column, value]) => (value === undefined ? [] : [[column, value] as const]));
}

export function toImport(it: ImportRecord): Import {
  return {
    id: it.id,
    by: it.made_by,
    at: it.at,
    name: it.name,
    inputSha256: it.input_sha256,
    jobFile: it.job_file,
    jobSha256: it.job_sha256,
    guessed: it.guessed === 1,
    ...(it.connection === null ? {} : { connection: it.connection }),
    ...(it.sheet === null ? {} : { sheet: it.sheet }),
    lookups: it.lookups === 1,
    ...(it.check_run === null ? {} : { checkRun: it.check_run }),
    ...(it.plan_run === null ? {} : { planRun: it.plan_run }),
    ...(it.failure_json === null ? {} : { failure: JSON.parse(it.failure_json) as Message[] }),
  };
}
