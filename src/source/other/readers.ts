import { open } from 'node:fs/promises';
import { message } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';
import type { Source } from '../contract.js';
import { findWorkbook } from '../xlsx/workbook.js';
import { ZipPackage } from '../xlsx/zip.js';
import { CompoundFile } from './compound.js';
import type { FileToRead } from './protocol.js';

/** Opens a file by what it holds. Runs in the process that may be lost. */
export async function openByContent({ path, file, password }: FileToRead): Promise<Source> {
  if (await isZip(path)) return openZip(await ZipPackage.open(path, file));
  const compound = await CompoundFile.open(path, file);
  if (compound.has('EncryptedPackage')) {
    const { decryptPackage } = await import('../encrypted/decrypt.js');
    const zip = await ZipPackage.ofBytes(decryptPackage(compound, password), file);
    const found = await findWorkbook(zip);
    if (found.kind !== 'xlsx') {
      throw new ProductError('input', message('source.other_encrypted', { file, kind: `.${found.kind}` }));
    }
    return openZip(zip);
  }
  const book = compound.stream('Workbook') ?? compound.stream('Book');
  if (!book) throw new ProductError('input', message('source.other_no_workbook', { file }));
  const { openXls } = await import('../xls/open.js');
  return openXls(book, file);
}

async function openZip(zip: ZipPackage): Promise<Source> {
  try {
    const found = await findWorkbook(zip);
    if (found.kind === 'ods') {
      const { openOds } = await import('../ods/open.js');
      return await openOds(zip);
    }
    if (found.kind === 'xlsb') {
      const { openXlsb } = await import('../xlsb/open.js');
      return await openXlsb(zip, found.part);
    }
    const { openWorkbook } = await import('../xlsx/open.js');
    return await openWorkbook(zip, found.part);
  } catch (error) {
    zip.close();
    throw error;
  }
}

async function isZip(path: string): Promise<boolean> {
  const handle = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(2), 0, 2, 0);
    return bytesRead === 2 && buffer.toString('latin1') === 'PK';
  } finally {
    await handle.close();
  }
}
