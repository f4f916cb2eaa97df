import path from 'node:path';
import { message } from '../errors/message.js';
import { ProductError } from '../errors/product-error.js';
import type { JobBase } from '../model/job.js';
import { checkWritable, DISK_FULL, writeAtomically } from '../util/atomic-file.js';
import { sameFile } from '../util/file-identity.js';
import type { Sink } from '../util/sink.js';
import type { ResultTable, WriteResult } from './contract.js';
import { writeCsv } from './csv.js';
import { writeNdjson } from './ndjson.js';

const WRITERS = new Map<
  string,
  () => Promise<(sink: Sink, table: ResultTable, file: string) => Promise<void>>
>([
  ['.xlsx', async () => (await import('./xlsx/write.js')).writeXlsx],
  ['.csv', async () => writeCsv],
  ['.ndjson', async () => writeNdjson],
]);

/**
 * Writes a result file by its extension, completely or not at all.
 * @returns the path written, which differs from `file` if that is open in another program
 * @throws ProductError usage for another extension or a place that can't be written to; internal when the disk is
 *   full (the ledger keeps the outcomes)
 */
export const writeResult: WriteResult = async (file, table) => {
  const load = WRITERS.get(path.extname(file).toLowerCase());
  if (!load) throw new ProductError('usage', message('workbook.extension', { file }));
  const write = await load();
  try {
    return await writeAtomically(file, (sink) => write(sink, table, file));
  } catch (error) {
    throw writeError(error, file);
  }
};

/**
 * Checks, before anything is sent, that a job's result can be written to this path: the extension is known, the folder
 * exists (or can be made) and is writable, and the path is neither a folder nor a file that the result is made from.
 * @throws ProductError usage when not
 */
export async function refuseTarget(job: Pick<JobBase, 'file' | 'source'>, file: string): Promise<void> {
  for (const origin of [job.source.file, job.file]) {
    if (await sameFile(file, origin)) {
      throw new ProductError('usage', message('run.output_is_input', { file: origin }));
    }
  }
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
