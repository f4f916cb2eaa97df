import type { AttemptFigures } from '../../../ledger/contract/attempt.js';
import type { Timeline } from '../../../pages/contract.js';
import type { Span } from './activity.js';
import { Durations } from './durations.js';

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

/** Counts attempts by the time at which they ended. */
export class TimelineTally {
  readonly #bins: readonly Bin[];

  /** @param spans ascending, not empty */
  constructor(spans: readonly Span[]) {
    this.#bins = binsOf(spans);
  }

  add(attempt: AttemptFigures & { readonly endedAt: number }): void {
    const bin = this.#at(attempt.endedAt);
    if (!bin) return;
    if (isAnswered(attempt)) bin.answered += 1;
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
  #at(time: number): Bin | undefined {
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

function isAnswered({ httpStatus }: AttemptFigures): boolean {
  return httpStatus !== undefined && httpStatus >= 200 && httpStatus < 300;
}

/** Divides every span into bins of about the same length. */
function binsOf(spans: readonly Span[]): Bin[] {
  const active = spans.reduce((sum, it) => sum + lengthOf(it), 0);
  return spans.flatMap((span, index) => {
    const length = lengthOf(span);
    const wanted = Math.min(Math.round((length / active) * BINS), Math.floor(length / LEAST_MS));
    const parts = Math.max(1, wanted);
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
