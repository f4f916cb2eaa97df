import { chmod, mkdir } from 'node:fs/promises';
import path from 'node:path';
import { message } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';
import type { RowResult } from '../../ledger/contract/report.js';
import type { Run } from '../../ledger/contract/run.js';
import { checkedInputOf } from '../../ledger/inputs.js';
import type { Row } from '../../model/row.js';
import { withOriginalName } from '../../source/original-name.js';
import { PlainRow } from '../../source/other/plain-row.js';
import { writeAtomically } from '../../util/atomic-file.js';
import { openInput } from '../input/opened-input.js';
import { heldByUnknown } from '../report/held-rows.js';
import { ProblemKinds } from '../report/problem-kinds.js';
import { reportRows } from '../report/steps/steps-rows.js';
import type { RunServices, WrittenReport } from '../run-context.js';
import type { RunSettings, StepsSettings } from '../settings.js';
import { CellsWriter } from './cells-writer.js';

/**
 * Writes the rows of a run as its sheet has them, each with what became of it, where a grid finds them quickly.
 * @throws ProductError internal when ledger and input don't agree row by row; nothing is written then
 */
export async function writeCells(
  { ledger, env, observer }: Pick<RunServices, 'ledger' | 'env' | 'observer'>,
  run: Run,
  { job, retry }: RunSettings | StepsSettings,
  file: string,
): Promise<WrittenReport> {
  const copy = await checkedInputOf(ledger.inputs, run);
  // Without the corrections: they are laid over whatever is shown, and may be others by then.
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
        const lines = sideBySide(
          input.table.rows(),
          reportRows(ledger, run),
          sheet.name,
          retry !== undefined,
        );
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
    await chmod(file, 0o600);
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

/**
 * The rows of the sheet with those of the ledger. A blank row that was corrected is in the ledger only; of a retry the
 * ledger has a part of the sheet.
 */
async function* sideBySide(
  sheetPages: AsyncIterable<readonly Row[]>,
  ledgerPages: AsyncIterable<readonly RowResult[]>,
  sheet: string,
  isPart: boolean,
): AsyncGenerator<readonly [Row, RowResult]> {
  const rows = oneByOne(sheetPages);
  let row = await rows.next();
  try {
    for await (const page of ledgerPages) {
      for (const result of page) {
        while (row && row.number < result.row) {
          if (!isPart) throw new UnaccountedRow(row.number);
          row = rows.atHand() ?? (await rows.next());
        }
        if (row?.number === result.row) {
          yield [row, result];
          row = rows.atHand() ?? (await rows.next());
        } else yield [new PlainRow({ sheet, number: result.row, hidden: false }, []), result];
      }
    }
    if (row && !isPart) throw new UnaccountedRow(row.number);
  } finally {
    await rows.end();
  }
}

/** Awaited once a page, not for every row. */
function oneByOne<T>(pages: AsyncIterable<readonly T[]>) {
  const iterator = pages[Symbol.asyncIterator]();
  let page: readonly T[] = [];
  let next = 0;
  const atHand = (): T | undefined => {
    const it = page[next];
    next += 1;
    return it;
  };
  return {
    atHand,
    async next(): Promise<T | undefined> {
      for (;;) {
        const it = atHand();
        if (it !== undefined) return it;
        const more = await iterator.next();
        if (more.done) return undefined;
        page = more.value;
        next = 0;
      }
    },
    async end(): Promise<void> {
      await iterator.return?.();
    },
  };
}
