import path from 'node:path';
import { loadConnections, resolveConnection } from '../../job/connections.js';
import { applyChanges } from '../../job/job-changes.js';
import { loadReconcileJob } from '../../job/load.js';
import { COMPARISONS } from '../../platform/comparisons/index.js';
import { CATALOGUE_SHAPES } from '../../platform/operations/index.js';
import { reconcile as compare } from '../../reconcile/reconcile.js';
import { locatePlatform, openPlatform } from '../../run/open-platform.js';
import { runActions } from '../../run/run-actions.js';
import { conductRun, type RunFlags } from '../conduct.js';
import { aboutJob } from '../follow-up.js';
import { languageOf } from '../language.js';
import { stateFolderOf } from '../state-folder.js';

export interface ReconcileFlags extends RunFlags {
  readonly input?: string;
  readonly set: readonly string[];
  readonly apply?: boolean;
}

/** `reconcile JOB` */
export async function reconcile(jobFile: string, flags: ReconcileFlags): Promise<void> {
  await conductRun(languageOf(process.env), flags, async (conductor) => {
    const loaded = await loadReconcileJob(path.resolve(jobFile), {
      env: process.env,
      operations: CATALOGUE_SHAPES,
      comparisons: COMPARISONS,
      set: flags.set,
    });
    const job = applyChanges(loaded, flags);
    conductor.about(aboutJob(job, flags.connection));
    const connections = await loadConnections(job.file, { env: process.env, cwd: process.cwd() });
    conductor.about({ ledger: connections.ledger });
    const configured = resolveConnection(connections, { flag: flags.connection, job: job.connection });
    conductor.about({ connection: configured });
    const ledger = await conductor.openLedger(connections.ledger);
    try {
      const stateFolder = stateFolderOf(connections.ledger);
      const parts = conductor.parts(ledger, stateFolder);
      // One platform for the comparison and its actions: a sandbox of this process would forget between them.
      const platform = await locatePlatform(configured, stateFolder);
      try {
        const { connection } = platform;
        const own = {
          ...parts,
          openClient: () => openPlatform(connection, job, stateFolder),
          runActions: runActions(parts, connection),
        };
        return await conductor.reported(ledger, async () => {
          const { drift, ...end } = await compare(own, { job, connection, apply: flags.apply === true });
          conductor.compared(end.run, { problems: drift, warnings: end.warnings });
          return { ...end, items: 0, executeMs: 0, kind: 'reconcile' as const };
        });
      } finally {
        await platform.close();
      }
    } finally {
      await ledger.close();
    }
  });
}
