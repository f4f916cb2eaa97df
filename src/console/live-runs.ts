import { type LiveRunData, liveRunData } from '../app/console/runs.js';
import { timelineData } from '../app/console/timeline.js';
import type { AppContext } from '../app/context.js';
import type { Status } from '../model/status.js';
import type { Progress } from '../run/observer.js';
import type { ChildEvent, RunProcess } from './child-processes/run-processes.js';
import { RunProcesses } from './child-processes/run-processes.js';
import type { ServiceRegistry } from './service-registry.js';

/** Keeps proxies from closing an idle stream. */
const HEARTBEAT_MS = 15_000;

/** The runs that have open event streams. */
export class LiveRuns {
  readonly #runs = new Map<string, LiveRun>();
  readonly #services: ServiceRegistry;

  /** A singleton: `context.services.get(LiveRuns.of)`. */
  static readonly of = (services: ServiceRegistry): LiveRuns => new LiveRuns(services);

  private constructor(services: ServiceRegistry) {
    this.#services = services;
  }

  /**
   * A run's progress as server-sent events. Each `run` event contains the complete progress; `over` is the last event.
   * @param last id of the event that the client received last; it is not sent again
   */
  stream(context: AppContext, id: string, last: string | undefined): Response {
    const live = this.#of(context, id);
    const text = new TextEncoder();
    let end = (): void => {};
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        const write = (event: string): void => controller.enqueue(text.encode(event));
        const heartbeat = setInterval(() => write(': \n\n'), HEARTBEAT_MS).unref();
        let stopListening = (): void => {};
        const closing = (): void => close();
        const { closing: signal } = this.#services;
        end = () => {
          end = () => {};
          clearInterval(heartbeat);
          stopListening();
          signal.removeEventListener('abort', closing);
          if (!live.isHeard) this.#drop(id, live);
        };
        const close = (): void => {
          end();
          try {
            controller.close();
          } catch {
            // The client has disconnected.
          }
        };
        signal.addEventListener('abort', closing);
        write('retry: 1000\n\n');
        let isOver = false;
        stopListening = live.listen(({ id: number, event, over }: NumberedEvent) => {
          // A slow client misses events: each one contains everything.
          const isLate = (controller.desiredSize ?? 0) < -8;
          if (number !== last && (!isLate || over))
            write(`id: ${number}\nevent: run\ndata: ${JSON.stringify(event)}\n\n`);
          if (!over) return;
          write(
            `id: ${number}\nevent: over\ndata: ${JSON.stringify({ state: event.state, counts: event.counts })}\n\n`,
          );
          isOver = true;
          // `stopListening` is not assigned yet if the run was over at once.
          queueMicrotask(close);
        });
        if (isOver) stopListening();
      },
      cancel: () => end(),
    });
    return new Response(body, {
      headers: {
        'content-type': 'text/event-stream',
        'cache-control': 'no-store',
        'x-accel-buffering': 'no',
      },
    });
  }

  #of(context: AppContext, id: string): LiveRun {
    const existing = this.#runs.get(id);
    const child = this.#services.get(RunProcesses.of).of(id);
    // A `LiveRun` created before the run was resumed does not listen to the run's current child.
    if (existing && !existing.isOver && (child === undefined || existing.initialChild === child))
      return existing;
    if (existing?.isOver) existing.end();
    // The events do not depend on the caller; each stream's permission is checked separately.
    const { as: _, allowed: __, ...app } = context;
    const live = new LiveRun(app, id, child);
    this.#runs.set(id, live);
    return live;
  }

  /** Kept for 10 s, so that a reloaded page continues with the same chart. */
  #drop(id: string, live: LiveRun): void {
    const later = setTimeout(() => {
      if (live.isHeard) return;
      if (this.#runs.get(id) === live) this.#runs.delete(id);
      live.end();
    }, IDLE_MS);
    later.unref();
    if (this.#services.closing.aborted) live.end();
  }
}

const IDLE_MS = 10_000;

type Counts = LiveRunData['counts'];

