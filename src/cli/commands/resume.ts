import { message } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';
import { layOver } from '../../job/lay-over.js';
import type { Ledger, Run } from '../../ledger/contract.js';
import { settleResumed } from '../../run/inbox/settle.js';
import { resumeRun } from '../../run/run-job.js';
import type { RunSettings } from '../../run/settings.js';
import { conductRun, type RunFlags } from '../conduct.js';
import { currentConnection } from '../current-connection.js';
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
      refuseOther(run, flags.connection);
      const connection = await currentConnection(run);
      await conductor.aboutRun(run, connection, location);
      const parts = conductor.parts(ledger, stateFolder);
      const change = (settings: RunSettings): RunSettings =>
        withFlags({ ...settings, connection: connection ?? settings.connection }, flags);
      const end = await conductor.reported(ledger, () => resumeRun(parts, run, change));
      const movedTo = await settleResumed(parts, run.id);
      return movedTo === undefined ? end : { ...end, movedTo };
    } finally {
      await ledger.close();
    }
  });
}

/** Half a run on one platform and half on another would be told as one. */
function refuseOther(run: Run, asked: string | undefined): void {
  if (asked === undefined || asked === run.connection) return;
  const params = { run: run.id, own: run.connection, asked };
  throw new ProductError('usage', message('run.other_connection', params));
}

async function wanted(ledger: Ledger, id: string | undefined): Promise<Run> {
  if (id !== undefined) return runNamed(ledger, id);
  const run = await ledger.runs.last(['run']);
  if (run) return run;
  throw new ProductError('usage', message('run.none_to_resume', { location: ledger.location }));
}

/** The settings of a run with the flags of this command laid over them. */
export function withFlags(settings: RunSettings, flags: ResumeFlags): RunSettings {
  return { ...settings, job: layOver(settings.job, flags) };
}
