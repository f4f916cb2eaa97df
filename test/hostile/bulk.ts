import { constants, crc32, deflateRawSync } from 'node:zlib';
import { workbookEntries } from '../fixtures/workbook.js';
import { type ZipEntry, zip } from '../fixtures/zip.js';

const EMPTY_LAST = Buffer.from([3, 0]);

/** An entry of one text repeated many times, packed without ever being there as a whole: blocks of deflate repeat too. */
export function repeated(
  name: string,
  before: string,
  block: string,
  times: number,
  after: string,
  encoding: 'utf8' | 'utf16le' = 'utf8',
): ZipEntry {
  const [head, bytes, tail] = [before, block, after].map((it) => Buffer.from(it, encoding)) as [
    Buffer,
    Buffer,
    Buffer,
  ];
  const pack = (it: Buffer): Buffer => deflateRawSync(it, { finishFlush: constants.Z_FULL_FLUSH, level: 9 });
  const packed = pack(bytes);
  let crc = crc32(head);
  for (let count = 0; count < times; count += 1) crc = crc32(bytes, crc);
  return {
    name,
    data: '',
    packed: Buffer.concat([pack(head), ...Array<Buffer>(times).fill(packed), pack(tail), EMPTY_LAST]),
    size: head.length + bytes.length * times + tail.length,
    crc: crc32(tail, crc),
  };
}

const SHEET = 'xl/worksheets/sheet1.xml';
const STRINGS = 'xl/sharedStrings.xml';
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const SHEET_OPEN = `<worksheet xmlns="${MAIN}"><sheetData>`;
const SHEET_CLOSE = '</sheetData></worksheet>';
const CELL = (text: string): string => `<c t="inlineStr"><is><t>${text}</t></is></c>`;

function bookWith(...entries: readonly ZipEntry[]): Buffer {
  return zip(workbookEntries({ sheet: '<row r="1"><c r="A1"><v>1</v></c></row>', entries }));
}

function sheet(before: string, block: string, times: number, after: string): Buffer {
  return bookWith(repeated(SHEET, SHEET_OPEN + before, block, times, after + SHEET_CLOSE));
}

/** A table of shared texts, and a sheet with one cell that shows the first. */
function strings(block: string, times: number, encoding?: 'utf16le'): Buffer {
  const table = repeated(STRINGS, `<sst xmlns="${MAIN}">`, block, times, '</sst>', encoding);
  return bookWith(table, {
    name: SHEET,
    data: `${SHEET_OPEN}<row><c t="s"><v>0</v></c></row>${SHEET_CLOSE}`,
  });
}

const MIB = 1024 ** 2;
const ZEROS = Buffer.alloc(4 * MIB);

/** Zero bytes by the gigabyte as an entry's packed data; nobody reads so far that the checksum would matter. */
function zeros(name: string, gigabytes: number): ZipEntry {
  const packed = deflateRawSync(ZEROS, { finishFlush: constants.Z_FULL_FLUSH, level: 9 });
  const times = (gigabytes * 1024 * MIB) / ZEROS.length;
  const all = Buffer.concat([...Array<Buffer>(times).fill(packed), EMPTY_LAST]);
  return { name, data: '', packed: all, size: times * ZEROS.length, crc: 0 };
}

export interface Bulk {
  readonly title: string;
  readonly extension: '.xlsx' | '.csv';
  readonly bytes: () => Buffer;
  /** How reading ends: `rows`, or the fault's code. */
  readonly end: string;
  /** Read up to its end. */
  readonly rows: number;
}

function book(title: string, end: string, rows: number, bytes: () => Buffer): Bulk {
  return { title, extension: '.xlsx', bytes, end, rows };
}

function text(title: string, end: string, rows: number, bytes: () => Buffer): Bulk {
  return { title, extension: '.csv', bytes, end, rows };
}

const LONG = '文'.repeat(1000);
const ROW = `<row>${'<c><v>1</v></c>'.repeat(300)}</row>`;
const STYLED = '<row s="1" customFormat="1"/>';

