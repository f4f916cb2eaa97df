import type { AttemptFigures } from '../../../ledger/contract/execution.js';
import type { Ledger } from '../../../ledger/contract/ledger.js';
import { endedUnreported } from '../../../ledger/rules/attempts.js';
import type { AttemptKind, AttemptTotals, Latency, Timeline } from '../../../pages/run-page.js';

/** Figures about a run's or its step runs' attempts. Reads them twice, first to find when the run was active. */
export async function attemptTotals(ledger: Ledger, runs: readonly string[]): Promise<AttemptTotals> {
  const activity = new Activity();
  const kinds = new Map<string, { -readonly [K in keyof AttemptKind]: AttemptKind[K] }>();
  for await (const page of attemptsOf(ledger, runs)) {
    for (const attempt of page) {
      if (hasEnded(attempt)) activity.add(attempt.startedAt, attempt.endedAt);
      const { event = 'open', httpStatus, sent } = attempt;
      const key = `${event} ${httpStatus} ${sent}`;
      const kind = kinds.get(key) ?? { event, httpStatus, sent, attempts: 0, settled: 0 };
      kind.attempts += 1;
      kind.settled += attempt.settled;
      kinds.set(key, kind);
    }
  }
  const ordered = [...kinds.values()].sort((a, b) => b.attempts - a.attempts);
  const spans = activity.spans();
  if (spans.length === 0) return { kinds: ordered };
  const tally = new TimelineTally(spans);
  const durations = new Durations();
  for await (const page of attemptsOf(ledger, runs)) {
    for (const attempt of page) {
      if (!hasEnded(attempt)) continue;
      tally.add(attempt);
      if (attempt.sent) durations.add(attempt.endedAt - attempt.startedAt);
    }
  }
  const latency = durations.latency();
  return { kinds: ordered, timeline: tally.timeline(), latency };
}

async function* attemptsOf(
  ledger: Ledger,
  runs: readonly string[],
): AsyncGenerator<readonly AttemptFigures[]> {
  for (const run of runs) yield* ledger.report.attempts(run);
}

/** The end of an attempt is unknown if its process died. */
function hasEnded(attempt: AttemptFigures): attempt is AttemptFigures & { readonly endedAt: number } {
  return attempt.endedAt !== undefined && !endedUnreported(attempt.event);
}

/** Milliseconds below this are counted exactly; above it, each octave has 16 buckets (an error of at most 2.2 %). */
const EXACT = 64;
const STEPS = 16;

/** Counts durations (milliseconds) in buckets, with limited memory. */
export class Durations {
  readonly #counts = new Map<number, number>();
  #total = 0;

  add(ms: number): void {
    const bucket =
      ms < EXACT ? Math.max(0, Math.round(ms)) : EXACT + Math.floor(Math.log2(ms / EXACT) * STEPS);
    this.#counts.set(bucket, (this.#counts.get(bucket) ?? 0) + 1);
    this.#total += 1;
  }

