import type { JoinLookup, MappedGroup, Mapping } from '../../../mapping/contract.js';
import type { LookupAnswer, LookupRequest } from '../../../mapping/lookup/contract.js';
import type { Row } from '../../../model/row.js';
import type { RowLookups } from './contract.js';

/**
 * Rows that wait for answers at most, with those that wait behind them. Enough that sorted sheets, where hundreds of rows
 * in a row ask the same, still keep `concurrency` requests under way.
 */
const ROWS_WAITING = 5000;

/** Rows that go into one item, or group; mapped already or waiting for answers. */
type Waiting<Below> = { readonly below: Below; readonly rows: readonly Row[] } & (
  | { readonly kind: 'mapped'; readonly group: MappedGroup }
  | { readonly kind: 'open'; readonly requests: readonly LookupRequest[] }
);

/**
 * Maps rows whose look-ups are answered, and lets others wait while more are read: what is asked for stays ahead of what is
 * mapped. Rows leave in the order in which they came.
 */
export class LookupWindow<Below> {
  readonly #mapping: Mapping;
  readonly #joins: JoinLookup;
  readonly #lookups: RowLookups;
  readonly #done: (group: MappedGroup, rows: readonly Row[], below: Below) => void;
  #waiting: Waiting<Below>[] = [];
  /** Rows of those that wait. */
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
   * Maps what can be mapped. Waits where too many rows are waiting, or until none is left.
   * @returns early where planning is stopped
   * @throws ProductError as `RowLookups.answers`
   */
  async settle(until: 'few' | 'none'): Promise<void> {
    const most = until === 'none' ? 0 : ROWS_WAITING;
    let at = 0;
    let left = this.#rows;
    try {
      for (const unit of this.#waiting) {
        const group = unit.kind === 'mapped' ? unit.group : await this.#mapped(unit, left > most);
        if (!group) return;
        this.#done(group, unit.rows, unit.below);
        left -= unit.rows.length;
        at += 1;
      }
    } finally {
      this.#waiting = this.#waiting.slice(at);
      this.#rows = left;
    }
  }

  /** Undefined where answers are lacking, and it isn't to wait for them or planning is stopped. */
  async #mapped(
    { rows, requests }: { readonly rows: readonly Row[]; readonly requests: readonly LookupRequest[] },
    waits: boolean,
  ): Promise<MappedGroup | undefined> {
    let wanted = requests;
    // Held here, as answers in memory may have to go before all of a group's are there.
    const held = new Map<string, LookupAnswer>();
    for (;;) {
      const group = this.#mapping.map(rows, this.#joins, {
        find: (request) => held.get(request.key) ?? this.#lookups.find(request),
      });
      if (group.kind !== 'unanswered') return group;
      if (!waits) return undefined;
      wanted = [...wanted, ...group.requests];
      const answers = await this.#lookups.answers(wanted);
      for (const [key, answer] of answers) held.set(key, answer);
      if (wanted.some((it) => !held.has(it.key))) return undefined;
    }
  }
}
