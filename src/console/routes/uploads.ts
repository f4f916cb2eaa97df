import { z } from 'zod';
import { createImport } from '../../app/imports/imports.js';
import type { MatchedColumns } from '../../app/imports/match-columns.js';
import { message } from '../../errors/message.js';
import { importServices } from '../child-processes/import-checks.js';
import { RunProcesses } from '../child-processes/run-processes.js';
import { WebRefusal } from '../problem.js';
import type { ConsoleContext } from '../route.js';
import { bytes, route } from '../route.js';
import { matchedSchema, matchingSchema } from './import-schemas.js';
import { uploadSchema } from './schemas.js';

/** Maximum time between two chunks of an upload, in milliseconds. */
const UPLOAD_PATIENCE_MS = 60_000;

function sentName(request: Request): string {
  const sent = request.headers.get('x-file-name') ?? '';
  try {
    return decodeURIComponent(sent);
  } catch {
    return sent;
  }
}

async function* chunksOf(body: ReadableStream<Uint8Array> | null): AsyncGenerator<Uint8Array> {
  if (body) yield* body;
}

/**
 * Runs in a child, because thousands of rows are read.
 * @throws WebRefusal unless the request names either a job or a guess
 */
function matched(
  { app, services, settings }: ConsoleContext,
  { guess, ...body }: z.infer<typeof matchingSchema>,
): Promise<MatchedColumns> {
  if ((body.job === undefined) === (guess === undefined))
    throw new WebRefusal(400, message('imports.job_or_guess'));
  return services.get(RunProcesses.of).result(app, 'match_columns', [body], settings.checkTimeoutMs);
}

export const UPLOAD_ROUTES = [
  route({
    method: 'post',
    path: '/uploads',
    summary: 'Sends a spreadsheet in, as it is; its name, percent-encoded, in the header X-File-Name.',
    act: 'import',
    body: bytes('application/octet-stream'),
    answer: uploadSchema,
    status: 201,
  }).handle(async ({ context, request }) => {
    const limit = context.settings.uploadLimit;
    const declared = Number(request.headers.get('content-length') ?? 0);
    const tooLarge = () =>
      new WebRefusal(413, message('imports.too_large', { limit: `${Math.floor(limit / 1_048_576)} MB` }));
    if (declared > limit) throw tooLarge();
    const { keepUpload } = await import('../../app/imports/upload.js');
    return keepUpload(context.app, {
      name: sentName(request),
      bytes: chunksOf(request.body),
      limit,
      patienceMs: UPLOAD_PATIENCE_MS,
    });
  }),
  route({
    method: 'post',
    path: '/columns',
    summary: 'The columns of a file that was sent in, matched with the fields of a job. Nothing is saved.',
    act: 'import',
    body: matchingSchema,
    answer: matchedSchema,
  }).handle(async ({ context, body }) => (await matched(context, body)).view),
  route({
    method: 'post',
    path: '/jobs',
    summary: 'Saves a job with its matches as a new file in jobs/; never over one that is there.',
    act: 'import',
    body: matchingSchema.extend({ file: z.string().min(1).max(80) }),
    answer: z.object({ file: z.string() }),
    status: 201,
  }).handle(async ({ context, body: { file, ...body } }) => {
    const { yaml } = await matched(context, body);
    const { saveJob } = await import('../../app/imports/guess-upload.js');
    return { file: await saveJob(context.app, file, yaml, body.connection) };
  }),
  route({
    method: 'post',
    path: '/imports',
    summary: 'Makes an import of a file that was sent in and a job, and begins to check it.',
    act: 'import',
    body: matchingSchema.extend({
      /** Whether the check sends lookups; otherwise their cells are treated as present. */
      lookups: z.boolean().optional(),
    }),
    answer: z.object({ import: z.string() }),
    status: 201,
  }).handle(async ({ context, body: { lookups, ...body } }) => {
    const { job: named, upload, name, connection } = body;
    const isPlain = named !== undefined && !(body.matches || body.renames || body.base);
    const own = isPlain ? undefined : await matched(context, body);
    const job = named !== undefined && !own?.isChanged ? named : own!;
    // A remembered job may name the sheet of the file that it was matched with.
    const sheet = body.sheet ?? (job === own ? own?.view.sheet : undefined);
    const id = await createImport(context.app, { upload, name, sheet, connection, lookups, job });
    (await importServices(context)).checks.check(context.app, id, 'now');
    return { import: id };
  }),
];
