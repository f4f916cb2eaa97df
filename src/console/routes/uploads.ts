import { z } from 'zod';
import type { GuessedUpload } from '../../app/imports/guess-upload.js';
import { createImport } from '../../app/imports/imports.js';
import { message } from '../../errors/message.js';
import { Carriers, errorOf } from '../carrying/carriers.js';
import type { ConsoleContext } from '../context.js';
import { importsOf } from '../imports/import-checks.js';
import { WebRefusal } from '../problem.js';
import { bytes, route } from '../route.js';
import { guessSchema, uploadSchema } from './schemas.js';

/** In so long some of an upload must come. */
const UPLOAD_PATIENCE_MS = 60_000;

const upload = route({
  method: 'post',
  path: '/uploads',
  summary: 'Sends a spreadsheet in, as it is; its name, percent-encoded, in the header X-File-Name.',
  act: 'import',
  body: bytes('application/octet-stream'),
  answer: uploadSchema,
  status: 201,
}).handle(async ({ context, request }) => {
  const limit = context.settings.uploadLimit;
  const said = Number(request.headers.get('content-length') ?? 0);
  const tooLarge = () =>
    new WebRefusal(413, message('imports.too_large', { limit: `${Math.floor(limit / 1_048_576)} MB` }));
  if (said > limit) throw tooLarge();
  const { keepUpload } = await import('../../app/imports/upload.js');
  return keepUpload(context.app, {
    name: sentName(request),
    bytes: piecesOf(request.body),
    limit,
    patienceMs: UPLOAD_PATIENCE_MS,
  });
});

function sentName(request: Request): string {
  const sent = request.headers.get('x-file-name') ?? '';
  try {
    return decodeURIComponent(sent);
  } catch {
    return sent;
  }
}

async function* piecesOf(body: ReadableStream<Uint8Array> | null): AsyncGenerator<Uint8Array> {
  if (body) yield* body;
}

const guess = route({
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
  const { notes, columns, steps, ...it } = await guessed(context, body);
  const told = columns.map(({ header, field, sheet, sure }) => ({
    header,
    field,
    sheet,
    sure: String(sure),
  }));
  const names = steps?.map(({ name, operation }) => `${name}: ${operation}`);
  return { ...it, ...(names ? { steps: names } : {}), questions: notes, columns: told };
});

/** In a child: a guess reads thousands of rows. */
async function guessed(
  { app, house, settings }: ConsoleContext,
  { upload, operation }: { readonly upload: string; readonly operation?: string | undefined },
): Promise<GuessedUpload> {
  const child = await house
    .single(Carriers.of)
    .start(app, { use: 'guess', wish: { upload, operation } }, { limitMs: settings.checkTimeoutMs });
  const { failure, summary } = await child.over;
  if (failure) throw errorOf(failure);
  return summary as unknown as GuessedUpload;
}

const create = route({
  method: 'post',
  path: '/imports',
  summary: 'Makes an import of a file that was sent in and a job, and begins to check it.',
  act: 'import',
  body: z.object({
    upload: z.string(),
    name: z.string().max(400).optional(),
    job: z.string().max(400).optional(),
    /** In place of a job: one is guessed, and kept with the import. */
    guess: z.literal(true).optional(),
    operation: z.string().max(400).optional(),
    sheet: z.string().max(200).optional(),
    connection: z.string().max(200).optional(),
    /** Look-ups are asked by the check; without it what they fill counts as given. */
    lookups: z.boolean().optional(),
  }),
  answer: z.object({ import: z.string() }),
  status: 201,
}).handle(async ({ context, body }) => {
  const { job, guess: wantsGuess, operation, ...wish } = body;
  if ((job === undefined) === (wantsGuess === undefined))
    throw new WebRefusal(400, message('imports.job_or_guess'));
  const chosen = job ?? (await guessed(context, { upload: wish.upload, operation }));
  const id = await createImport(context.app, { ...wish, job: chosen });
  (await importsOf(context)).checks.check(context.app, id, 'now');
  return { import: id };
});

/** From a file that is sent in to an import. */
export const UPLOAD_ROUTES = [upload, guess, create];
