import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { constants, deflateRaw } from 'node:zlib';
import { message } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';
import type { RowResult } from '../../ledger/contract/report.js';
import type { Run } from '../../ledger/contract/runs.js';
import { checkedInputOf } from '../../ledger/inputs.js';
import type { Row } from '../../model/row.js';
import type { Status } from '../../model/status.js';
import { withOriginalName } from '../../source/source.js';
import { PlainRow, packRow } from '../../source/stored-row.js';
import { writeAtomically } from '../../util/atomic-file.js';
import { type Sink, write } from '../../util/streams.js';
import { openInput } from '../input/opened-input.js';
import { ProblemKinds } from '../report/problem-kinds.js';
import { Cursor, heldByUnknown, reportRows } from '../report/row-results.js';
import type { RunServices, WrittenReport } from '../run-context.js';
import type { RunSettings, StepsSettings } from '../settings.js';
import {
  CELLS_END,
  CELLS_MAGIC,
  type CellsFacts,
  type CellsKind,
  PAGE_ENTRY,
  PAGE_ROWS,
  type PackedResult,
  statusNumber,
} from './cells-file.js';
import { CellsKinds, isFaulty, RowList } from './cells-kinds.js';

/**
 * Writes the rows of a run with their outcomes into a `.cells` file, for fast access by a grid.
 * @throws ProductError internal if ledger and input do not match row by row; nothing is written then
 */
export async function writeCells(
  { ledger, env, observer }: Pick<RunServices, 'ledger' | 'env' | 'observer'>,
  run: Run,
  { job, retry }: RunSettings | StepsSettings,
  file: string,
): Promise<WrittenReport> {
  const copy = await checkedInputOf(ledger.inputs, run);
  // Without corrections: readers apply the current corrections themselves.
  const input = await openInput(job, copy, env);
  const { sheet, headerRow, headers } = input.table;
  const problems = new ProblemKinds();
  let heldUnknown = 0;
  let rows = 0;
  try {
    await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
    const facts = await withOriginalName(copy, job.source.file, async () => {
      let ended: Awaited<ReturnType<CellsWriter['end']>> | undefined;
      await writeAtomically(file, async (sink) => {
        const writer = new CellsWriter(sink);
        const lines = pairRows(input.table.rows(), reportRows(ledger, run), sheet.name, retry !== undefined);
        for await (const [row, result] of lines) {
          await writer.add(row, result);
          problems.add(result);
          if (heldByUnknown(result)) heldUnknown += 1;
          rows += 1;
          if (rows % 1000 === 0) observer.progress({ stage: 'report', done: rows, total: run.rows });
        }
        const known = headers.map(({ column, text }) => ({ column, text }));
        ended = await writer.end({ run: run.id, sheet: sheet.name, headerRow, headers: known });
      });
      return ended!;
    });
    return { output: file, counts: facts.counts, rows, heldUnknown, problems: problems.list() };
  } catch (error) {
    throw error instanceof UnaccountedRow
      ? new ProductError(
          'internal',
          message('run.row_unaccounted', { row: error.row, file: job.source.file }),
        )
      : error;
  } finally {
    await input.source.close();
  }
}

class UnaccountedRow extends Error {
  readonly row: number;

  constructor(row: number) {
    super(`row ${row} is in the sheet or in the ledger only`);
    this.row = row;
  }
}

/** The rows of the sheet with those of the ledger, which has corrected blank rows too, and only part for a retry. */
async function* pairRows(
  sheetPages: AsyncIterable<readonly Row[]>,
  ledgerPages: AsyncIterable<readonly RowResult[]>,
  sheet: string,
  isPart: boolean,
): AsyncGenerator<readonly [Row, RowResult]> {
  const rows = new Cursor(sheetPages);
  try {
    for await (const page of ledgerPages) {
      for (const result of page) {
        for (;;) {
          // Awaited once per page, not for every row.
          if (rows.isSpent) await rows.fill();
          if (!rows.next || rows.next.number >= result.row) break;
          if (!isPart) throw new UnaccountedRow(rows.next.number);
          rows.take();
        }
        if (rows.next?.number === result.row) yield [rows.take(), result];
        else yield [new PlainRow({ sheet, number: result.row, hidden: false }, []), result];
      }
    }
    if (rows.isSpent) await rows.fill();
    if (rows.next && !isPart) throw new UnaccountedRow(rows.next.number);
  } finally {
    await rows.close();
  }
}

