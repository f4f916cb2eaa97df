/** What happens later, by time: a binary heap. Times are milliseconds. */
export class Events {
  #heap = [];
  #order = 0;
  now = 0;

  in(ms, happen) {
    const heap = this.#heap;
    // Of two at the same time the one comes first that was asked for first: a run is the same each time.
    this.#order += 1;
    heap.push({ at: this.now + ms, order: this.#order, happen });
    for (let child = heap.length - 1; child > 0; ) {
      const parent = (child - 1) >> 1;
      if (!before(heap[child], heap[parent])) break;
      [heap[child], heap[parent]] = [heap[parent], heap[child]];
      child = parent;
    }
  }

  /** Lets the next thing happen; false when there is none. */
  step() {
    const heap = this.#heap;
    const [first] = heap;
    if (!first) return false;
    const last = heap.pop();
    if (heap.length > 0) {
      heap[0] = last;
      sink(heap);
    }
    this.now = first.at;
    first.happen();
    return true;
  }
}

function before(one, other) {
  return one.at < other.at || (one.at === other.at && one.order < other.order);
}

function sink(heap) {
  for (let parent = 0; ; ) {
    const left = 2 * parent + 1;
    const right = left + 1;
    let least = parent;
    if (left < heap.length && before(heap[left], heap[least])) least = left;
    if (right < heap.length && before(heap[right], heap[least])) least = right;
    if (least === parent) return;
    [heap[parent], heap[least]] = [heap[least], heap[parent]];
    parent = least;
  }
}

/** So many cores: who asks waits until one is free, then keeps it for a while. First come, first served. */
export class Cores {
  #events;
  #free;
  #waiting = [];
  #head = 0;
  busyMs = 0;

  constructor(events, cores) {
    this.#events = events;
    this.#free = cores;
  }

  use(ms, then) {
    if (this.#free > 0) this.#begin(ms, then);
    else this.#waiting.push([ms, then]);
  }

  #begin(ms, then) {
    this.#free -= 1;
    this.busyMs += ms;
    this.#events.in(ms, () => {
      this.#free += 1;
      then();
      if (this.#free > 0 && this.#head < this.#waiting.length) {
        const next = this.#waiting[this.#head];
        this.#waiting[this.#head] = undefined;
        this.#head += 1;
        if (this.#head > 10_000) {
          this.#waiting = this.#waiting.slice(this.#head);
          this.#head = 0;
        }
        this.#begin(...next);
      }
    });
  }
}

/** The log of the database: a commit during a flush shares the next flush. */
export class Log {
  #events;
  #flushMs;
  #flushing = false;
  #waiting = [];

  constructor(events, flushMs) {
    this.#events = events;
    this.#flushMs = flushMs;
  }

  commit(then) {
    this.#waiting.push(then);
    if (!this.#flushing) this.#flush();
  }

  #flush() {
    this.#flushing = true;
    const shared = this.#waiting;
    this.#waiting = [];
    this.#events.in(this.#flushMs, () => {
      this.#flushing = false;
      for (const then of shared) then();
      if (this.#waiting.length > 0 && !this.#flushing) this.#flush();
    });
  }
}
