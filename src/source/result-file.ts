import { createReadStream } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { message, render } from '../errors/message.js';
import { type Cell, DerivedRow, type Header, type Row } from '../model/row.js';
import { isRunId } from '../util/run-id.js';
import { withTextMarker } from './csv/csv-row.js';
import { openSource } from './open-source.js';

/** First columns of every result file (contract section 6), in order. */
const LEADING = ['row', 'status', 'licenseOrderId', 'code', 'message'];
/** Last of the result columns. */
const CLOSING = ['attempts', 'run'];
/**
 * First columns of the result of a job of steps (contract section 9), then the columns of each step: `order.status`.
 */
const LEADING_STEPS = ['row', 'status', 'licenseOrderId', 'step'];
const OF_STEP = ['.status', '.code', '.message'];

/** First headers of results of runs, of jobs with steps and of comparisons (contract sections 6, 8 and 9). */
const FIRST = ['row', 'status'];
const THIRD = new Set(['licenseOrderId', 'differences']);

/** Whether these are the leading headers of a result of this program. @param texts by column, from the first */
export function beginsLikeResult(texts: readonly (string | undefined)[]): boolean {
  return FIRST.every((name, at) => texts[at] === name) && THIRD.has(texts[FIRST.length] ?? '');
}

/** Possible names of result columns beyond those of every result. */
export interface AddedColumns {
  /** Columns that operations may add after `message`. */
  readonly resultColumns: readonly string[];
  /** By operation, the columns that a step may add after its `.message`, without the step's name. */
  readonly stepResults?: readonly (readonly string[])[];
}

/**
 * Number of result columns of a header row; 0 if the file is not a result of this program. A source column with the
 * name of a result column comes after them and remains a source column. Steps are recognised by the form of their
 * columns, as the job may have other steps by now.
 * @param texts by column, from the first
 */
export function resultColumnCount(texts: readonly string[], added: AddedColumns): number {
  const begins = (leading: readonly string[]): boolean => leading.every((name, at) => texts[at] === name);
  if (begins(LEADING_STEPS)) return stepColumnCount(texts, added.stepResults ?? []);
  if (!begins(LEADING)) return 0;
  const known = new Set(added.resultColumns);
  for (let index = LEADING.length; index < texts.length; index += 1) {
    if (texts[index] === CLOSING[0] && texts[index + 1] === CLOSING[1]) return index + CLOSING.length;
    if (!known.has(texts[index]!)) return 0;
  }
  return 0;
}

/** First columns of the sheets that pulls write, of assets and of customers. Their other columns follow. */
const PULLED = [
  ['enterpriseGlobalId', 'id', 'licenseType', 'assetNum', 'grantable'],
  ['customerId', 'channelCode', 'channelCustomerId', 'enterpriseGlobalId', 'enterpriseName', 'isDefault'],
];

/** Whether a header row is that of a pulled sheet: as text it is guarded against formulas, like a result. */
export function isPulledHeader(texts: readonly string[]): boolean {
  return PULLED.some((names) => names.every((name, at) => texts[at] === name));
}

function stepColumnCount(texts: readonly string[], stepResults: readonly (readonly string[])[]): number {
  let end = LEADING_STEPS.length;
  const steps = new Set<string>();
  for (;;) {
    const step = stepAt(texts, end);
    // A step's columns occur once: repeated ones belong to the source.
    if (step === undefined || steps.has(step)) break;
    steps.add(step);
    end += OF_STEP.length;
    end += resultsAt(texts, end, `${step}.`, stepResults);
  }
  return steps.size === 0 ? 0 : end;
}

/** The step whose columns begin here. */
function stepAt(texts: readonly string[], from: number): string | undefined {
  const first = texts[from];
  const [status = ''] = OF_STEP;
  if (first === undefined || first.length === status.length || !first.endsWith(status)) return undefined;
  const name = first.slice(0, -status.length);
  return OF_STEP.every((ending, at) => texts[from + at] === name + ending) ? name : undefined;
}

