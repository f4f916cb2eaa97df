import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { type Message, message } from '../errors/message.js';
import { ProductError } from '../errors/product-error.js';
import { type Connections, loadConnections, resolveConnection } from '../job/connections.js';
import { openLedger } from '../ledger/open.js';
import type { Connection } from '../model/connection.js';
import { writeTitledMetrics } from '../notify/metrics-file.js';
import { resolveToken } from '../platform/client/token.js';
import { observerWith, SILENT } from '../run/observer.js';
import type { RunEnd } from '../run/run-end.js';
import type { RunEvent } from '../run/run-events.js';
import { systemClock } from '../util/clock.js';
import { parsePostgresUrl, postgresUrl } from '../util/ledger-address.js';
import { VERSION } from '../util/own-package.js';
import { ownProcess } from '../util/process.js';
import type { ExportedFile } from '../util/service-files.js';
import type { StopSignal } from '../util/stop-signal.js';
import { workerManifests, workerUnits } from '../workers/service-files.js';
import { executeQueuedRuns } from '../workers/worker.js';
import { WorkerTally } from '../workers/worker-tally.js';
import { type AppContext, type RunWatch, UNWATCHED } from './context.js';
import { failureOf } from './failure.js';
import { openLogFile } from './log-file.js';
import { followUp } from './notify-run-end.js';
import { runJson } from './run-result.js';
import { ledgerOf, refuseFile } from './with-ledger.js';

export interface WorkerInput {
  readonly slots: number;
  /** Names separated by commas; absent: all that are configured here. */
  readonly connections?: string;
  readonly once?: boolean;
  readonly logFile?: string;
  /** Rewritten while the worker is active. */
  readonly metricsFile?: string;
}

export type WorkerWatch = Pick<RunWatch, 'note' | 'aside' | 'printed' | 'following' | 'paused'>;

interface WorkerContext extends AppContext {
  readonly watch: WorkerWatch;
  readonly stop: StopSignal;
}

/** Totals of a worker. */
export interface WorkerEnd {
  readonly worker: string;
  readonly runs: number;
  readonly pieces: number;
  readonly requests: number;
  readonly retries: number;
}

const METRICS_TITLE = '# license-sync worker: the tally of one worker, rewritten while it is active';
const METRICS_EVERY_MS = 15_000;

/**
 * `worker`: executes queued runs until it is stopped, or with `once` until none is left.
 * @throws ProductError usage without a credential for any connection, and if the ledger is a file
 */
export async function runWorker(context: WorkerContext, input: WorkerInput): Promise<WorkerEnd> {
  const { env, cwd, stop, watch, language } = context;
  const settings = await loadConnections(undefined, { env, cwd });
  const location = await ledgerOf(context, settings);
  await refuseFile('worker', location);
  const connections = await servedConnections(settings, input.connections, context);
  const here = ownProcess();
  const name = `${here.host}-${here.process}-${randomBytes(2).toString('hex')}`;
  const tally = new WorkerTally(name, input.slots);
  const log =
    input.logFile === undefined
      ? undefined
      : await openLogFile(input.logFile, cwd, (warning) => watch.aside(warning), { worker: name });
  const metrics = new MetricsWriter(input.metricsFile && path.resolve(cwd, input.metricsFile), tally, watch);
  const ledger = await openLedger(location, {
    made: () => watch.note(message('ledger.made', { location })),
    note: context.found,
    older: 'wait',
  });
  try {
    const { queue } = ledger;
    if (!queue)
      throw new ProductError('usage', message('team.needs_server', { command: 'worker', location }));
    await queue.ready();
    const ready = { name, slots: input.slots, location: ledger.location };
    watch.note(message('team.worker_ready', { ...ready, connections: [...connections.keys()].join(', ') }));
    await metrics.begin();
    const reported = new Set<string>();
    await executeQueuedRuns(
      {
        ledger: Object.assign(ledger, { queue }),
        observer: observerWith(SILENT, {
          warn: (warning) => watch.aside(warning),
          paused: (pause) => watch.paused(pause),
        }),
        stop,
        clock: systemClock,
        language,
        env,
        log: {
          add: (event) => {
            tally.add(event);
            log?.add(event);
            const note = noteFor(event, reported);
            if (note) watch.note(note);
          },
        },
        concluded: (end) => notifyEnd(context, end, connections.get(end.connection), ledger.address),
      },
      {
        name,
        slots: input.slots,
        connections,
        once: input.once === true,
        leaseMs: settings.workerLeaseMs,
      },
    );
    return { worker: name, ...tally.sums };
  } catch (error) {
    const { code, text } = failureOf(error, language);
    log?.failed(code, text, undefined);
    throw error;
  } finally {
    await metrics.end();
    log?.close();
    await ledger.close();
  }
}

/** Notifies the recipients of the run's connection once. The process that waits for the run notifies the job's recipients. */
async function notifyEnd(
  context: WorkerContext,
  end: RunEnd,
  connection: Connection | undefined,
  ledger: string,
): Promise<void> {
  const { exitCode, run, job, operation, executeMs } = end;
  const endedAt = Date.now();
  const summary = runJson(end, executeMs, context.language);
  await followUp(
    { job: { name: job, operation }, connection, ledger },
    { run, exitCode, startedAt: endedAt - Math.round(executeMs), endedAt, summary },
    { ...context, watch: { ...UNWATCHED, ...context.watch } },
    {},
  );
}

