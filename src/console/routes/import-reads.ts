import { Readable } from 'node:stream';
import { z } from 'zod';
import type { ImportFile } from '../../app/imports/carry-import.js';
import { plansOfImport } from '../../app/imports/import-plans.js';
import { listImports } from '../../app/imports/imports.js';
import { Carriers, errorOf } from '../carrying/carriers.js';
import type { ConsoleContext } from '../context.js';
import { importsOf } from '../imports/import-checks.js';
import { file, listOf, route } from '../route.js';
import {
  columnsSchema,
  faultySchema,
  historySchema,
  importId,
  importRowSchema,
  importShownSchema,
} from './import-schemas.js';

const ROW_NUMBER = z.coerce.number().int().min(1).max(1_048_576_000);
const KIND = z.string().max(200).optional();
const COLUMN = z.coerce.number().int().min(1).max(16_384);

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
  params: importId,
  answer: importShownSchema,
}).handle(async ({ context, params }) =>
  (await importsOf(context)).desk.show(context.app, params.import, mayCheck(context)),
);

function mayCheck({ signedIn }: ConsoleContext): boolean {
  return (signedIn?.roles ?? []).some((it) => it === 'maker' || it === 'admin');
}

const plans = route({
  method: 'get',
  path: '/imports/{import}/plans',
  summary: 'The plans that were made of an import, newest first, sent or not.',
  params: importId,
  answer: z.object({
    items: z.array(
      z.object({
        run: z.string(),
        sent: z.boolean(),
        state: z.string(),
        by: z.string().optional(),
        at: z.string(),
        items: z.int(),
        invalid: z.int(),
        onInvalid: z.enum(['abort', 'skip']),
      }),
    ),
  }),
}).handle(async ({ context, params }) => plansOfImport(context.app, params.import));

const columns = route({
  method: 'get',
  path: '/imports/{import}/columns',
  summary: "The sheet's columns with the fields that they go to.",
  params: importId,
  answer: columnsSchema,
}).handle(async ({ context, params }) => (await importsOf(context)).desk.columns(context.app, params.import));

const rows = route({
  method: 'get',
  path: '/imports/{import}/rows',
  summary:
    'Rows by their places: all of them, those with problems, or those of one kind of problem; or the rows in the places `at`.',
  params: importId,
  query: z.object({
    from: z.coerce.number().int().min(0).default(0),
    count: z.coerce.number().int().min(1).max(1000).default(128),
    faulty: z.enum(['true', 'false']).optional(),
    kind: KIND,
    at: z
      .string()
      .regex(/^\d{1,10}(,\d{1,10}){0,999}$/)
      .optional(),
  }),
  answer: z.object({ items: z.array(importRowSchema), total: z.int(), version: z.int() }),
}).handle(async ({ context, params, query: { at, faulty, ...page } }) => {
  const { desk } = await importsOf(context);
  const places = at?.split(',').map(Number);
  return desk.rows(context.app, params.import, { ...page, faulty: faulty === 'true', at: places });
});

const faulty = route({
  method: 'get',
  path: '/imports/{import}/faulty',
  summary:
    'The places of the rows with problems, or with one kind of problem: in turns, how many places are passed over and how many are listed.',
  params: importId,
  query: z.object({ kind: KIND }),
  answer: faultySchema,
}).handle(async ({ context, params, query }) =>
  (await importsOf(context)).desk.faulty(context.app, params.import, query.kind),
);

const history = route({
  method: 'get',
  path: '/imports/{import}/corrections',
  summary: 'Who corrected what and when, newest first.',
  params: importId,
  answer: historySchema,
}).handle(async ({ context, params }) => (await importsOf(context)).desk.history(context.app, params.import));

const nearest = route({
  method: 'get',
  path: '/imports/{import}/nearest',
  summary: 'The text nearest to that of a cell which its field takes.',
  params: importId,
  query: z.object({ row: ROW_NUMBER, column: COLUMN }),
  answer: z.object({ text: z.string().optional() }),
}).handle(async ({ context, params, query }) => {
  const { desk } = await importsOf(context);
  return desk.nearest(context.app, params.import, query.row, query.column);
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
    params: importId,
    answer: file(FILES[what].type),
  }).handle(async ({ context, params }) => {
    const { passingFolder } = await import('../../app/imports/served-imports.js');
    const { app, house, settings } = context;
    // Of what the page shows: of a check that is behind, the one that follows.
    if (what === 'checked.xlsx')
      await (await importsOf(context)).desk.settled(app, params.import, mayCheck(context));
    const going = await passingFolder(await app.opened!());
    try {
      const work = { use: 'import_file', import: params.import, what, folder: going.folder } as const;
      const child = await house.single(Carriers.of).start(app, work, { limitMs: settings.checkTimeoutMs });
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

/** Imports as they are looked at and taken home. */
export const IMPORT_READS = [list, show, plans, columns, rows, faulty, history, nearest, ...downloads];
