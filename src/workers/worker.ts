import { randomBytes } from 'node:crypto';
import type { ChunkLease, WorkerNews } from '../ledger/contract/queue.js';
import { LedgerGone } from '../ledger/ledger-gone.js';
import { lineOf } from '../ledger/rules/scopes.js';
import type { Connection } from '../model/connection.js';
import { seriesOfLease } from '../model/series.js';
import { type OpenedPlatform, openPlatform } from '../run/open-platform.js';
import { requireRun } from '../run/run-checks.js';
import { ownProcess } from '../util/process-alive.js';
import { StopSignal } from '../util/stop-signal.js';
import { carryChunk, type HeldChunk, holdChunk } from './carry-chunk.js';
import { endCarriedRun } from './conclude.js';
import type { WorkerOptions, WorkerServices } from './contract.js';
import { Rounds } from './rounds.js';
import { RunInHand } from './run-in-hand.js';
import { SharedLimits } from './shared-limits.js';
import { Slots } from './slots.js';

/** How soon what others say is known here at the latest; what is announced is known at once. */
const NEWS_MS = 1_000;

/**
 * Carries out queued runs of its connections until it is stopped; with `once` until nothing is left of them.
 * @throws what made the worker unable to go on; what it held is taken over by others
 */
export async function carryQueuedRuns(services: WorkerServices, options: WorkerOptions): Promise<void> {
  await new Worker(services, options).work();
}

class Worker {
  readonly #services: WorkerServices;
  readonly #options: WorkerOptions;
  readonly #news: WorkerNews;
  /** The worker's own: follows the one of whoever started it, and ends it for a fault. */
  readonly #leaving = new StopSignal();
  readonly #slots: Slots;
  readonly #held = new Map<number, HeldChunk>();
  readonly #carrying = new Set<Promise<void>>();
  /** By run and turn. */
  readonly #runs = new Map<string, Promise<RunInHand>>();
  readonly #platforms = new Map<string, Promise<OpenedPlatform>>();
  readonly #scopes: readonly string[];
  readonly #limits: SharedLimits;
  #pool: string | undefined;

  constructor(services: WorkerServices, options: WorkerOptions) {
    const place = ownProcess();
    const name = options.name ?? `${place.host}-${place.process}-${randomBytes(2).toString('hex')}`;
    this.#services = { ...services, stop: this.#leaving };
    this.#options = options;
    this.#news = { name, ...place, slots: options.slots, connections: [...options.connections.keys()] };
    this.#slots = new Slots(options.slots);
    const { slots, leaseMs } = options;
    this.#limits = new SharedLimits({ services, worker: name, slots, leaseMs });
    this.#scopes = [...options.connections.values()].map(lineOf);
    const leave = (): void => this.#leaving.stop(services.stop.cause ?? { kind: 'interrupted' });
    if (services.stop.cause) leave();
    services.stop.signal.addEventListener('abort', leave, { once: true });
    this.#leaving.signal.addEventListener('abort', () => this.#slots.close(), { once: true });
  }

