/** A time in which something went on; both ends included, in milliseconds since 1970. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

const SLOTS = 4096;
/** Shorter pauses are part of the run; longer ones only while they are short beside it. */
const PAUSE_MS = 60_000;
const PAUSE_SHARE = 0.25;
const SPANS = 12;

/**
 * When a run was at work: it may have gone on the next day. Attempts come in any order; what is kept of them is
 * bounded.
 */
export class Activity {
  /** By time divided by the width: first start and last end of what began in it. */
  #slots = new Map<number, Span>();
  #width = 256;

  add(from: number, to: number): void {
    this.#put({ from, to: Math.max(from, to) });
    while (this.#slots.size > SLOTS) {
      const before = this.#slots.values();
      this.#slots = new Map();
      this.#width *= 2;
      for (const it of before) this.#put(it);
    }
  }

  /** The spans of work between long pauses, ascending; a few at most. */
  spans(): readonly Span[] {
    const slots = [...this.#slots.values()].sort((a, b) => a.from - b.from);
    const close = joined(slots, PAUSE_MS);
    const active = close.reduce((sum, it) => sum + it.to - it.from, 0);
    let pause = Math.max(PAUSE_MS, active * PAUSE_SHARE);
    let spans = joined(close, pause);
    while (spans.length > SPANS) {
      pause *= 2;
      spans = joined(spans, pause);
    }
    return spans;
  }

  #put(it: Span): void {
    const slot = Math.floor(it.from / this.#width);
    const there = this.#slots.get(slot);
    this.#slots.set(slot, there ? union(there, it) : it);
  }
}

function joined(spans: readonly Span[], pause: number): readonly Span[] {
  const result: Span[] = [];
  for (const it of spans) {
    const last = result.at(-1);
    if (last && it.from - last.to <= pause) result[result.length - 1] = union(last, it);
    else result.push(it);
  }
  return result;
}

function union(a: Span, b: Span): Span {
  return { from: Math.min(a.from, b.from), to: Math.max(a.to, b.to) };
}
