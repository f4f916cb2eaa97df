import { type Message, message } from '../errors/message.js';
import { ProductError } from '../errors/product-error.js';
import type { JobBase } from '../model/job.js';
import type { Header, Row } from '../model/row.js';
import { columnLetters } from '../util/address.js';
import { compileCel } from '../util/cel.js';
import { fold } from '../util/fold.js';

export type WhereResult =
  | { readonly kind: 'in' }
  | { readonly kind: 'out' }
  | { readonly kind: 'fault'; readonly message: Message };

/** The job's condition bound to the sheet's columns; undefined when the job has none. */
export function bindWhere(
  job: Pick<JobBase, 'file' | 'source'>,
  sheet: string,
  headers: readonly Header[],
): ((row: Row) => WhereResult) | undefined {
  const where = job.source.where;
  if (!where) return undefined;
  const compiled = compileCel(where.source, { variables: { row: 'row' }, result: 'bool' });
  // The job's loading has checked it already; a ledger from elsewhere may still hold one that doesn't compile.
  if (!compiled.ok) {
    throw new ProductError('usage', message('run.where_failed', { detail: compiled.detail }));
  }
  const columns = new Map<string, number>();
  for (const name of compiled.columns) {
    const [header, second] = headers.filter((it) => it.folded === fold(name));
    if (header && second) throw headerTwice(job, sheet, header, second);
    if (!header) {
      throw new ProductError(
        'usage',
        message('run.where_unknown_column', {
          job: job.file,
          line: where.at.line,
          column: where.at.column,
          name,
          sheet,
          known: headers.map((it) => it.text).join(', '),
        }),
      );
    }
    columns.set(name, header.column);
  }
  return (row) => {
    const texts = new Map<string, string>();
    for (const [name, column] of columns) texts.set(name, row.cell(column)?.text ?? '');
    const result = compiled.evaluate({ row: texts });
    if (!result.ok) return { kind: 'fault', message: message('run.where_failed', { detail: result.detail }) };
    return result.value === true ? { kind: 'in' } : { kind: 'out' };
  };
}

function headerTwice(
  job: Pick<JobBase, 'file' | 'source'>,
  sheet: string,
  one: Header,
  other: Header,
): ProductError {
  const [first, second] = [columnLetters(one.column), columnLetters(other.column)];
  const detail = message('mapping.header_twice', { sheet, header: one.text, first, second });
  const files = message('run.unfit_files', { file: job.source.file, job: job.file });
  return new ProductError('input', detail, { others: [files] });
}
