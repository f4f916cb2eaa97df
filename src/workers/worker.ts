import { randomBytes } from 'node:crypto';
import type { ChunkLease, WorkerEvent } from '../ledger/contract/queue.js';
import { LedgerClosed, LedgerUnavailable } from '../ledger/ledger-errors.js';
import { lineOf } from '../ledger/rules/scopes.js';
import type { Connection } from '../model/connection.js';
import { seriesOfLease } from '../model/run-outcome.js';
import { type OpenedPlatform, openPlatform } from '../run/open-platform.js';
import { requireRun } from '../run/run-checks.js';
import { ownProcess } from '../util/process.js';
import { StopSignal } from '../util/stop-signal.js';
import { ActiveRun } from './active-run.js';
import { endExecutedRun, PollLoop } from './conclude.js';
import { executeChunk, type LeasedChunk, leasedChunk } from './execute-chunk.js';
import type { WorkerOptions, WorkerServices } from './services.js';
import { SharedLimits } from './shared-limits.js';
import { Slots } from './worker-tally.js';

/** Maximum delay of other workers' news. Announced changes are known at once. */
const NEWS_MS = 1_000;

/**
 * Executes queued runs of its connections until it is stopped; with `once` until none is left.
 * @throws the error that ended the worker; others take over its chunks
 */
export async function executeQueuedRuns(services: WorkerServices, options: WorkerOptions): Promise<void> {
  await new Worker(services, options).work();
}

class Worker {
  readonly #services: WorkerServices;
  readonly #options: WorkerOptions;
  readonly #news: WorkerEvent;
  /** The worker's stop signal: follows the caller's, and stops on an error. */
  readonly #leaving = new StopSignal();
  readonly #slots: Slots;
  readonly #held = new Map<number, LeasedChunk>();
  readonly #inProgress = new Set<Promise<void>>();
  /** By run and turn. */
  readonly #runs = new Map<string, Promise<ActiveRun>>();
  readonly #platforms = new Map<string, Promise<OpenedPlatform>>();
  readonly #scopes: readonly string[];
  readonly #limits: SharedLimits;
  #pool: string | undefined;

