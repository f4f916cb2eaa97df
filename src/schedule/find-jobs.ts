import path from 'node:path';
import { type Message, message } from '../errors/message.js';
import { ProductError } from '../errors/product-error.js';
import { type Connections, loadConnections, resolveConnection } from '../job/connections.js';
import { locateLedger } from '../ledger/open.js';
import { scopeOf } from '../ledger/rules/scopes.js';
import type { Connection } from '../model/connection.js';
import type { AnyJob, Job } from '../model/job.js';
import { readCron } from '../util/cron.js';
import { zone } from '../util/zoned-time.js';
import { jobFiles } from './job-files.js';
import type { ScheduledJob } from './scheduled-job.js';

const DEFAULT_ZONE = 'Asia/Shanghai';
const EXAMPLE = '{ cron: "0 2 * * *" }';

export interface FindOptions {
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
  /** Reads one job file; throws as `loadJobFile` does. */
  readonly load: (file: string) => Promise<AnyJob>;
  /** `--connection`. */
  readonly connection?: string;
  /** Accept a connection that isn't fully configured here: nothing will be sent. */
  readonly onlyLooking?: boolean;
}

export interface FoundJobs {
  readonly jobs: readonly ScheduledJob[];
  /** Job files without a schedule, as people are shown them. */
  readonly unscheduled: readonly string[];
  /** The ledger of all these jobs. */
  readonly ledger: string;
  /** What a person should change about the ledger's place. */
  readonly warning?: Message;
  /** The folder of `license-sync.yaml`, or the current one if there is none; relative paths start there. */
  readonly home: string;
  /** Whether there is a `license-sync.yaml`. */
  readonly hasSettings: boolean;
}

interface Found extends Omit<FoundJobs, 'jobs' | 'unscheduled'> {
  readonly scheduled: ScheduledJob;
}

/**
 * The jobs with a schedule among the named files and folders.
 * @throws ProductError usage naming everything that is wrong: job files at fault, two jobs of one name, no schedule
 *   at all, jobs with different ledgers
 */
export async function findJobs(named: readonly string[], options: FindOptions): Promise<FoundJobs> {
  const found: Found[] = [];
  const unscheduled: string[] = [];
  const faults: Message[] = [];
  let broken = 0;
  const files = await jobFiles(named, options.cwd);
  for (const file of files) {
    try {
      const job = await options.load(file);
      if (job.schedule) found.push(await scheduledJobOf(job, job.schedule, options));
      else unscheduled.push(shown(file, options.cwd));
    } catch (error) {
      if (!(error instanceof ProductError)) throw error;
      broken += 1;
      faults.push(error.detail, ...error.others);
    }
  }
  if (broken > 0) throw refusal(message('schedule.broken_jobs', { count: broken }), distinct(faults));
  const twice = sameNames(found, options.cwd);
  if (twice.length > 0) throw refusal(message('schedule.same_names', { count: twice.length }), twice);
  const [first] = found;
  if (!first) {
    const where = (named.length > 0 ? named : files.length > 0 ? files : [options.cwd]).join(', ');
    throw refusal(message('schedule.no_jobs', { where, example: EXAMPLE }), []);
  }
  const other = found.find((it) => it.ledger !== first.ledger);
  if (other) {
    const names = { first: first.scheduled.name, second: other.scheduled.name };
    const ledgers = { firstLedger: first.ledger, secondLedger: other.ledger };
    throw refusal(message('schedule.two_ledgers', { ...names, ...ledgers }), []);
  }
  const { scheduled: _, ...ground } = first;
  return { ...ground, jobs: found.map((it) => it.scheduled), unscheduled };
}

function refusal(detail: Message, others: readonly Message[]): ProductError {
  return new ProductError('usage', detail, { others });
}

/** A fault in `license-sync.yaml` is found again with every job. */
function distinct(faults: readonly Message[]): readonly Message[] {
  return [...new Map(faults.map((it) => [JSON.stringify(it), it])).values()];
}

async function scheduledJobOf(
  job: AnyJob,
  schedule: NonNullable<Job['schedule']>,
  options: FindOptions,
): Promise<Found> {
  const { env, cwd } = options;
  const connections = await loadConnections(job.file, { env, cwd });
  const { name, configured } = connectionOf(connections, job, options);
  const timezone = schedule.timezone ?? configured?.timezone ?? DEFAULT_ZONE;
  const reading = readCron(schedule.cron);
  const found = zone(timezone);
  if (!reading.ok || !found) {
    // The check of the job file refuses these before.
    const params = { job: job.name, cron: schedule.cron, timezone };
    throw new ProductError('internal', message('schedule.unreadable', params));
  }
  const isReconcile = 'reconcile' in job;
  const scheduled: ScheduledJob = {
    name: job.name,
    file: job.file,
    kind: isReconcile ? 'reconcile' : 'run',
    hasActions: isReconcile && job.actions.length > 0,
    isInbox: job.source.pattern === true,
    job,
    schedule,
    timetable: { cron: reading.times, zone: found },
    connection: name,
    scope: configured ? scopeOf(configured) : name,
    configured,
  };
  const { configFile } = connections;
  const home = configFile === undefined ? cwd : path.dirname(configFile);
  const { place, warning } = await locateLedger(connections.ledger);
  return {
    ...{ scheduled, home, ledger: place, hasSettings: configFile !== undefined },
    ...(warning ? { warning } : {}),
  };
}

function connectionOf(
  connections: Connections,
  job: AnyJob,
  options: FindOptions,
): { readonly name: string; readonly configured?: Connection } {
  try {
    const configured = resolveConnection(connections, { flag: options.connection, job: job.connection });
    return { name: configured.name, configured };
  } catch (error) {
    const name = options.connection ?? job.connection ?? connections.defaultConnection ?? 'env';
    // The connection's time zone may be missing here too.
    if (options.onlyLooking && job.schedule?.timezone && error instanceof ProductError) return { name };
    throw error;
  }
}

function sameNames(found: readonly Found[], cwd: string): readonly Message[] {
  const files = new Map<string, string[]>();
  for (const { scheduled } of found) {
    const { name, file } = scheduled;
    files.set(name, [...(files.get(name) ?? []), shown(file, cwd)]);
  }
  return [...files]
    .filter(([, them]) => them.length > 1)
    .map(([name, them]) => message('schedule.same_name', { name, files: them.join(', ') }));
}

/** A path relative to the current folder, if it is within. */
function shown(file: string, cwd: string): string {
  const within = path.relative(cwd, file);
  return within.startsWith('..') || path.isAbsolute(within) ? file : within;
}
