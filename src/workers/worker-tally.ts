import type { LimitFunction } from 'p-limit';
import pLimit from 'p-limit';
import { metric, type Sample } from '../notify/metrics.js';
import type { RunEvent, RunLog } from '../run/run-events.js';

interface JobKey {
  readonly job: string;
  readonly operation: string;
  readonly connection: string;
}

interface JobTally extends JobKey {
  pieces: number;
  lost: number;
  tookOver: number;
  unknown: number;
  requests: number;
  retries: number;
  seconds: number;
  readonly items: Map<string, number>;
}

/** Totals of a worker, counted from its log events. */
export class WorkerTally implements RunLog {
  readonly #worker: string;
  readonly #slots: number;
  readonly #runs = new Map<string, string>();
  readonly #byJob = new Map<string, JobTally>();
  #held = 0;
  #lateReplies = 0;
  #concluded = 0;

  constructor(worker: string, slots: number) {
    this.#worker = worker;
    this.#slots = slots;
  }

  /** Numbers of runs, chunks, requests and retries. */
  get sums(): {
    readonly runs: number;
    readonly pieces: number;
    readonly requests: number;
    readonly retries: number;
  } {
    const all = [...this.#byJob.values()];
    const sum = (of: (it: JobTally) => number): number => all.reduce((total, it) => total + of(it), 0);
    return {
      runs: this.#runs.size,
      pieces: sum((it) => it.pieces),
      requests: sum((it) => it.requests),
      retries: sum((it) => it.retries),
    };
  }

  add(event: RunEvent): void {
    if (event.event === 'chunk_taken') this.#countChunk(event);
    if (event.event === 'chunk_freed') this.#of(event).unknown += event.unknown;
    const tally = this.#byJob.get(this.#runs.get(event.run) ?? '');
    switch (event.event) {
      case 'chunk_ended':
        this.#held -= 1;
        if (tally && event.how === 'lost') tally.lost += 1;
        return;
      case 'late_reply':
        this.#lateReplies += 1;
        return;
      case 'run_concluded':
        this.#concluded += 1;
        return;
      case 'waiting':
        if (tally) tally.retries += 1;
        return;
      case 'attempt':
        if (!tally) return;
        tally.requests += 1;
        tally.seconds += event.durationMs / 1000;
        for (const [status, count] of Object.entries(event.settled))
          tally.items.set(status, (tally.items.get(status) ?? 0) + count);
    }
  }

  #countChunk(event: Extract<RunEvent, { readonly event: 'chunk_taken' }>): void {
    const { run, unknown, token } = event;
    const tally = this.#of(event);
    this.#runs.set(run, keyOf(event));
    this.#held += 1;
    tally.pieces += 1;
    if (unknown !== undefined || token > 1) tally.tookOver += 1;
    tally.unknown += unknown ?? 0;
  }

