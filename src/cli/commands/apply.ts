import { readPlanFiles } from '../../run/plan/plan-refusal.js';
import { connectionOfRun } from '../../run/run-connection.js';
import { applyPlan } from '../../run/run-job.js';
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
      const here = { env: process.env, cwd: process.cwd() };
      const connection = await connectionOfRun(plan, here, flags.connection);
      await conductor.aboutRun({ ...plan, kind: 'run' }, connection, location);
      const now = await readPlanFiles(plan, connection, maxAgeMs);
      const parts = conductor.parts(ledger, stateFolder);
      return await conductor.reported(ledger, () =>
        applyPlan(parts, plan, now, (it) => withFlags(it, flags)),
      );
    } finally {
      await ledger.close();
    }
  });
}
