import { rm } from 'node:fs/promises';
import path from 'node:path';
import { type Message, message } from '../errors/message.js';
import { ProductError } from '../errors/product-error.js';
import type { Connection } from '../model/connection.js';
import type { Job, StepsJob } from '../model/job.js';
import type { Header } from '../model/row.js';
import { EXIT } from '../model/run-outcome.js';
import { Inquiry } from '../platform/client/inquiry.js';
import { operationNamed } from '../platform/operations/catalogue.js';
import { observerWith, SILENT } from '../run/observer.js';
import { openPlatform } from '../run/open-platform.js';
import { requireRun } from '../run/run-checks.js';
import type { RunServices } from '../run/run-context.js';
import { type RunEnd, runEnd } from '../run/run-end.js';
import { type RunOrigin, startRun } from '../run/start-run.js';
import { startFilledSandbox } from '../sandbox/serve.js';
import { RowNumbers } from '../util/text.js';
import { type Collected, collectTouched, unlistedLocks, unlistedRevocations } from './collect.js';
import { fillSandbox, type ReadThings, readPlatform } from './read-platform.js';

/** A rehearsal of a job, on a separate temporary ledger that has the keys of earlier runs. */
export interface Rehearsal {
  readonly job: Job | StepsJob;
  /** Connection to the platform. Only reading requests are sent to it. */
  readonly connection: Connection;
  /** Folder with the note of a served sandbox. */
  readonly stateFolder: string;
  /** Folder for temporary files. */
  readonly folder: string;
  /** For a run: its input and its corrections, which the rehearsal's ledger has. */
  readonly origin?: Pick<RunOrigin, 'inputSha256' | 'corrections'>;
  readonly enterpriseColumn: (headers: readonly Header[], sheet: string) => Header | undefined;
}

/**
 * Checks the job, reads from the platform what its rows touch, fills a sandbox with it, and executes the job there
 * (contract section 9, "Rehearsal").
 * @param services with the rehearsal's ledger
 * @throws ProductError as the run would; usage if something could not be read
 */
export async function rehearse(services: RunServices, rehearsal: Rehearsal): Promise<RunEnd> {
  const { job, connection, stateFolder, folder, origin } = rehearsal;
  const { observer } = services;
  // The run reports everything that the check would report.
  const quiet = observerWith(SILENT, {
    progress: (progress) => observer.progress(progress),
    paused: (pause) => observer.paused(pause),
  });
  const temporaryResult = path.join(folder, 'checked.ndjson');
  const checked = await startRun(
    { ...services, stateFolder, observer: quiet },
    { ...job, output: { file: temporaryResult } },
    connection,
    'dry_run',
    origin,
  ).catch((error: unknown): never => {
    throw lookUpFailed(error);
  });
  await rm(temporaryResult, { force: true });
  if (checked.status === 'interrupted') return checked;
  const read = await readTouched(services, rehearsal, checked);
  if (!read) return interrupted(services, checked.run, connection);
  const { timestamps } = connection;
  const sandbox = await startFilledSandbox({ timestamps }, (state) => fillSandbox(state, read));
  try {
    const { length: count } = read.crmCustomers;
    if (count > 0) observer.warn(message('rehearse.crm_given', { count }));
    return await startRun({ ...services, confirm: true }, job, toSandbox(connection, sandbox.url), 'run', {
      ...origin,
      rehearsal: true,
    });
  } finally {
    await sandbox.close();
  }
}

/** A run without replies to lookups stops and can be resumed. A rehearsal cannot: it is a usage error. */
function lookUpFailed(error: unknown): unknown {
  if (!(error instanceof ProductError) || error.kind !== 'safety') return error;
  return new ProductError('usage', message('rehearse.refused', { why: error.detail }), { cause: error });
}

/**
 * The connection to the sandbox in place of the platform. It has the same name, so that the keys of earlier runs apply,
 * and no credential, limits or notifications.
 */
function toSandbox(connection: Connection, url: string): Connection {
  const { notify: _, requestsPerSecond: __, approval: _approval, ...rest } = connection;
  return { ...rest, baseUrl: url, served: true, token: { kind: 'sandbox' }, confirm: 'default' };
}

async function readTouched(
  services: RunServices,
  { job, connection, stateFolder, enterpriseColumn }: Rehearsal,
  { run: id, status }: Pick<RunEnd, 'run' | 'status'>,
): Promise<ReadThings | undefined> {
  const isInvalid = status === 'invalid';
  const { ledger, clock, stop, observer, env } = services;
  const run = await requireRun(ledger, id);
  const collected = await collectTouched(run, { ledger, job, connection, env, enterpriseColumn });
  if (collected.unanswered > 0) {
    throw new ProductError('usage', message('rehearse.unread', { count: collected.unanswered }));
  }
  const platform = await openPlatform(connection, job, stateFolder, env);
  try {
    const inquiry = new Inquiry({
      client: platform.client,
      connection,
      job,
      clock,
      signal: stop.signal,
      onPause: (pause) => observer.paused(pause),
    });
    const read = await readPlatform(collected, {
      inquiry,
      concurrency: job.run.concurrency,
      stop,
      progress: () => {},
    });
    // A job that is not executed needs only the replies to its lookups.
    if (read && !isInvalid) await judgeUnlisted(services, collected, read);
    return read;
  } finally {
    await platform.close();
  }
}

const LOCKS_NAMED = 5;

/**
 * Warns of assets that are to be revoked and do not exist, which a sandbox ignores.
 * @throws ProductError usage for locks whose enterprise is unknown, because they would all seem to be missing
 */
async function judgeUnlisted(
  { ledger, observer }: RunServices,
  { locksWithoutList, revoking }: Collected,
  { assets }: ReadThings,
): Promise<void> {
  const listed = new Set(assets.map(({ record }) => String(record.assetNum ?? '').trim()));
  const revoked = await unlistedRevocations(ledger, revoking, (asset) => listed.has(asset));
  if (revoked.count > 0) {
    const shown = revoked.first.join(', ') + (revoked.count > revoked.first.length ? ', …' : '');
    observer.warn(message('rehearse.revoked_nowhere', { count: revoked.count, assets: shown }));
  }
  const nowhere = await unlistedLocks(ledger, locksWithoutList, (lock) => listed.has(lock));
  if (nowhere.length === 0) return;
  const rows = new RowNumbers();
  for (const row of new Set(nowhere.map(({ row }) => row).sort((a, b) => a - b))) rows.add(row);
  const locks = nowhere.slice(0, LOCKS_NAMED).map(({ lock }) => lock);
  const more = nowhere.length > LOCKS_NAMED ? ', …' : '';
  const params = { rows: `${rows}`, locks: locks.join(', ') + more };
  throw new ProductError('usage', message('rehearse.lock_of_nobody', params));
}

async function interrupted({ ledger }: RunServices, id: string, { sandbox }: Connection): Promise<RunEnd> {
  const end = { status: 'interrupted', counts: {}, exitCode: EXIT.interrupted } as const;
  return runEnd(await requireRun(ledger, id), sandbox, { ...end, reason: message('rehearse.interrupted') });
}

/** The warning that the run would require a confirmation, which a rehearsal does not. */
export function yesNeeded({ job, connection }: Pick<Rehearsal, 'job' | 'connection'>): Message | undefined {
  const steps = 'steps' in job ? job.steps : [job];
  const revokes = steps.some((step) => operationNamed(step.operation).revokes !== undefined);
  if (connection.confirm !== 'always' && (!revokes || connection.sandbox)) return undefined;
  return message('rehearse.yes_needed', { connection: connection.name });
}
