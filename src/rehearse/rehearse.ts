import { rm } from 'node:fs/promises';
import path from 'node:path';
import { type Message, message } from '../errors/message.js';
import { ProductError } from '../errors/product-error.js';
import type { Connection } from '../model/connection.js';
import { EXIT } from '../model/exit-code.js';
import type { Job, StepsJob } from '../model/job.js';
import type { Header } from '../model/row.js';
import { Inquiry } from '../platform/client/inquiry.js';
import { operationNamed } from '../platform/operations/index.js';
import { observerWith, SILENT } from '../run/observer.js';
import { openPlatform } from '../run/open-platform.js';
import { requireRun } from '../run/run-checks.js';
import type { RunServices } from '../run/run-context.js';
import { type RunEnd, runEnd } from '../run/run-end.js';
import { type RunOrigin, startRun } from '../run/run-job.js';
import { startFilledSandbox } from '../sandbox/serve.js';
import { RowNumbers } from '../source/row-numbers.js';
import { type Collected, collectTouched, locksNowhere, revokedNowhere } from './collect.js';
import { fillSandbox, type ReadThings } from './fill-sandbox.js';
import { readPlatform } from './read-platform.js';

/** Rehearses a job: on a ledger of its own, which knows the keys of earlier runs and goes with it. */
export interface Rehearsal {
  readonly job: Job | StepsJob;
  /** Of the platform that is read, and that nothing but reading requests reach. */
  readonly connection: Connection;
  /** Where a served sandbox says that it is there. */
  readonly stateFolder: string;
  /** For what is thrown away at the end. */
  readonly folder: string;
  /** Of a run: its input and its corrections, which the rehearsal's own ledger has. */
  readonly origin?: Pick<RunOrigin, 'inputSha256' | 'corrections'>;
  readonly enterpriseColumn: (headers: readonly Header[], sheet: string) => Header | undefined;
}

/**
 * Checks the job, reads from the platform what its rows touch, fills a sandbox with it, and carries the job out there
 * (contract section 9, "Rehearsal").
 * @param services over the rehearsal's own ledger
 * @throws ProductError as the run would; usage where something could not be read
 */
export async function rehearse(services: RunServices, rehearsal: Rehearsal): Promise<RunEnd> {
  const { job, connection, stateFolder, folder, origin } = rehearsal;
  const { observer } = services;
  // The run tells all that the check would tell.
  const quiet = observerWith(SILENT, {
    progress: (it) => observer.progress(it),
    paused: (it) => observer.paused(it),
  });
  const unkept = path.join(folder, 'checked.ndjson');
  const checked = await startRun(
    { ...services, stateFolder, observer: quiet },
    { ...job, output: { file: unkept } },
    connection,
    'dry_run',
    origin,
  ).catch((error: unknown): never => {
    throw lookUpFailed(error);
  });
  await rm(unkept, { force: true });
  if (checked.status === 'interrupted') return checked;
  const read = await readTouched(services, rehearsal, checked);
  if (!read) return interrupted(services, checked.run, connection);
  const { timestamps } = connection;
  const sandbox = await startFilledSandbox({ timestamps }, (state) => fillSandbox(state, read));
  try {
    warnOfGiven(services, read);
    return await startRun({ ...services, confirm: true }, job, standIn(connection, sandbox.url), 'run', {
      ...origin,
      rehearsal: true,
    });
  } finally {
    await sandbox.close();
  }
}

/** Look-ups that the platform doesn't answer at all stop a run, which can go on later; a rehearsal has nothing to go on with. */
function lookUpFailed(error: unknown): unknown {
  if (!(error instanceof ProductError) || error.kind !== 'safety') return error;
  return new ProductError('usage', message('rehearse.refused', { why: error.detail }), { cause: error });
}

/**
 * The connection that leads to the sandbox in place of the platform: of the same name, so that the keys of earlier runs
 * hold, and without its credential, limits and those whom it would tell.
 */
function standIn(connection: Connection, url: string): Connection {
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
      tell: (pause) => observer.paused(pause),
    });
    const read = await readPlatform(collected, {
      inquiry,
      concurrency: job.run.concurrency,
      stop,
      progress: () => {},
    });
    // Of what isn't carried out at all nothing need be known but what look-ups are answered.
    if (read && !isInvalid) await judgeUnlisted(services, collected, read);
    return read;
  } finally {
    await platform.close();
  }
}

const LOCKS_NAMED = 5;

/**
 * Warns of assets that are to be revoked and aren't there, which a sandbox passes over.
 * @throws ProductError usage for locks of which it can't be told whose they are: they would all seem to be missing
 */
async function judgeUnlisted(
  { ledger, observer }: RunServices,
  { locksAlone, revoking }: Collected,
  { assets }: ReadThings,
): Promise<void> {
  const listed = new Set(assets.map(({ record }) => String(record.assetNum ?? '').trim()));
  const revoked = await revokedNowhere(ledger, revoking, (asset) => listed.has(asset));
  if (revoked.count > 0) {
    const shown = revoked.first.join(', ') + (revoked.count > revoked.first.length ? ', …' : '');
    observer.warn(message('rehearse.revoked_nowhere', { count: revoked.count, assets: shown }));
  }
  const nowhere = await locksNowhere(ledger, locksAlone, (lock) => listed.has(lock));
  if (nowhere.length === 0) return;
  const rows = new RowNumbers();
  for (const row of new Set(nowhere.map((it) => it.row).sort((a, b) => a - b))) rows.add(row);
  const locks = nowhere.slice(0, LOCKS_NAMED).map((it) => it.lock);
  const more = nowhere.length > LOCKS_NAMED ? ', …' : '';
  const params = { rows: `${rows}`, locks: locks.join(', ') + more };
  throw new ProductError('usage', message('rehearse.lock_of_nobody', params));
}

function warnOfGiven({ observer }: RunServices, { crmCustomers }: ReadThings): void {
  if (crmCustomers.length === 0) return;
  observer.warn(message('rehearse.crm_given', { count: crmCustomers.length }));
}

async function interrupted({ ledger }: RunServices, id: string, { sandbox }: Connection): Promise<RunEnd> {
  const end = { status: 'interrupted', counts: {}, exitCode: EXIT.interrupted } as const;
  return runEnd(await requireRun(ledger, id), sandbox, { ...end, reason: message('rehearse.interrupted') });
}

/** What a run would ask a person that a rehearsal doesn't. */
export function yesNeeded({ job, connection }: Pick<Rehearsal, 'job' | 'connection'>): Message | undefined {
  const work = 'steps' in job ? job.steps : [job];
  const revokes = work.some((it) => operationNamed(it.operation).revokes !== undefined);
  if (connection.confirm !== 'always' && (!revokes || connection.sandbox)) return undefined;
  return message('rehearse.yes_needed', { connection: connection.name });
}
