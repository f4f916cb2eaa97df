import type { Message } from '../../../errors/message.js';
import type { LookupAnswer, LookupAnswers, LookupRequest } from '../../../mapping/lookup/records.js';
import type { JoinLookup, MappedGroup, Mapping } from '../../../mapping/mapping.js';
import type { Operation } from '../../../model/operation.js';
import type { Row } from '../../../model/row.js';

/** Provides the replies to the lookups of rows during planning. */
export interface RowLookups extends LookupAnswers {
  /** Requests these lookups without waiting for the replies. */
  want(requests: readonly LookupRequest[]): void;
  /** Waits for these replies. Some are missing if planning is stopped in the meantime. */
  answers(requests: readonly LookupRequest[]): Promise<ReadonlyMap<string, LookupAnswer>>;
  /** Must be called when planning has ended, also after an error. */
  close(): Promise<void>;
  /** Warnings about all lookups together. */
  warnings(operation: Operation): readonly Message[];
}

/**
 * Maximum number of rows that wait for replies, including the rows behind them. Enough that a sorted sheet, where
 * hundreds of consecutive rows request the same, still keeps `concurrency` requests in flight.
 */
const ROWS_WAITING = 5000;

/** Rows of one item or group: mapped, or waiting for replies. */
type Waiting<Below> = { readonly below: Below; readonly rows: readonly Row[] } & (
  | { readonly kind: 'mapped'; readonly group: MappedGroup }
  | { readonly kind: 'open'; readonly requests: readonly LookupRequest[] }
);

/** Maps rows whose lookups have replies. Others wait while more are read. The order of rows is preserved. */
export class LookupWindow<Below> {
  readonly #mapping: Mapping;
  readonly #joins: JoinLookup;
  readonly #lookups: RowLookups;
  readonly #done: (group: MappedGroup, rows: readonly Row[], below: Below) => void;
  #waiting: Waiting<Below>[] = [];
  /** Number of rows in `#waiting`. */
  #rows = 0;

  constructor(
    mapping: Mapping,
    joins: JoinLookup,
    lookups: RowLookups,
    done: (group: MappedGroup, rows: readonly Row[], below: Below) => void,
  ) {
    this.#mapping = mapping;
    this.#joins = joins;
    this.#lookups = lookups;
    this.#done = done;
  }

  add(rows: readonly Row[], below: Below): void {
    const group = this.#mapping.map(rows, this.#joins, this.#lookups);
    if (group.kind !== 'unanswered' && this.#waiting.length === 0) {
      this.#done(group, rows, below);
      return;
    }
    this.#rows += rows.length;
    if (group.kind !== 'unanswered') {
      this.#waiting.push({ kind: 'mapped', group, rows, below });
      return;
    }
    this.#lookups.want(group.requests);
    this.#waiting.push({ kind: 'open', requests: group.requests, rows, below });
  }

  /**
   * Maps what can be mapped. Waits if too many rows are waiting, or until none is left.
   * @returns early if planning is stopped
   * @throws ProductError as `RowLookups.answers`
   */
  async drain(until: 'few' | 'none'): Promise<void> {
    const maxWaiting = until === 'none' ? 0 : ROWS_WAITING;
    let done = 0;
    let left = this.#rows;
    try {
      for (const unit of this.#waiting) {
        const group = unit.kind === 'mapped' ? unit.group : await this.#mapped(unit, left > maxWaiting);
        if (!group) return;
        this.#done(group, unit.rows, unit.below);
        left -= unit.rows.length;
        done += 1;
      }
    } finally {
      this.#waiting = this.#waiting.slice(done);
      this.#rows = left;
    }
  }

  /** Undefined if replies are missing and `waits` is false or planning is stopped. */
  async #mapped(
    { rows, requests }: { readonly rows: readonly Row[]; readonly requests: readonly LookupRequest[] },
    waits: boolean,
  ): Promise<MappedGroup | undefined> {
    let requested = requests;
    // Retained here, because the cache may evict a group's replies before all of them have arrived.
    const received = new Map<string, LookupAnswer>();
    for (;;) {
      const group = this.#mapping.map(rows, this.#joins, {
        find: (request) => received.get(request.key) ?? this.#lookups.find(request),
      });
      if (group.kind !== 'unanswered') return group;
      if (!waits) return undefined;
      requested = [...requested, ...group.requests];
      const answers = await this.#lookups.answers(requested);
      for (const [key, answer] of answers) received.set(key, answer);
      if (requested.some((request) => !received.has(request.key))) return undefined;
    }
  }
}
