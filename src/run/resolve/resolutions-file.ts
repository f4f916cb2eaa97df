import { type Message, message } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';
import type { Ledger } from '../../ledger/contract/ledger.js';
import type { Run } from '../../ledger/contract/runs.js';
import type { Row } from '../../model/row.js';
import type { Status } from '../../model/status.js';
import { openSource } from '../../source/open-source.js';
import { openTable } from '../../source/table.js';
import { fold } from '../../util/text.js';
import { reportRows } from '../report/row-results.js';
import type { RowResolution } from './resolve.js';

const HEADERS = ['row', 'status', 'licenseorderid', 'note', 'run'] as const;
const RESULTS = 'Results';
const ROW = /^[1-9]\d{0,8}$/;
const ERRORS_SHOWN = 20;
const STATUSES: Readonly<Record<string, RowResolution['as']>> = {
  succeeded: 'succeeded',
  成功: 'succeeded',
  failed: 'failed',
  失败: 'failed',
};

interface Line extends RowResolution {
  readonly line: number;
}

/**
 * A user's resolutions of unknown rows, from a result of the run or any table with the columns `row` and `status`. Rows
 * whose status equals that in the ledger are ignored.
 * @throws ProductError usage, naming the invalid lines
 */
export async function readResolutions(
  ledger: Pick<Ledger, 'runs' | 'report'>,
  run: Run,
  file: string,
  env: NodeJS.ProcessEnv | undefined,
): Promise<readonly RowResolution[]> {
  const lines = await linesOf(file, run, env);
  const rows = new Set(lines.map(({ row }) => row));
  const current = new Map<number, Status>();
  for await (const page of reportRows(ledger, run))
    for (const { row, status } of page) if (rows.has(row)) current.set(row, status);
  const errors: Message[] = [];
  const known: RowResolution[] = [];
  for (const { line, ...resolution } of lines) {
    const status = current.get(resolution.row);
    const params = { file, line, row: resolution.row, run: run.id };
    if (status === 'unknown') known.push(resolution);
    else if (status === undefined) errors.push(message('resolve.file_no_row', params));
    else if (status !== resolution.as)
      errors.push(message('resolve.file_not_unknown', { ...params, status, as: resolution.as }));
  }
  refuse(errors);
  if (known.length === 0)
    throw new ProductError('usage', message('resolve.file_nothing', { file, run: run.id }));
  return known;
}

async function linesOf(file: string, run: Run, env: NodeJS.ProcessEnv | undefined): Promise<readonly Line[]> {
  const source = await openSource(file, { env });
  try {
    const sheet = source.sheets.find(({ name }) => name === RESULTS)?.name;
    const table = await openTable(source, {
      headerRow: 1,
      resultColumns: [],
      stepResults: [],
      asAnyOther: true,
      sheet,
    });
    const columns = HEADERS.map((name) => table.headers.find((header) => fold(header.text) === name)?.column);
    if (columns[0] === undefined || columns[1] === undefined) {
      const found = table.headers.map(({ text }) => text).join(', ');
      throw new ProductError('usage', message('resolve.file_headers', { file, found, run: run.id }));
    }
    const lines: Line[] = [];
    const errors: Message[] = [];
    for await (const page of table.rows()) {
      for (const row of page) {
        const read = lineOf(row, columns, file, run);
        if (read && 'code' in read) errors.push(read);
        else if (read) lines.push(read);
      }
    }
    refuse(errors);
    return lines;
  } finally {
    await source.close();
  }
}

/** Undefined if the line resolves nothing. */
function lineOf(
  line: Row,
  columns: readonly (number | undefined)[],
  file: string,
  run: Run,
): Line | Message | undefined {
  const [row = '', status = '', id = '', note = '', runId = ''] = columns.map((column) =>
    column === undefined ? undefined : line.cell(column)?.text.trim(),
  );
  const as = STATUSES[fold(status)];
  if (!as) return undefined;
  const place = { file, line: line.number };
  if (!ROW.test(row)) return message('resolve.file_row', { ...place, text: row });
  if (runId !== '' && runId !== run.id)
    return message('resolve.file_run', { ...place, run: run.id, other: runId });
  const isNumber = columns[2] !== undefined && line.cell(columns[2])?.kind === 'number';
  // Digits beyond the precision of a double were lost when the number was typed.
  if (isNumber && !/^\d{1,15}$/.test(id)) return message('resolve.file_id_number', { ...place, text: id });
  if (as === 'failed' && id !== '') return message('resolve.file_id_failed', { ...place, row });
  return {
    line: line.number,
    row: Number(row),
    as,
    licenseOrderId: id || undefined,
    note: note || undefined,
  };
}

function refuse([first, ...others]: readonly Message[]): void {
  if (first) throw new ProductError('usage', first, { others: others.slice(0, ERRORS_SHOWN) });
}
