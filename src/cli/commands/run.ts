import path from 'node:path';
import { message } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';
import type { InboxOptions } from '../../inbox/contract.js';
import { loadConnections, resolveConnection } from '../../job/connections.js';
import { applyChanges } from '../../job/job-changes.js';
import { loadJob } from '../../job/load.js';
import { CATALOGUE_SHAPES } from '../../platform/operations/index.js';
import { startRun } from '../../run/run-job.js';
import { conductRun, type RunFlags } from '../conduct.js';
import { type About, aboutJob } from '../follow-up.js';
import { languageOf } from '../language.js';
import { stateFolderOf } from '../state-folder.js';

export interface JobFlags extends RunFlags {
  readonly input?: string;
  readonly onInvalid?: 'abort' | 'skip';
  readonly set: readonly string[];
  readonly dryRun?: boolean;
  readonly plan?: boolean;
  readonly canary?: number;
}

/** `run`, `validate` and `plan`. */
export async function run(jobFile: string, flags: JobFlags): Promise<void> {
  await conductRun(languageOf(process.env), flags, async (conductor) => {
    const loaded = await loadJob(path.resolve(jobFile), {
      env: process.env,
      operations: CATALOGUE_SHAPES,
      set: flags.set,
    });
    const job = applyChanges(loaded, flags);
    if (flags.plan && job.source.pattern) {
      throw new ProductError('usage', message('inbox.plan_one', { pattern: job.source.file }));
    }
    const kind = flags.plan ? 'plan' : flags.dryRun ? 'dry_run' : 'run';
    const about = (known: About): void => (kind === 'run' ? conductor.about(known) : undefined);
    about(aboutJob(job, flags.connection));
    const connections = await loadConnections(job.file, { env: process.env, cwd: process.cwd() });
    about({ ledger: connections.ledger });
    const connection = resolveConnection(connections, { flag: flags.connection, job: job.connection });
    about({ connection });
    const ledger = await conductor.openLedger(connections.ledger);
    try {
      const parts = conductor.parts(ledger, stateFolderOf(connections.ledger));
      const options = flags.canary === undefined ? {} : { canary: flags.canary };
      if (job.source.pattern && kind !== 'plan') {
        const wish: InboxOptions = { job, connection, kind, ...options, ended: conductor.ended };
        const { runInbox } = await import('../../inbox/run-inbox.js');
        return await conductor.reported(ledger, () => runInbox(parts, wish));
      }
      return await conductor.reported(ledger, () => startRun(parts, job, connection, kind, options));
    } finally {
      await ledger.close();
    }
  });
}