  async work(): Promise<void> {
    const { queue } = this.#services.ledger;
    const { leaseMs, once } = this.#options;
    const rounds = new Rounds(this.#services.clock);
    const unlisten = await queue.changed(() => rounds.now('news'));
    await this.#beat();
    rounds.every('beat', leaseMs / 3, () => this.#beatOrLeave());
    rounds.every('news', NEWS_MS, () => this.#hear());
    rounds.every('sweep', leaseMs / 3, () => this.#sweep());
    if (once) rounds.every('once', NEWS_MS / 2, () => this.#endWhenNothingIsLeft());
    try {
      while (!this.#leaving.cause) await this.#serve();
    } finally {
      // An engine that lost its database waits for nobody: what is under way must come into the ledger, or be kept.
      await Promise.all(this.#carrying);
      // Leases are renewed for as long as something is under way.
      await rounds.stop();
      await unlisten();
      this.#limits.close();
      for (const platform of this.#platforms.values()) await (await platform).close();
      await queue.work.leave(this.#news.name).catch(() => {});
    }
    const { cause } = this.#leaving;
    if (cause?.kind === 'error') throw cause.error;
  }

  /** Until the worker leaves, or the engine gives up because its database was gone. */
  async #serve(): Promise<void> {
    const { ledger, clock } = this.#services;
    try {
      const engine = await ledger.queue.work.serve({
        scopes: this.#scopes,
        concurrency: this.#options.slots + 1,
        hungry: () => this.#slots.hungry(),
        carry: (chunk) => this.#tracked(this.#carry(chunk)),
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
      // The database is away: the heartbeat says when that has lasted too long.
    }
    if (!this.#leaving.cause) await clock.sleep(NEWS_MS, this.#leaving.signal);
  }

  async #tracked(work: Promise<void>): Promise<void> {
    this.#carrying.add(work);
    await work.finally(() => this.#carrying.delete(work));
  }

  /** What the engine hands out. Never throws: the engine would hand the job out again by itself. */
  async #carry(chunk: number): Promise<void> {
    const opened = this.#slots.opening();
    try {
      if (this.#leaving.cause || this.#held.has(chunk)) return;
      const { work } = this.#services.ledger.queue;
      const answer = await work.take(chunk, this.#news.name, this.#options.leaseMs);
      if (answer.kind !== 'taken') return;
      const { lease, lost } = answer;
      this.#slots.opened(lease.last - lease.first + 1);
      await this.#carryHeld(holdChunk(lease), lost, opened);
    } catch (error) {
      this.#fail(error);
    } finally {
      opened();
    }
  }

  async #carryHeld(held: HeldChunk, lost: number, opened: () => void): Promise<void> {
    const { lease } = held;
    const { log, ledger } = this.#services;
    const { chunk, token, run, first, last } = lease;
    this.#held.set(chunk, held);
    let fault: unknown;
    try {
      const carried = await this.#run(lease);
      const { job, operation, connection } = carried.run;
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
      fault = await carryChunk(this.#services, this.#slots, held, carried, opened);
      await carried.tell();
    } finally {
      this.#held.delete(chunk);
      const { done, over } = await ledger.queue.work.giveBack(lease);
      const how = held.lost ? 'lost' : done ? 'done' : 'given_back';
      log?.add({ run, event: 'chunk_ended', chunk, first, last, how });
      const key = turnOf(lease);
      if (![...this.#held.values()].some((it) => turnOf(it.lease) === key)) this.#runs.delete(key);
      if (over) await this.#conclude(run);
    }
    if (fault !== undefined) throw fault;
  }

  #conclude(run: string): Promise<unknown> {
    const { leaseMs, connections } = this.#options;
    const connectionOf = (name: string) => connections.get(name);
    return endCarriedRun(this.#services, run, { by: this.#news.name, leaseMs, connectionOf });
  }

  #run(lease: ChunkLease): Promise<RunInHand> {
    const key = turnOf(lease);
    const known = this.#runs.get(key);
    if (known) return known;
    const opening = this.#openRun(lease);
    this.#runs.set(key, opening);
    opening.catch(() => this.#runs.delete(key));
    return opening;
  }

  async #openRun(lease: ChunkLease): Promise<RunInHand> {
    const { ledger } = this.#services;
    const { connection: name } = await requireRun(ledger, lease.run);
    const connection = this.#options.connections.get(name)!;
    return RunInHand.open(
      this.#services,
      lease,
      connection,
      await this.#platform(connection, lease),
      this.#limits,
    );
  }

  /** @param lease for the first of whose chunks it is opened; it then serves all */
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

  /** Also a worker that carries nothing ends when its ledger is away for longer than its patience. */
  async #beatOrLeave(): Promise<void> {
    await this.#beat().catch((error: unknown) => {
      if (error instanceof LedgerGone) this.#fail(error);
    });
  }

  #lose(chunk: number, token: number): void {
    const held = this.#held.get(chunk);
    if (held?.lease.token !== token) return;
    held.lost = true;
    held.stop.stop({ kind: 'interrupted' });
  }

  async #hear(): Promise<void> {
    const runs = [...this.#runs.values()];
    await this.#limits.hear();
    if (runs.length === 0) return;
    const opened = await Promise.all(runs.map((it) => it.catch(() => undefined)));
    const names = opened.flatMap((it) => it?.run.id ?? []);
    const news = await this.#services.ledger.queue.work.news([...new Set(names)]);
    for (const carried of opened) carried?.heard(news.find((it) => it.run === carried.run.id));
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

  /** What this worker can't go on with. */
  #fail(error: unknown): void {
    this.#leaving.stop({ kind: 'error', error });
  }
}

function turnOf({ run, turn }: ChunkLease): string {
  return `${run} ${turn}`;
}
