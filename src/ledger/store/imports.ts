import type { Message } from '../../errors/message.js';
import type { Import, ImportPatch, Upload } from '../contract/imports.js';
import { SqlStore } from './runner.js';
import { execute, find, list, query } from './statement.js';

/** Columns by the members of an import. */
const COLUMNS = {
  id: 'id',
  by: 'made_by',
  at: 'at',
  name: 'name',
  inputSha256: 'input_sha256',
  jobFile: 'job_file',
  jobSha256: 'job_sha256',
  guessed: 'guessed',
  connection: 'connection',
  sheet: 'sheet',
  lookups: 'lookups',
  checkRun: 'check_run',
  planRun: 'plan_run',
  failure: 'failure_json',
} as const satisfies Record<keyof Import, string>;

const MEMBERS = Object.keys(COLUMNS) as (keyof Import)[];

const SELECT = `SELECT ${MEMBERS.map((it) => `${COLUMNS[it]} AS "${it}"`).join(', ')} FROM imports`;

const ADD = `
INSERT INTO imports (${Object.values(COLUMNS).join(', ')}) VALUES (${MEMBERS.map((_, at) => `$${at + 1}`).join(', ')})`;

/** Stored form: booleans as numbers, the failure as JSON. */
type ImportRow = Omit<Import, 'guessed' | 'lookups' | 'failure'> & {
  readonly guessed: number;
  readonly lookups: number;
  readonly failure?: string;
};

function toImport({ failure, guessed, lookups, ...row }: ImportRow): Import {
  const read = { ...row, guessed: guessed === 1, lookups: lookups === 1 };
  return failure === undefined ? read : { ...read, failure: JSON.parse(failure) as Message[] };
}

function stored(value: Import[keyof Import] | null) {
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : value;
}

const ADD_UPLOAD = `
INSERT INTO uploads (sha256, name, made_by, at) VALUES ($1, $2, $3, $4)
ON CONFLICT (sha256, name, made_by) DO UPDATE SET at = excluded.at`;

const FILES = (condition: string) => `
SELECT input_sha256 AS sha256 FROM imports WHERE ${condition} UNION
SELECT job_sha256 FROM imports WHERE ${condition} AND guessed = 1 UNION SELECT sha256 FROM uploads WHERE ${condition}`;

/** Corrections are removed with their import. */
const PRUNE = [
  'DELETE FROM correction_cells WHERE import IN (SELECT id FROM imports WHERE at < $1)',
  'DELETE FROM correction_acts WHERE import IN (SELECT id FROM imports WHERE at < $1)',
  'DELETE FROM imports WHERE at < $1',
  'DELETE FROM uploads WHERE at < $1',
];

/** Imports and uploads of users. */
export class SqlImportStore extends SqlStore {
  async create(created: Import): Promise<void> {
    await this.db.write(() => execute(ADD, ...MEMBERS.map((member) => stored(created[member]))), 'first');
  }

  async patch(id: string, patch: ImportPatch): Promise<void> {
    const failure = patch.failure ?? (patch.checkRun === undefined ? undefined : null);
    const changed = Object.entries({ ...patch, failure }).filter(([, value]) => value !== undefined);
    if (changed.length === 0) return;
    const set = changed.map(([member], at) => `${COLUMNS[member as keyof ImportPatch]} = $${at + 2}`);
    const sql = `UPDATE imports SET ${set.join(', ')} WHERE id = $1`;
    await this.db.write(() => execute(sql, id, ...changed.map(([, value]) => stored(value))));
  }

  async get(id: string): Promise<Import | undefined> {
    const found = await this.db.read(() => find<ImportRow>(`${SELECT} WHERE id = $1`, id));
    return found && toImport(found);
  }

  /** Newest first; `before`: only imports older than the one with this id. */
  async list(limit: number, before = '~'): Promise<readonly Import[]> {
    const sql = `${SELECT} WHERE id < $1 ORDER BY id DESC LIMIT $2`;
    return (await this.db.read(() => list<ImportRow>(sql, before, limit))).map(toImport);
  }

  /** The same bytes with the same name are one upload of a user; its time is updated. */
  async uploaded({ sha256, name, by, at }: Upload): Promise<void> {
    await this.db.write(() => execute(ADD_UPLOAD, sha256, name, by, at), 'first');
  }

  /** Uploads with this digest, newest first. */
  uploads(sha256: string): Promise<readonly Upload[]> {
    const sql = 'SELECT sha256, name, made_by AS "by", at FROM uploads WHERE sha256 = $1 ORDER BY at DESC';
    return this.db.read(() => query<Upload>(sql, sha256));
  }

  /**
   * Removes imports and uploads older than a time. Corrections are removed with their import.
   * @returns digests of their files; runs and remaining imports may still need some of these
   */
  prune(before: number): Promise<readonly string[]> {
    return this.db.write(function* () {
      const files = yield* query<{ sha256: string }>(FILES('at < $1'), before);
      for (const sql of PRUNE) yield* execute(sql, before);
      return files.map((it) => it.sha256);
    });
  }

  /** Digests of the files of all imports and uploads. */
  async files(): Promise<readonly string[]> {
    const files = await this.db.read(() => query<{ sha256: string }>(FILES('true')));
    return files.map((it) => it.sha256);
  }
}