const deflate = promisify(deflateRaw);
/** Pages that are deflated in parallel with the page that is being filled. */
const AHEAD = 3;

/** Writes a `.cells` file in one pass with constant memory. Rows come in order. */
export class CellsWriter {
  readonly #sink: Sink;
  readonly #counts: Partial<Record<Status, number>> = {};
  readonly #invalid = new RowList();
  readonly #kinds = new CellsKinds();
  readonly #pages: Buffer[] = [];
  readonly #waiting: { readonly firstRow: number; readonly bytes: Promise<Buffer> }[] = [];
  #numbers: number[] = [];
  #lines: string[] = [];
  #rows = 0;
  #last = 0;
  #position = 0;

  constructor(sink: Sink) {
    this.#sink = sink;
  }

  /** @param row as in the file */
  async add(row: Row, result: RowResult): Promise<void> {
    const { status } = result;
    this.#counts[status] = (this.#counts[status] ?? 0) + 1;
    if (isFaulty(result)) {
      this.#invalid.add(this.#rows);
      this.#kinds.add(this.#rows, result, row.sheet);
    }
    this.#numbers.push(row.number);
    this.#lines.push(packRow(row), JSON.stringify(packed(result)));
    this.#rows += 1;
    this.#last = row.number;
    if (this.#numbers.length === PAGE_ROWS) await this.#page();
  }

  /** Writes the tables and facts after the rows. */
  async end(source: Pick<CellsFacts, 'run' | 'sheet' | 'headerRow' | 'headers'>): Promise<CellsFacts> {
    if (this.#numbers.length > 0) await this.#page();
    while (this.#waiting.length > 0) await this.#writePage();
    const pages = { count: this.#pages.length, at: await this.#write(Buffer.concat(this.#pages)) };
    const invalid = { rows: this.#invalid.length, at: await this.#write(this.#invalid.bytes()) };
    const kinds: CellsKind[] = [];
    for (const { list, ...kind } of this.#kinds.list())
      kinds.push({ ...kind, at: await this.#write(list.bytes()) });
    const facts: CellsFacts = {
      ...source,
      rows: this.#rows,
      last: Math.max(this.#last, source.headerRow),
      counts: this.#counts,
      invalid,
      kinds,
      pages,
    };
    const text = Buffer.from(JSON.stringify(facts));
    const end = Buffer.alloc(CELLS_END);
    end.writeDoubleLE(await this.#write(text), 0);
    end.writeUInt32LE(text.length, 8);
    CELLS_MAGIC.copy(end, 12);
    await this.#write(end);
    return facts;
  }

  async #page(): Promise<void> {
    const text = `${JSON.stringify(this.#numbers)}\n${this.#lines.join('\n')}`;
    const bytes = deflate(text, { level: constants.Z_BEST_SPEED });
    // Awaited in `#writePage`; until then it must not end the process as an unhandled rejection.
    bytes.catch(() => {});
    this.#waiting.push({ firstRow: this.#numbers[0]!, bytes });
    this.#numbers = [];
    this.#lines = [];
    if (this.#waiting.length > AHEAD) await this.#writePage();
  }

  async #writePage(): Promise<void> {
    const { firstRow, bytes } = this.#waiting.shift()!;
    const deflated = await bytes;
    const entry = Buffer.alloc(PAGE_ENTRY);
    entry.writeDoubleLE(await this.#write(deflated), 0);
    entry.writeUInt32LE(deflated.length, 8);
    entry.writeUInt32LE(firstRow, 12);
    this.#pages.push(entry);
  }

  /** @returns the position of the bytes */
  async #write(bytes: Buffer): Promise<number> {
    const position = this.#position;
    this.#position += bytes.length;
    await write(this.#sink, bytes);
    return position;
  }
}

function packed({ status, faults, messages, code }: RowResult): PackedResult {
  const number = statusNumber(status);
  if (faults.length === 0 && messages.length === 0 && code === undefined) return number;
  const texts = messages.map(({ item, text }) =>
    item === undefined || typeof text !== 'string' ? text : `${item}: ${text}`,
  );
  return code === undefined ? [number, faults, texts] : [number, faults, texts, code];
}