/**
 * The connections that this worker serves: those named, otherwise all in the settings, each with an available credential.
 * The built-in sandbox is served unless connections are named without it.
 */
async function servedConnections(
  settings: Connections,
  named: string | undefined,
  { env, watch }: WorkerContext,
): Promise<ReadonlyMap<string, Connection>> {
  const all = [...new Set([...settings.connections.keys(), ...settings.withheld.keys()])];
  const others = all.filter((it) => !isBuiltIn(settings.connections.get(it)));
  const names = named === undefined ? others : named.split(',').map((it) => it.trim());
  const found = new Map<string, Connection>();
  const withoutCredential: Message[] = [];
  for (const name of names) {
    // An unknown name is a typing error, not a credential that is available elsewhere.
    if (!all.includes(name)) resolveConnection(settings, { flag: name });
    try {
      const connection = resolveConnection(settings, { flag: name });
      await resolveToken(connection.token, name, env);
      found.set(name, connection);
    } catch (error) {
      if (!(error instanceof ProductError)) throw error;
      withoutCredential.push(message('team.left_alone', { connection: name, why: error.detail }));
    }
  }
  if (found.size === 0 && withoutCredential.length > 0)
    throw new ProductError('usage', message('team.no_credential'), { others: withoutCredential });
  for (const note of withoutCredential) watch.note(note);
  const sandbox = settings.connections.get('sandbox');
  if (named === undefined && sandbox) found.set('sandbox', sandbox);
  return found;
}

function isBuiltIn(connection: Connection | undefined): boolean {
  return connection?.sandbox === true && connection.token.kind === 'sandbox';
}

/** The note for an event: the first chunk of each run, a lost chunk, or the end of a run. */
function noteFor(event: RunEvent, reported: Set<string>): Message | undefined {
  const { run } = event;
  switch (event.event) {
    case 'chunk_taken': {
      if (reported.has(run)) return undefined;
      reported.add(run);
      const { job, operation, connection } = event;
      return message('team.worker_took', { run, job, operation, connection });
    }
    case 'chunk_ended':
      if (event.how !== 'lost') return undefined;
      return message('team.worker_lost', { run, first: event.first, last: event.last });
    case 'run_concluded':
      reported.delete(run);
      return message('team.worker_concluded', { run, status: event.status });
    default:
      return undefined;
  }
}

/** Writes the worker's metrics periodically; their age shows whether the worker is alive. */
class MetricsWriter {
  readonly #file: string | undefined;
  readonly #tally: WorkerTally;
  readonly #watch: WorkerWatch;
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();
  #hasWarned = false;

  constructor(file: string | undefined, tally: WorkerTally, watch: WorkerWatch) {
    this.#file = file || undefined;
    this.#tally = tally;
    this.#watch = watch;
  }

  async begin(): Promise<void> {
    if (this.#file === undefined) return;
    await this.#write(this.#file);
    this.#timer = setInterval(() => {
      this.#writing = this.#writing.then(() => this.#write(this.#file ?? ''));
    }, METRICS_EVERY_MS);
    this.#timer.unref();
  }

  async end(): Promise<void> {
    clearInterval(this.#timer);
    await this.#writing;
    if (this.#timer && this.#file !== undefined) await this.#write(this.#file);
  }

  async #write(file: string): Promise<void> {
    const warning = await writeTitledMetrics(file, METRICS_TITLE, this.#tally.metrics());
    if (warning && !this.#hasWarned) this.#watch.aside(warning);
    this.#hasWarned = warning !== undefined;
  }
}

interface WorkerExportInput extends Pick<WorkerInput, 'slots' | 'connections' | 'logFile'> {
  readonly format: 'systemd' | 'kubernetes';
  readonly image?: string;
  /** The program and its first arguments. */
  readonly program: readonly string[];
}

/**
 * `worker --export`: service files that keep a worker running elsewhere, without secrets.
 * @throws ProductError usage if the ledger is a file
 */
export async function workerFiles(
  context: AppContext,
  input: WorkerExportInput,
): Promise<readonly ExportedFile[]> {
  const { env, cwd, ledger } = context;
  const settings = await loadConnections(undefined, { env, cwd });
  const moved = ledger ?? env.LICENSE_SYNC_LEDGER;
  const location = await ledgerOf(context, settings);
  await refuseFile('worker', location);
  const { connections, logFile, slots, program, image } = input;
  const tokens = [...settings.connections.values()].flatMap(({ token }) =>
    token.kind === 'env' ? [token.name] : [],
  );
  const service = {
    home: settings.configFile === undefined ? cwd : path.dirname(settings.configFile),
    program,
    slots,
    connections,
    logFile,
    ...(moved ? { movedLedger: postgresUrl(parsePostgresUrl(location)) } : {}),
    secrets: [...new Set([...tokens, 'LICENSE_SYNC_LEDGER_PASSWORD'])],
    image: image ?? `license-sync:${VERSION}`,
    version: VERSION,
  };
  return input.format === 'systemd' ? workerUnits(service) : workerManifests(service);
}
