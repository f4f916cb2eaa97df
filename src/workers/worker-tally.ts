import { metric, type Sample } from '../notify/metrics.js';
import type { RunEvent, RunLog } from '../run/run-events.js';

interface WhoseRuns {
  readonly job: string;
  readonly operation: string;
  readonly connection: string;
}

interface Carried extends WhoseRuns {
  pieces: number;
  lost: number;
  tookOver: number;
  unknown: number;
  requests: number;
  retries: number;
  seconds: number;
  readonly items: Map<string, number>;
}

/** What a worker carried, counted from what its log is told. */
export class WorkerTally implements RunLog {
  readonly #worker: string;
  readonly #slots: number;
  readonly #runs = new Map<string, string>();
  readonly #carried = new Map<string, Carried>();
  #held = 0;
  #lateReplies = 0;
  #concluded = 0;

  constructor(worker: string, slots: number) {
    this.#worker = worker;
    this.#slots = slots;
  }

  /** Of runs, the pieces that it carried, and requests made for them. */
  get sums(): {
    readonly runs: number;
    readonly pieces: number;
    readonly requests: number;
    readonly retries: number;
  } {
    const all = [...this.#carried.values()];
    const sum = (of: (it: Carried) => number): number => all.reduce((total, it) => total + of(it), 0);
    return {
      runs: this.#runs.size,
      pieces: sum((it) => it.pieces),
      requests: sum((it) => it.requests),
      retries: sum((it) => it.retries),
    };
  }

  add(event: RunEvent): void {
    if (event.event === 'chunk_taken') this.#taken(event);
    if (event.event === 'chunk_freed') this.#of(event).unknown += event.unknown;
    const carried = this.#carried.get(this.#runs.get(event.run) ?? '');
    switch (event.event) {
      case 'chunk_ended':
        this.#held -= 1;
        if (carried && event.how === 'lost') carried.lost += 1;
        return;
      case 'late_reply':
        this.#lateReplies += 1;
        return;
      case 'run_concluded':
        this.#concluded += 1;
        return;
      case 'waiting':
        if (carried) carried.retries += 1;
        return;
      case 'attempt':
        if (!carried) return;
        carried.requests += 1;
        carried.seconds += event.durationMs / 1000;
        for (const [status, count] of Object.entries(event.settled))
          carried.items.set(status, (carried.items.get(status) ?? 0) + count);
    }
  }

  #taken(event: Extract<RunEvent, { readonly event: 'chunk_taken' }>): void {
    const { run, unknown, token } = event;
    const carried = this.#of(event);
    this.#runs.set(run, keyOf(event));
    this.#held += 1;
    carried.pieces += 1;
    if (unknown !== undefined || token > 1) carried.tookOver += 1;
    carried.unknown += unknown ?? 0;
  }

  #of({ job, operation, connection }: WhoseRuns): Carried {
    const key = keyOf({ job, operation, connection });
    const none = { pieces: 0, lost: 0, tookOver: 0, unknown: 0, requests: 0, retries: 0, seconds: 0 };
    const carried = this.#carried.get(key) ?? { job, operation, connection, ...none, items: new Map() };
    this.#carried.set(key, carried);
    return carried;
  }

  /** In Prometheus' text format. */
  metrics(): string {
    const worker = this.#worker;
    const alone = (value: number): readonly Sample[] => [[{ worker }, value]];
    const each = (of: (it: Carried) => number): readonly Sample[] =>
      [...this.#carried.values()].map((it) => [labels(worker, it), of(it)]);
    const items = [...this.#carried.values()].flatMap((it) =>
      [...it.items].map(([status, count]): Sample => [{ ...labels(worker, it), status }, count]),
    );
    return [
      metric('worker_slots', 'gauge', 'Requests that the worker may have under way.', alone(this.#slots)),
      metric('worker_pieces_held', 'gauge', 'Pieces of runs that the worker holds now.', alone(this.#held)),
      metric(
        'worker_pieces_total',
        'counter',
        'Pieces of runs that the worker took up.',
        each((it) => it.pieces),
      ),
      metric(
        'worker_pieces_lost_total',
        'counter',
        'Pieces that were taken over from the worker, which was not heard of for too long.',
        each((it) => it.lost),
      ),
      metric(
        'worker_takeovers_total',
        'counter',
        'Pieces that had been held before, by this worker or another one.',
        each((it) => it.tookOver),
      ),
      metric(
        'worker_takeover_unknown_total',
        'counter',
        'Requests of other workers that were under way when their pieces were taken over.',
        each((it) => it.unknown),
      ),
      metric(
        'worker_requests_total',
        'counter',
        'Requests sent by the worker.',
        each((it) => it.requests),
      ),
      metric(
        'worker_request_seconds_total',
        'counter',
        'Time that these requests took.',
        each((it) => it.seconds),
      ),
      metric(
        'worker_retries_total',
        'counter',
        'Requests that repeated an earlier one.',
        each((it) => it.retries),
      ),
      metric('worker_items_total', 'counter', 'Items by the outcome that the worker brought them to.', items),
      metric(
        'worker_late_replies_total',
        'counter',
        'Replies that came after a takeover.',
        alone(this.#lateReplies),
      ),
      metric('worker_runs_concluded_total', 'counter', 'Runs that the worker ended.', alone(this.#concluded)),
    ].join('');
  }
}

function keyOf({ job, operation, connection }: WhoseRuns): string {
  return JSON.stringify([job, operation, connection]);
}

function labels(worker: string, { job, operation, connection }: Carried): Record<string, string> {
  return { worker, job, connection, operation };
}
