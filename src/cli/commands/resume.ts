import { type Message, message } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';
import { finishResumed } from '../../inbox/finish-file.js';
import { applyChanges } from '../../job/job-changes.js';
import type { Ledger } from '../../ledger/contract/ledger.js';
import type { Run } from '../../ledger/contract/run.js';
import { type LiveState, liveState } from '../../run/live-state.js';
import { connectionOfRun, refuseOtherConnection } from '../../run/run-connection.js';
import { isFinished, resumeRun } from '../../run/run-job.js';
import type { RunSettings } from '../../run/settings.js';
import { conductRun, type RunFlags } from '../conduct.js';
import { languageOf } from '../language.js';
import { findLedger } from '../ledger-location.js';
import { runNamed } from '../run-named.js';

export interface ResumeFlags extends RunFlags {
  readonly ledger?: string;
}

/** `resume [RUN]`: by default the last run of the ledger. */
export async function resume(id: string | undefined, flags: ResumeFlags): Promise<void> {
  await conductRun(languageOf(process.env), flags, async (conductor) => {
    const { ledger, location, stateFolder } = await findLedger(flags.ledger);
    try {
      const run = await wanted(ledger, id);
      refuseOtherConnection(run, flags.connection);
      const connection = await connectionOfRun(run, { env: process.env, cwd: process.cwd() });
      await conductor.aboutRun(run, connection, location);
      const parts = conductor.parts(ledger, stateFolder);
      const change = (settings: RunSettings): RunSettings => withFlags({ ...settings, connection }, flags);
      const end = await conductor.reported(ledger, () => resumeRun(parts, run, change));
      const movedTo = await finishResumed(parts, run.id);
      return movedTo === undefined ? end : { ...end, movedTo };
    } finally {
      await ledger.close();
    }
  });
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
    const standing = await liveState(ledger, it);
    if (LEFT.has(standing))
      return message('run.another_to_resume', { run: id, state, other: it.id, job: it.job, standing });
  }
  return message('run.nothing_to_resume', { run: id, state });
}

/** The settings of a run with the flags of this command laid over them. */
export function withFlags(settings: RunSettings, flags: ResumeFlags): RunSettings {
  return { ...settings, job: applyChanges(settings.job, flags) };
}
