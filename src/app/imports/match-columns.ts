import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { message } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';
import { keyColumn } from '../../guess/build-draft.js';
import { headerName } from '../../guess/column-leaf.js';
import { readSheet, type SheetView } from '../../guess/find-tables.js';
import { editedJob, type LeafEdit } from '../../job/edit-map.js';
import { loadSendingJob } from '../../job/load.js';
import type { NodePath } from '../../job/yaml/node.js';
import type { Ledger } from '../../ledger/contract/ledger.js';
import type { SendingJob } from '../../model/job.js';
import type { Scalar } from '../../model/map.js';
import { openSource } from '../../source/open-source.js';
import { withOriginalName } from '../../source/source.js';
import { fold, readBoolean } from '../../util/text.js';
import type { AppContext } from '../context.js';
import { jobReading } from '../job-input.js';
import { withLedger } from '../with-ledger.js';
import { type Columns, columnOf, columnsView, suggestedOptions } from './columns-view.js';
import { type GuessedUpload, type GuessOptions, guessUpload, uploadedFile } from './guess-upload.js';
import { jobFileNamed } from './import-job.js';
import { fieldsOf, type JobField, mapsOf } from './job-fields.js';

/** What a user chose for a field. Without `column` and `value` nothing fills the field. */
export interface FieldMatch {
  /** As `JobField.id`. */
  readonly field: string;
  /** A header. */
  readonly column?: string | undefined;
  readonly value?: string | undefined;
  /** Options of the column; absent: as in the job, or as its cells require. An empty format removes it. */
  readonly format?: string | undefined;
  readonly end?: boolean | undefined;
  /** Texts of the column with the values that they mean. */
  readonly values?: Readonly<Record<string, string>> | undefined;
}

export interface MatchOptions extends GuessOptions {
  readonly name?: string | undefined;
  /** The name of a file in the folder `jobs`; absent: the job is guessed. */
  readonly job?: string | undefined;
  readonly connection?: string | undefined;
  readonly matches?: readonly FieldMatch[] | undefined;
  /** New names of columns that the job reads elsewhere than in a field, by their names in the job. */
  readonly renames?: Readonly<Record<string, string>> | undefined;
  /** Starts from the user's last match of the same job and headers. */
  readonly remember?: boolean | undefined;
  /** `base` of the view that the user saw. */
  readonly base?: string | undefined;
}

/** The job file that the matches are applied to. */
interface Base {
  /** Absolute; a guessed job has no file yet. */
  readonly file: string;
  readonly yaml: string;
  readonly guess?: GuessedUpload;
}

/**
 * Matches the columns of an uploaded file with the fields of a job. Nothing is stored.
 * @returns the view for the user, and the job file with the matches; `isChanged`: it differs from the file in `jobs/`
 * @throws ProductError usage or input if the job or the sheet cannot be read, or a match does not fit the job
 */
export async function matchColumns(context: AppContext, options: MatchOptions) {
  const base = await baseOf(context, options);
  return withLedger(
    context,
    async ({ ledger, actor: { who } }) => {
      const { name, file } = await uploadedFile(ledger, options.upload, options.name);
      const { source } = await loaded(context, base);
      const sheet = await withOriginalName(file, name, () =>
        readColumns(context, source, file, options.sheet),
      );
      const columns: Columns = new Map(sheet.columns.map((it) => [it.header.folded, it]));
      const mark = markOf(base, source, columns);
      const remembered = options.remember ? await lastMatch(ledger, who, mark) : undefined;
      const start = remembered ? { ...base, yaml: remembered.yaml } : base;
      const id = sha256(start.yaml);
      if (options.base !== undefined && options.base !== id)
        throw new ProductError(
          'usage',
          message('imports.columns_changed', { file: path.basename(base.file) }),
        );
      const yaml = await withMatches(context, start, sheet, columns, options);
      const isChanged = yaml !== base.yaml;
      return {
        file: path.basename(base.file),
        yaml: isChanged && !yaml.includes(mark) ? `${yaml}${mark}\n` : yaml,
        isChanged,
        view: {
          base: id,
          ...(remembered ? { remembered: remembered.from } : {}),
          ...(await columnsView(context, await loaded(context, { ...base, yaml }), sheet, {
            columns,
            connection: options.connection,
            guess: remembered ? undefined : base.guess,
          })),
          ...(base.guess ? { yaml } : {}),
        },
      };
    },
    { act: 'import' },
  );
}