  /** undefined if none was added. */
  latency(): Latency | undefined {
    if (this.#total === 0) return undefined;
    const ordered = [...this.#counts].sort(([a], [b]) => a - b);
    const percentile = (share: number): number => {
      let left = Math.ceil(share * this.#total);
      for (const [bucket, n] of ordered) {
        left -= n;
        if (left <= 0) return middle(bucket);
      }
      return 0;
    };
    return { p50: percentile(0.5), p90: percentile(0.9), p99: percentile(0.99) };
  }
}

function middle(bucket: number): number {
  return bucket < EXACT ? bucket : EXACT * 2 ** ((bucket - EXACT + 0.5) / STEPS);
}

/** A time span, both ends included, in milliseconds since 1970. */
interface Span {
  readonly from: number;
  readonly to: number;
}

const SLOTS = 4096;
/** Shorter pauses are part of the activity. So are longer ones if they are short compared to the whole activity. */
const PAUSE_MS = 60_000;
const PAUSE_SHARE = 0.25;
const SPANS = 12;

/** The spans in which a run was active; it may have been resumed days later. Memory is limited. */
export class Activity {
  /** By start time divided by the width: the first start and last end in that slot. */
  #slots = new Map<number, Span>();
  #width = 256;

  add(from: number, to: number): void {
    this.#put({ from, to: Math.max(from, to) });
    while (this.#slots.size > SLOTS) {
      const before = this.#slots.values();
      this.#slots = new Map();
      this.#width *= 2;
      for (const span of before) this.#put(span);
    }
  }

  /** The spans between long pauses, ascending; at most a few. */
  spans(): readonly Span[] {
    const slots = [...this.#slots.values()].sort((a, b) => a.from - b.from);
    const close = joinSpans(slots, PAUSE_MS);
    const active = close.reduce((sum, span) => sum + span.to - span.from, 0);
    let pause = Math.max(PAUSE_MS, active * PAUSE_SHARE);
    let spans = joinSpans(close, pause);
    while (spans.length > SPANS) {
      pause *= 2;
      spans = joinSpans(spans, pause);
    }
    return spans;
  }

  #put(span: Span): void {
    const slot = Math.floor(span.from / this.#width);
    const existing = this.#slots.get(slot);
    this.#slots.set(slot, existing ? union(existing, span) : span);
  }
}

function joinSpans(spans: readonly Span[], pause: number): readonly Span[] {
  const result: Span[] = [];
  for (const span of spans) {
    const last = result.at(-1);
    if (last && span.from - last.to <= pause) result[result.length - 1] = union(last, span);
    else result.push(span);
  }
  return result;
}

function union(a: Span, b: Span): Span {
  return { from: Math.min(a.from, b.from), to: Math.max(a.to, b.to) };
}

const BINS = 60;
/** Shorter bins would show the noise of single requests. */
const LEAST_MS = 50;

interface Bin {
  readonly from: number;
  readonly ms: number;
  readonly pauseMs?: number;
  answered: number;
  others: number;
  settled: number;
  readonly durations: Durations;
}

/** Counts attempts by their end times. */
export class TimelineTally {
  readonly #bins: readonly Bin[];

  /** @param spans ascending, not empty */
  constructor(spans: readonly Span[]) {
    this.#bins = binsOf(spans);
  }

  add(attempt: AttemptFigures & { readonly endedAt: number }): void {
    const bin = this.#binAt(attempt.endedAt);
    if (!bin) return;
    const { httpStatus = 0 } = attempt;
    if (httpStatus >= 200 && httpStatus < 300) bin.answered += 1;
    else bin.others += 1;
    bin.settled += attempt.settled;
    if (attempt.sent) bin.durations.add(attempt.endedAt - attempt.startedAt);
  }

  timeline(): Timeline {
    return this.#bins.map(({ durations, ...bin }) => {
      const latency = durations.latency();
      return { ...bin, latency };
    });
  }

  /** The last bin that starts before a time; the first bin for all earlier times. */
  #binAt(time: number): Bin | undefined {
    let low = 0;
    let high = this.#bins.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#bins[middle]?.from ?? 0) <= time) low = middle;
      else high = middle - 1;
    }
    return this.#bins[low];
  }
}

/** Divides every span into bins of about the same length. */
function binsOf(spans: readonly Span[]): Bin[] {
  const active = spans.reduce((sum, span) => sum + lengthOf(span), 0);
  return spans.flatMap((span, index) => {
    const length = lengthOf(span);
    const count = Math.min(Math.round((length / active) * BINS), Math.floor(length / LEAST_MS));
    const parts = Math.max(1, count);
    const before = spans[index - 1];
    return Array.from({ length: parts }, (_, part) => ({
      from: span.from + (part * length) / parts,
      ms: length / parts,
      pauseMs: part === 0 && before ? span.from - before.to : undefined,
      answered: 0,
      others: 0,
      settled: 0,
      durations: new Durations(),
    }));
  });
}

/** Both ends are included. */
function lengthOf({ from, to }: Span): number {
  return to - from + 1;
}
