import { message } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';
import type { Sink } from '../../util/sink.js';
import type { ResultTable } from '../contract.js';
import { writeCarried } from './carried.js';
import { rowsOf, type StatusCounts } from './headline.js';
import { innerBook } from './library.js';
import { Looks } from './look.js';
import { guardEscapes } from './package.js';
import type { BookParts } from './parts.js';
import { ProblemList } from './problem-list.js';
import { writeProblems } from './problems.js';
import { writeRecords } from './records.js';
import { writeResults } from './results.js';
import { SHEET_COLUMNS } from './sheet.js';
import { writeSummary } from './summary.js';

/**
 * Level 5 takes two thirds of the time of the usual 6, and gives two bytes in a hundred more. A chunk holds what comes
 * of a piece that the compressor gets at once (see sheet.ts), so that it needs this thread once for each.
 */
const COMPRESSION = { level: 5, chunkSize: 1 << 17 };

/**
 * The result workbook (contract section 6): Results, Records, Problems, the carried sheets, Summary. Rows go through
 * to the disk as they come; memory holds a few pages of them, and a bounded list of problems.
 */
export async function writeXlsx(sink: Sink, table: ResultTable, file: string): Promise<void> {
  const columns = table.columns.length + table.headers.length;
  if (columns > SHEET_COLUMNS) {
    const params = { file, columns, limit: SHEET_COLUMNS };
    throw new ProductError('usage', message('workbook.too_many_columns', params));
  }
  const { default: Writer } = await import('exceljs/lib/stream/xlsx/workbook-writer.js');
  const book = new Writer({
    stream: sink,
    useStyles: true,
    zip: { zlib: COMPRESSION },
  });
  book.creator = 'license-sync';
  book.lastModifiedBy = 'license-sync';
  const inner = innerBook(book);
  const { zip } = inner;
  guardEscapes(inner);
  zip.on('error', (error) => sink.destroy(error));
  const parts: BookParts = {
    book,
    sink,
    looks: new Looks(inner.styles),
    table,
    file,
    printTitles: [],
    problems: new ProblemList(),
  };
  try {
    const names = sheetNames(table);
    const statuses: StatusCounts = new Map();
    await writeResults(parts, statuses);
    if (table.records) await writeRecords(parts, table.records, names.records);
    const problems = parts.problems.count > 0 ? names.problems : undefined;
    if (problems !== undefined) await writeProblems(parts, problems, rowsOf(statuses));
    await writeCarried(parts, names.carried);
    writeSummary(parts, names.summary, statuses, problems);
    inner._definedNames = { model: parts.printTitles };
    await book.commit();
  } catch (error) {
    zip.abort();
    throw error;
  }
}

/** A carried sheet keeps its name, by which the job knows it; only `Results` must be ours alone. */
function sheetNames(table: ResultTable): {
  carried: string[];
  records: string;
  problems: string;
  summary: string;
} {
  const taken = new Set(['results']);
  const own = (name: string): string => {
    let unique = name;
    for (let number = 2; taken.has(unique.toLowerCase()); number += 1) unique = `${name} (${number})`;
    taken.add(unique.toLowerCase());
    return unique;
  };
  return {
    carried: table.carried.map(({ name }) => own(name)),
    records: own('Records'),
    problems: own('Problems'),
    summary: own('Summary'),
  };
}
