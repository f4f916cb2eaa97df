import path from 'node:path';
import { loadConnections, resolveConnection } from '../../src/job/connections.js';
import { loadReconcileJob } from '../../src/job/load.js';
import type { Connection } from '../../src/model/connection.js';
import { ALL_OPERATIONS, COMPARISONS } from '../../src/platform/operations/catalogue.js';
import { reconcile } from '../../src/reconcile/reconcile.js';
import type { ReconcileEnd } from '../../src/reconcile/services.js';
import { openPlatform } from '../../src/run/open-platform.js';
import { runActions } from '../../src/run/run-actions.js';
import type { RunServices } from '../../src/run/run-context.js';
import type { Fixture } from './job-runs.js';

/** Reconciles a job file as the command would; without a connection, on a sandbox that lives for this one call. */
export async function reconcileJob(
  fixture: Fixture,
  jobFile: string,
  options: {
    readonly apply?: boolean;
    readonly set?: readonly string[];
    readonly connection: Connection;
    readonly parts?: Partial<RunServices>;
  },
): Promise<ReconcileEnd> {
  const loaded = await loadReconcileJob(jobFile, {
    env: {},
    operations: ALL_OPERATIONS,
    comparisons: COMPARISONS,
    set: [...(options.set ?? [])],
  });
  const job = { ...loaded, output: { file: path.join(fixture.folder, 'results', '{job}-{run}.xlsx') } };
  const parts = fixture.parts(options.parts);
  const { connection } = options;
  return reconcile(
    {
      ...parts,
      openClient: () => openPlatform(connection, job, parts.stateFolder),
      runActions: runActions(parts, connection),
    },
    { job, connection, apply: options.apply === true },
  );
}

/** A connection to a sandbox that is being served. */
export async function sandboxAt(fixture: Fixture, url: string): Promise<Connection> {
  const connections = await loadConnections(path.join(fixture.folder, 'job.yaml'), {
    env: {},
    cwd: fixture.folder,
  });
  return { ...resolveConnection(connections, { flag: 'sandbox' }), baseUrl: url };
}
