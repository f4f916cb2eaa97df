import { z } from 'zod';
import type { JobCode } from '../problem.js';
import { duration, secretPlace, text } from './shared.js';

export const sourceSchema = z
  .strictObject({
    file: text.describe(
      'Spreadsheet to read, .xlsx, .xls, .xlsb, .ods, .csv, .tsv or .txt, from the folder of the job file; --input overrides. With * or ? in its name each file that fits is a run of its own.',
    ),
    settle: duration
      .optional()
      .describe(
        'Input folders: how long the size and time of a file must be unchanged before it is taken. Default 5s.',
      ),
    sheet: z
      .union([text, z.int().min(1)], { error: 'job.bad_sheet' satisfies JobCode })
      .optional()
      .describe('Sheet of a workbook by name or 1-based position; the first visible sheet when left out.'),
    headerRow: z
      .int()
      .min(1)
      .max(1_048_576)
      .default(1)
      .describe('Row that holds the headers, as Excel numbers it.'),
    encoding: text
      .refine(isEncoding, { error: 'job.unknown_encoding' satisfies JobCode })
      .default('auto')
      .describe('Encoding of a text file: auto (BOM, UTF-8, UTF-16, GB18030) or a name such as gb18030.'),
    delimiter: z
      .string()
      .refine(isDelimiter, { error: 'job.bad_delimiter' satisfies JobCode })
      .default('auto')
      .describe('What separates the fields of a text file: auto, tab, or one character.'),
    password: secretPlace('password', 'job.source_password_inlined', {})
      .refine((it) => (it.env === undefined) !== (it.file === undefined), {
        error: 'job.source_password_ways' satisfies JobCode,
      })
      .optional()
      .describe('Where the password of an encrypted .xlsx file is found; it never stands in the job file.'),
    where: text
      .optional()
      .describe('CEL condition on a row, such as row["Status"] == "Approved"; the other rows are skipped.'),
    hiddenRows: z
      .enum(['include', 'skip', 'refuse'])
      .default('include')
      .describe('What becomes of hidden rows; refuse stops the run before anything is sent.'),
    merged: z
      .enum(['refuse', 'fill'])
      .default('refuse')
      .describe(
        'What becomes of rows under a merged range of a column that the map reads: refuse makes them invalid, fill gives each of its cells the value of the range.',
      ),
    fillDown: z
      .array(text)
      .min(1, { error: 'job.empty_list' satisfies JobCode })
      .optional()
      .describe('Headers of columns whose empty cells take the value above them.'),
    until: text
      .optional()
      .describe(
        'CEL condition on a row, such as row["Order No"] == ""; the table ends before the first row where it holds.',
      ),
  })
  .describe('Where the rows come from.');

function isEncoding(name: string): boolean {
  if (name === 'auto') return true;
  try {
    new TextDecoder(name);
    return true;
  } catch {
    return false;
  }
}

function isDelimiter(it: string): boolean {
  return it === 'auto' || it === 'tab' || ([...it].length === 1 && !'"\r\n'.includes(it));
}
