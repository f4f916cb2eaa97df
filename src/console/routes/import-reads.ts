import { Readable } from 'node:stream';
import { z } from 'zod';
import { listImports, plansOfImport } from '../../app/imports/imports.js';
import { importServices } from '../child-processes/import-checks.js';
import { RunProcesses } from '../child-processes/run-processes.js';
import type { ConsoleContext } from '../route.js';
import { file, listOf, route } from '../route.js';
import {
  columnsSchema,
  firstRowsSchema,
  historySchema,
  importId,
  importListItemSchema,
  importRowSchema,
  importViewSchema,
  rowPositionsSchema,
} from './import-schemas.js';

const ROW_NUMBER = z.coerce.number().int().min(1).max(1_048_576_000);

const KIND = z.string().max(200).optional();

const INVALID = z.enum(['true', 'false']).optional();

/** The column (A is 1) to sort by; negative for descending order. */
const SORT = z.coerce.number().int().min(-16_384).max(16_384).refine(Boolean);

/** A JSON object: the texts that cells must contain, by column (A is 1). */
const FILTER = z
  .string()
  .max(8000)
  .transform((text, context): unknown => {
    try {
      return JSON.parse(text);
    } catch {
      context.addIssue('JSON');
      return z.NEVER;
    }
  })
  .pipe(z.record(z.string().regex(/^[1-9]\d{0,4}$/), z.string().max(400)));

const COLUMN = z.coerce.number().int().min(1).max(16_384);

function mayCheck({ signedIn }: ConsoleContext): boolean {
  return (signedIn?.roles ?? []).some((it) => it === 'maker' || it === 'admin');
}

const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

/** Downloads of an import. */
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
    const { temporaryDownload } = await import('../../app/imports/upload.js');
    const { app, services, settings } = context;
    // The file must match the corrections: if the last check is out of date, this waits for the next one.
    if (what === 'checked.xlsx')
      await (await importServices(context)).imports.settled(app, params.import, mayCheck(context));
    const temporary = await temporaryDownload(await app.opened!());
    try {
      const options = { import: params.import, what, folder: temporary.folder };
      const { file: written, name } = await services
        .get(RunProcesses.of)
        .result(app, 'import_file', [options], settings.checkTimeoutMs);
      const isText = written.endsWith('.csv');
      return new Response(Readable.toWeb(temporary.stream(written)) as ReadableStream, {
        headers: {
          'content-type': isText ? 'text/csv; charset=utf-8' : XLSX,
          'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(name)}`,
        },
      });
    } catch (error) {
      await temporary.remove();
      throw error;
    }
  }),
);

export const IMPORT_READS = [
  route({
    method: 'get',
    path: '/imports',
    summary: 'Imports, newest first.',
    query: z.object({
      limit: z.coerce.number().int().min(1).max(200).default(50),
      before: z.string().max(60).optional(),
    }),
    answer: listOf(importListItemSchema),
  }).handle(async ({ context, query }) => listImports(context.app, query)),
  route({
    method: 'get',
    path: '/imports/{import}',
    summary: 'How an import stands: what is ready, what is wrong by kind, what was corrected.',
    params: importId,
    answer: importViewSchema,
  }).handle(async ({ context, params }) =>
    (await importServices(context)).imports.show(
      context.app,
      params.import,
      mayCheck(context),
      context.signedIn?.by !== 'bearer',
    ),
  ),
  route({
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
  }).handle(async ({ context, params }) => plansOfImport(context.app, params.import)),
  route({
    method: 'get',
    path: '/imports/{import}/columns',
    summary: "The sheet's columns with the fields that they go to.",
    params: importId,
    answer: columnsSchema,
  }).handle(async ({ context, params }) =>
    (await importServices(context)).imports.columns(context.app, params.import),
  ),
  route({
    method: 'get',
    path: '/imports/{import}/first-rows',
    summary:
      'The first rows, available before the check has finished. Rules for the whole sheet are not applied to them.',
    params: importId,
    answer: firstRowsSchema,
  }).handle(async ({ context, params }) =>
    (await importServices(context)).imports.firstRows(context.app, params.import),
  ),
  route({
    method: 'get',
    path: '/imports/{import}/rows',
    summary:
      'Rows by their places: all of them, those with problems, or those of one kind of problem; or the rows in the places `at`.',
    params: importId,
    query: z.object({
      from: z.coerce.number().int().min(0).default(0),
      count: z.coerce.number().int().min(1).max(1000).default(128),
      invalid: INVALID,
      kind: KIND,
      at: z
        .string()
        .regex(/^\d{1,10}(,\d{1,10}){0,999}$/)
        .optional(),
    }),
    answer: z.object({ items: z.array(importRowSchema), total: z.int(), version: z.int() }),
  }).handle(async ({ context, params, query: { at, invalid, ...page } }) => {
    const { imports } = await importServices(context);
    const places = at?.split(',').map(Number);
    return imports.rows(context.app, params.import, { ...page, invalid: invalid === 'true', at: places });
  }),
  route({
    method: 'get',
    path: '/imports/{import}/row-positions',
    summary:
      'Positions of all rows, of those with problems, or of those with one kind of problem; filtered and sorted by columns. Alternating: how many positions are skipped (negative: backwards) and how many are listed.',
    params: importId,
    query: z.object({ invalid: INVALID, kind: KIND, filter: FILTER.optional(), sort: SORT.optional() }),
    answer: rowPositionsSchema,
  }).handle(async ({ context, params, query }) =>
    (await importServices(context)).imports.rowPositions(context.app, params.import, {
      ...query,
      invalid: query.invalid === 'true',
    }),
  ),
  route({
    method: 'get',
    path: '/imports/{import}/corrections',
    summary: 'Who corrected what and when, newest first.',
    params: importId,
    answer: historySchema,
  }).handle(async ({ context, params }) =>
    (await importServices(context)).imports.history(context.app, params.import),
  ),
  route({
    method: 'get',
    path: '/imports/{import}/nearest',
    summary: 'The text nearest to that of a cell which its field takes.',
    params: importId,
    query: z.object({ row: ROW_NUMBER, column: COLUMN }),
    answer: z.object({ text: z.string().optional() }),
  }).handle(async ({ context, params, query }) => {
    const { imports } = await importServices(context);
    return imports.nearest(context.app, params.import, query.row, query.column);
  }),
  ...downloads,
];
