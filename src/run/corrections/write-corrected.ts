import path from 'node:path';
import { type Language, message } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';
import type { Connection } from '../../model/connection.js';
import type { Job, StepsJob } from '../../model/job.js';
import type { Row } from '../../model/row.js';
import { CsvRow } from '../../source/csv/csv-row.js';
import type { MergedRanges } from '../../source/merged-ranges.js';
import { isPulledHeader } from '../../source/result-file.js';
import { type SheetInfo, type Source, withOriginalName } from '../../source/source.js';
import { PlainRow } from '../../source/stored-row.js';
import { cellAddress, neutralise } from '../../util/spreadsheet-text.js';
import type { ResultPlace } from '../../workbook/result-files.js';
import type { CopiedSheet } from '../../workbook/result-line.js';
import { writeSheets, writeText } from '../../workbook/write.js';
import { rowsAsRead } from '../input/input-reading.js';
import { type OpenedInput, openInput } from '../input/opened-input.js';
import { correctedNote } from '../report/corrected-cells.js';
import { csvField, formulaAsText } from './corrections-file.js';
import { type Authors, type Overlay, WHOLE_ROW } from './overlay.js';

/** An input with its corrections. */
interface CorrectedInput {
  readonly job: Job | StepsJob;
  readonly connection: Connection;
  /** The stored input. */
  readonly copy: string;
  readonly overlay: Overlay;
  readonly authors: Authors;
  readonly language: Language;
  readonly env: NodeJS.ProcessEnv | undefined;
}

/**
 * Writes the input with its corrections applied, so that the same job without corrections has the same result. A
 * workbook is written with all its sheets and yellow corrected cells, each with a note of the author, the time and the
 * earlier text; a text file as .csv. Formulas are written as their results. An excluded row is empty.
 * @param file .xlsx, or .csv if the input is text
 * @returns the path written, which differs from `file` if that is open in another program or must not be replaced
 * @throws ProductError usage for another extension, and for an excluded row whose cells other rows may take values from
 */
export async function writeCorrected(
  corrected: CorrectedInput,
  file: string,
  place?: ResultPlace,
): Promise<string> {
  const { job, copy, overlay, env } = corrected;
  return withOriginalName(copy, job.source.file, async () => {
    const input = await openInput(job, copy, env, overlay);
    try {
      const isText = input.source.delimiter !== undefined;
      const extension = isText ? '.csv' : '.xlsx';
      if (path.extname(file).toLowerCase() !== extension)
        throw new ProductError('usage', message('corrections.extension', { file, required: extension }));
      refuseSharedCells(corrected, input.table);
      if (isText) return await writeText(file, correctedCsv(input, overlay), place);
      return await writeSheets(file, job.name, await sheetsOf(corrected, input), place);
    } finally {
      await input.source.close();
    }
  });
}

/** Danger: without the cells of an excluded row, rows below it would take their values from another row. */
function refuseSharedCells({ job, overlay }: CorrectedInput, { merges }: OpenedInput['table']): void {
  const excluded = [...overlay.rows()].filter((row) => overlay.isExcluded(row));
  const isUnderRange = (row: number): boolean => {
    for (let range = 0; range < merges.count; range += 1)
      if (merges.top(range) <= row && row <= merges.bottom(range)) return true;
    return false;
  };
  const row = job.source.fillDown ? excluded[0] : excluded.find(isUnderRange);
  if (row !== undefined) throw new ProductError('usage', message('corrections.excluded_shared', { row }));
}

