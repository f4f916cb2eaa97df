import { type LiveRunData, liveRunData } from '../../app/console/live-run.js';
import type { AppContext } from '../../app/context.js';
import type { Status } from '../../model/status.js';
import type { Progress } from '../../run/observer.js';
import type { Carried, ChildNews } from '../carrying/carriers.js';

type Counts = LiveRunData['counts'];

/** What an event `run` tells: the whole of it each time, so that whoever comes back needs none that was missed. */
export interface LiveRunNews {
  readonly state: string;
  readonly counts: Counts;
  readonly done: number;
  readonly total: number;
  /** Items per second, of late. */
  readonly rate?: number;
  readonly etaMs?: number;
  readonly pause?: { readonly until: string; readonly asked: string };
  /** Since it was first looked at: times in milliseconds since 1970, rows by status. */
  readonly series: readonly (readonly [number, Counts])[];
}

/** News with its id; `over`: nothing follows. */
export interface NumberedNews {
  readonly id: string;
  readonly news: LiveRunNews;
  readonly over: boolean;
}

/** A ledger of others is asked so often, or, where that takes long, so that it takes a twentieth of the time. */
const ASKED_EVERY_MS = 500;
const SHARE_OF_TIME = 20;
const TOLD_EVERY_MS = 400;
/** Of what a chart shows; older ones are thinned out. */
const POINTS = 240;
/** The rate is that of so long. */
const RATE_OF_MS = 15_000;

/**
 * One run that somebody looks at: asked of once, however many look. A run that a child of this console carries is told by
 * the child, so that its ledger has nothing more to do; one that workers or another terminal carry, by its ledger.
 */
export class LiveRun {
  readonly #context: AppContext;
  readonly #id: string;
  readonly #listeners = new Set<(news: NumberedNews) => void>();
  readonly #born = Date.now();
  readonly #release: () => void;
  /** The child that carried it when this was begun. */
  readonly begunWith: Carried | undefined;
  #carried: Carried | undefined;
  #count = 0;
  #known: LiveRunData | undefined;
  #progress: Progress | undefined;
  #pause: LiveRunNews['pause'];
  #series: (readonly [number, Counts])[] = [];
  #every = 1;
  #skipped = 0;
  #samples: { readonly at: number; readonly done: number }[] = [];
  #latest: NumberedNews | undefined;
  #timer: NodeJS.Timeout | undefined;
  #told = 0;
  #asking = false;
  #ended = false;

  constructor(context: AppContext, id: string, carried: Carried | undefined) {
    this.#context = context;
    this.#id = id;
    this.#carried = carried;
    this.begunWith = carried;
    this.#release = carried?.hear((news) => this.#hear(news)) ?? (() => {});
    void this.#ask();
  }

  get isHeard(): boolean {
    return this.#listeners.size > 0;
  }

  /** It had ended when it was asked of last; it may go on since. */
  get isOver(): boolean {
    return this.#latest?.over === true;
  }

