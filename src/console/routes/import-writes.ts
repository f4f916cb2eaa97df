import { z } from 'zod';
import { message } from '../../errors/message.js';
import { currentUser } from '../../util/current-user.js';
import { Carriers, errorOf } from '../carrying/carriers.js';
import { importsOf } from '../imports/import-checks.js';
import { WebRefusal } from '../problem.js';
import { route } from '../route.js';
import { correctedSchema, importId, proposalsSchema } from './import-schemas.js';

const MOST_CELLS = 20_000;
const ACT = z.string().min(1).max(80).optional();
const TYPED = z.object({ row: z.int().min(1), column: z.int().min(1), text: z.string().max(32_767) });

const correct = route({
  method: 'post',
  path: '/imports/{import}/corrections',
  summary: 'Corrects cells; says at once what their rows are now, and checks the whole again after a pause.',
  act: 'correct',
  params: importId,
  body: z.object({ act: ACT, cells: z.array(TYPED).min(1).max(MOST_CELLS) }),
  answer: correctedSchema,
}).handle(async ({ context, params, body }) => {
  const { desk } = await importsOf(context);
  return desk.correct(context.app, params.import, body.cells, { act: body.act });
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
    const { desk } = await importsOf(context);
    return desk.takeBack(context.app, params.import, which, { act: body.act });
  });

const proposals = route({
  method: 'post',
  path: '/imports/{import}/proposals',
  summary: 'What would mend the faulty cells of one kind. Nothing is changed.',
  act: 'correct',
  params: importId,
  body: z.object({ kind: z.string().max(200) }),
  answer: proposalsSchema,
}).handle(async ({ context, params, body }) => {
  const { desk } = await importsOf(context);
  return desk.proposals(context.app, params.import, body.kind);
});

const check = route({
  method: 'post',
  path: '/imports/{import}/check',
  summary: 'Checks the whole again; with `lookups` the platform is asked for what look-ups fill, or no more.',
  act: 'validate',
  params: importId,
  body: z.object({ lookups: z.boolean().optional() }).optional(),
  status: 202,
}).handle(async ({ context, params, body }) => {
  await (await importsOf(context)).desk.recheck(context.app, params.import, body?.lookups);
  return undefined;
});

const cancel = route({
  method: 'post',
  path: '/imports/{import}/cancel',
  summary:
    'Cancels the check of an import. Its corrections are kept; it is checked again when somebody asks for it.',
  act: 'validate',
  params: importId,
}).handle(async ({ context, params }) => {
  const { checks } = await importsOf(context);
  const by = context.signedIn?.who ?? currentUser();
  const isCancelled = await checks.cancel(
    context.app,
    params.import,
    message('imports.check_cancelled', { by }),
  );
  if (!isCancelled) throw new WebRefusal(409, message('imports.not_checking'));
  return undefined;
});

const plan = route({
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
  const { app, house, settings } = context;
  const changes = { onInvalid: body?.onInvalid };
  const work = { use: 'plan_import', import: params.import, changes } as const;
  const child = await house.single(Carriers.of).start(app, work, { limitMs: settings.checkTimeoutMs });
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
  params: importId,
  body: z.object({ name: z.string().min(1).max(80) }),
  answer: z.object({ file: z.string() }),
  status: 201,
}).handle(async ({ context, params, body }) => {
  const { saveGuessedJob } = await import('../../app/imports/guess-upload.js');
  return { file: await saveGuessedJob(context.app, params.import, body.name) };
});

/** What is done to imports. */
export const IMPORT_WRITES = [
  correct,
  takeBack('undo', 'Takes back what this person corrected last.'),
  takeBack('redo', 'Corrects again what this person took back last.'),
  proposals,
  check,
  cancel,
  plan,
  saveJob,
];