export type MatchedColumns = Awaited<ReturnType<typeof matchColumns>>;

async function baseOf(context: AppContext, { job, ...options }: MatchOptions): Promise<Base> {
  if (job === undefined) {
    const guess = await guessUpload(context, options);
    return { file: path.join(context.cwd, 'jobs', guess.file), yaml: guess.yaml, guess };
  }
  const file = await jobFileNamed(context, job);
  await loadSendingJob(file, jobReading(context));
  return { file, yaml: await readFile(file, 'utf8') };
}

function loaded(context: AppContext, { file, yaml }: Base) {
  return loadSendingJob(file, { ...jobReading(context), content: yaml.replace(/^\ufeff/, '') });
}

async function readColumns(
  { env }: AppContext,
  { encoding, delimiter, headerRow, password, sheet }: SendingJob['source'],
  file: string,
  chosen: string | undefined,
): Promise<SheetView> {
  const source = await openSource(file, { encoding, delimiter, headerRow, password, env });
  try {
    return await readSheet(source, chosen ?? sheet, headerRow);
  } finally {
    await source.close();
  }
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/**
 * The last line of a job file with matches, by which the matches are found for the next file with the same headers. The same
 * job has the same line only until its file changes.
 */
function markOf({ yaml, guess }: Base, source: SendingJob['source'], columns: Columns): string {
  const { headerRow, delimiter, encoding } = source;
  const job = guess
    ? [guess.steps?.map((it) => it.operation) ?? guess.operation, headerRow, delimiter, encoding]
    : sha256(yaml);
  return `# matched-columns: ${sha256(JSON.stringify([job, [...columns.keys()]]))}`;
}

const IMPORTS_SEARCHED = 200;

/** The job file of this user's last import with the mark. Matches of other users would hide who made the job. */
async function lastMatch({ imports, inputs }: Ledger, who: string, mark: string) {
  const read = new Set<string>();
  for (const { by, guessed, jobSha256, jobFile, name, at } of await imports.list(IMPORTS_SEARCHED)) {
    if (by !== who || !guessed || read.has(jobSha256)) continue;
    read.add(jobSha256);
    const chunks: Uint8Array[] = [];
    for await (const chunk of inputs.bytes({ sha256: jobSha256, name: path.basename(jobFile) }))
      chunks.push(chunk);
    const yaml = Buffer.concat(chunks).toString('utf8');
    if (yaml.includes(mark)) return { yaml, from: { name, at: new Date(at).toISOString() } };
  }
  return undefined;
}

/** The job file with the user's matches. */
async function withMatches(
  context: AppContext,
  base: Base,
  sheet: SheetView,
  columns: Columns,
  { matches = [], renames = {}, sheet: chosen }: MatchOptions,
): Promise<string> {
  const job = await loaded(context, base);
  const set: (readonly [NodePath, unknown])[] =
    chosen === undefined || chosen === job.source.sheet ? [] : [[['source', 'sheet'], chosen]];
  if (matches.length + Object.keys(renames).length + set.length === 0) return base.yaml;
  const maps = mapsOf(job, sheet);
  const fields = new Map(fieldsOf(maps).map((it) => [it.id, it]));
  const renamed = new Map(Object.entries(renames).map(([from, to]) => [fold(from), to]));
  const keys = new Map<string, string>();
  const leaves = matches.flatMap((match) => {
    const field = fields.get(match.field);
    if (!field || field.sheet !== undefined) throw refusal(match.field);
    return edits(field, match);
  });
  for (const { isFromHeaders, at, plain } of new Set(matches.map(({ field }) => fields.get(field)!.map)))
    if (isFromHeaders) set.push([at, plain]);
  const text = editedJob(base.yaml, { set, leaves, renamed, keys });
  const after = mapsOf(await loaded(context, { ...base, yaml: text }), sheet);
  const filled = new Map(fieldsOf(after).map((it) => [it.id, it]));
  // A shared part of license-sync.yaml may still fill the field.
  for (const { field, column, value } of matches) {
    const found = columnOf(filled.get(field), columns)?.header.folded;
    if (value === undefined && found !== (column === undefined ? undefined : fold(column)))
      throw refusal(field);
  }
  return base.guess ? withKeys(text, after, columns) : text;

  function edits(field: JobField, match: FieldMatch): readonly LeafEdit[] {
    const at = { map: field.map.at, path: field.target.path, items: field.map.items };
    const { leaf } = field;
    if (match.value !== undefined) return [{ ...at, leaf: { value: typed(field, match.value) } }];
    if (match.column === undefined) {
      // A required field keeps a column that does not exist, so that the job can be loaded and the field is asked for.
      const unusedName = [field.id, `${field.id} ?`].find((it) => !columns.has(fold(it)))!;
      return [{ ...at, leaf: field.isRequired ? { column: unusedName } : 'none' }];
    }
    const column = columns.get(fold(match.column));
    if (!column) throw refusal(match.field);
    const name = headerName(column);
    const before = leaf?.kind === 'column' ? fold(leaf.column) : undefined;
    const options = {
      ...(match.format === undefined ? {} : { format: formatOf(match.format) }),
      ...(match.end === undefined ? {} : { end: match.end ? 'day' : undefined }),
      ...(match.values ? { values: valuesOf(field, match.values) } : {}),
    };
    if (before === column.header.folded) return [{ ...at, options }];
    if (before !== undefined && !columns.has(before) && !base.guess) {
      // Another field may read the same missing column: the first match renames it, a different one is for its field alone.
      if (!renamed.has(before)) renamed.set(before, name);
      return [{ ...at, options: { column: name, ...options } }];
    }
    if (before !== undefined) keys.set(before, name);
    const { format, end, values = [], split } = suggestedOptions(field, column, sheet);
    const texts = values.length === 0 ? undefined : Object.fromEntries(values);
    const fresh = { column: name, split, format, end, values: texts };
    return [{ ...at, leaf: fresh, options }];
  }
}

function refusal(field: string): ProductError {
  return new ProductError('usage', message('imports.cannot_match', { field }));
}

/** One format, or several that are tried in order. */
function formatOf(text: string): string | readonly string[] | undefined {
  const [first, ...others] = text.split('|').flatMap((it) => it.trim() || []);
  return first !== undefined && others.length > 0 ? [first, ...others] : first;
}

/** A constant as typed by the user. The check of the job refuses one that does not fit the field. */
function typed({ target: { field } }: JobField, text: string): Scalar {
  const trimmed = text.trim();
  if (field.type === 'Boolean') return readBoolean(trimmed) ?? trimmed;
  const isNumber = field.type === 'Integer' || field.type === 'Long';
  return isNumber && /^[+-]?\d{1,15}$/.test(trimmed) ? Number(trimmed) : trimmed;
}

function valuesOf(field: JobField, chosen: Readonly<Record<string, string>>): Record<string, Scalar> {
  const known = field.leaf?.kind === 'column' ? [...(field.leaf.values ?? [])] : [];
  const added = Object.entries(chosen).map(([text, value]) => [text, typed(field, value)] as const);
  return Object.fromEntries([...known, ...added]);
}

/** The guessed job groups rows by the columns that were matched with its keys. */
function withKeys(text: string, maps: ReturnType<typeof mapsOf>, columns: Columns): string {
  const each = maps.flatMap((map) => {
    const matched = fieldsOf([map]).flatMap((field) => {
      const column = columnOf(field, columns);
      return column ? [{ target: field.target, column, score: 1, by: 'name', specific: 1 } as const] : [];
    });
    return map.ungrouped.flatMap((level) => {
      const key = keyColumn(level.join('.'), matched);
      return key ? [[[...map.at, ...level], [headerName(key)]] as const] : [];
    });
  });
  return each.length === 0 ? text : editedJob(text, { each });
}
