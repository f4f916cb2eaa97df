import { message } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';
import {
  defineNames,
  guardEscapes,
  loadWorkbookWriter,
  stylesOf,
  zipOf,
} from '../../util/exceljs-private.js';
import type { Sink } from '../../util/streams.js';
import type { ResultTable } from '../result-line.js';
import { writeCopiedSheets, writeRecords } from './copied-sheets.js';
import { rowsOf, type StatusCounts } from './headline.js';
import type { BookParts } from './parts.js';
import { ProblemList } from './problem-list.js';
import { writeProblems } from './problems.js';
import { writeResults } from './results.js';
import { SHEET_COLUMNS } from './sheet.js';
import { CellStyles } from './styles.js';
import { writeSummary } from './summary.js';

/**
 * Level 5 takes two thirds of the time of the default 6 and makes files 2 % larger. A chunk contains the output of one
 * chunk of input (see sheet.ts), so that the compressor needs this thread once for each.
 */
const COMPRESSION = { level: 5, chunkSize: 1 << 17 };

/**
 * The result workbook (contract section 6): Results, Records, Problems, the copied sheets, Summary. Rows are written as
 * they arrive; memory contains a few pages of them, and a limited list of problems.
 */
export async function writeXlsx(sink: Sink, table: ResultTable, file: string): Promise<void> {
  const { parts, commit, abort } = await beginBook(sink, table, file);
  try {
    const names = sheetNames(table);
    const statuses: StatusCounts = new Map();
    await writeResults(parts, statuses);
    if (table.records) await writeRecords(parts, table.records, names.records);
    const joined = table.joinedProblems?.() ?? [];
    for (const it of joined) {
      const at = table.copied.findIndex(({ name }) => name === it.sheet);
      const sheet = (names.copied[at] ?? it.sheet).replaceAll("'", "''");
      parts.problems.add({ ...it, status: 'invalid', cell: `'${sheet}'!${it.cell}` });
    }
    const problems = parts.problems.count > 0 ? names.problems : undefined;
    if (problems !== undefined) await writeProblems(parts, problems, rowsOf(statuses) + joined.length);
    await writeCopiedSheets(parts, names.copied);
    writeSummary(parts, names.summary, statuses, problems);
    await commit();
  } catch (error) {
    abort();
    throw error;
  }
}

/** A workbook of one sheet, named like the table: its headers and rows only, so that a job can read it. */
export async function writeXlsxTable(sink: Sink, table: ResultTable, file: string): Promise<void> {
  const { parts, commit, abort } = await beginBook(sink, table, file);
  try {
    await writeResults(parts, new Map(), table.job);
    await commit();
  } catch (error) {
    abort();
    throw error;
  }
}

/** A workbook of only the table's copied sheets, under their own names. */
export async function writeXlsxSheets(sink: Sink, table: ResultTable, file: string): Promise<void> {
  const { parts, commit, abort } = await beginBook(sink, table, file);
  try {
    await writeCopiedSheets(
      parts,
      table.copied.map(({ name }) => name),
    );
    await commit();
  } catch (error) {
    abort();
    throw error;
  }
}

interface StartedWorkbook {
  readonly parts: BookParts;
  /** Writes the end of a workbook, after its last sheet. */
  commit(): Promise<void>;
  abort(): void;
}

/** @throws ProductError usage for more columns than a worksheet can have */
async function beginBook(sink: Sink, table: ResultTable, file: string): Promise<StartedWorkbook> {
  const columns = table.columns.length + table.headers.length;
  if (columns > SHEET_COLUMNS) {
    const params = { file, columns, limit: SHEET_COLUMNS };
    throw new ProductError('usage', message('workbook.too_many_columns', params));
  }
  const Writer = await loadWorkbookWriter();
  const book = new Writer({
    stream: sink,
    useStyles: true,
    zip: { zlib: COMPRESSION },
  });
  book.creator = 'license-sync';
  book.lastModifiedBy = 'license-sync';
  const zip = zipOf(book);
  guardEscapes(book);
  zip.on('error', (error) => sink.destroy(error));
  const parts: BookParts = {
    book,
    sink,
    styles: new CellStyles(stylesOf(book)),
    table,
    file,
    printTitles: [],
    problems: new ProblemList(),
  };
  return {
    parts,
    commit: async () => {
      defineNames(book, parts.printTitles);
      await book.commit();
    },
    abort: () => zip.abort(),
  };
}

/** A copied sheet keeps its name, which the job uses, unless it is `Results`. The program's sheets get other names. */
function sheetNames(table: ResultTable): {
  copied: string[];
  records: string;
  problems: string;
  summary: string;
} {
  const used = new Set(['results']);
  const uniqueName = (name: string): string => {
    let unique = name;
    for (let number = 2; used.has(unique.toLowerCase()); number += 1) unique = `${name} (${number})`;
    used.add(unique.toLowerCase());
    return unique;
  };
  return {
    copied: table.copied.map(({ name }) => uniqueName(name)),
    records: uniqueName('Records'),
    problems: uniqueName('Problems'),
    summary: uniqueName('Summary'),
  };
}
