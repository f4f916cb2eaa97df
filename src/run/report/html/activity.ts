/** A span of time, both ends included, in milliseconds since 1970. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

const SLOTS = 4096;
/** Shorter pauses belong to the work around them. Longer ones do too if they are short beside the whole. */
const PAUSE_MS = 60_000;
const PAUSE_SHARE = 0.25;
const SPANS = 12;

/**
 * The spans in which a run was working; it may have been resumed days later. Attempts come in any order, and only a
 * bounded amount is kept of them.
 */
export class Activity {
  /** By start time divided by the width: the first start and last end of what started in that slot. */
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

  /** The spans between long pauses, ascending; at most a few. */
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