/** Files that would fill the memory of a reader that trusts them. */
export const BULKS: readonly Bulk[] = [
  book('3 GB of zero bytes in place of a sheet', 'source.xlsx_part_broken', 0, () =>
    bookWith(zeros(SHEET, 3)),
  ),
  book('3 GB of zero bytes that no one reads', 'rows', 1, () => bookWith(zeros('xl/media/z.bin', 3))),
  book('5 GB of zero bytes', 'source.zip_inflated', 0, () => bookWith(zeros('a', 3), zeros('b', 2))),
  book('shared texts of 150 MB', 'rows', 1, () =>
    strings(`<si><t>${'x'.repeat(2000)}</t></si>`.repeat(250), 300),
  ),
  book('shared texts of 150 MB, written in 100 MB of UTF-16', 'rows', 1, () =>
    strings(`<si><t>${LONG}</t></si>`.repeat(500), 100, 'utf16le'),
  ),
  book('shared texts of 170 MB', 'source.xlsx_strings_too_large', 0, () =>
    strings(`<si><t>${LONG}</t></si>`.repeat(500), 118),
  ),
  book('shared texts of 170 MB, each as long as a cell may be', 'source.xlsx_strings_too_large', 0, () =>
    strings(`<si><t>${'文'.repeat(32_767)}</t></si>`.repeat(10), 173),
  ),
  book('twenty million empty shared texts', 'source.xlsx_strings_too_large', 0, () =>
    strings('<si/>'.repeat(100_000), 210),
  ),
  book('a shared text of 60 MB', 'source.xlsx_cell_too_long', 0, () => {
    const table = repeated(STRINGS, '<sst><si><t>', 'x'.repeat(MIB), 60, '</t></si></sst>');
    return bookWith(table, {
      name: SHEET,
      data: `${SHEET_OPEN}<row><c t="s"><v>0</v></c></row>${SHEET_CLOSE}`,
    });
  }),
  book('a cell of 60 MB', 'source.xlsx_cell_too_long', 0, () =>
    sheet('<row><c t="str"><v>', 'x'.repeat(MIB), 60, '</v></c></row>'),
  ),
  book('an attribute of 60 MB', 'source.xlsx_part_broken', 0, () =>
    sheet('<row r="', '1'.repeat(MIB), 60, '"/>'),
  ),
  book('a comment of 60 MB', 'rows', 1, () =>
    sheet('<!--', ' c '.repeat(300_000), 60, `--><row>${CELL('a')}</row>`),
  ),
  book('a row of 16,384 cells and 30 MB of text', 'rows', 1, () =>
    sheet('<row>', CELL('文'.repeat(630)).repeat(512), 32, '</row>'),
  ),
  book('a row of more text than any row has', 'source.xlsx_row_too_large', 0, () =>
    sheet('<row>', CELL('文'.repeat(5000)).repeat(64), 200, '</row>'),
  ),
  book('a million elements, each within the one before', 'source.xlsx_part_broken', 0, () =>
    sheet('<row>', '<a>'.repeat(10_000), 100, '</row>'),
  ),
  book('two million tiny cells', 'rows', 7000, () => sheet('', ROW.repeat(100), 70, '')),
  book('half a million rows without a cell', 'rows', 0, () => sheet('', STYLED.repeat(10_000), 50, '')),
  text('a line of thirty million commas', 'source.csv_fields', 1, () =>
    Buffer.from(`a,b\n${','.repeat(30e6)}`),
  ),
  text('a quote that is never closed, and 34 MB behind it', 'source.csv_record_size', 1, () =>
    Buffer.from(`a,b\n1,"${'abc\n'.repeat(8.5e6)}`),
  ),
  text('a cell of 34 MB in UTF-16', 'source.csv_record_size', 1, () =>
    Buffer.from(`\ufeffa,b\n${'x'.repeat(34e6)}\n`, 'utf16le'),
  ),
  text('a million blank lines', 'rows', 2, () => Buffer.from(`a,b\n${'\n'.repeat(1e6)}1,2\n`)),
];
