import { languageOf } from '../../errors/message-surface.js';
import { columnLeaf } from '../../guess/column-leaf.js';
import type { SheetView } from '../../guess/find-tables.js';
import { isDateField, namedValue } from '../../model/field.js';
import { type SendingJob, workOf } from '../../model/job.js';
import { fieldWords } from '../../platform/operations/operation-words.js';
import { columnLetters } from '../../util/spreadsheet-text.js';
import { fold } from '../../util/text.js';
import { type AppContext, wordsOf } from '../context.js';
import type { GuessedUpload } from './guess-upload.js';
import { connectionOf } from './imports.js';
import { fieldsOf, type JobField, mapsOf, namesRead } from './job-fields.js';

type Column = SheetView['columns'][number];

/** Columns by their folded headers. */
export type Columns = ReadonlyMap<string, Column>;

export function columnOf(field: JobField | undefined, columns: Columns): Column | undefined {
  return field?.leaf?.kind === 'column' ? columns.get(fold(field.leaf.column)) : undefined;
}

/** The options that the cells of a column require for a field. */
export function suggestedOptions({ target }: JobField, column: Column, sheet: SheetView) {
  const match = { target, column, score: 1, by: 'name', specific: 1 } as const;
  const { value } = columnLeaf(match, sheet.columns, sheet.cut);
  if (value.kind !== 'column') throw new Error(`${target.shown}: ${value.kind}`);
  return value;
}

/** Distinct cells that are shown of a column, and the characters of each. */
const SAMPLES = 3;
const SAMPLE_LENGTH = 60;

interface ShownWith {
  readonly columns: Columns;
  readonly connection: string | undefined;
  /** The job was guessed: its open questions. */
  readonly guess: GuessedUpload | undefined;
}

/** The columns of a sheet and the fields of a job, for the user to review. */
export async function columnsView(
  context: AppContext,
  job: SendingJob,
  sheet: SheetView,
  { columns, connection, guess }: ShownWith,
) {
  const language = languageOf(wordsOf(context));
  const { meaning } = fieldWords(language);
  const maps = mapsOf(job, sheet);
  const fields = fieldsOf(maps);
  const sureness = new Map(guess?.columns.map((it) => [`${it.field} ${fold(it.header)}`, it.sure]));
  const place = await connectionOf(context, { connection }, job).catch(() => undefined);
  const shown = new Set(fields.flatMap(({ leaf }) => (leaf?.kind === 'column' ? [fold(leaf.column)] : [])));
  return {
    operation: workOf(job),
    steps: maps.flatMap(({ name, operation }) => (name === undefined ? [] : [`${name}: ${operation.name}`])),
    connection: place?.name ?? job.connection,
    sheet: sheet.sheet.name,
    columns: sheet.columns.map(({ header, texts, doubles }) => ({
      column: header.column,
      letter: columnLetters(header.column),
      header: header.text,
      samples: [...texts.keys()].slice(0, SAMPLES).map((it) => it.slice(0, SAMPLE_LENGTH)),
      isRepeated: doubles.length > 0,
    })),
    fields: fields.map((it) => fieldView(it)),
    missing: [...namesRead(job, maps)].filter((it) => !columns.has(fold(it)) && !shown.has(fold(it))),
    questions: guess?.notes ?? [],
  };

  function fieldView(it: JobField) {
    const { id, target, leaf, isRequired, sheet: other } = it;
    const { field } = target;
    const choices =
      field.type === 'Boolean'
        ? ['true', 'false'].map((value) => ({ value, name: value }))
        : field.values?.map((of) => ({ value: String(of.value), name: namedValue(of, language) }));
    return {
      field: id,
      meaning: meaning(field),
      isRequired,
      isDate: isDateField(field),
      allowed: choices,
      sheet: other,
      isOther: leaf !== undefined && leaf.kind !== 'column' && leaf.kind !== 'value',
      ...(leaf?.kind === 'value' ? { value: [leaf.value].flat().join(', ') } : {}),
      ...(leaf?.kind === 'column' ? columnOptions(it, leaf) : {}),
    };
  }

  function columnOptions(it: JobField, leaf: NonNullable<JobField['leaf']> & { kind: 'column' }) {
    const column = columnOf(it, columns);
    if (!column) return { lacks: leaf.column };
    const { open = [] } = suggestedOptions(it, column, sheet);
    const known = [...(leaf.values?.keys() ?? [])].map(fold);
    return {
      column: column.header.column,
      format: [leaf.format ?? []].flat().join(' | '),
      end: leaf.end !== undefined,
      sure: sureness.get(`${it.id} ${column.header.folded}`),
      open: open.flatMap(({ text }) => (known.includes(fold(text)) ? [] : text)),
    };
  }
}
