import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import { z } from 'zod';
import {
  checkRehearsable,
  rehearsalData,
  rehearsalDifferences,
  rehearsalResult,
  rehearsedRows,
} from '../../app/console/rehearsal.js';
import { STATUSES } from '../../model/status.js';
import { Rehearsals } from '../carrying/rehearsals.js';
import { file, route } from '../route.js';
import { attachment, TYPES } from './downloads.js';
import { rehearsalDifferencesSchema, rehearsalSchema, rehearsedRowsSchema } from './schemas.js';

const RUN = z.object({ run: z.string() });
const PAGE = z.object({
  after: z.coerce.number().int().min(0).default(0),
  limit: z.coerce.number().int().min(1).max(500).default(100),
});

const rehearse = route({
  method: 'post',
  path: '/runs/{run}/rehearse',
  summary:
    'Carries a plan out in a sandbox filled from the platform; nothing but reading reaches the platform.',
  act: 'rehearse',
  params: RUN,
  answer: RUN,
  status: 202,
}).handle(async ({ context, params: { run } }) => {
  await checkRehearsable(context.app, run);
  await context.house.single(Rehearsals.of).begin(context.app, run);
  return { run };
});

const stop = route({
  method: 'post',
  path: '/runs/{run}/rehearsal/stop',
  summary: 'Ends a rehearsal that goes on; nothing of it is kept.',
  act: 'rehearse',
  params: RUN,
}).handle(async ({ context, params: { run } }) => {
  await rehearsalData(context.app, run);
  context.house.single(Rehearsals.of).stop(run);
});

const show = route({
  method: 'get',
  path: '/runs/{run}/rehearsal',
  summary: "A plan's last rehearsal: how far it is, or what cameSchema of it; `none` where there is none.",
  params: RUN,
  answer: rehearsalSchema,
}).handle(async ({ context, params: { run } }) => {
  const kept = await rehearsalData(context.app, run);
  const under = context.house.single(Rehearsals.of).of(run);
  return { ...kept, state: 'ended' in kept ? ('over' as const) : ('none' as const), ...under };
});

const rows = route({
  method: 'get',
  path: '/runs/{run}/rehearsal/rows',
  summary:
    'What would come of the rows. A page may hold fewer than were asked for, while `next` says where to go on.',
  params: RUN,
  query: PAGE.extend({ status: z.enum(STATUSES as readonly [string, ...string[]]).optional() }),
  answer: rehearsedRowsSchema,
}).handle(async ({ context, params: { run }, query: { status, ...page } }) =>
  rehearsedRows(context.app, run, { ...page, ...(status === undefined ? {} : { status }) }),
);

const differences = route({
  method: 'get',
  path: '/runs/{run}/rehearsal/differences',
  summary: 'Rows that cameSchema out otherwise than they were rehearsed, once the plan was sent.',
  params: RUN,
  query: PAGE,
  answer: rehearsalDifferencesSchema,
}).handle(async ({ context, params: { run }, query }) => rehearsalDifferences(context.app, run, query));

const result = route({
  method: 'get',
  path: '/runs/{run}/rehearsal/result',
  summary: 'The workbook of a rehearsal; every sheet of it says REHEARSAL.',
  params: RUN,
  answer: file(TYPES.xlsx),
}).handle(async ({ context, params: { run } }) => {
  const { file: path, job } = await rehearsalResult(context.app, run);
  return new Response(Readable.toWeb(createReadStream(path)) as ReadableStream<Uint8Array>, {
    headers: {
      'content-type': TYPES.xlsx,
      'content-disposition': attachment(`${job}-${run}-REHEARSAL.xlsx`),
      'cache-control': 'no-store',
    },
  });
});

export const REHEARSAL_ROUTES = [rehearse, stop, show, rows, differences, result];
