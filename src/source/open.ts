import { open } from 'node:fs/promises';
import path from 'node:path';
import { message } from '../errors/message.js';
import { ProductError } from '../errors/product-error.js';
import type { FileSource, SourceOptions } from './contract.js';

const OTHER_SPREADSHEETS = new Set([
  '.xls',
  '.xlsb',
  '.xlt',
  '.xltx',
  '.xltm',
  '.ods',
  '.fods',
  '.et',
  '.ett',
  '.numbers',
  '.htm',
  '.html',
  '.mht',
  '.xml',
]);

/**
 * Opens a spreadsheet by its extension: .xlsx, .xlsm, .csv, .tsv, .txt, or .rows (rows that the program stored).
 * @throws ProductError usage when the file is missing, not readable or of another format; input when its content
 *   is at fault.
 */
export async function openSource(file: string, options: SourceOptions = {}): Promise<FileSource> {
  const extension = path.extname(file).toLowerCase();
  const head = await firstBytes(file);
  switch (extension) {
    case '.xlsx':
    case '.xlsm': {
      const { openXlsx } = await import('./xlsx/open.js');
      return Object.assign(await openXlsx(file), { file });
    }
    case '.csv':
    case '.tsv':
    case '.txt': {
      refuseBinary(file, extension, head);
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

/** Refuses workbooks that only have a text file's extension. */
function refuseBinary(file: string, extension: string, head: Buffer): void {
  const hex = head.toString('hex');
  if (hex.startsWith('504b0304')) {
    throw new ProductError('input', message('source.file_is_zip', { file, extension }));
  }
  if (hex === 'd0cf11e0a1b11ae1') {
    throw new ProductError('input', message('source.file_is_ole', { file, extension }));
  }
}
