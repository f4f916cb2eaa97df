import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { CaseMaker, ROOT, type Target } from './cases.js';
import type { Plant } from './run-case.js';
import type { WorkerSays, WorkerTask } from './worker.js';

export interface CampaignOptions {
  readonly target: Target;
  readonly seed: string;
  readonly cases: number;
  /** The worker as a file that plain Node runs. */
  readonly worker: string;
  readonly workers?: number;
  readonly plant?: Plant;
  readonly caseLimitMs?: number;
}

export interface Failure {
  readonly number: number;
  readonly reason: string;
  /** The case's bytes, kept for an investigation. */
  readonly file: string;
}

export interface Tally {
  readonly cases: number;
  /** How many cases ended in `rows`, `job`, or each fault. */
  readonly ends: ReadonlyMap<string, number>;
  readonly failures: readonly Failure[];
  readonly slowestMs: number;
  readonly slowest: number;
  /** Growth of the process over its size at the start, at most. */
  readonly peakMiB: number;
}

/** A case of a few ten thousand bytes takes some milliseconds of CPU time. The limit is for all workers together. */
const CASE_LIMIT_MS = 30_000;
/** So many looks in a row without any CPU time: the case waits for something that never comes. */
const IDLE_LOOKS = 600;
/** CPU time that the looks themselves take. */
const IDLE_MS = 2;
/** For all workers together, heaps and buffers. */
const MEMORY_LIMIT_MIB = 600;
const HEAP_LIMIT_MIB = 200;
const LOOK_MS = 50;

/** Runs cases in workers under watch: of time, of memory, and of what each says. */
export async function campaign(options: CampaignOptions): Promise<Tally> {
  const { workers = 2, cases } = options;
  const state = new State(options);
  try {
    await Promise.all(Array.from({ length: Math.min(workers, cases) }, (_, at) => state.lane(at, workers)));
    return state.tally();
  } finally {
    state.end();
  }
}

function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

class State {
  readonly #options: CampaignOptions;
  readonly #folder = mkdtempSync(path.join(tmpdir(), 'license-sync-fuzz-'));
  readonly #maker: CaseMaker;
  readonly #ends = new Map<string, number>();
  readonly #failures: Failure[] = [];
  readonly #base = process.memoryUsage.rss();
  #peak = 0;
  #slowest: readonly [number, number] = [-1, 0];

  constructor(options: CampaignOptions) {
    this.#options = options;
    this.#maker = new CaseMaker(options.target, options.seed, ROOT);
  }

  /** One worker after another, each continuing after the case that the one before hung at or died of. */
  async lane(from: number, step: number): Promise<void> {
    const { cases } = this.#options;
    for (let next = from; next < cases && this.#failures.length < 3; ) {
      const stopped = await this.#watched(next, step);
      if (stopped === undefined) return;
      next = stopped + step;
    }
  }

  tally(): Tally {
    const [slowest, slowestMs] = this.#slowest;
    const counts = { cases: this.#options.cases, ends: this.#ends, failures: this.#failures };
    return { ...counts, slowest, slowestMs, peakMiB: Math.round(this.#peak / 1024 ** 2) };
  }

  end(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /** The case at which the worker had to be stopped; undefined when it did all of its own. */
  async #watched(from: number, step: number): Promise<number | undefined> {
    const { target, seed, cases, worker: file, plant, caseLimitMs = CASE_LIMIT_MS } = this.#options;
    const now = new Int32Array(new SharedArrayBuffer(4)).fill(-1);
    const folder = path.join(this.#folder, `${from}`);
    mkdirSync(folder, { recursive: true });
    const common = { target, seed, root: ROOT, folder, from, step, to: cases, now };
    const workerData: WorkerTask = plant ? { ...common, plant } : common;
    const worker = new Worker(file, {
      workerData,
      resourceLimits: { maxOldGenerationSizeMb: HEAP_LIMIT_MIB },
    });
    let stopped: string | undefined;
    // CPU time, not time: on a busy machine a case takes longer than it works.
    let [seen, since, last, idle] = [-1, cpuMs(), cpuMs(), 0];
    const look = setInterval(() => {
      const grown = process.memoryUsage.rss() - this.#base;
      this.#peak = Math.max(this.#peak, grown);
      const number = Atomics.load(now, 0);
      const used = cpuMs();
      if (number !== seen) [seen, since, idle] = [number, used, 0];
      idle = used - last > IDLE_MS ? 0 : idle + 1;
      last = used;
      if (grown > MEMORY_LIMIT_MIB * 1024 ** 2) stopped = `more than ${MEMORY_LIMIT_MIB} MiB`;
      // Before its first case a worker has its files to load.
      else if ((seen >= 0 && used - since > caseLimitMs) || idle > IDLE_LOOKS)
        stopped = `no end after ${Math.round(used - since)} ms of CPU time`;
      if (stopped !== undefined) void worker.terminate();
    }, LOOK_MS);
    try {
      await new Promise<void>((resolve) => {
        worker.on('message', (said: WorkerSays) => this.#heard(said));
        worker.on('error', (error) => {
          stopped ??= error.stack ?? error.message;
        });
        worker.on('exit', () => resolve());
      });
    } finally {
      clearInterval(look);
    }
    if (stopped === undefined) return undefined;
    const number = Math.max(from, Atomics.load(now, 0));
    this.#fail(number, stopped);
    return number;
  }

  #heard(said: WorkerSays): void {
    if (said.kind === 'failed') {
      this.#fail(said.number, said.reason);
      return;
    }
    for (const [end, count] of said.ends) this.#ends.set(end, (this.#ends.get(end) ?? 0) + count);
    if (said.slowest[1] > this.#slowest[1]) this.#slowest = said.slowest;
  }

  #fail(number: number, reason: string): void {
    const { target, seed } = this.#options;
    const it = this.#maker.make(number);
    const file = path.join(tmpdir(), `license-sync-fuzz-${target}-${seed}-${number}${it.extension}`);
    writeFileSync(file, it.bytes);
    this.#failures.push({ number, reason: `${it.label}: ${reason}`, file });
  }
}

/** What a person needs to go after a failure. */
export function failureText(target: Target, seed: string, failures: readonly Failure[]): string {
  return failures
    .map(
      ({ number, reason, file }) =>
        `${reason}\n  file: ${file}\n  again: FUZZ_TARGET=${target} FUZZ_SEED=${seed} FUZZ_CASE=${number} npx vitest run test/fuzz`,
    )
    .join('\n');
}