  #of({ job, operation, connection }: JobKey): JobTally {
    const key = keyOf({ job, operation, connection });
    const none = { pieces: 0, lost: 0, tookOver: 0, unknown: 0, requests: 0, retries: 0, seconds: 0 };
    const tally = this.#byJob.get(key) ?? { job, operation, connection, ...none, items: new Map() };
    this.#byJob.set(key, tally);
    return tally;
  }

  /** In Prometheus' text format. */
  metrics(): string {
    const worker = this.#worker;
    const alone = (value: number): readonly Sample[] => [[{ worker }, value]];
    const each = (figure: Exclude<keyof JobTally, keyof JobKey | 'items'>): readonly Sample[] =>
      [...this.#byJob.values()].map((it) => [labels(worker, it), it[figure]]);
    const items = [...this.#byJob.values()].flatMap((it) =>
      [...it.items].map(([status, count]): Sample => [{ ...labels(worker, it), status }, count]),
    );
    const gauge = (name: string, help: string, of: readonly Sample[]) => metric(name, 'gauge', help, of);
    const counter = (name: string, help: string, of: readonly Sample[]) => metric(name, 'counter', help, of);
    return [
      gauge('worker_slots', 'Maximum number of requests in flight of the worker.', alone(this.#slots)),
      gauge('worker_pieces_held', 'Pieces of runs that the worker holds now.', alone(this.#held)),
      counter('worker_pieces_total', 'Pieces of runs that the worker took up.', each('pieces')),
      counter(
        'worker_pieces_lost_total',
        'Chunks that were taken over from the worker, which had stopped responding.',
        each('lost'),
      ),
      counter(
        'worker_takeovers_total',
        'Pieces that had been held before, by this worker or another one.',
        each('tookOver'),
      ),
      counter(
        'worker_takeover_unknown_total',
        'Requests of other workers that were in flight when their chunks were taken over.',
        each('unknown'),
      ),
      counter('worker_requests_total', 'Requests sent by the worker.', each('requests')),
      counter('worker_request_seconds_total', 'Time that these requests took.', each('seconds')),
      counter('worker_retries_total', 'Requests that repeated an earlier one.', each('retries')),
      counter('worker_items_total', 'Items by the outcome that the worker brought them to.', items),
      counter('worker_late_replies_total', 'Replies that came after a takeover.', alone(this.#lateReplies)),
      counter('worker_runs_concluded_total', 'Runs that the worker ended.', alone(this.#concluded)),
    ].join('');
  }
}

function keyOf({ job, operation, connection }: JobKey): string {
  return JSON.stringify([job, operation, connection]);
}

function labels(worker: string, { job, operation, connection }: JobTally): Record<string, string> {
  return { worker, job, connection, operation };
}

/** A chunk that is being opened is expected to fill at most this fraction of the slots. */
const OPENING_SHARE = 3;
/** If no chunk arrives within this time, the queue engine found none. */
const REQUEST_MS = 200;

/** The slots for a worker's requests, and whether more work is needed to fill them. */
export class Slots {
  readonly limit: LimitFunction;
  readonly #slots: number;
  readonly #waiting = new Set<() => void>();
  readonly #requests: NodeJS.Timeout[] = [];
  #opening = 0;
  /** Expected number of batches of the next chunk: as many as the last one. */
  #expected = Number.POSITIVE_INFINITY;
  #closed = false;

  constructor(slots: number) {
    this.#slots = slots;
    this.limit = pLimit(slots);
  }

  /** Waits until more work is needed: fewer batches wait than there are slots. */
  async hungry(): Promise<void> {
    while (!this.#closed && !this.#needsMore()) {
      await new Promise<void>((resolve) => this.#waiting.add(resolve));
    }
    const timer = setTimeout(() => {
      this.#requests.splice(this.#requests.indexOf(timer), 1);
      this.changed();
    }, REQUEST_MS);
    timer.unref();
    this.#requests.push(timer);
  }

  /** A chunk was assigned. Call the returned function when its batches wait here, or it has none. */
  opening(): () => void {
    clearTimeout(this.#requests.shift());
    this.#opening += 1;
    let isOpening = true;
    return () => {
      if (isOpening) this.#opening -= 1;
      isOpening = false;
      this.changed();
    };
  }

  opened(batches: number): void {
    this.#expected = batches;
  }

  /** Work has finished or was added. */
  changed(): void {
    if (!this.#closed && !this.#needsMore()) return;
    for (const wake of this.#waiting) {
      this.#waiting.delete(wake);
      wake();
      // Only one is woken, so that its chunk is counted before the next check.
      if (!this.#closed) return;
    }
  }

  /** Releases all waiting calls. */
  close(): void {
    this.#closed = true;
    this.changed();
  }

  #needsMore(): boolean {
    const each = Math.min(this.#expected, Math.ceil(this.#slots / OPENING_SHARE));
    const awaited = (this.#opening + this.#requests.length) * each;
    return this.limit.pendingCount + awaited < this.#slots;
  }
}
