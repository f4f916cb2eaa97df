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
import { ownProcess } from '../util/process-alive.js';
import type { StopSignal } from '../util/stop-signal.js';
import { carryQueuedRuns } from '../workers/worker.js';
import { WorkerTally } from '../workers/worker-tally.js';
import { type AppContext, type RunWatch, UNWATCHED } from './context.js';
import { failureOf } from './failure.js';
import { followUp } from './follow-up.js';
import { openLogFile } from './log-file.js';
import { ledgerOf } from './open.js';
import { runJson } from './run-summary.js';
import { refuseFile } from './team.js';

export interface WorkerInput {
  readonly slots: number;
  /** Names with commas between them; absent: all that are configured here. */
  readonly connections?: string;
  readonly once?: boolean;
  readonly logFile?: string;
  /** Written anew while the worker is at work. */
  readonly metricsFile?: string;
}

interface WorkerContext extends AppContext {
  readonly watch: Pick<RunWatch, 'note' | 'aside' | 'printed' | 'following' | 'paused'>;
  readonly stop: StopSignal;
}

/** What a worker carried. */
export interface WorkerEnd {
  readonly worker: string;
  readonly runs: number;
  readonly pieces: number;
  readonly requests: number;
  readonly retries: number;
}

const METRICS_TITLE = '# license-sync worker: what one worker carried, written anew while it is at work';
const METRICS_EVERY_MS = 15_000;

/**
 * `worker`: carries out queued runs until it is stopped, or with `once` until none is left.
 * @throws ProductError usage without a credential for any connection, and where the ledger is a file
 */
export async function runWorker(context: WorkerContext, input: WorkerInput): Promise<WorkerEnd> {
  const { env, cwd, stop, watch, language } = context;
  const settings = await loadConnections(undefined, { env, cwd });
  const location = await ledgerOf(context, settings);
  refuseFile('worker', location);
  const connections = await served(settings, input.connections, context);
  const place = ownProcess();
  const name = `${place.host}-${place.process}-${randomBytes(2).toString('hex')}`;
  const tally = new WorkerTally(name, input.slots);
  const log =
    input.logFile === undefined
      ? undefined
      : await openLogFile(input.logFile, cwd, (trouble) => watch.aside(trouble), { worker: name });
  const keeper = new MetricsKeeper(input.metricsFile && path.resolve(cwd, input.metricsFile), tally, watch);
  const ledger = await openLedger(location, { note: context.found, older: 'wait' });
  try {
    const { queue } = ledger;
    if (!queue)
      throw new ProductError('usage', message('team.needs_server', { command: 'worker', location }));
    await queue.ready();
    const ready = { name, slots: input.slots, location: ledger.location };
    watch.note(message('team.worker_ready', { ...ready, connections: [...connections.keys()].join(', ') }));
    await keeper.begin();
    const told = new Set<string>();
    await carryQueuedRuns(
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
            const said = saidOf(event, told);
            if (said) watch.note(said);
          },
        },
        concluded: (end) => tellEnd(context, end, connections.get(end.connection), ledger.address),
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
    await keeper.end();
    log?.close();
    await ledger.close();
  }
}

/** Whom a run's connection names is told of its end, once; a job's own are told by whoever waits for the run. */
async function tellEnd(
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
 * The connections whose runs are carried here: those that were named, else all that the settings have, each with a
 * credential that can be had. The built-in sandbox counts where nothing else is configured, and where it is named.
 */
async function served(
  settings: Connections,
  named: string | undefined,
  { env, watch }: WorkerContext,
): Promise<ReadonlyMap<string, Connection>> {
  const all = [...new Set([...settings.connections.keys(), ...settings.withheld.keys()])];
  const others = all.filter((it) => !isBuiltIn(settings.connections.get(it)));
  const wanted = named === undefined ? others : named.split(',').map((it) => it.trim());
  const found = new Map<string, Connection>();
  const lacking: Message[] = [];
  for (const name of wanted) {
    // A name that nobody knows is a slip, not a credential that is kept elsewhere.
    if (!all.includes(name)) resolveConnection(settings, { flag: name });
    try {
      const connection = resolveConnection(settings, { flag: name });
      await resolveToken(connection.token, name, env);
      found.set(name, connection);
    } catch (error) {
      if (!(error instanceof ProductError)) throw error;
      lacking.push(message('team.left_alone', { connection: name, why: error.detail }));
    }
  }
  if (found.size === 0 && lacking.length > 0)
    throw new ProductError('usage', message('team.no_credential'), { others: lacking });
  for (const it of lacking) watch.note(it);
  const sandbox = settings.connections.get('sandbox');
  if (named === undefined && sandbox) found.set('sandbox', sandbox);
  return found;
}

function isBuiltIn(connection: Connection | undefined): boolean {
  return connection?.sandbox === true && connection.token.kind === 'sandbox';
}

/** What is said of an event: the first piece of each run, what was lost, and how runs ended. */
function saidOf(event: RunEvent, told: Set<string>): Message | undefined {
  const { run } = event;
  switch (event.event) {
    case 'chunk_taken': {
      if (told.has(run)) return undefined;
      told.add(run);
      const { job, operation, connection } = event;
      return message('team.worker_took', { run, job, operation, connection });
    }
    case 'chunk_ended':
      if (event.how !== 'lost') return undefined;
      return message('team.worker_lost', { run, first: event.first, last: event.last });
    case 'run_concluded':
      told.delete(run);
      return message('team.worker_concluded', { run, status: event.status });
    default:
      return undefined;
  }
}

/** Writes the worker's metrics now and then; their age tells whether the worker is alive. */
class MetricsKeeper {
  readonly #file: string | undefined;
  readonly #tally: WorkerTally;
  readonly #watch: WorkerContext['watch'];
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();
  #complained = false;

  constructor(file: string | undefined, tally: WorkerTally, watch: WorkerContext['watch']) {
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
    const trouble = await writeTitledMetrics(file, METRICS_TITLE, this.#tally.metrics());
    if (trouble && !this.#complained) this.#watch.aside(trouble);
    this.#complained = trouble !== undefined;
  }
}