  constructor(services: WorkerServices, options: WorkerOptions) {
    const here = ownProcess();
    const name = options.name ?? `${here.host}-${here.process}-${randomBytes(2).toString('hex')}`;
    this.#services = { ...services, stop: this.#leaving };
    this.#options = options;
    this.#slots = new Slots(options.slots);
    const { slots, leaseMs } = options;
    this.#limits = new SharedLimits({ services, worker: name, slots, leaseMs });
    this.#scopes = [...options.connections.values()].map(lineOf);
    const served = { connections: [...options.connections.keys()], lines: this.#scopes };
    this.#news = { name, ...here, slots: options.slots, ...served };
    const leave = (): void => this.#leaving.stop(services.stop.cause ?? { kind: 'interrupted' });
    if (services.stop.cause) leave();
    services.stop.signal.addEventListener('abort', leave, { once: true });
    this.#leaving.signal.addEventListener('abort', () => this.#slots.close(), { once: true });
  }

  async work(): Promise<void> {
    const { queue } = this.#services.ledger;
    const { leaseMs, once } = this.#options;
    const loop = new PollLoop(this.#services.clock);
    const unlisten = await queue.changed(() => loop.now('news'));
    await this.#beat();
    loop.every('beat', leaseMs / 3, () => this.#beatOrLeave());
    loop.every('news', NEWS_MS, () => this.#refreshNews());
    loop.every('sweep', leaseMs / 3, () => this.#sweep());
    if (once) loop.every('once', NEWS_MS / 2, () => this.#endWhenNothingIsLeft());
    try {
      while (!this.#leaving.cause) await this.#serve();
    } finally {
      // An engine that lost its database does not wait: outcomes in flight must be stored in the ledger or spooled.
      await Promise.all(this.#inProgress);
      // Leases are renewed while requests are in flight.
      await loop.stop();
      await unlisten();
      this.#limits.close();
      for (const platform of this.#platforms.values()) await (await platform).close();
      await queue.work.leave(this.#news.name).catch(() => {});
    }
    const { cause } = this.#leaving;
    if (cause?.kind === 'error') throw cause.error;
  }

  /** Serves until the worker exits, or the engine ends because the database is unavailable. */
  async #serve(): Promise<void> {
    const { ledger, clock } = this.#services;
    try {
      const engine = await ledger.queue.work.serve({
        scopes: this.#scopes,
        concurrency: this.#options.slots + 1,
        hungry: () => this.#slots.hungry(),
        execute: (chunk) => this.#tracked(this.#process(chunk)),
        leaving: this.#leaving.signal,
      });
      this.#pool = engine.pool;
      await this.#beatOrLeave();
      const left = new Promise<void>((resolve) => {
        if (this.#leaving.cause) resolve();
        this.#leaving.signal.addEventListener('abort', () => resolve(), { once: true });
      });
      await Promise.race([left, engine.ended]);
      await engine.stop();
    } catch {
      // The database is unavailable: the heartbeat ends the worker if that lasts too long.
    }
    if (!this.#leaving.cause) await clock.sleep(NEWS_MS, this.#leaving.signal);
  }

  async #tracked(work: Promise<void>): Promise<void> {
    this.#inProgress.add(work);
    await work.finally(() => this.#inProgress.delete(work));
  }

  /** Processes an assigned chunk. Never throws, because the engine would assign the chunk again. */
  async #process(chunk: number): Promise<void> {
    const opened = this.#slots.opening();
    try {
      if (this.#leaving.cause || this.#held.has(chunk)) return;
      const { work } = this.#services.ledger.queue;
      const answer = await work.take(chunk, this.#news.name, this.#options.leaseMs);
      if (answer.kind !== 'taken') return;
      const { lease, lost } = answer;
      this.#slots.opened(lease.last - lease.first + 1);
      await this.#processHeld(leasedChunk(lease), lost, opened);
    } catch (error) {
      this.#fail(error);
    } finally {
      opened();
    }
  }

  async #processHeld(held: LeasedChunk, lost: number, opened: () => void): Promise<void> {
    const { lease } = held;
    const { log, ledger } = this.#services;
    const { chunk, token, run, first, last } = lease;
    this.#held.set(chunk, held);
    let failure: unknown;
    try {
      const active = await this.#run(lease);
      const { job, operation, connection } = active.run;
      log?.add({
        run,
        event: 'chunk_taken',
        chunk,
        token,
        first,
        last,
        job,
        operation,
        connection,
        ...(lost > 0 ? { unknown: lost } : {}),
      });
      failure = await executeChunk(this.#services, this.#slots, held, active, opened);
      await active.reportStop();
    } finally {
      this.#held.delete(chunk);
      const { done, over } = await ledger.queue.work.giveBack(lease);
      const how = held.lost ? 'lost' : done ? 'done' : 'given_back';
      log?.add({ run, event: 'chunk_ended', chunk, first, last, how });
      const key = turnOf(lease);
      if (![...this.#held.values()].some((it) => turnOf(it.lease) === key)) this.#runs.delete(key);
      if (over) await this.#conclude(run);
    }
    if (failure !== undefined) throw failure;
  }

  #conclude(run: string): Promise<unknown> {
    const { leaseMs, connections } = this.#options;
    const connectionOf = (name: string) => connections.get(name);
    return endExecutedRun(this.#services, run, { by: this.#news.name, leaseMs, connectionOf });
  }

  #run(lease: ChunkLease): Promise<ActiveRun> {
    const key = turnOf(lease);
    const known = this.#runs.get(key);
    if (known) return known;
    const opening = this.#openRun(lease);
    this.#runs.set(key, opening);
    opening.catch(() => this.#runs.delete(key));
    return opening;
  }

  async #openRun(lease: ChunkLease): Promise<ActiveRun> {
    const { ledger } = this.#services;
    const { connection: name } = await requireRun(ledger, lease.run);
    const connection = this.#options.connections.get(name)!;
    return ActiveRun.open(
      this.#services,
      lease,
      connection,
      await this.#platform(connection, lease),
      this.#limits,
    );
  }

  /** @param lease of the first chunk, for which the platform is opened; it is used for all */
  #platform(connection: Connection, lease: ChunkLease): Promise<OpenedPlatform> {
    const { ledger, env } = this.#services;
    const known = this.#platforms.get(connection.name);
    if (known) return known;
    const run = { concurrency: this.#options.slots } as Parameters<typeof openPlatform>[1]['run'];
    const opening = openPlatform(connection, { run }, ledger.stateFolder, env, seriesOfLease(lease));
    this.#platforms.set(connection.name, opening);
    opening.catch(() => this.#platforms.delete(connection.name));
    return opening;
  }

  async #beat(): Promise<void> {
    const leases = [...this.#held.values()].map((it) => it.lease);
    const news = { ...this.#news, ...(this.#pool === undefined ? {} : { pool: this.#pool }) };
    const lost = await this.#services.ledger.queue.work.beat(news, leases, this.#options.leaseMs);
    for (const { chunk, token } of lost) this.#lose(chunk, token);
  }

  /** Also a worker that processes nothing ends when its ledger is unreachable for too long, or was closed. */
  async #beatOrLeave(): Promise<void> {
    await this.#beat().catch((error: unknown) => {
      if (error instanceof LedgerUnavailable || error instanceof LedgerClosed) this.#fail(error);
    });
  }

  #lose(chunk: number, token: number): void {
    const held = this.#held.get(chunk);
    if (held?.lease.token !== token) return;
    held.lost = true;
    held.stop.stop({ kind: 'interrupted' });
  }

  async #refreshNews(): Promise<void> {
    const runs = [...this.#runs.values()];
    await this.#limits.refreshPauses();
    if (runs.length === 0) return;
    const opened = await Promise.all(runs.map((it) => it.catch(() => undefined)));
    const names = opened.flatMap((it) => it?.run.id ?? []);
    const news = await this.#services.ledger.queue.work.news([...new Set(names)]);
    for (const active of opened) active?.applyNews(news.find((it) => it.run === active.run.id));
  }

  async #sweep(): Promise<void> {
    const { ledger, log } = this.#services;
    const { over, takenOver } = await ledger.queue.work.sweep(this.#options.leaseMs);
    for (const { run, chunk, from, lost } of takenOver) {
      const { job, operation, connection } = await requireRun(ledger, run);
      log?.add({ run, event: 'chunk_freed', chunk, from, job, operation, connection, unknown: lost });
    }
    for (const run of over) await this.#conclude(run);
  }

  async #endWhenNothingIsLeft(): Promise<void> {
    if (this.#held.size > 0 || (await this.#services.ledger.queue.work.anyLeft(this.#scopes))) return;
    this.#leaving.stop({ kind: 'interrupted' });
  }

  /** Stops the worker with an error. */
  #fail(error: unknown): void {
    this.#leaving.stop({ kind: 'error', error });
  }
}

function turnOf({ run, turn }: ChunkLease): string {
  return `${run} ${turn}`;
}
