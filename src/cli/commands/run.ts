import path from 'node:path';
import { loadConnections, resolveConnection } from '../../job/connections.js';
import { loadJob } from '../../job/load.js';
import { openLedger } from '../../ledger/open.js';
import type { Job } from '../../model/job.js';
import { CATALOGUE_SHAPES } from '../../platform/operations/index.js';
import { startRun } from '../../run/run-job.js';
import { conductRun, type RunFlags, stateFolderOf } from '../conduct.js';
import { languageOf } from '../language.js';

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
    const job = withFlags(loaded, flags);
    const connections = await loadConnections(job.file, { env: process.env, cwd: process.cwd() });
    const connection = resolveConnection(connections, { flag: flags.connection, job: job.connection });
    const ledger = await openLedger(connections.ledger);
    try {
      const parts = conductor.parts(ledger, stateFolderOf(connections.ledger));
      const kind = flags.plan ? 'plan' : flags.dryRun ? 'dry_run' : 'run';
      const options = flags.canary === undefined ? {} : { canary: flags.canary };
      return await startRun(parts, job, connection, kind, options);
    } finally {
      await ledger.close();
    }
  });
}

function withFlags(job: Job, flags: JobFlags): Job {
  return {
    ...job,
    source: { ...job.source, ...(flags.input === undefined ? {} : { file: path.resolve(flags.input) }) },
    run: {
      ...job.run,
      ...(flags.concurrency === undefined ? {} : { concurrency: Math.max(1, flags.concurrency) }),
      ...(flags.onInvalid === undefined ? {} : { onInvalid: flags.onInvalid }),
    },
    safety: {
      ...job.safety,
      ...(flags.maxItems === undefined ? {} : { maxItems: flags.maxItems }),
      ...(flags.maxDeletes === undefined ? {} : { maxDeletes: flags.maxDeletes }),
    },
    output: flags.output === undefined ? job.output : { file: path.resolve(flags.output) },
  };
}