async function sheetsOf(corrected: CorrectedInput, input: OpenedInput): Promise<readonly CopiedSheet[]> {
  const { source, table } = input;
  const sheets: CopiedSheet[] = [];
  for (const sheet of source.sheets) {
    const { name, visibility } = sheet;
    const merges = await source.merges?.(sheet);
    const isMain = name === table.sheet.name;
    const broken = isMain && merges ? brokenRanges(merges, corrected.overlay) : undefined;
    sheets.push({
      name,
      visibility,
      headerRow: isMain ? table.headerRow : 1,
      merges: merges ? addresses(merges, broken) : [],
      marks: () => new Map(),
      rows: () => (isMain ? mainRows(corrected, input, broken) : source.rows(sheet)),
      corrected: isMain ? (row: number) => notes(corrected, input, row) : undefined,
    });
  }
  return sheets;
}

function addresses(merges: MergedRanges, broken: UnmergedRanges | undefined): readonly string[] {
  const found: string[] = [];
  for (let range = 0; range < merges.count; range += 1)
    if (!broken?.ranges.has(range)) found.push(merges.address(range));
  return found;
}

/** The rows above the data unchanged, then those of the data with their corrections. */
async function* mainRows(
  { job, connection }: CorrectedInput,
  input: OpenedInput,
  broken: UnmergedRanges | undefined,
): AsyncGenerator<readonly Row[]> {
  const { source, table } = input;
  yield* rowsUpTo(source, table.sheet, table.headerRow);
  if (!broken || broken.ranges.size === 0) {
    for await (const page of table.rows()) yield page.map(withoutExcluded);
    return;
  }
  // A range with a corrected cell is unmerged: the values that its other cells were read with are written into them.
  const asRead = (await rowsAsRead(job, connection, input)).main()[Symbol.asyncIterator]();
  for await (const page of table.rows()) {
    const shaped = await asRead.next();
    yield page.map((row, index) =>
      withoutExcluded(shaped.done ? row : broken.filled(row, shaped.value[index]!)),
    );
  }
}

function withoutExcluded(row: Row): Row {
  return row.excluded ? new PlainRow(row, []) : row;
}

async function* rowsUpTo(source: Source, sheet: SheetInfo, last: number): AsyncGenerator<readonly Row[]> {
  for await (const page of source.rows(sheet)) {
    const above = page.filter(({ number }) => number <= last);
    if (above.length > 0) yield above;
    if (page.at(-1)!.number >= last) return;
  }
}

function notes({ authors, connection, language }: CorrectedInput, { corrected }: OpenedInput, row: number) {
  return new Map(
    corrected
      .of(row)
      .map((cell) => [
        cell.column,
        correctedNote({ ...cell, ...authors(cell.row, cell.column) }, language, connection.timezone),
      ]),
  );
}

const INVALID_LINE = 'this line has an error and cannot be copied';

/** A text file with its corrections, in UTF-8 with the original delimiter. A line with an error keeps the error. */
async function* correctedCsv({ source, table }: OpenedInput, overlay: Overlay): AsyncGenerator<string> {
  const delimiter = source.delimiter ?? ',';
  const rows = new Map<number, Row>();
  const checked = table.rows()[Symbol.asyncIterator]();
  let width = 0;
  let isGuarded = table.fromResult;
  let number = 0;
  let page = await checked.next();
  yield '\ufeff';
  const line = (fields: readonly string[]): string =>
    `${fields.map((field) => csvField(field, delimiter)).join(delimiter)}\r\n`;
  const encode = (text: string): string => (isGuarded ? neutralise(text) : formulaAsText(text));
  for await (const raws of source.rows(table.sheet)) {
    let text = '';
    const last = raws.at(-1)!.number;
    // The table's rows contain the errors of a line's width, and lines that were blank.
    while (!page.done && (rows.size === 0 || [...rows.keys()].at(-1)! < last)) {
      for (const row of page.value) rows.set(row.number, row);
      page = await checked.next();
    }
    for (const raw of raws) {
      for (number += 1; number < raw.number; number += 1) {
        const fields = correctedFields([], overlay, number, encode);
        text += fields.length > 0 ? line(padded(fields, width)) : '\r\n';
      }
      if (!(raw instanceof CsvRow)) continue;
      if (raw.number === table.headerRow) {
        width = raw.fields.length;
        isGuarded ||= isPulledHeader([...raw.fields]);
      }
      const isFaulty = rows.get(raw.number)?.faults !== undefined;
      const fields = correctedFields(raw.fields, overlay, raw.number, encode);
      const isCorrected = isFaulty && (raw.faults !== undefined || fields.length !== raw.fields.length);
      text += line(isCorrected ? [...padded(fields, width), INVALID_LINE] : fields);
      rows.delete(raw.number);
    }
    yield text;
  }
}

