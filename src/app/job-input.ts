import path from 'node:path';
import { applyChanges } from '../job/job-changes.js';
import { type LoadJobOptions, loadSendingJob } from '../job/load.js';
import type { Ledger } from '../ledger/contract/ledger.js';
import type { SendingJob } from '../model/job.js';
import type { CorrectedBy, Correction } from '../model/row.js';
import { identify } from '../people/identity.js';
import { ALL_OPERATIONS, COMPARISONS } from '../platform/operations/catalogue.js';
import type { GivenCorrections } from '../run/corrections/corrections-file.js';
import { systemClock } from '../util/clock.js';
import type { AppContext, RunChanges } from './context.js';

/** Options for reading job files: catalogue, variables and folder. `set`: as `--set`. */
export function jobReading(
  { env, cwd }: Pick<AppContext, 'env' | 'cwd'>,
  set: readonly string[] = [],
): LoadJobOptions {
  return { env, cwd, set, operations: ALL_OPERATIONS, comparisons: COMPARISONS };
}

/** The job of a file with the changes for one run. */
export async function changedJob(
  { env, cwd }: AppContext,
  file: string,
  changes: RunChanges,
): Promise<SendingJob> {
  const job = await loadSendingJob(path.resolve(cwd, file), jobReading({ env, cwd }, changes.set));
  return applyChanges(job, changes, cwd);
}

export interface CorrectionsInput {
  /** A .csv with the columns `row`, `column` and `value`; or the cells, each with who corrected it and when. */
  readonly corrections?: string | readonly (Correction & CorrectedBy)[];
}

/** The corrections of a new run. Corrections in a file are attributed to the caller and the current time. */
export async function givenCorrections(
  context: Pick<AppContext, 'as' | 'cwd'>,
  { corrections }: CorrectionsInput,
  ledger: Ledger,
): Promise<GivenCorrections | undefined> {
  if (corrections === undefined) return undefined;
  if (typeof corrections !== 'string') return corrections.length > 0 ? { cells: corrections } : undefined;
  const at = systemClock.now();
  const { who } = await identify(ledger, context.as ?? { kind: 'local' }, at);
  return { file: path.resolve(context.cwd, corrections), by: { who, at } };
}
