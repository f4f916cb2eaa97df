import { Readable } from 'node:stream';
import { z } from 'zod';
import type { ImportFile } from '../../app/imports/carry-import.js';
import type { GuessedUpload } from '../../app/imports/guess-upload.js';
import { createImport, listImports } from '../../app/imports/imports.js';
import { message } from '../../errors/message.js';
import { Carriers, errorOf } from '../carrying/carriers.js';
import type { ConsoleContext } from '../context.js';
import { importsOf } from '../imports/import-checks.js';
import { WebRefusal } from '../problem.js';
import { bytes, file, listOf, route } from '../route.js';

/** So long may nothing come of an upload. */
const UPLOAD_PATIENCE_MS = 60_000;
const MOST_CELLS = 20_000;

const SHEETS = z.array(z.object({ name: z.string(), hidden: z.boolean() }));
const ID = z.object({ import: z.string().max(60) });
const COUNTS = z.record(z.string(), z.number());
const FAULTS = z.array(
  z.object({
    kind: z.string(),
    code: z.string().optional(),
    text: z.string(),
    count: z.int(),
    first: z.int(),
  }),
);
const ROW = z.object({
  row: z.int(),
  status: z.string(),
  cells: z.array(z.string()),
  faults: z.array(z.object({ column: z.int().optional(), text: z.string(), code: z.string().optional() })),
  corrected: z.array(z.int()),
  hidden: z.literal(true).optional(),
});
const CORRECTIONS = z.object({ cells: z.int(), canUndo: z.boolean(), canRedo: z.boolean() });
const ACT = z.string().min(1).max(80).optional();
const CORRECTED = z.object({
  rows: z.array(ROW),
  counts: COUNTS,
  faults: FAULTS,
  corrections: CORRECTIONS,
  checking: z.boolean(),
});
const ROW_NUMBER = z.coerce.number().int().min(1).max(1_048_576_000);
const COLUMN = z.coerce.number().int().min(1).max(16_384);
const TYPED = z.object({ row: z.int().min(1), column: z.int().min(1), text: z.string().max(32_767) });

