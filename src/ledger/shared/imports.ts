import type { Message } from '../../errors/message.js';
import type { Import, ImportPatch, ImportStore, Upload } from '../contract/imports.js';
import type { PlainStatements } from './plain-statements.js';

/** A line of `imports`. */
interface ImportRecord {
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

const IMPORT_COLUMNS = [
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
function importValues(it: Import): ImportValue[] {
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
function patchedColumns(patch: ImportPatch): (readonly [column: string, value: ImportValue])[] {
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

function toImport(it: ImportRecord): Import {
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

/** What was corrected goes with its import. */
const CORRECTIONS = ['correction_cells', 'correction_acts'] as const;

export class PlainImportStore implements ImportStore {
  readonly #db: PlainStatements;

  constructor(db: PlainStatements) {
    this.#db = db;
  }

  async create(it: Import): Promise<void> {
    const places = IMPORT_COLUMNS.map((_, at) => `$${at + 1}`).join(', ');
    const sql = `INSERT INTO imports (${IMPORT_COLUMNS.join(', ')}) VALUES (${places})`;
    await this.#db.runFirst(sql, importValues(it));
  }

  async patch(id: string, patch: ImportPatch): Promise<void> {
    const columns = patchedColumns(patch);
    if (columns.length === 0) return;
    const set = columns.map(([name], at) => `${name} = $${at + 2}`).join(', ');
    await this.#db.run(`UPDATE imports SET ${set} WHERE id = $1`, [id, ...columns.map(([, value]) => value)]);
  }

  async get(id: string): Promise<Import | undefined> {
    const found = await this.#db.get<ImportRecord>('SELECT * FROM imports WHERE id = $1', [id]);
    return found && toImport(found);
  }

  async list(limit: number, before = '~'): Promise<readonly Import[]> {
    const sql = 'SELECT * FROM imports WHERE id < $1 ORDER BY id DESC LIMIT $2';
    return (await this.#db.all<ImportRecord>(sql, [before, limit])).map(toImport);
  }

  async uploaded({ sha256, name, by, at }: Upload): Promise<void> {
    const sql = `
INSERT INTO uploads (sha256, name, made_by, at) VALUES ($1, $2, $3, $4)
ON CONFLICT (sha256, name, made_by) DO UPDATE SET at = excluded.at`;
    await this.#db.runFirst(sql, [sha256, name, by, at]);
  }

  uploads(sha256: string): Promise<readonly Upload[]> {
    const sql = 'SELECT sha256, name, made_by AS "by", at FROM uploads WHERE sha256 = $1 ORDER BY at DESC';
    return this.#db.all<Upload>(sql, [sha256]);
  }

  async prune(before: number): Promise<readonly string[]> {
    const find = `
SELECT input_sha256 AS sha256 FROM imports WHERE at < $1 UNION
SELECT job_sha256 FROM imports WHERE at < $1 AND guessed = 1 UNION SELECT sha256 FROM uploads WHERE at < $1`;
    const files = await this.#db.together<{ sha256: string }>(
      [find, [before]],
      [
        ...CORRECTIONS.map(
          (it) => `DELETE FROM ${it} WHERE import IN (SELECT id FROM imports WHERE at < $1)`,
        ),
        'DELETE FROM imports WHERE at < $1',
        'DELETE FROM uploads WHERE at < $1',
      ].map((sql) => [sql, [before]] as const),
    );
    return files.map((it) => it.sha256);
  }

  async files(): Promise<readonly string[]> {
    const sql = `
SELECT input_sha256 AS sha256 FROM imports UNION SELECT job_sha256 FROM imports WHERE guessed = 1 UNION
SELECT sha256 FROM uploads`;
    return (await this.#db.all<{ sha256: string }>(sql, [])).map((it) => it.sha256);
  }
}
