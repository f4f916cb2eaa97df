import { type Message, message } from '../errors/message.js';
import { ProductError } from '../errors/product-error.js';
import type { JobSource } from '../model/job.js';
import type { Row } from '../model/row.js';
import { columnLetters } from '../util/spreadsheet-text.js';
import { RowNumbers } from '../util/text.js';
import type { BoundCondition } from './condition.js';

export type HiddenPolicy = Pick<JobSource, 'file' | 'hiddenRows'>;

/**
 * The warning about a sheet's hidden rows; undefined if there are none.
 * @throws ProductError input if the job refuses them
 */
export function hiddenRowsWarning(
  { file, hiddenRows }: HiddenPolicy,
  sheet: string,
  hidden: RowNumbers,
): Message | undefined {
  const { count } = hidden;
  if (count === 0) return undefined;
  const params = { sheet, count, rows: `${hidden}` };
  if (hiddenRows === 'refuse')
    throw new ProductError('input', message('run.hidden_refused', { file, ...params }));
  return message('run.hidden_rows', { ...params, policy: hiddenRows });
}

/** Why a row below the header is not data. */
export type NonDataRow =
  /** No mapped cell is filled. */
  | { readonly kind: 'note' }
  /** It repeats the header. */
  | { readonly kind: 'header' }
  /** Its key is empty, and a cell is a word for a total. */
  | { readonly kind: 'total'; readonly text: string }
  /** Below the last row with a key: its key is empty, and a cell is a label of a form. */
  | { readonly kind: 'form'; readonly text: string }
  /** Below the end of the table, which the job's `until` found in row `end`. */
  | { readonly kind: 'ended'; readonly end: number }
  /** Text files: the same with only one filled field, and no complete line below it. */
  | { readonly kind: 'footer'; readonly end: number }
  /** Below the end with a filled key in `column`: it may be data and must not be dropped silently. */
  | { readonly kind: 'beyond'; readonly end: number; readonly column: number }
  /** `until` cannot be evaluated for this row, so it is unknown whether the table ends here. */
  | { readonly kind: 'undecided'; readonly message: Message; readonly column?: number }
  /** Its only text comes from one merged range that covers several mapped columns; `column` is the first. */
  | { readonly kind: 'spread'; readonly text: string; readonly range: string; readonly column: number }
  /** A formula with SUBTOTAL or AGGREGATE is in a mapped column. */
  | { readonly kind: 'subtotal'; readonly column: number }
  /** Its text in `column` is the label of a total: a row with a filled key is never skipped. */
  | { readonly kind: 'total key'; readonly text: string; readonly column: number };

/** Status of such a row in the result, with the invalid cell if there is one. */
export interface LeftOut {
  readonly kind: 'skipped' | 'invalid';
  readonly message: Message;
  readonly column?: number;
}

export function nonDataVerdict(nonData: NonDataRow, row: number): LeftOut {
  switch (nonData.kind) {
    case 'note':
      return { kind: 'skipped', message: message('source.row_note') };
    case 'header':
      return { kind: 'skipped', message: message('source.row_header') };
    case 'total':
      return { kind: 'skipped', message: message('source.row_total', { text: nonData.text }) };
    case 'form':
      return { kind: 'skipped', message: message('source.row_form', { text: nonData.text }) };
    case 'ended':
      return { kind: 'skipped', message: message('source.row_ended', { end: nonData.end }) };
    case 'footer':
      return { kind: 'skipped', message: message('source.row_footer', { end: nonData.end }) };
    case 'beyond': {
      return {
        kind: 'invalid',
        column: nonData.column,
        message: message('source.row_beyond', { end: nonData.end }),
      };
    }
    case 'undecided':
      return { kind: 'invalid', message: nonData.message, column: nonData.column };
    case 'spread': {
      const { text, range, column } = nonData;
      return { kind: 'invalid', column, message: message('source.row_spread', { text, range }) };
    }
    case 'total key': {
      const params = { text: nonData.text, cell: `${columnLetters(nonData.column)}${row}` };
      return { kind: 'invalid', column: nonData.column, message: message('source.row_total_key', params) };
    }
    case 'subtotal': {
      const cell = `${columnLetters(nonData.column)}${row}`;
      return { kind: 'invalid', column: nonData.column, message: message('source.row_subtotal', { cell }) };
    }
  }
}

/** Collects the rows that are not data, for warnings that name them. */
export class NonDataRows {
  readonly #rows = new Map<keyof typeof SKIPPED | 'ended' | 'footer', RowNumbers>();
  #end = 0;

  add(nonData: NonDataRow, row: number): void {
    const { kind } = nonData;
    // An invalid row has its own error in the result; it needs no warning.
    if (kind === 'ended' || kind === 'footer') this.#end = nonData.end;
    else if (!isSkipped(kind)) return;
    const rows = this.#rows.get(kind) ?? new RowNumbers();
    rows.add(row);
    this.#rows.set(kind, rows);
  }

  warnings(sheet: string): readonly Message[] {
    return [...this.#rows].map(([kind, rows]) => {
      const params = { sheet, rows: `${rows}`, count: rows.count };
      if (kind === 'ended') return message('source.table_ended', { ...params, end: this.#end });
      if (kind === 'footer') return message('source.footers_skipped', { ...params, end: this.#end });
      return message(SKIPPED[kind], params);
    });
  }
}

const SKIPPED = {
  note: 'source.notes_skipped',
  header: 'source.headers_skipped',
  total: 'source.totals_skipped',
  form: 'source.forms_skipped',
} as const;

function isSkipped(kind: NonDataRow['kind']): kind is keyof typeof SKIPPED {
  return Object.hasOwn(SKIPPED, kind);
}

/**
 * Status in the result of a row that is not data, that a user or the job excludes, or whose condition cannot be evaluated;
 * undefined for any other.
 */
export function leftOut(
  { row, nonData }: { readonly row: Row; readonly nonData?: NonDataRow },
  where: BoundCondition | undefined,
  hiddenRows: JobSource['hiddenRows'],
): LeftOut | undefined {
  if (row.excluded) return { kind: 'skipped', message: message('run.row_excluded') };
  const isHidden = row.hidden && hiddenRows === 'skip';
  // The message of such a row recommends `where` for excluding it.
  const isTotal = nonData?.kind === 'total key' || nonData?.kind === 'subtotal';
  const isExcluded = isTotal && (isHidden || where?.judge(row).kind === 'out');
  if (nonData && !isExcluded) return nonDataVerdict(nonData, row.number);
  // The cells of such a line may be shifted, so its condition cannot be evaluated.
  if (row.faults) return undefined;
  // This message identifies the row as hidden when the result is run (`resultRows`), so `where` is checked later.
  if (isHidden) return { kind: 'skipped', message: message('run.hidden_skipped') };
  const verdict = where?.judge(row);
  if (verdict?.kind === 'fault') return { ...verdict, kind: 'invalid' };
  if (verdict?.kind === 'out') return { kind: 'skipped', message: message('run.filtered') };
  return undefined;
}
