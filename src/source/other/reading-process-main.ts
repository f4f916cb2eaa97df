import { open } from 'node:fs/promises';
import { message } from '../../errors/message.js';
import { ProductError, serializeError } from '../../errors/product-error.js';
import type { Row } from '../../model/row.js';
import { watchOverProcess } from '../../util/process.js';
import type { SheetInfo, Source } from '../source.js';
import { packRow } from '../stored-row.js';
import { findWorkbook } from '../xlsx/xlsx-workbook.js';
import { ZipPackage } from '../xlsx/zip.js';
import { CompoundFile } from './compound-file.js';
import type {
  FileToRead,
  ReadingQuestion,
  ReadingReplies,
  ReadingReply,
  ReadingRequest,
} from './reading-process.js';

/** Opens a file by its content. Runs in the process that may be killed. */
async function openByContent({ path, file, password }: FileToRead): Promise<Source> {
  if (await isZip(path)) return openZip(await ZipPackage.open(path, file));
  const compound = await CompoundFile.open(path, file);
  if (compound.has('EncryptedPackage')) {
    const { decryptPackage } = await import('./decrypt-package.js');
    const zip = await ZipPackage.ofBytes(decryptPackage(compound, password), file);
    const found = await findWorkbook(zip);
    if (found.kind !== 'xlsx') {
      throw new ProductError('input', message('source.other_encrypted', { file, kind: `.${found.kind}` }));
    }
    return openZip(zip);
  }
  const book = compound.stream('Workbook') ?? compound.stream('Book');
  if (!book) throw new ProductError('input', message('source.other_no_workbook', { file }));
  const { openXls } = await import('../xls/xls-source.js');
  return openXls(book, file);
}

async function openZip(zip: ZipPackage): Promise<Source> {
  try {
    const found = await findWorkbook(zip);
    if (found.kind === 'ods') {
      const { openOds } = await import('../ods/ods-source.js');
      return await openOds(zip);
    }
    if (found.kind === 'xlsb') {
      const { openXlsb } = await import('../xlsb/xlsb-source.js');
      return await openXlsb(zip, found.part);
    }
    const { openWorkbook } = await import('../xlsx/xlsx-source.js');
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

/** Characters of packed rows in one reply, limited because both sides keep it in memory. */
const REPLY_CHARACTERS = 256 * 1024;

const bytes = Number(process.argv[2]) * 1024 ** 2;
watchOverProcess({ everyMs: 20, graceMs: 0, bytes });

let source: Source | undefined;
const streams = new Map<number, AsyncGenerator<readonly string[]>>();

process.on('disconnect', () => process.exit());
process.on('message', (request: ReadingRequest) => void reply(request));

async function reply({ id, question }: ReadingRequest): Promise<void> {
  const start = performance.now();
  let result: Omit<ReadingReply, 'worked'>;
  try {
    result = { id, value: await found(question) };
  } catch (error) {
    result = { id, error: serializeError(error) };
  }
  process.send?.({ ...result, worked: performance.now() - start } satisfies ReadingReply);
}

async function found(question: ReadingQuestion): Promise<ReadingReplies[ReadingQuestion['ask']]> {
  switch (question.ask) {
    case 'open':
      source = await openByContent(question);
      return source.sheets;
    case 'next': {
      const rows = streams.get(question.stream) ?? packed(opened(), sheetAt(question.position));
      streams.set(question.stream, rows);
      const { value, done } = await rows.next();
      if (done) streams.delete(question.stream);
      return done ? [] : value;
    }
    case 'stop':
      await streams.get(question.stream)?.return(undefined);
      streams.delete(question.stream);
      return undefined;
    case 'merges': {
      const ranges = await opened().merges?.(sheetAt(question.position));
      return ranges ? ranges.numbers() : [];
    }
  }
}

async function* packed(from: Source, sheet: SheetInfo): AsyncGenerator<readonly string[]> {
  let rows: string[] = [];
  let characters = 0;
  for await (const page of from.rows(sheet)) {
    for (const row of page satisfies readonly Row[]) {
      const text = packRow(row);
      rows.push(text);
      characters += text.length;
      if (characters < REPLY_CHARACTERS) continue;
      yield rows;
      rows = [];
      characters = 0;
    }
  }
  if (rows.length > 0) yield rows;
}

function opened(): Source {
  if (!source) throw new Error('nothing is open');
  return source;
}

function sheetAt(position: number): SheetInfo {
  const sheet = opened().sheets.find((it) => it.position === position);
  if (!sheet) throw new Error(`no sheet at position ${position}`);
  return sheet;
}
