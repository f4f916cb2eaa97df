import { createReadStream } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { z } from 'zod';
import { runDetailData } from '../../app/console/runs.js';
import { RunProcesses } from '../child-processes/run-processes.js';
import type { ConsoleContext } from '../route.js';
import { file, route } from '../route.js';

export const TYPES = {
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  csv: 'text/csv; charset=utf-8',
  ndjson: 'application/x-ndjson; charset=utf-8',
  html: 'text/html; charset=utf-8',
} as const;

const RUN = z.object({ run: z.string() });

/** A child writes the file into a temporary folder, which is deleted when the response has been sent. */
async function download(
  context: ConsoleContext,
  run: string,
  what: 'result' | 'report',
  format: keyof typeof TYPES,
  onlyAttention = false,
): Promise<Response> {
  const { job } = await runDetailData(context.app, run);
  const folder = await mkdtemp(path.join(tmpdir(), 'license-sync-download-'));
  try {
    const output = path.join(folder, `${what}.${format}`);
    const file = await context.services
      .get(RunProcesses.of)
      .result(context.app, what, [run, output, onlyAttention]);
    const { size } = await stat(file);
    const stream = createReadStream(file);
    stream.once('close', () => void rm(folder, { recursive: true, force: true }));
    const name = `${job}-${run}${what === 'report' ? '-report' : onlyAttention ? '-attention' : ''}.${format}`;
    return new Response(Readable.toWeb(stream) as ReadableStream<Uint8Array>, {
      headers: {
        'content-type': TYPES[format],
        'content-length': String(size),
        'content-disposition': attachment(name),
        'cache-control': 'no-store',
      },
    });
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}

/** `Content-Disposition` by RFC 6266: the encoded name, and an ASCII name for old clients. */
export function attachment(name: string): string {
  const plain = name.replaceAll(/[^\w.-]/g, '_');
  const encoded = encodeURIComponent(name).replaceAll(
    /['()*]/g,
    (it) => `%${it.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
}

export const DOWNLOAD_ROUTES = [
  route({
    method: 'get',
    path: '/runs/{run}/result',
    summary: "A run's result, written again from the ledger.",
    params: RUN,
    query: z.object({
      format: z.enum(['xlsx', 'csv', 'ndjson']).default('xlsx'),
      rows: z.enum(['all', 'attention']).default('all'),
    }),
    answer: file(TYPES.xlsx, TYPES.csv, TYPES.ndjson),
  }).handle(({ context, params, query }) =>
    download(context, params.run, 'result', query.format, query.rows === 'attention'),
  ),
  route({
    method: 'get',
    path: '/runs/{run}/report',
    summary: "A run's web page, to be kept.",
    params: RUN,
    answer: file(TYPES.html),
  }).handle(({ context, params }) => download(context, params.run, 'report', 'html')),
];