  /** Hears the latest at once, and what follows. Returns what ends it. */
  listen(listener: (news: NumberedNews) => void): () => void {
    this.#listeners.add(listener);
    if (this.#latest) listener(this.#latest);
    if (!this.#carried) void this.#ask();
    return () => this.#listeners.delete(listener);
  }

  /** Nobody looks any more, or the console ends. */
  end(): void {
    this.#ended = true;
    clearTimeout(this.#timer);
    this.#release();
    this.#listeners.clear();
  }

  #hear(news: ChildNews): void {
    if (news.kind === 'progress') {
      this.#progress = news.progress;
      if (performance.now() - this.#told > TOLD_EVERY_MS) this.#tell();
    } else if (news.kind === 'paused') {
      const { pause } = news;
      const seconds = pause?.asked.retryAfterMs;
      this.#pause = pause && {
        until: new Date(pause.until).toISOString(),
        asked: `HTTP ${pause.asked.httpStatus}${seconds === undefined ? '' : `, Retry-After ${Math.ceil(seconds / 1000)} s`}`,
      };
      this.#tell();
    } else {
      // Workers may have it from here on.
      this.#carried = undefined;
      this.#progress = undefined;
      void this.#ask();
    }
  }

  async #ask(): Promise<void> {
    if (this.#asking || this.#ended || this.#latest?.over) return;
    this.#asking = true;
    clearTimeout(this.#timer);
    const began = performance.now();
    const carried = this.#carried;
    try {
      // What others have sent is counted where no child tells it; of a child's run only what was planned, once.
      const isTold = this.#carried !== undefined && this.#known?.ofSteps === false;
      const found = await liveRunData(this.#context, this.#id, isTold ? 'state' : 'all');
      const counts = isTold && found.goesOn ? this.#known!.counts : found.counts;
      // Once its child has ended, what was read before is no end of the run.
      if (carried === this.#carried) {
        this.#known = { ...found, counts };
        this.#tell();
      }
    } catch {
      // A ledger that is away is asked again.
    } finally {
      this.#asking = false;
    }
    if (this.#ended || this.#latest?.over) return;
    if (carried !== this.#carried) return this.#ask();
    const took = performance.now() - began;
    this.#timer = setTimeout(() => void this.#ask(), Math.max(ASKED_EVERY_MS, took * SHARE_OF_TIME)).unref();
  }

  #tell(): void {
    const known = this.#known;
    if (!known || this.#ended) return;
    this.#told = performance.now();
    const over = !known.goesOn && this.#carried === undefined;
    const { done, total, counts } = over ? known : this.#withProgress(known);
    const now = Date.now();
    this.#sample(now, done, counts);
    const rate = this.#rate();
    const left = total - done;
    const news: LiveRunNews = {
      state: this.#carried && !known.goesOn ? 'executing' : known.state,
      counts,
      done,
      total,
      ...(rate === undefined || over ? {} : { rate }),
      ...(rate && left > 0 && !over ? { etaMs: Math.round((left / rate) * 1000) } : {}),
      ...(this.#pause && !over ? { pause: this.#pause } : {}),
      series: this.#series,
    };
    if (this.#latest && sameNews(this.#latest.news, news) && this.#latest.over === over) return;
    this.#count += 1;
    this.#latest = { id: `${this.#born}-${this.#count}`, news, over };
    for (const listener of [...this.#listeners]) listener(this.#latest);
  }

  #withProgress(known: LiveRunData): Pick<LiveRunData, 'done' | 'total' | 'counts'> {
    const it = this.#progress;
    if (!it || known.ofSteps) return known;
    if (it.stage !== 'execute') return { ...known, done: it.stage === 'plan' ? it.done : known.total };
    return {
      done: it.done,
      total: it.total ?? known.total,
      counts: { ...heldBack(known.counts), ...it.counts },
    };
  }

  #sample(at: number, done: number, counts: Counts): void {
    this.#samples.push({ at, done });
    while (this.#samples.length > 2 && at - this.#samples[0]!.at > RATE_OF_MS) this.#samples.shift();
    this.#skipped += 1;
    if (this.#skipped < this.#every && this.#series.length > 0) return;
    this.#skipped = 0;
    this.#series = [...this.#series, [at, counts] as const];
    if (this.#series.length <= POINTS) return;
    this.#series = this.#series.filter((_, index) => index % 2 === 0);
    this.#every *= 2;
  }

  #rate(): number | undefined {
    const [first, last] = [this.#samples[0], this.#samples.at(-1)];
    if (!first || !last || last.at - first.at < 500) return undefined;
    return Math.max(0, Math.round(((last.done - first.done) * 10_000) / (last.at - first.at)) / 10);
  }
}

/** Rows that the plan left out; all others are counted anew while they are sent. */
function heldBack({ invalid, skipped }: Counts): Partial<Record<Status, number>> {
  return { ...(invalid === undefined ? {} : { invalid }), ...(skipped === undefined ? {} : { skipped }) };
}

function sameNews({ series: _, ...a }: LiveRunNews, { series: __, ...b }: LiveRunNews): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
