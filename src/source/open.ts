import { open } from 'node:fs/promises';
import path from 'node:path';
import { message } from '../errors/message.js';
import { ProductError } from '../errors/product-error.js';
import type { FileSource, SourceOptions } from './contract.js';

/** What compound files (.xls, encrypted workbooks) and zip files begin with. */
const COMPOUND = 'd0cf11e0a1b11ae1';
const ZIP = /^504b(?:0304|0506|0708)/;

/** Extensions of workbooks. What is neither a compound file nor a zip file under one of them is told as what it is. */
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
/** Spreadsheets that aren't read: text of other kinds, and the like. */
const OTHER_SPREADSHEETS = new Set(['.fods', '.numbers', '.htm', '.html', '.mht', '.xml']);

/**
 * Opens a spreadsheet. Workbooks (.xlsx, .xlsm, .xls, .xlsb, .ods) are known by their first bytes under any name, text is
 * a table only as .csv, .tsv or .txt, and .rows are rows that the program stored.
 * @throws ProductError usage when the file is missing, not readable or of another format, or its password is missing or
 *   wrong; input when its content is at fault.
 */
export async function openSource(file: string, options: SourceOptions = {}): Promise<FileSource> {
  const extension = path.extname(file).toLowerCase();
  const head = (await firstBytes(file)).toString('hex');
  if (head === COMPOUND) return openElsewhere(file, options);
  if (ZIP.test(head) || WORKBOOKS.has(extension)) {
    const { openXlsx } = await import('./xlsx/open.js');
    const source = await openXlsx(file);
    return source ? Object.assign(source, { file }) : openElsewhere(file, options);
  }
  switch (extension) {
    case '.csv':
    case '.tsv':
    case '.txt': {
      const { openCsv } = await import('./csv/open.js');
      const source = await openCsv(file, extension === '.tsv' ? 'tsv' : 'csv', options);
      return Object.assign(source, { file });
    }
    case '.rows': {
      const { openRows } = await import('./rows/open.js');
      return Object.assign(await openRows(file), { file });
    }
    default: {
      const code = OTHER_SPREADSHEETS.has(extension) ? 'source.file_format' : 'source.file_extension';
      throw new ProductError('usage', message(code, { file, extension: extension || '-' }));
    }
  }
}

/** In a process of its own: formats that are read whole, or that are made to be decrypted. */
async function openElsewhere(file: string, { password, env }: SourceOptions): Promise<FileSource> {
  const { openOther } = await import('./other/open.js');
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
