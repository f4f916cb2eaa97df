import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { isMap, parseDocument } from 'yaml';
import { type Message, message } from '../errors/message.js';
import { ProductError } from '../errors/product-error.js';
import { type Connections, loadConnections, resolveConnection } from '../job/connections.js';
import { CONFIG_FILE } from '../job/find-config.js';
import { locateLedger } from '../ledger/open.js';
import { scopeOf } from '../ledger/rules/scopes.js';
import type { Connection } from '../model/connection.js';
import type { AnyJob, Job } from '../model/job.js';
import { readCron } from '../util/cron.js';
import { zone } from '../util/zoned-time.js';
import type { ScheduledJob } from './scheduled-job.js';

const DEFAULT_FOLDER = 'jobs';
/** Larger files are not read: a job has a page or two. */
const LARGEST_BYTES = 1024 * 1024;

/**
 * The job files that are named, or are directly in the named folders: absolute, each once, in order.
 * @param named files and folders relative to `cwd`; none: `jobs` if there is such a folder, otherwise `cwd` itself
 * @throws ProductError usage for a path that does not exist
 */
export async function jobFiles(named: readonly string[], cwd: string): Promise<readonly string[]> {
  const found = new Set<string>();
  for (const name of named.length > 0 ? named : [await defaultFolder(cwd)]) {
    const absolute = path.resolve(cwd, name);
    const stats = await stat(absolute).catch((cause: NodeJS.ErrnoException) => {
      const params = { path: name, reason: cause.code ?? String(cause) };
      throw new ProductError('usage', message('schedule.path_missing', params), { cause });
    });
    if (!stats.isDirectory()) {
      // The shell's `*.yaml` may include the settings.
      if (path.basename(absolute) !== CONFIG_FILE) found.add(absolute);
      continue;
    }
    for (const entry of (await readdir(absolute)).sort()) {
      if (!/\.ya?ml$/i.test(entry) || entry.startsWith('.') || entry === CONFIG_FILE) continue;
      const file = path.join(absolute, entry);
      if (await looksLikeJob(file)) found.add(file);
    }
  }
  return [...found];
}

async function defaultFolder(cwd: string): Promise<string> {
  const stats = await stat(path.join(cwd, DEFAULT_FOLDER)).catch(() => undefined);
  return stats?.isDirectory() ? DEFAULT_FOLDER : '.';
}

/**
 * True if a YAML file in a folder is intended as a job. An invalid job must be included too: otherwise it would never run,
 * without any message.
 */
async function looksLikeJob(file: string): Promise<boolean> {
  const stats = await stat(file).catch(() => undefined);
  if (!stats?.isFile() || stats.size > LARGEST_BYTES) return false;
  const text = (await readFile(file)).toString('utf8');
  const parsed = parseDocument(text, { logLevel: 'silent', uniqueKeys: false });
  const keys =
    parsed.errors.length === 0 && isMap(parsed.contents)
      ? parsed.contents.items.map((it) => String(it.key))
      : [...text.matchAll(/^\ufeff?["']?([A-Za-z]+)["']?[ \t]*:/gm)].map((it) => it[1]);
  const has = (key: string): boolean => keys.includes(key);
  return has('operation') || has('steps') || has('reconcile') || (has('schedule') && has('source'));
}

const DEFAULT_ZONE = 'Asia/Shanghai';
const EXAMPLE = '{ cron: "0 2 * * *" }';

export interface FindOptions {
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
  /** Reads one job file; throws as `loadJobFile` does. */
  readonly load: (file: string) => Promise<AnyJob>;
  /** `--connection`. */
  readonly connection?: string;
  /** Accept a connection that is not fully configured here, because nothing will be sent. */
  readonly onlyLooking?: boolean;
}

export interface FoundJobs {
  readonly jobs: readonly ScheduledJob[];
  /** Job files without a schedule; paths for messages. */
  readonly unscheduled: readonly string[];
  /** The ledger of all these jobs. */
  readonly ledger: string;
  /** What the user should change about the ledger's location. */
  readonly warning?: Message;
  /** The folder of `license-sync.yaml`, or the current one if there is none; relative paths start there. */
  readonly home: string;
  /** Whether the ledger is the one of `license-sync.yaml`, named in it or next to it. */
  readonly namesLedger: boolean;
}

interface Found extends Omit<FoundJobs, 'jobs' | 'unscheduled'> {
  readonly scheduled: ScheduledJob;
}

/**
 * The jobs with a schedule among the named files and folders.
 * @throws ProductError usage with all problems: invalid job files, two jobs with one name, no schedule, jobs with different
 *   ledgers
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
      else unscheduled.push(displayPath(file, options.cwd));
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
  const different = found.find((it) => it.ledger !== first.ledger);
  if (different) {
    const names = { first: first.scheduled.name, second: different.scheduled.name };
    const ledgers = { firstLedger: first.ledger, secondLedger: different.ledger };
    throw refusal(message('schedule.two_ledgers', { ...names, ...ledgers }), []);
  }
  const { scheduled: _, ...common } = first;
  return { ...common, jobs: found.map((it) => it.scheduled), unscheduled };
}

function refusal(detail: Message, others: readonly Message[]): ProductError {
  return new ProductError('usage', detail, { others });
}

/** An error in `license-sync.yaml` is found again with every job. */
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
    // The validation of the job file refuses these before.
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
  const namesLedger = configFile !== undefined && place === connections.ledger.place;
  return { scheduled, home, ledger: place, namesLedger, warning };
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
    files.set(name, [...(files.get(name) ?? []), displayPath(file, cwd)]);
  }
  return [...files]
    .filter(([, paths]) => paths.length > 1)
    .map(([name, paths]) => message('schedule.same_name', { name, files: paths.join(', ') }));
}

/** A path relative to the current folder, if it is within. */
function displayPath(file: string, cwd: string): string {
  const within = path.relative(cwd, file);
  return within.startsWith('..') || path.isAbsolute(within) ? file : within;
}
