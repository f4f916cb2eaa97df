import { createReadStream, createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { type Message, message } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';
import { loadSendingJob } from '../../job/load.js';
import type { SecretSource } from '../../model/notification.js';
import type { FileSource } from '../../source/contract.js';
import { openSource } from '../../source/open.js';
import { withOriginalName } from '../../source/original-name.js';
import { systemClock } from '../../util/clock.js';
import { plainFileName } from '../../util/file-name.js';
import type { AppContext } from '../context.js';
import { jobReading } from '../job-reading.js';
import { type OpenedLedger, withLedger } from '../open.js';
import { jobFileNamed, jobFiles } from './import-job.js';
import { ownFolder } from './own-folder.js';

/** A file that came, and may be made an import of. */
export interface Uploaded {
  /** Its digest, by which it is asked for. */
  readonly upload: string;
  /** As it is called from now on. */
  readonly name: string;
  /** Bytes. */
  readonly size: number;
  /** In the order of their tabs. */
  readonly sheets: readonly { readonly name: string; readonly hidden: boolean }[];
}

interface SentFile {
  /** As the sender calls it: no path of it is followed. */
  readonly name: string;
  readonly bytes: AsyncIterable<Uint8Array>;
  /** Bytes at most. */
  readonly limit: number;
  /** In so many milliseconds 16 KB must come, or the rest. */
  readonly patienceMs: number;
}

/**
 * Takes a file in, as a stream, and says which sheets it has. Its content tells what it is; whatever can't be read is
 * refused, with what would be right. Nothing is kept of one that is refused, or breaks off.
 * @throws ProductError usage or input as for a job's file; `imports.too_large`, `imports.too_slow`
 */
export function keepUpload(context: AppContext, sent: SentFile): Promise<Uploaded> {
  const receiveInto = async ({ ledger, actor: { who } }: OpenedLedger): Promise<Uploaded> => {
    const own = await ownFolder(ledger, 'coming');
    try {
      const name = plainFileName(sent.name);
      const file = path.join(own, name);
      const size = await receive(sent, file);
      // Whoever sent it knows its name, and no place here.
      const sheets = await withOriginalName(file, name, () => sheetsOf(context, file, name));
      const { sha256 } = await ledger.inputs.put(name, createReadStream(file, { highWaterMark: 1 << 20 }));
      await ledger.imports.uploaded({ sha256, name, by: who, at: systemClock.now() });
      return { upload: sha256, name, size, sheets };
    } finally {
      await rm(own, { recursive: true, force: true });
    }
  };
  return withLedger(context, receiveInto, { act: 'import' });
}

async function receive({ bytes, limit, patienceMs }: SentFile, file: string): Promise<number> {
  let size = 0;
  const counted = async function* (): AsyncGenerator<Uint8Array> {
    for await (const piece of inTime(bytes, patienceMs)) {
      size += piece.length;
      if (size > limit) {
        const megabytes = Math.floor(limit / 1_048_576);
        throw new ProductError('input', message('imports.too_large', { limit: `${megabytes} MB` }));
      }
      yield piece;
    }
  };
  await pipeline(counted(), createWriteStream(file, { mode: 0o600, flags: 'wx' }));
  return size;
}

/** A byte now and then would hold a connection and a file for as long as somebody likes. */
const LEAST_BYTES = 16 * 1024;

/** The same pieces; gives up where too little comes for too long: whoever sends may be gone without a word. */
async function* inTime(bytes: AsyncIterable<Uint8Array>, patienceMs: number): AsyncGenerator<Uint8Array> {
  const pieces = bytes[Symbol.asyncIterator]();
  let over = false;
  let until = performance.now() + patienceMs;
  let come = 0;
  try {
    for (;;) {
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<never>((_, reject) => {
        const left = Math.max(0, until - performance.now());
        timer = setTimeout(() => reject(new ProductError('input', message('imports.too_slow'))), left);
      });
      try {
        const next = pieces.next();
        // It may fail after nobody waits for it any more.
        next.catch(() => {});
        const piece = await Promise.race([next, late]);
        over = piece.done === true;
        if (piece.done) return;
        come += piece.value.length;
        clearTimeout(timer);
        // Time that goes into writing it isn't the sender's.
        const written = performance.now();
        yield piece.value;
        until += performance.now() - written;
        if (come < LEAST_BYTES) continue;
        come = 0;
        until = performance.now() + patienceMs;
      } finally {
        clearTimeout(timer);
      }
    }
  } finally {
    if (!over) pieces.return?.()?.catch(() => {});
  }
}

async function sheetsOf(context: AppContext, file: string, name: string): Promise<Uploaded['sheets']> {
  const open = (password?: SecretSource) => openSource(file, { password, env: context.env });
  const source = await withPasswords(context, name, open);
  try {
    if (!source.isWorkbook) await refuseEmpty(source, name);
    return source.sheets.map((it) => ({ name: it.name, hidden: it.visibility !== 'visible' }));
  } finally {
    await source.close();
  }
}

/** Text is known to be a table only when some of it is read. */
async function refuseEmpty(source: FileSource, name: string): Promise<void> {
  for await (const page of source.rows(source.sheets[0]!)) {
    for (const { faults } of page) {
      const [fault] = faults ?? [];
      if (fault && page.length <= 2) throw new ProductError('input', fault.message);
    }
    if (page.length > 0) return;
  }
  throw new ProductError('input', message('imports.empty', { file: name }));
}

/**
 * Reads a file; what is encrypted, with the passwords that jobs in the folder name, until one opens it. Nobody types one in at
 * a page: it would have to be kept for every later reading of the file.
 * @param name of the file, for whoever sent it
 */
export async function withPasswords<T>(
  context: AppContext,
  name: string,
  read: (password?: SecretSource) => Promise<T>,
): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof ProductError) || error.code !== 'source.xlsx_encrypted') throw error;
  }
  const others: Message[] = [];
  for (const password of await passwords(context)) {
    try {
      return await read(password);
    } catch (error) {
      if (!(error instanceof ProductError) || !error.code.startsWith('source.password')) throw error;
      others.push(error.detail);
    }
  }
  throw new ProductError('usage', message('imports.encrypted', { file: name }), { others });
}

async function passwords(context: AppContext): Promise<readonly SecretSource[]> {
  const found: SecretSource[] = [];
  for (const name of await jobFiles(context)) {
    const file = await jobFileNamed(context, name);
    const job = await loadSendingJob(file, jobReading(context)).catch(() => undefined);
    if (job?.source.password) found.push(job.source.password);
  }
  return found;
}