/** Number of columns from here that are results of the step: as long as one operation has all of them, each once. */
function resultsAt(
  texts: readonly string[],
  from: number,
  prefix: string,
  stepResults: readonly (readonly string[])[],
): number {
  const seen = new Set<string>();
  for (let index = from; index < texts.length; index += 1) {
    const text = texts[index]!;
    if (!text.startsWith(prefix)) break;
    const name = text.slice(prefix.length);
    if (seen.has(name)) break;
    seen.add(name);
    const isOfOneOperation = stepResults.some((names) => [...seen].every((it) => names.includes(it)));
    if (!isOfOneOperation) return index - from;
  }
  return seen.size;
}

type Texts = readonly (string | undefined)[];

/** Whether a file has the leading headers of a result. False if the file cannot be read. */
export async function isResultFile(file: string): Promise<boolean> {
  const [names = []] = await head(file);
  return beginsLikeResult(names);
}

/** The run whose result a file is, by its first row; undefined for other files. */
export async function runOfResult(file: string): Promise<string | undefined> {
  const [names = [], values = []] = await head(file);
  const run = beginsLikeResult(names) ? values[names.indexOf('run')] : undefined;
  return run !== undefined && isRunId(run) ? run : undefined;
}

/** The headers and the first row, by column; empty if the file cannot be read. */
async function head(file: string): Promise<readonly Texts[]> {
  try {
    return path.extname(file).toLowerCase() === '.ndjson' ? await firstLine(file) : await firstRows(file);
  } catch {
    return [];
  }
}

async function firstRows(file: string): Promise<readonly Texts[]> {
  const source = await openSource(file);
  try {
    const sheet = source.sheets.find(({ name }) => name === 'Results') ?? source.sheets[0];
    const rows: Texts[] = [];
    if (!sheet) return rows;
    for await (const page of source.rows(sheet)) {
      for (const row of page) {
        const texts: string[] = [];
        for (const { column, text } of row.cells()) texts[column - 1] = text;
        rows.push(texts);
        if (rows.length === 2) return rows;
      }
    }
    return rows;
  } finally {
    await source.close();
  }
}

/** Names and values of the first line's members. */
async function firstLine(file: string): Promise<readonly Texts[]> {
  const input = createReadStream(file);
  try {
    for await (const line of createInterface({ input })) {
      const members = Object.entries(JSON.parse(line) as object);
      return [members.map(([name]) => name), members.map(([, value]) => String(value))];
    }
    return [];
  } finally {
    input.destroy();
  }
}

/** The messages of rows that were skipped because they are hidden or a user excluded them, in every language. */
const textsOf = (code: 'run.hidden_skipped' | 'run.row_excluded'): readonly string[] =>
  (['en', 'zh'] as const).map((language) => render(message(code), language));
const HIDDEN = textsOf('run.hidden_skipped');
const EXCLUDED = textsOf('run.row_excluded');
/** The column of messages, also of a step (`order.message`). */
const MESSAGE = /^(?:.+\.)?message$/;

/**
 * Converts rows of a result of this program to the rows of its source. A .csv hides no rows, and spreadsheet programs
 * show hidden rows again when a filter is cleared, so a row that was skipped as hidden is recognised by its message:
 * otherwise it would be sent when the result is run. The same holds for a row that a user excluded. An .xlsx result of a .csv has the apostrophes of the .csv, which
 * mark texts.
 * @param headers of the whole row, including those of the result
 */
export function resultRows(headers: readonly Header[]): (row: Row) => Row {
  const messages = headers.filter(({ text }) => MESSAGE.test(text)).map(({ column }) => column);
  const has = (row: Row, texts: readonly string[]): boolean =>
    messages.some((column) => {
      const text = row.cell(column)?.text.trim();
      return text !== undefined && texts.some((it) => text.startsWith(it));
    });
  return (row) => new ResultRow(row, row.hidden || has(row, HIDDEN), has(row, EXCLUDED));
}

class ResultRow extends DerivedRow {
  readonly #isHidden: boolean;
  readonly #isExcluded: boolean;

  constructor(row: Row, isHidden: boolean, isExcluded: boolean) {
    super(row);
    this.#isHidden = isHidden;
    this.#isExcluded = isExcluded;
  }

  override get hidden(): boolean {
    return this.#isHidden;
  }

  override get excluded(): boolean {
    return this.#isExcluded;
  }

  override cell(column: number): Cell | undefined {
    const cell = super.cell(column);
    return cell && withTextMarker(cell);
  }

  override cells(): readonly Cell[] {
    return super.cells().map(withTextMarker);
  }
}
