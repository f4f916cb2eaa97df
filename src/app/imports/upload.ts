import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { type Message, message } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';
import { loadSendingJob } from '../../job/load.js';
import type { Ledger } from '../../ledger/contract/ledger.js';
import { openSource } from '../../source/open-source.js';
import { type FileSource, withOriginalName } from '../../source/source.js';
import { isLeft, OWN_MARK } from '../../util/atomic-file.js';
import { systemClock } from '../../util/clock.js';
import { plainFileName } from '../../util/files.js';
import type { SecretSource } from '../../util/secret-source.js';
import type { AppContext } from '../context.js';
import { jobReading } from '../job-input.js';
import { type OpenedLedger, withLedger } from '../with-ledger.js';
import { jobFileNamed, jobFiles } from './import-job.js';

/** An uploaded file, from which an import can be created. */
export interface Uploaded {
  /** SHA-256, its id. */
  readonly upload: string;
  /** The stored name. */
  readonly name: string;
  /** Bytes. */
  readonly size: number;
  /** In the order of their tabs. */
  readonly sheets: readonly { readonly name: string; readonly hidden: boolean }[];
}

interface SentFile {
  /** The sender's name for the file; its folders are ignored. */
  readonly name: string;
  readonly bytes: AsyncIterable<Uint8Array>;
  /** Maximum size in bytes. */
  readonly limit: number;
  /** Milliseconds within which 16 KB or the rest must arrive. */
  readonly patienceMs: number;
}

/**
 * Stores an uploaded file from a stream and returns its sheets. The format is detected by content.
 * Nothing is stored of a file that is unreadable or incomplete.
 * @throws ProductError usage or input as for a job's file; `imports.too_large`, `imports.too_slow`
 */
export function keepUpload(context: AppContext, sent: SentFile): Promise<Uploaded> {
  const receiveInto = async ({ ledger, actor: { who } }: OpenedLedger): Promise<Uploaded> => {
    const folder = await temporaryFolder(ledger, 'coming');
    try {
      const name = plainFileName(sent.name);
      const file = path.join(folder, name);
      const size = await receive(sent, file);
      // Errors must name the original file, not a path on this machine.
      const sheets = await withOriginalName(file, name, () => sheetsOf(context, file, name));
      const { sha256 } = await ledger.inputs.put(name, createReadStream(file, { highWaterMark: 1 << 20 }));
      await ledger.imports.uploaded({ sha256, name, by: who, at: systemClock.now() });
      return { upload: sha256, name, size, sheets };
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  };
  return withLedger(context, receiveInto, { act: 'import' });
}

async function receive({ bytes, limit, patienceMs }: SentFile, file: string): Promise<number> {
  let size = 0;
  const counted = async function* (): AsyncGenerator<Uint8Array> {
    for await (const chunk of inTime(bytes, patienceMs)) {
      size += chunk.length;
      if (size > limit) {
        const megabytes = Math.floor(limit / 1_048_576);
        throw new ProductError('input', message('imports.too_large', { limit: `${megabytes} MB` }));
      }
      yield chunk;
    }
  };
  await pipeline(counted(), createWriteStream(file, { mode: 0o600, flags: 'wx' }));
  return size;
}

/** Minimum for each interval. Otherwise a very slow sender could keep a connection and a file open indefinitely. */
const LEAST_BYTES = 16 * 1024;

/** The same chunks. Throws if too few bytes arrive in time: the sender may have disconnected without notice. */
async function* inTime(bytes: AsyncIterable<Uint8Array>, patienceMs: number): AsyncGenerator<Uint8Array> {
  const chunks = bytes[Symbol.asyncIterator]();
  let isDone = false;
  let until = performance.now() + patienceMs;
  let received = 0;
  try {
    for (;;) {
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<never>((_, reject) => {
        const left = Math.max(0, until - performance.now());
        timer = setTimeout(() => reject(new ProductError('input', message('imports.too_slow'))), left);
      });
      try {
        const next = chunks.next();
        // It may reject after the timeout, when it is no longer awaited.
        next.catch(() => {});
        const chunk = await Promise.race([next, late]);
        isDone = chunk.done === true;
        if (chunk.done) return;
        received += chunk.value.length;
        clearTimeout(timer);
        // The time for writing the chunk does not count against the sender.
        const written = performance.now();
        yield chunk.value;
        until += performance.now() - written;
        if (received < LEAST_BYTES) continue;
        received = 0;
        until = performance.now() + patienceMs;
      } finally {
        clearTimeout(timer);
      }
    }
  } finally {
    if (!isDone) chunks.return?.()?.catch(() => {});
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

/** Whether a text file is a table is known only after its first rows are read. */
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
 * Reads a file. For an encrypted file, the passwords named by jobs in the folder are tried. Pages do not ask for a password,
 * because it would have to be stored for every later reading of the file.
 * @param name of the file, for messages
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

type UploadLocation = Pick<Ledger, 'stateFolder'>;

/** A folder for a file that is created to be downloaded. The stream removes the folder when it closes. */
export async function temporaryDownload(ledger: Pick<Ledger, 'stateFolder'>) {
  const folder = await temporaryFolder(ledger, 'going');
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true });
  const stream = (name: string) =>
    createReadStream(path.join(folder, path.basename(name))).once(
      'close',
      () => void remove().catch(() => {}),
    );
  return { folder, remove, stream };
}

/** A temporary folder for an upload or a download. The caller removes it; `removeAbandoned` does if the process was killed. */
export async function temporaryFolder(
  ledger: UploadLocation,
  direction: 'coming' | 'going',
): Promise<string> {
  const folder = uploadsOf(ledger);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await removeAbandoned(ledger);
  return mkdtemp(path.join(folder, `${direction}-${OWN_MARK}-`));
}

const NAME = /^(?:coming|going)-([0-9a-f]{8}-\d+-[0-9a-f]{8})-/;

/** Removes the temporary folders of processes that were killed. Never rejects. */
export async function removeAbandoned(ledger: UploadLocation): Promise<void> {
  const folder = uploadsOf(ledger);
  for (const name of await readdir(folder).catch(() => [])) {
    const mark = NAME.exec(name)?.[1];
    const left = path.join(folder, name);
    if (mark !== undefined && (await isLeft(left, mark)))
      await rm(left, { recursive: true, force: true }).catch(() => {});
  }
}

function uploadsOf({ stateFolder }: UploadLocation): string {
  return path.join(stateFolder, 'uploads');
}
