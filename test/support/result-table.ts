import type { Cell, Header, Row } from '../../src/model/row.js';
import type { Status } from '../../src/model/status.js';
import { cellAddress } from '../../src/util/spreadsheet-text.js';
import { fold } from '../../src/util/text.js';
import type { ResultLine, ResultTable, ResultValue } from '../../src/workbook/result-line.js';

export const COLUMNS = ['row', 'status', 'licenseOrderId', 'code', 'message', 'attempts', 'run'] as const;

export type CellParts = Pick<Cell, 'kind' | 'text'> & { readonly raw?: string; readonly format?: string };

export function text(value: string): CellParts {
  return { kind: 'text', text: value };
}

/** A row as a source would give it; undefined is an empty cell. */
export function row(number: number, parts: readonly (CellParts | undefined)[], sheet = 'Orders'): Row {
  const cells = parts.flatMap((part, index) =>
    part ? [{ raw: part.text, ...part, column: index + 1, address: cellAddress(index + 1, number) }] : [],
  );
  return {
    sheet,
    number,
    hidden: false,
    cell: (column) => cells.find((it) => it.column === column),
    cells: () => cells,
  };
}

export function headers(names: readonly string[]): Header[] {
  return names.map((name, index) => ({ column: index + 1, text: name, folded: fold(name) }));
}

export function line(
  of: Row,
  parts: {
    status?: Status;
    message?: string;
    values?: ResultValue[];
    marks?: [number, string][];
    problem?: string;
  } = {},
): ResultLine {
  const status = parts.status ?? 'succeeded';
  return {
    status,
    values: parts.values ?? [of.number, status, 'LO-0001', '0', parts.message, 1, 'run-1'],
    row: of,
    marks: new Map(parts.marks ?? []),
    ...(parts.problem === undefined ? {} : { problem: parts.problem }),
  };
}

export function table(
  names: readonly string[],
  lines: readonly ResultLine[],
  more: Partial<ResultTable> = {},
): ResultTable {
  return {
    columns: COLUMNS,
    headers: headers(names),
    lines: pages(lines),
    job: 'sample',
    run: 'run-1',
    language: 'en',
    summary: () => [
      ['job', 'sample'],
      ['rows', lines.length],
    ],
    copied: [],
    sandbox: false,
    ...more,
  };
}

export async function* pages<T>(items: readonly T[], size = 2): AsyncGenerator<readonly T[]> {
  for (let at = 0; at < items.length; at += size) yield items.slice(at, at + size);
}
