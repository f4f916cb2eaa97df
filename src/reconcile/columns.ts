import type { Header, Row } from '../model/row.js';

/** Columns before the source's own (contract section 8). */
export const RECONCILE_COLUMNS = ['row', 'status', 'differences', 'action', 'outcome', 'message'] as const;

/**
 * Tells the extra records among the lines of an earlier reconciliation's result: they came from the platform, so that
 * as rows of a source they would agree with it whatever it holds. Never true for any other table.
 */
export function extrasOfResult(headers: readonly Header[]): (row: Row) => boolean {
  const isResult = RECONCILE_COLUMNS.every((name, index) => headers[index]?.text === name);
  const text = (row: Row, name: (typeof RECONCILE_COLUMNS)[number]): string =>
    row.cell(headers[RECONCILE_COLUMNS.indexOf(name)]?.column ?? 0)?.text.trim() ?? '';
  return (row) => isResult && text(row, 'row') === '' && text(row, 'status') === 'extra';
}