const upload = route({
  method: 'post',
  path: '/uploads',
  summary: 'Sends a spreadsheet in, as it is; its name, percent-encoded, in the header X-File-Name.',
  act: 'import',
  body: bytes('application/octet-stream'),
  answer: z.object({ upload: z.string(), name: z.string(), size: z.int(), sheets: SHEETS }),
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
  answer: z.object({
    file: z.string(),
    yaml: z.string(),
    operation: z.string(),
    steps: z.array(z.string()).optional(),
    questions: z.array(z.string()),
    columns: z.array(
      z.object({ header: z.string(), field: z.string(), sheet: z.string(), sure: z.string() }),
    ),
    lacking: z.array(z.string()),
    unused: z.array(z.string()),
    proposals: z.array(z.object({ operation: z.string(), score: z.number() })),
  }),
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
  { app, house }: ConsoleContext,
  { upload, operation }: { readonly upload: string; readonly operation?: string | undefined },
): Promise<GuessedUpload> {
  const child = await house.single(Carriers.of).start(app, { use: 'guess', wish: { upload, operation } });
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

const LISTED = z.object({
  id: z.string(),
  by: z.string(),
  at: z.string(),
  name: z.string(),
  job: z.object({ file: z.string(), guessed: z.boolean() }),
  state: z.enum(['checking', 'checked', 'failed']),
  check: z.string().optional(),
  plan: z.string().optional(),
});

const list = route({
  method: 'get',
  path: '/imports',
  summary: 'Imports, newest first.',
  query: z.object({
    limit: z.coerce.number().int().min(1).max(200).default(50),
    before: z.string().max(60).optional(),
  }),
  answer: listOf(LISTED),
}).handle(async ({ context, query }) => listImports(context.app, query));

const show = route({
  method: 'get',
  path: '/imports/{import}',
  summary: 'How an import stands: what is ready, what is wrong by kind, what was corrected.',
  params: ID,
  answer: z.object({
    import: z.string(),
    by: z.string(),
    at: z.string(),
    name: z.string(),
    job: z.string(),
    guessed: z.boolean(),
    operation: z.string().optional(),
    connection: z.object({ name: z.string(), host: z.string().optional(), sandbox: z.boolean() }).optional(),
    sheet: z.string().optional(),
    /** The job looks something up at the platform. */
    hasLookups: z.boolean(),
    lookups: z.enum(['given', 'asked']),
    state: z.enum(['checking', 'checked', 'failed']),
    checkingAgain: z.boolean(),
    version: z.int(),
    check: z.string().optional(),
    plan: z.string().optional(),
    counts: COUNTS,
    rows: z.int().optional(),
    progress: z.object({ stage: z.string(), done: z.int(), total: z.int().optional() }).optional(),
    faults: FAULTS,
    corrections: CORRECTIONS,
    correctedBy: z.array(z.string()),
    warnings: z.array(z.string()),
    failure: z.object({ code: z.string(), text: z.string(), others: z.array(z.string()) }).optional(),
  }),
}).handle(async ({ context, params }) => {
  const mayCheck = (context.signedIn?.roles ?? []).some((it) => it === 'maker' || it === 'admin');
  return (await importsOf(context)).desk.show(context.app, params.import, mayCheck);
});

const columns = route({
  method: 'get',
  path: '/imports/{import}/columns',
  summary: "The sheet's columns with the fields that they go to.",
  params: ID,
  answer: z.object({
    headers: z.array(
      z.object({
        column: z.int(),
        letter: z.string(),
        text: z.string(),
        field: z.string().optional(),
        type: z.string().optional(),
        allowed: z.array(z.string()).optional(),
      }),
    ),
    headerRow: z.int(),
    rowCount: z.int(),
  }),
}).handle(async ({ context, params }) => (await importsOf(context)).desk.columns(context.app, params.import));

const rows = route({
  method: 'get',
  path: '/imports/{import}/rows',
  summary: 'Rows by their places: all of them, those with problems, or those of one kind of problem.',
  params: ID,
  query: z.object({
    from: z.coerce.number().int().min(0).default(0),
    count: z.coerce.number().int().min(1).max(1000).default(128),
    faulty: z.enum(['true', 'false']).optional(),
    kind: z.string().max(200).optional(),
  }),
  answer: z.object({ items: z.array(ROW), total: z.int(), version: z.int() }),
}).handle(async ({ context, params, query }) => {
  const { desk } = await importsOf(context);
  return desk.rows(context.app, params.import, { ...query, faulty: query.faulty === 'true' });
});

const correct = route({
  method: 'post',
  path: '/imports/{import}/corrections',
  summary: 'Corrects cells; says at once what their rows are now, and checks the whole again after a pause.',
  act: 'correct',
  params: ID,
  body: z.object({ act: ACT, cells: z.array(TYPED).min(1).max(MOST_CELLS) }),
  answer: CORRECTED,
}).handle(async ({ context, params, body }) => {
  const { desk } = await importsOf(context);
  return desk.correct(context.app, params.import, body.cells, { act: body.act });
});

const history = route({
  method: 'get',
  path: '/imports/{import}/corrections',
  summary: 'Who corrected what and when, newest first.',
  params: ID,
  answer: z.object({
    items: z.array(
      z.object({
        n: z.int(),
        row: z.int(),
        column: z.int(),
        header: z.string(),
        before: z.string(),
        text: z.string(),
        who: z.string(),
        at: z.string(),
        undone: z.object({ at: z.string(), by: z.string() }).optional(),
      }),
    ),
  }),
}).handle(async ({ context, params }) => (await importsOf(context)).desk.history(context.app, params.import));

const takeBack = (which: 'undo' | 'redo', summary: string) =>
  route({
    method: 'post',
    path: `/imports/{import}/${which}`,
    summary,
    act: 'correct',
    params: ID,
    body: z.object({ act: ACT }),
    answer: CORRECTED,
  }).handle(async ({ context, params, body }) => {
    const { desk } = await importsOf(context);
    return desk.takeBack(context.app, params.import, which, { act: body.act });
  });

const proposals = route({
  method: 'post',
  path: '/imports/{import}/proposals',
  summary: 'What would mend the faulty cells of one kind. Nothing is changed.',
  act: 'correct',
  params: ID,
  body: z.object({ kind: z.string().max(200) }),
  answer: z.object({
    cells: z.array(z.object({ row: z.int(), column: z.int(), before: z.string(), text: z.string() })),
  }),
}).handle(async ({ context, params, body }) => {
  const { desk } = await importsOf(context);
  return desk.proposals(context.app, params.import, body.kind);
});

const nearest = route({
  method: 'get',
  path: '/imports/{import}/nearest',
  summary: 'The text nearest to that of a cell which its field takes.',
  params: ID,
  query: z.object({ row: ROW_NUMBER, column: COLUMN }),
  answer: z.object({ text: z.string().optional() }),
}).handle(async ({ context, params, query }) => {
  const { desk } = await importsOf(context);
  return desk.nearest(context.app, params.import, query.row, query.column);
});

const check = route({
  method: 'post',
  path: '/imports/{import}/check',
  summary: 'Checks the whole again; with `lookups` the platform is asked for what look-ups fill, or no more.',
  act: 'validate',
  params: ID,
  body: z.object({ lookups: z.boolean().optional() }).optional(),
  status: 202,
}).handle(async ({ context, params, body }) => {
  await (await importsOf(context)).desk.recheck(context.app, params.import, body?.lookups);
  return undefined;
});

const plan = route({
  method: 'post',
  path: '/imports/{import}/plan',
  summary: 'Makes a kept plan of the import with its corrections.',
  act: 'plan',
  params: ID,
  answer: z.object({ run: z.string() }),
  status: 201,
}).handle(async ({ context, params }) => {
  const { app, house } = context;
  const child = await house.single(Carriers.of).start(app, { use: 'plan_import', import: params.import });
  const run = await child.started;
  const { failure } = await child.over;
  if (failure || run === undefined) throw errorOf(failure ?? { text: 'no plan was made' });
  return { run };
});

const saveJob = route({
  method: 'post',
  path: '/imports/{import}/job',
  summary: 'Saves the guessed job of an import as a new file in jobs/; never over one that is there.',
  act: 'import',
  params: ID,
  body: z.object({ name: z.string().min(1).max(80) }),
  answer: z.object({ file: z.string() }),
  status: 201,
}).handle(async ({ context, params, body }) => {
  const { saveGuessedJob } = await import('../../app/imports/guess-upload.js');
  return { file: await saveGuessedJob(context.app, params.import, body.name) };
});

const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

/** Files that an import is taken home as. */
const FILES = {
  'checked.xlsx': { type: XLSX, summary: 'The sheet with what the last check says of every row.' },
  'corrected.xlsx': { type: XLSX, summary: 'The sheet with its corrections, marked.' },
  'corrections.csv': { type: 'text/csv', summary: 'The corrections, as `--corrections` takes them.' },
} as const;

const downloads = (Object.keys(FILES) as (keyof typeof FILES)[]).map((what) =>
  route({
    method: 'get',
    path: `/imports/{import}/${what}`,
    summary: FILES[what].summary,
    params: ID,
    answer: file(FILES[what].type),
  }).handle(async ({ context, params }) => {
    const { passingFolder } = await import('../../app/imports/served-imports.js');
    const { app, house } = context;
    const going = await passingFolder(await app.opened!());
    try {
      const work = { use: 'import_file', import: params.import, what, folder: going.folder } as const;
      const child = await house.single(Carriers.of).start(app, work);
      const { failure, summary } = await child.over;
      if (failure) throw errorOf(failure);
      const { file: written, name } = summary as unknown as ImportFile;
      const isText = written.endsWith('.csv');
      return new Response(Readable.toWeb(going.stream(written)) as ReadableStream, {
        headers: {
          'content-type': isText ? 'text/csv; charset=utf-8' : XLSX,
          'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(name)}`,
        },
      });
    } catch (error) {
      await going.remove();
      throw error;
    }
  }),
);

export const IMPORT_ROUTES = [
  upload,
  guess,
  create,
  list,
  show,
  columns,
  rows,
  correct,
  history,
  takeBack('undo', 'Takes back what this person corrected last.'),
  takeBack('redo', 'Corrects again what this person took back last.'),
  proposals,
  nearest,
  check,
  plan,
  saveJob,
  ...downloads,
];