/** The data of a `run` event. It is complete, so a client that reconnects has missed nothing. */
interface LiveRunEvent {
  readonly state: string;
  readonly counts: Counts;
  readonly done: number;
  readonly total: number;
  /** Items per second in the last 15 s. */
  readonly rate?: number;
  readonly etaMs?: number;
  readonly pause?: { readonly until: string; readonly asked: string };
  /** Since the run's first request: times in milliseconds since 1970, rows by status. */
  readonly series: readonly (readonly [number, Counts])[];
}

/** An event with its id; `over`: the last one. */
interface NumberedEvent {
  readonly id: string;
  readonly event: LiveRunEvent;
  readonly over: boolean;
}

/** Interval of ledger queries; longer if a query is slow, so that queries take a twentieth of the time at most. */
const QUERY_INTERVAL_MS = 500;
const QUERY_SHARE = 20;
const EMIT_INTERVAL_MS = 400;
/** Maximum points of the chart; beyond it every second point is dropped. */
const MAX_POINTS = 240;
const RATE_WINDOW_MS = 15_000;

/**
 * One run for all its viewers. Progress comes from the child process if this console executes the run, and otherwise
 * from the ledger, so that a run executed here causes no extra queries.
 */
class LiveRun {
  readonly #context: AppContext;
  readonly #id: string;
  readonly #listeners = new Set<(event: NumberedEvent) => void>();
  readonly #createdAt = Date.now();
  readonly #release: () => void;
  /** The child that executed the run when this object was created. */
  readonly initialChild: RunProcess | undefined;
  #child: RunProcess | undefined;
  #count = 0;
  #data: LiveRunData | undefined;
  #progress: Progress | undefined;
  #pause: LiveRunEvent['pause'];
  #series: (readonly [number, Counts])[] = [];
  #stride = 1;
  #skipped = 0;
  #samples: { readonly at: number; readonly done: number }[] = [];
  #latest: NumberedEvent | undefined;
  #timer: NodeJS.Timeout | undefined;
  #emittedAt = 0;
  #querying = false;
  #ended = false;

  constructor(context: AppContext, id: string, child: RunProcess | undefined) {
    this.#context = context;
    this.#id = id;
    this.#child = child;
    this.initialChild = child;
    this.#release = child?.subscribe((event) => this.#onChildEvent(event)) ?? (() => {});
    void this.#query();
  }

  get isHeard(): boolean {
    return this.#listeners.size > 0;
  }

  /** The run had ended at the last query; it may have been resumed since. */
  get isOver(): boolean {
    return this.#latest?.over === true;
  }

