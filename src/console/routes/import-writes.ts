import { z } from 'zod';
import { message } from '../../errors/message.js';
import { currentUser } from '../../util/process.js';
import { importServices } from '../child-processes/import-checks.js';
import { errorFromChild, RunProcesses } from '../child-processes/run-processes.js';
import { WebRefusal } from '../problem.js';
import { route } from '../route.js';
import { correctedSchema, importId, proposalsSchema } from './import-schemas.js';

const MAX_CELLS = 20_000;

const ACT = z.string().min(1).max(80).optional();

/** A cell; column 0 is the row itself, which the text `exclude` excludes and `include` includes again. */
const TYPED = z.object({
  row: z.int().min(1),
  column: z.int().min(0),
  text: z.string().max(32_767),
  /** The text that it replaces; 409 if another user has changed the cell. Absent: not compared. */
  before: z.string().max(32_767).optional(),
});

const takeBack = (which: 'undo' | 'redo', summary: string) =>
  route({
    method: 'post',
    path: `/imports/{import}/${which}`,
    summary,
    act: 'correct',
    params: importId,
    body: z.object({ act: ACT }),
    answer: correctedSchema,
  }).handle(async ({ context, params, body }) => {
    const { imports } = await importServices(context);
    return imports.takeBack(context.app, params.import, which, { act: body.act });
  });

export const IMPORT_WRITES = [
  route({
    method: 'post',
    path: '/imports/{import}/corrections',
    summary:
      'Corrects cells; says at once what their rows are now, and checks the whole again after a pause.',
    act: 'correct',
    params: importId,
    body: z.object({ act: ACT, cells: z.array(TYPED).min(1).max(MAX_CELLS) }),
    answer: correctedSchema,
  }).handle(async ({ context, params, body }) => {
    const { imports } = await importServices(context);
    return imports.correct(context.app, params.import, body.cells, { act: body.act });
  }),
  takeBack('undo', 'Undoes the last correction of this user.'),
  takeBack('redo', 'Corrects again what this person took back last.'),
  route({
    method: 'post',
    path: '/imports/{import}/proposals',
    summary:
      'Cells with proposed values: the invalid ones of one kind, with the nearest values or those above; or those that contain a text, with it replaced. Nothing is changed.',
    act: 'correct',
    params: importId,
    body: z.union([
      z.strictObject({ kind: z.string().max(200), how: z.enum(['nearest', 'above']).default('nearest') }),
      z.strictObject({
        find: z.string().min(1).max(32_767),
        replace: z.string().max(32_767),
        column: z.int().min(1).optional(),
        isWhole: z.boolean().default(false),
      }),
    ]),
    answer: proposalsSchema,
  }).handle(async ({ context, params, body }) => {
    const { imports } = await importServices(context);
    return imports.proposals(context.app, params.import, body);
  }),
  route({
    method: 'post',
    path: '/imports/{import}/check',
    summary: 'Checks everything again; `lookups` sets whether lookups ask the platform.',
    act: 'validate',
    params: importId,
    body: z.object({ lookups: z.boolean().optional() }).optional(),
    status: 202,
  }).handle(async ({ context, params, body }) => {
    await (await importServices(context)).imports.recheck(context.app, params.import, body?.lookups);
  }),
  route({
    method: 'post',
    path: '/imports/{import}/cancel',
    summary: 'Cancels the check of an import. Its corrections are stored; it can be checked again.',
    act: 'validate',
    params: importId,
  }).handle(async ({ context, params }) => {
    const { checks } = await importServices(context);
    const by = context.signedIn?.who ?? currentUser();
    const isCancelled = await checks.cancel(
      context.app,
      params.import,
      message('imports.check_cancelled', { by }),
    );
    if (!isCancelled) throw new WebRefusal(409, message('imports.not_checking'));
  }),
  route({
    method: 'post',
    path: '/imports/{import}/plan',
    summary:
      'Makes a kept plan of the import with its corrections; `onInvalid` as `plan --on-invalid`, else as the job says.',
    act: 'plan',
    params: importId,
    body: z.object({ onInvalid: z.enum(['abort', 'skip']).optional() }).optional(),
    answer: z.object({ run: z.string() }),
    status: 201,
  }).handle(async ({ context, params, body }) => {
    const { app, services, settings } = context;
    const child = await services
      .get(RunProcesses.of)
      .start(
        app,
        { use: 'plan_import', input: [params.import, { onInvalid: body?.onInvalid }] },
        { limitMs: settings.checkTimeoutMs },
      );
    const run = await child.started;
    const { failure } = await child.over;
    if (failure || run === undefined) throw errorFromChild(failure ?? { text: 'no plan was made' });
    return { run };
  }),
  route({
    method: 'post',
    path: '/imports/{import}/job',
    summary: 'Saves the unsaved job of an import as a new file in jobs/; never over one that is there.',
    act: 'import',
    params: importId,
    body: z.object({ name: z.string().min(1).max(80) }),
    answer: z.object({ file: z.string() }),
    status: 201,
  }).handle(async ({ context, params, body }) => {
    const { saveImportedJob } = await import('../../app/imports/guess-upload.js');
    return { file: await saveImportedJob(context.app, params.import, body.name) };
  }),
];
