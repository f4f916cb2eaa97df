import path from 'node:path';
import { type Language, message } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';
import type { Connection } from '../../model/connection.js';
import type { Job, StepsJob } from '../../model/job.js';
import type { Row } from '../../model/row.js';
import type { SheetInfo, Source } from '../../source/contract.js';
import type { MergedRanges } from '../../source/merged-ranges.js';
import { withOriginalName } from '../../source/original-name.js';
import type { CopiedSheet } from '../../workbook/contract.js';
import type { ResultPlace } from '../../workbook/result-notes.js';
import { writeSheets, writeText } from '../../workbook/write.js';
import { rowsAsRead } from '../input/input-reading.js';
import { type OpenedInput, openInput } from '../input/opened-input.js';
import { correctedNote } from '../report/corrected-cells.js';
import { brokenRanges, type UnmergedRanges } from './broken-ranges.js';
import { correctedCsv } from './corrected-csv.js';
import type { Authors, Overlay } from './overlay.js';

/** What is written anew: an input with its corrections. */
export interface CorrectedInput {
  readonly job: Job | StepsJob;
  readonly connection: Connection;
  /** The kept input. */
  readonly copy: string;
  readonly overlay: Overlay;
  readonly authors: Authors;
  readonly language: Language;
  readonly env: NodeJS.ProcessEnv | undefined;
}

/**
 * Writes the input as it was corrected, so that the same job makes the same of it without the corrections: of a workbook all
 * its sheets, the corrected cells yellow, each with a note of who, when, and what was there before; of a text file a .csv.
 * Formulas are written as their results.
 * @param file .xlsx, or .csv where the input is text
 * @returns the path written, which differs from `file` if that is open in another program or must not be replaced
 * @throws ProductError usage for another extension
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
      const wanted = isText ? '.csv' : '.xlsx';
      if (path.extname(file).toLowerCase() !== wanted)
        throw new ProductError('usage', message('corrections.extension', { file, wanted }));
      if (isText) return await writeText(file, correctedCsv(input, overlay), place);
      return await writeSheets(file, job.name, await sheetsOf(corrected, input), place);
    } finally {
      await input.source.close();
    }
  });
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
      ...(isMain ? { corrected: (row: number) => notes(corrected, input, row) } : {}),
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

/** The rows above the data as they are, then those of the data with their corrections. */
async function* mainRows(
  { job, connection }: CorrectedInput,
  input: OpenedInput,
  broken: UnmergedRanges | undefined,
): AsyncGenerator<readonly Row[]> {
  const { source, table } = input;
  yield* rowsUpTo(source, table.sheet, table.headerRow);
  if (!broken || broken.ranges.size === 0) {
    yield* table.rows();
    return;
  }
  // A range with a corrected cell is none any more: what its other cells were read as is written into them.
  const asRead = (await rowsAsRead(job, connection, input)).main()[Symbol.asyncIterator]();
  for await (const page of table.rows()) {
    const shaped = await asRead.next();
    yield page.map((row, index) => (shaped.done ? row : broken.filled(row, shaped.value[index]!)));
  }
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
      .map((it) => [
        it.column,
        correctedNote({ ...it, ...authors(it.row, it.column) }, language, connection.timezone),
      ]),
  );
}
