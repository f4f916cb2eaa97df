import { open, stat } from 'node:fs/promises';
import path from 'node:path';
import { message } from '../errors/message.js';
import { ProductError } from '../errors/product-error.js';
import type { FileSource, SourceOptions } from './source.js';

/** First bytes of compound files (.xls, encrypted workbooks) and zip files. */
const COMPOUND = 'd0cf11e0a1b11ae1';
const ZIP = /^504b(?:0304|0506|0708)/;

/**
 * Extensions of workbooks. A file with one of them that is neither a compound nor a zip file is reported by its
 * content.
 */
const WORKBOOKS = new Set([
  '.xlsx',
  '.xlsm',
  '.xltx',
  '.xltm',
  '.xls',
  '.xlt',
  '.xlsb',
  '.ods',
  '.ots',
  '.et',
  '.ett',
]);
/** Spreadsheet formats that are not supported: other text formats and similar. */
const OTHER_SPREADSHEETS = new Set(['.fods', '.numbers', '.htm', '.html', '.mht', '.xml']);

/** The files by which Excel and LibreOffice mark a workbook as open. */
const LOCK_FILE = /^~\$|^\.~lock\..*#$/;

/** The lock file next to a workbook that is open in Excel or LibreOffice, which may have changes that are not saved. */
export async function lockFileNextTo(file: string): Promise<string | undefined> {
  const { dir, base } = path.parse(file);
  for (const lock of [`~$${base}`, `.~lock.${base}#`]) {
    const stats = await stat(path.join(dir, lock)).catch(() => undefined);
    if (stats?.isFile()) return lock;
  }
  return undefined;
}

/**
 * Opens a spreadsheet. Workbooks (.xlsx, .xlsm, .xls, .xlsb, .ods) are recognised by their first bytes under any name,
 * text is a table only as .csv, .tsv or .txt, and .rows are rows stored by this program.
 * @throws ProductError usage if the file is missing, unreadable or of another format, or its password is missing or
 *   wrong; input if its content is invalid.
 */
export async function openSource(file: string, options: SourceOptions = {}): Promise<FileSource> {
  const extension = path.extname(file).toLowerCase();
  const head = (await firstBytes(file)).toString('hex');
  if (LOCK_FILE.test(path.basename(file)))
    throw new ProductError('usage', message('source.lock_file', { file }));
  if (head === COMPOUND) return openOtherFormat(file, options);
  if (ZIP.test(head) || WORKBOOKS.has(extension)) {
    const { openXlsx } = await import('./xlsx/xlsx-source.js');
    const source = await openXlsx(file);
    return source ? Object.assign(source, { file }) : openOtherFormat(file, options);
  }
  switch (extension) {
    case '.csv':
    case '.tsv':
    case '.txt': {
      const { openCsv } = await import('./csv/csv-source.js');
      const source = await openCsv(file, extension === '.tsv' ? 'tsv' : 'csv', options);
      return Object.assign(source, { file });
    }
    case '.rows': {
      const { openRows } = await import('./rows-file.js');
      return Object.assign(await openRows(file), { file });
    }
    default: {
      const code = OTHER_SPREADSHEETS.has(extension) ? 'source.file_format' : 'source.file_extension';
      throw new ProductError('usage', message(code, { file, extension: extension || '-' }));
    }
  }
}

/** Opens in a separate process: formats that are read whole, or that must be decrypted. */
async function openOtherFormat(file: string, { password, env }: SourceOptions): Promise<FileSource> {
  const { openOther } = await import('./other/other-source.js');
  return Object.assign(await openOther(file, { password, env }), { file });
}

async function firstBytes(file: string): Promise<Buffer> {
  try {
    const handle = await open(file, 'r');
    try {
      if ((await handle.stat()).isDirectory()) {
        throw new ProductError('usage', message('source.file_is_folder', { file }));
      }
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(8), 0, 8, 0);
      return buffer.subarray(0, bytesRead);
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (error instanceof ProductError) throw error;
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') {
      throw new ProductError('usage', message('cli.file_missing', { file }));
    }
    if (code === 'EISDIR') throw new ProductError('usage', message('source.file_is_folder', { file }));
    const reason = code ?? String(error);
    throw new ProductError('usage', message('source.file_unreadable', { file, reason }), { cause: error });
  }
}
