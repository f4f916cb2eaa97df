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
import { Rehearsals } from '../child-processes/rehearsals.js';
import { file, route } from '../route.js';
import { attachment, TYPES } from './downloads.js';
import { rehearsalDifferencesSchema, rehearsalSchema, rehearsedRowsSchema } from './schemas.js';

const RUN = z.object({ run: z.string() });

const PAGE = z.object({
  after: z.coerce.number().int().min(0).default(0),
  limit: z.coerce.number().int().min(1).max(500).default(100),
});

export const REHEARSAL_ROUTES = [
  route({
    method: 'post',
    path: '/runs/{run}/rehearse',
    summary:
      'Executes a plan in a sandbox filled with the platform’s data; the platform gets only read requests.',
    act: 'rehearse',
    params: RUN,
    answer: RUN,
    status: 202,
  }).handle(async ({ context, params: { run } }) => {
    await checkRehearsable(context.app, run);
    await context.services.get(Rehearsals.of).begin(context.app, run);
    return { run };
  }),
  route({
    method: 'post',
    path: '/runs/{run}/rehearsal/stop',
    summary: 'Stops a rehearsal in progress; nothing of it is kept.',
    act: 'rehearse',
    params: RUN,
  }).handle(async ({ context, params: { run } }) => {
    await rehearsalData(context.app, run);
    context.services.get(Rehearsals.of).stop(run);
  }),
  route({
    method: 'get',
    path: '/runs/{run}/rehearsal',
    summary: "A plan's last rehearsal: its progress or its result; `none` if there is none.",
    params: RUN,
    answer: rehearsalSchema,
  }).handle(async ({ context, params: { run } }) => {
    const stored = await rehearsalData(context.app, run);
    const current = context.services.get(Rehearsals.of).of(run);
    return { ...stored, state: 'ended' in stored ? ('over' as const) : ('none' as const), ...current };
  }),
  route({
    method: 'get',
    path: '/runs/{run}/rehearsal/rows',
    summary:
      'The expected result of the rows. A page may contain fewer than requested; `next` is where the next page starts.',
    params: RUN,
    query: PAGE.extend({ status: z.enum(STATUSES as readonly [string, ...string[]]).optional() }),
    answer: rehearsedRowsSchema,
  }).handle(async ({ context, params: { run }, query: { status, ...page } }) =>
    rehearsedRows(context.app, run, { ...page, ...(status === undefined ? {} : { status }) }),
  ),
  route({
    method: 'get',
    path: '/runs/{run}/rehearsal/differences',
    summary: 'Rows whose outcome differs from the rehearsal, after the plan was sent.',
    params: RUN,
    query: PAGE,
    answer: rehearsalDifferencesSchema,
  }).handle(async ({ context, params: { run }, query }) => rehearsalDifferences(context.app, run, query)),
  route({
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
  }),
];
