import { z } from 'zod';
import type { GuessedUpload, GuessOptions } from '../../app/imports/guess-upload.js';
import { createImport } from '../../app/imports/imports.js';
import { message } from '../../errors/message.js';
import { importServices } from '../child-processes/import-checks.js';
import { RunProcesses } from '../child-processes/run-processes.js';
import { WebRefusal } from '../problem.js';
import type { ConsoleContext } from '../route.js';
import { bytes, route } from '../route.js';
import { guessSchema, uploadSchema } from './schemas.js';

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

/** Runs in a child, because a guess reads thousands of rows. */
function guessed({ app, services, settings }: ConsoleContext, options: GuessOptions): Promise<GuessedUpload> {
  return services.get(RunProcesses.of).result(app, 'guess', [options], settings.checkTimeoutMs);
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
    path: '/guess',
    summary: 'A job made from the headers of a file that was sent in. Nothing is saved.',
    act: 'import',
    body: z.object({
      upload: z.string(),
      name: z.string().optional(),
      operation: z.string().max(400).optional(),
    }),
    answer: guessSchema,
  }).handle(async ({ context, body }) => {
    const { notes, columns, steps, ...guess } = await guessed(context, body);
    const columnViews = columns.map(({ header, field, sheet, sure }) => ({
      header,
      field,
      sheet,
      sure: String(sure),
    }));
    const names = steps?.map(({ name, operation }) => `${name}: ${operation}`);
    return { ...guess, ...(names ? { steps: names } : {}), questions: notes, columns: columnViews };
  }),
  route({
    method: 'post',
    path: '/imports',
    summary: 'Makes an import of a file that was sent in and a job, and begins to check it.',
    act: 'import',
    body: z.object({
      upload: z.string(),
      name: z.string().max(400).optional(),
      job: z.string().max(400).optional(),
      /** Guess the job and store it with the import, in place of `job`. */
      guess: z.literal(true).optional(),
      operation: z.string().max(400).optional(),
      sheet: z.string().max(200).optional(),
      connection: z.string().max(200).optional(),
      /** Whether the check sends lookups; otherwise their cells are treated as present. */
      lookups: z.boolean().optional(),
    }),
    answer: z.object({ import: z.string() }),
    status: 201,
  }).handle(async ({ context, body }) => {
    const { job, guess: wantsGuess, operation, ...options } = body;
    if ((job === undefined) === (wantsGuess === undefined))
      throw new WebRefusal(400, message('imports.job_or_guess'));
    const chosen = job ?? (await guessed(context, { upload: options.upload, operation }));
    const id = await createImport(context.app, { ...options, job: chosen });
    (await importServices(context)).checks.check(context.app, id, 'now');
    return { import: id };
  }),
];
