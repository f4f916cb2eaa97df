import { type Message, message } from '../errors/message.js';
import { ProductError } from '../errors/product-error.js';
import type { JobBase } from '../model/job.js';
import { expressionText, type Header, type Row } from '../model/row.js';
import { compileCel } from '../util/cel.js';
import { columnLetters } from '../util/spreadsheet-text.js';
import { fold } from '../util/text.js';
import { displayedFile } from './source.js';

type ConditionResult =
  | { readonly kind: 'in' }
  | { readonly kind: 'out' }
  /** `column`: the invalid cell, if there is one. */
  | { readonly kind: 'fault'; readonly message: Message; readonly column?: number };

/** A condition on rows, bound to the sheet's columns. */
export interface BoundCondition {
  /** 1-based columns that it reads. */
  readonly columns: readonly number[];
  judge(row: Row): ConditionResult;
}

const CODES = {
  where: { failed: 'run.where_failed', unknown: 'run.where_unknown_column' },
  until: { failed: 'run.until_failed', unknown: 'run.until_unknown_column' },
} as const;

export type ConditionJob = Pick<JobBase, 'file' | 'source'>;

/** One of the job's conditions bound to the sheet's columns; undefined if the job does not have it. */
export function bindCondition(
  job: ConditionJob,
  key: 'where' | 'until',
  sheet: string,
  headers: readonly Header[],
): BoundCondition | undefined {
  const condition = job.source[key];
  if (!condition) return undefined;
  const compiled = compileCel(condition.source, { variables: { row: 'row' }, result: 'bool' });
  // Checked when the job was loaded, but a ledger written elsewhere may contain an invalid condition.
  if (!compiled.ok) {
    throw new ProductError(
      'usage',
      message(CODES[key].failed, { condition: condition.source, detail: compiled.detail }),
    );
  }
  const columns = new Map<string, number>();
  for (const name of compiled.columns) {
    const header = soleHeader(job, sheet, headers, name);
    if (!header) {
      throw new ProductError(
        'usage',
        message(CODES[key].unknown, {
          job: condition.at.file ?? job.file,
          line: condition.at.line,
          column: condition.at.column,
          name,
          sheet,
          known: knownHeaders(headers),
        }),
      );
    }
    columns.set(name, header.column);
  }
  const [first] = columns.values();
  return {
    columns: [...columns.values()],
    judge(row) {
      const texts = new Map<string, string>();
      for (const [name, column] of columns) {
        const cell = row.cell(column);
        if (cell?.kind === 'merged') {
          return { kind: 'fault', column, message: message('mapping.merged_over', { range: cell.raw }) };
        }
        texts.set(name, expressionText(cell));
      }
      const result = compiled.evaluate({ row: texts });
      if (!result.ok) {
        const params = { condition: condition.source, detail: result.detail };
        return { kind: 'fault', column: first, message: message(CODES[key].failed, params) };
      }
      return result.value === true ? { kind: 'in' } : { kind: 'out' };
    },
  };
}

/**
 * The columns that `fillDown` names in a sheet.
 * @param others the job's other tables: a header of one of them is not an error
 * @throws ProductError usage for a header of no table, input for one that a sheet has twice
 */
export function bindFillDown(
  job: ConditionJob,
  sheet: string,
  headers: readonly Header[],
  others: readonly (readonly Header[])[],
): readonly number[] {
  return (job.source.fillDown ?? []).flatMap((name) => {
    const header = soleHeader(job, sheet, headers, name);
    if (header) return [header.column];
    if (others.some((it) => it.some(({ folded }) => folded === fold(name)))) return [];
    const params = { job: job.file, name, sheet, known: knownHeaders(headers) };
    throw new ProductError('usage', message('run.fill_down_unknown_column', params));
  });
}

function knownHeaders(headers: readonly Header[]): string {
  return headers.map((it) => it.text).join(', ');
}

function soleHeader(
  job: ConditionJob,
  sheet: string,
  headers: readonly Header[],
  name: string,
): Header | undefined {
  const [header, duplicate] = headers.filter((it) => it.folded === fold(name));
  if (!header || !duplicate) return header;
  const [first, second] = [columnLetters(header.column), columnLetters(duplicate.column)];
  const detail = message('mapping.header_twice', { sheet, header: header.text, first, second });
  const files = message('run.unfit_files', { file: displayedFile(job.source.file), job: job.file });
  throw new ProductError('input', detail, { others: [files] });
}
