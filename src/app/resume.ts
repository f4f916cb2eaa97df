import { type Message, message } from '../errors/message.js';
import { ProductError } from '../errors/product-error.js';
import { finishResumed } from '../inbox/finish-file.js';
import { applyChanges } from '../job/job-changes.js';
import type { Ledger } from '../ledger/contract/ledger.js';
import type { Run } from '../ledger/contract/run.js';
import { isFinished } from '../ledger/rules/run-states.js';
import { type LiveState, liveStateOf } from '../run/live-state.js';
import { refuseOtherConnection } from '../run/run-connection.js';
import { resumeRun as resumeKept } from '../run/run-job.js';
import type { SettingsChange } from '../run/settings.js';
import type { CarriedRun, RunChanges, WatchedContext } from './context.js';
import { ledgerLocation, runNamed } from './open.js';
import { inRunFrame } from './run-frame.js';
import { refuseFile } from './team.js';

export interface ResumeInput extends RunChanges {
  /** What is left is put into the ledger's queue, for workers. */
  readonly queue?: boolean;
}

/** `resume`: goes on with a run that was left before its end; without an id with the last one of the ledger. */
export function resumeRun(
  context: WatchedContext,
  id: string | undefined,
  input: ResumeInput,
): Promise<CarriedRun> {
  return inRunFrame(context, input, async (frame) => {
    const { queue } = input;
    if (queue) refuseFile('resume --queue', await ledgerLocation(context));
    const find = async (ledger: Ledger): Promise<Run> => {
      const run = await wanted(ledger, id);
      refuseOtherConnection(run, input.connection);
      return run;
    };
    return frame.continueRun(find, { act: 'resume', run: id }, async (parts, run, connection) => {
      const change = changing(context, input);
      const end = await resumeKept(parts, run, (settings) => change({ ...settings, connection }), { queue });
      return { ...end, movedTo: await finishResumed(parts, run.id) };
    });
  });
}

/** Lays what was said for this command over the settings of a run. */
export function changing({ cwd }: WatchedContext, changes: RunChanges): SettingsChange {
  const conflicts = conflictsOf(changes.set ?? []);
  return (settings) => {
    const job = applyChanges(settings.job, changes, cwd);
    return { ...settings, job: conflicts ? { ...job, safety: { ...job.safety, conflicts } } : job };
  };
}

const CONFLICTS = { 'safety.conflicts=abort': 'abort', 'safety.conflicts=warn': 'warn' } as const;

/** @throws ProductError usage for any other setting: what was planned was planned with it */
function conflictsOf(set: readonly string[]): 'abort' | 'warn' | undefined {
  for (const argument of set) {
    if (!Object.hasOwn(CONFLICTS, argument)) {
      throw new ProductError('usage', message('run.only_conflicts', { argument }));
    }
  }
  return CONFLICTS[set.at(-1) as keyof typeof CONFLICTS];
}

async function wanted(ledger: Ledger, id: string | undefined): Promise<Run> {
  if (id !== undefined) return runNamed(ledger, id);
  const run = await ledger.runs.last(['run']);
  if (run && !isFinished(run)) return run;
  if (run) throw new ProductError('usage', await nothingLeftOf(ledger, run));
  throw new ProductError('usage', message('run.none_to_resume', { location: ledger.location }));
}

/** Left before its end, with no process at work on it. */
const LEFT: ReadonlySet<LiveState> = new Set(['cut off', 'stopped', 'interrupted']);

/** So many runs back one that was left before its end is looked for. */
const LOOKED_BACK = 100;

/** Why the last run can't be gone on with, and which one before it can: nobody should take that for finished too. */
async function nothingLeftOf(ledger: Ledger, { id, state }: Run): Promise<Message> {
  for (const it of await ledger.runs.list(LOOKED_BACK)) {
    if (it.kind !== 'run' || it.prunedAt !== undefined) continue;
    const standing = await liveStateOf(ledger, it);
    if (LEFT.has(standing))
      return message('run.another_to_resume', { run: id, state, other: it.id, job: it.job, standing });
  }
  return message('run.nothing_to_resume', { run: id, state });
}
