import path from 'node:path';
import { message } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';
import type { Row } from '../../model/row.js';
import { cellAddress } from '../../util/address.js';
import type { SheetInfo, Source, SourceOptions } from '../contract.js';
import { findDelimiter, findSeparatorLine, givenDelimiter } from './delimiter.js';
import { findEncoding } from './encoding.js';
import { findFileEnd } from './file-end.js';
import type { CsvDialect } from './records.js';
import { recordsAhead } from './records-ahead.js';
import { CsvRow } from './row.js';
import { readText } from './text.js';

/** A spreadsheet's cell holds at most this many UTF-16 units. */
const CELL_CHARACTERS = 32_767;

/**
 * Opens a text table. The encoding is found here, from the whole file; each call of `rows` reads the file again.
 * @param format `tsv`: the delimiter is a tab unless the options name another
 */
export async function openCsv(
  file: string,
  format: 'csv' | 'tsv',
  options: SourceOptions = {},
): Promise<Source> {
  const asked = options.delimiter ?? 'auto';
  const given = asked === 'auto' ? (format === 'tsv' ? '\t' : 'auto') : givenDelimiter(file, asked);
  const { encoding, nul, lineEnds, warnings } = await findEncoding(file, options.encoding ?? 'auto');
  // Excel writes .txt with tabs; a table of one column has no delimiter to be found.
  const otherwise = path.extname(file).toLowerCase() === '.txt' ? '\t' : ',';
  const text = readText(file, encoding);
  const separatorLine = await findSeparatorLine(file, encoding);
  const delimiter =
    separatorLine?.delimiter ?? (await findDelimiter(text, options.headerRow ?? 1, given, otherwise));
  const { end, isLineEnded } = await findFileEnd(file, encoding);
  const dialect: CsvDialect = {
    file,
    encoding,
    lineEnds,
    delimiter,
    skipped: separatorLine?.length ?? 0,
    end,
  };
  const name = path.basename(file, path.extname(file));
  const sheet: SheetInfo = { name, position: 1, visibility: 'visible' };
  return {
    isWorkbook: false,
    hasOwnDelimiter: format === 'tsv',
    sheets: [sheet],
    encoding,
    delimiter,
    warnings,
    rows: () => rows(dialect, name, { nul, isLineEnded }),
    close: async () => {},
  };
}

async function* rows(
  dialect: CsvDialect,
  sheet: string,
  { nul, isLineEnded }: { readonly nul: boolean; readonly isLineEnded: boolean },
): AsyncGenerator<readonly Row[]> {
  let number = 0;
  // In a file without a last line end, each page is kept until the next one: only then is its last row known to be the
  // last of the file.
  let kept: CsvRow[] = [];
  for await (const records of recordsAhead(dialect)) {
    const page: CsvRow[] = [];
    for (const { fields, faults } of records) {
      number += 1;
      let empty = true;
      for (let index = 0; index < fields.length; index += 1) {
        const text = fields[index]!;
        if (text === '') continue;
        empty = false;
        if (text.length > CELL_CHARACTERS || (nul && text.includes('\0'))) {
          throw cellFault(dialect.file, number, index + 1, text);
        }
      }
      if (!empty) page.push(new CsvRow(sheet, number, fields, { faults }));
    }
    if (page.length === 0) continue;
    const complete = isLineEnded ? page : kept;
    if (complete.length > 0) yield complete;
    kept = page;
  }
  const last = kept.pop();
  if (last && !isLineEnded) yield [...kept, last.unended()];
}

function cellFault(file: string, row: number, column: number, text: string): ProductError {
  const cell = cellAddress(column, row);
  if (text.includes('\0')) return new ProductError('input', message('source.csv_nul', { file, row, cell }));
  const params = { file, row, cell, length: text.length, limit: CELL_CHARACTERS };
  return new ProductError('input', message('source.csv_cell_length', params));
}
