import { loadConnections, resolveConnection } from '../../job/connections.js';
import { applyPlan } from '../../run/run-job.js';
import { sha256Of } from '../../source/input-copy.js';
import { ageMs } from '../age.js';
import { conductRun } from '../conduct.js';
import { languageOf } from '../language.js';
import { findLedger } from '../ledger-location.js';
import { runNamed } from '../run-named.js';
import { type ResumeFlags, withFlags } from './resume.js';

export interface ApplyFlags extends ResumeFlags {
  readonly maxAge: string;
}

/** `apply PLAN` */
export async function apply(id: string, flags: ApplyFlags): Promise<void> {
  await conductRun(languageOf(process.env), flags, async (conductor) => {
    const maxAgeMs = ageMs(flags.maxAge);
    const { ledger, location, stateFolder } = await findLedger(flags.ledger);
    try {
      const plan = await runNamed(ledger, id);
      const connections = await loadConnections(plan.jobFile, { env: process.env, cwd: process.cwd() });
      const connection = resolveConnection(connections, { flag: flags.connection ?? plan.connection });
      await conductor.aboutRun({ ...plan, kind: 'run' }, connection, location);
      const now = {
        connection,
        jobSha256: await sha256Of(plan.jobFile).catch(() => undefined),
        inputSha256: await sha256Of(plan.inputFile).catch(() => undefined),
        maxAgeMs,
      };
      const parts = conductor.parts(ledger, stateFolder);
      return await conductor.reported(ledger, () =>
        applyPlan(parts, plan, now, (it) => withFlags(it, flags)),
      );
    } finally {
      await ledger.close();
    }
  });
}