  /**
   * Calls the listener with the latest event at once and with every later one. Returns a function that removes the
   * listener.
   */
  listen(listener: (event: NumberedEvent) => void): () => void {
    this.#listeners.add(listener);
    if (this.#latest) listener(this.#latest);
    if (!this.#child) void this.#query();
    return () => this.#listeners.delete(listener);
  }

  end(): void {
    this.#ended = true;
    clearTimeout(this.#timer);
    this.#release();
    this.#listeners.clear();
  }

  #onChildEvent(event: ChildEvent): void {
    if (event.kind === 'progress') {
      this.#progress = event.progress;
      if (performance.now() - this.#emittedAt > EMIT_INTERVAL_MS) this.#emit();
    } else if (event.kind === 'paused') {
      const { pause } = event;
      const seconds = pause?.asked.retryAfterMs;
      this.#pause = pause && {
        until: new Date(pause.until).toISOString(),
        asked: `HTTP ${pause.asked.httpStatus}${seconds === undefined ? '' : `, Retry-After ${Math.ceil(seconds / 1000)} s`}`,
      };
      this.#emit();
    } else {
      // Workers may execute the run from here on.
      this.#child = undefined;
      this.#progress = undefined;
      void this.#query();
    }
  }

  async #query(): Promise<void> {
    if (this.#querying || this.#ended || this.#latest?.over) return;
    this.#querying = true;
    clearTimeout(this.#timer);
    const startedAt = performance.now();
    const child = this.#child;
    try {
      // While a child reports the progress, only the planned counts are read, once. Otherwise the ledger is counted
      // each time.
      const isReportedByChild = this.#child !== undefined && this.#data?.ofSteps === false;
      const found = await liveRunData(this.#context, this.#id, isReportedByChild ? 'state' : 'all');
      if (this.#data === undefined && found.done > 0)
        this.#series = [...(await timelineData(this.#context, this.#id)).series];
      const counts = isReportedByChild && found.goesOn ? this.#data!.counts : found.counts;
      // Data read before the child ended must not be treated as the end of the run.
      if (child === this.#child) {
        this.#data = { ...found, counts };
        this.#emit();
      }
    } catch {
      // The ledger is unavailable; it is queried again.
    } finally {
      this.#querying = false;
    }
    if (this.#ended || this.#latest?.over) return;
    if (child !== this.#child) return this.#query();
    const took = performance.now() - startedAt;
    this.#timer = setTimeout(
      () => void this.#query(),
      Math.max(QUERY_INTERVAL_MS, took * QUERY_SHARE),
    ).unref();
  }

  #emit(): void {
    const data = this.#data;
    if (!data || this.#ended) return;
    this.#emittedAt = performance.now();
    const over = !data.goesOn && this.#child === undefined;
    const { done, total, counts } = over ? data : this.#withProgress(data);
    const now = Date.now();
    this.#sample(now, done, counts);
    const rate = this.#rate();
    const remaining = total - done;
    const event: LiveRunEvent = {
      state: this.#child && !data.goesOn ? 'executing' : data.state,
      counts,
      done,
      total,
      ...(rate === undefined || over ? {} : { rate }),
      ...(rate && remaining > 0 && !over ? { etaMs: Math.round((remaining / rate) * 1000) } : {}),
      ...(this.#pause && !over ? { pause: this.#pause } : {}),
      series: this.#series,
    };
    if (this.#latest && sameEvent(this.#latest.event, event) && this.#latest.over === over) return;
    this.#count += 1;
    this.#latest = { id: `${this.#createdAt}-${this.#count}`, event, over };
    for (const listener of [...this.#listeners]) listener(this.#latest);
  }

  #withProgress(data: LiveRunData): Pick<LiveRunData, 'done' | 'total' | 'counts'> {
    const progress = this.#progress;
    if (!progress || data.ofSteps) return data;
    if (progress.stage !== 'execute')
      return { ...data, done: progress.stage === 'plan' ? progress.done : data.total };
    return {
      done: progress.done,
      total: progress.total ?? data.total,
      counts: { ...notPlanned(data.counts), ...progress.counts },
    };
  }

  #sample(time: number, done: number, counts: Counts): void {
    this.#samples.push({ at: time, done });
    while (this.#samples.length > 2 && time - this.#samples[0]!.at > RATE_WINDOW_MS) this.#samples.shift();
    this.#skipped += 1;
    if (this.#skipped < this.#stride && this.#series.length > 0) return;
    this.#skipped = 0;
    this.#series = [...this.#series, [time, counts] as const];
    if (this.#series.length <= MAX_POINTS) return;
    this.#series = this.#series.filter((_, index) => index % 2 === 0);
    this.#stride *= 2;
  }

  #rate(): number | undefined {
    const [first, last] = [this.#samples[0], this.#samples.at(-1)];
    if (!first || !last || last.at - first.at < 500) return undefined;
    return Math.max(0, Math.round(((last.done - first.done) * 10_000) / (last.at - first.at)) / 10);
  }
}

/** Rows excluded by the plan; all other statuses are counted again while rows are sent. */
function notPlanned({ invalid, skipped }: Counts): Partial<Record<Status, number>> {
  return { ...(invalid === undefined ? {} : { invalid }), ...(skipped === undefined ? {} : { skipped }) };
}

function sameEvent({ series: _, ...a }: LiveRunEvent, { series: __, ...b }: LiveRunEvent): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
