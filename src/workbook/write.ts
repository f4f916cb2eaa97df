import path from 'node:path';
import { message } from '../errors/message.js';
import { ProductError } from '../errors/product-error.js';
import type { JobBase } from '../model/job.js';
import { checkWritable, DISK_FULL, writeAtomically } from '../util/atomic-file.js';
import { sameFile } from '../util/files.js';
import { type Sink, write } from '../util/streams.js';
import { ResultGuard, type ResultPlace } from './result-files.js';
import type { PlainTable, ResultLine, ResultTable } from './result-line.js';
import { writeCsv, writeNdjson } from './text-results.js';

const WRITERS = new Map<
  string,
  () => Promise<(sink: Sink, table: ResultTable, file: string) => Promise<void>>
>([
  ['.xlsx', async () => (await import('./xlsx/write.js')).writeXlsx],
  ['.csv', async () => writeCsv],
  ['.ndjson', async () => writeNdjson],
]);

function asResult({ name, headers, rows, sandbox }: PlainTable): ResultTable {
  const lines = async function* (): AsyncGenerator<readonly ResultLine[]> {
    for await (const page of rows)
      yield page.map((row) => ({ status: 'valid', values: [], row, marks: NO_MARKS }));
  };
  return {
    job: name,
    run: '',
    language: 'en',
    columns: [],
    headers,
    lines: lines(),
    summary: () => [],
    copied: [],
    sandbox,
  };
}

const NO_MARKS: ResultLine['marks'] = new Map();

/**
 * Writes a sheet of plain rows by its extension, completely or not at all. It has only headers and rows, so that it can
 * be a source.
 * @returns the path written, as `writeResult` does
 * @throws ProductError as `writeResult` does
 */
export async function writeTable(file: string, table: PlainTable, place?: ResultPlace): Promise<string> {
  const isWorkbook = path.extname(file).toLowerCase() === '.xlsx';
  if (!isWorkbook) return writeResult(file, asResult(table), place);
  const { writeXlsxTable } = await import('./xlsx/write.js');
  return guarded(file, (sink) => writeXlsxTable(sink, asResult(table), file), place);
}

/**
 * Writes a workbook of unchanged sheets under their own names, completely or not at all: a copy of a source.
 * @param job name of the job, for printed pages
 * @returns the path written, as `writeResult` does
 * @throws ProductError as `writeResult` does
 */
export async function writeSheets(
  file: string,
  job: string,
  sheets: ResultTable['copied'],
  place?: ResultPlace,
): Promise<string> {
  const { writeXlsxSheets } = await import('./xlsx/write.js');
  const none = { name: job, headers: [], rows: (async function* () {})(), sandbox: false };
  const table = { ...asResult(none), copied: sheets };
  return guarded(file, (sink) => writeXlsxSheets(sink, table, file), place);
}

/** Writes a text file chunk by chunk, completely or not at all. @returns and throws as `writeResult` does */
export function writeText(file: string, chunks: AsyncIterable<string>, place?: ResultPlace): Promise<string> {
  const writing = async (sink: Sink): Promise<void> => {
    for await (const chunk of chunks) await write(sink, chunk);
  };
  return guarded(file, writing, place);
}

/**
 * Writes a result file by its extension, completely or not at all: under a temporary name, then fsync, rename, fsync of
 * the folder.
 * @returns the path written, which differs from `file` if that is open in another program or must not be replaced; a
 *   warning reports the reason
 * @throws ProductError usage for another extension or a location that is not writable; internal if the disk is
 *   full (the ledger keeps the outcomes)
 */
export async function writeResult(file: string, table: ResultTable, place?: ResultPlace): Promise<string> {
  const load = WRITERS.get(path.extname(file).toLowerCase());
  if (!load) throw new ProductError('usage', message('workbook.extension', { file }));
  const writeContent = await load();
  return guarded(file, (sink) => writeContent(sink, table, file), place);
}

async function guarded(
  file: string,
  writing: (sink: Sink) => Promise<void>,
  place: ResultPlace | undefined,
): Promise<string> {
  const guard = place && new ResultGuard(place);
  const target = await written(file, writing, guard);
  guard?.warnOfOtherName(file, target);
  return target;
}

async function written(
  file: string,
  writing: (sink: Sink) => Promise<void>,
  guard?: ResultGuard,
): Promise<string> {
  try {
    return await writeAtomically(file, writing, guard);
  } catch (error) {
    throw writeError(error, file);
  }
}

/**
 * Checks, before anything is sent, that a job's result can be written to this path: the extension is known, the folder
 * exists (or can be created) and is writable, and the path is neither a folder nor an input of the result.
 * @throws ProductError usage otherwise
 */
export async function refuseTarget(job: Pick<JobBase, 'file' | 'source'>, file: string): Promise<void> {
  for (const origin of [job.source.file, job.file]) {
    if (await sameFile(file, origin)) {
      throw new ProductError('usage', message('run.output_is_input', { file: origin }));
    }
  }
  await refuseOutput(file);
}

/**
 * The same for a file without inputs: extension, folder, location.
 * @throws ProductError usage otherwise
 */
export async function refuseOutput(file: string): Promise<void> {
  if (!WRITERS.has(path.extname(file).toLowerCase())) {
    throw new ProductError('usage', message('workbook.extension', { file }));
  }
  try {
    await checkWritable(file);
  } catch (error) {
    throw writeError(error, file);
  }
}

function writeError(error: unknown, file: string): unknown {
  if (error instanceof ProductError) return error;
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (code === undefined || syscall === undefined) return error;
  if (DISK_FULL.has(code)) {
    return new ProductError('internal', message('workbook.disk_full', { file }), { cause: error });
  }
  if (code === 'EISDIR' || code === 'EEXIST' || code === 'ENOTDIR' || code === 'ENOTEMPTY') {
    return new ProductError('usage', message('workbook.not_a_file', { file }), { cause: error });
  }
  return new ProductError('usage', message('workbook.unwritable', { file, reason: code }), { cause: error });
}