function correctedFields(
  original: readonly string[],
  overlay: Overlay,
  row: number,
  encode: (text: string) => string,
): readonly string[] {
  const corrections = overlay.row(row);
  if (!corrections) return original;
  if (overlay.isExcluded(row)) return [];
  const fields = [...original];
  for (const { column, text } of corrections.values()) {
    if (column === WHOLE_ROW) continue;
    while (fields.length < column) fields.push('');
    fields[column - 1] = encode(text);
  }
  return fields;
}

function padded(fields: readonly string[], width: number): readonly string[] {
  return [...fields, ...Array<string>(Math.max(0, width - fields.length)).fill('')];
}

/** Merged ranges that are removed, because a cell that they hide was corrected. */
interface UnmergedRanges {
  readonly ranges: ReadonlySet<number>;
  /**
   * A row with the values that its cells in these ranges were read with.
   * @throws ProductError usage if one of these cells has an error
   */
  filled(row: Row, asRead: Row): Row;
}

function brokenRanges(merges: MergedRanges, overlay: Overlay): UnmergedRanges {
  const ranges = new Set<number>();
  const rows = [...overlay.rows()];
  for (let range = 0; range < merges.count && rows.length > 0; range += 1)
    if (isBroken(merges, range, overlay, rows)) ranges.add(range);
  const byRow = [...ranges];
  return {
    ranges,
    filled(row, asRead) {
      const over = byRow.filter(
        (range) => merges.top(range) <= row.number && merges.bottom(range) >= row.number,
      );
      return over.length === 0 ? row : withCells(row, asRead, over, merges);
    },
  };
}

function isBroken(merges: MergedRanges, range: number, overlay: Overlay, rows: readonly number[]): boolean {
  const top = merges.top(range);
  const left = merges.left(range);
  for (let i = firstFrom(rows, top); i < rows.length && rows[i]! <= merges.bottom(range); i += 1) {
    for (const { row, column, text } of overlay.row(rows[i]!)!.values()) {
      const isWithin = column >= left && column <= merges.right(range);
      if (isWithin && text !== '' && !(row === top && column === left)) return true;
    }
  }
  return false;
}

function firstFrom(rows: readonly number[], least: number): number {
  let low = 0;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (rows[middle]! < least) low = middle + 1;
    else high = middle;
  }
  return low;
}

function withCells(row: Row, asRead: Row, over: readonly number[], merges: MergedRanges): Row {
  const cells = new Map(row.cells().map((cell) => [cell.column, cell]));
  for (const range of over) {
    for (let column = merges.left(range); column <= merges.right(range); column += 1) {
      const isFirst = row.number === merges.top(range) && column === merges.left(range);
      const read = asRead.cell(column);
      if (isFirst || row.cell(column)?.corrected || !read) continue;
      if (read.kind === 'merged') throw remainingMerges(column, row.number, merges.address(range));
      cells.set(column, { ...read, column });
    }
  }
  return new PlainRow(
    row,
    [...cells.values()].sort((a, b) => a.column - b.column),
  );
}

/**
 * Danger: any value written into such a cell would no longer be in a merged range, and the rows above, which are
 * withheld because of it, would be sent without it.
 */
function remainingMerges(column: number, row: number, range: string): ProductError {
  return new ProductError(
    'usage',
    message('corrections.still_merged', { cell: cellAddress(column, row), range }),
  );
}
