import { type Message, message } from '../errors/message.js';
import type { JoinLookup, JoinSpec, Mapping } from '../mapping/contract.js';
import type { Row } from '../model/row.js';
import { RowStore } from '../util/row-store.js';
import { joinedTable, type OpenedInput } from './opened-input.js';

const ORPHANS_NAMED = 20;

interface Joined {
  readonly store: RowStore;
  readonly asked: Set<string>;
}

/** The joined sheets, indexed by key, and which of their rows nobody asked for. */
export class Joins implements JoinLookup {
  readonly #stores = new Map<JoinSpec, Joined>();

  static async index(mapping: Mapping, input: OpenedInput): Promise<Joins> {
    const joins = new Joins();
    for (const join of mapping.joins) {
      const store = new RowStore(mapping.joinedColumns(join));
      joins.#stores.set(join, { store, asked: new Set() });
      for await (const rows of joinedTable(input, join).rows()) {
        for (const row of rows) {
          const key = join.key(row);
          if (key !== undefined) store.add(key, row);
        }
      }
    }
    return joins;
  }

  rows(join: JoinSpec, key: string): readonly Row[] {
    const joined = this.#stores.get(join);
    if (!joined) return [];
    joined.asked.add(key);
    return joined.store.get(key);
  }

  /** Rows with a key that no row of the job's sheet has: they would be lost without a word. */
  orphans(parent: string): { readonly count: number; readonly first: readonly Message[] } {
    let count = 0;
    const first: Message[] = [];
    for (const [join, { store, asked }] of this.#stores) {
      for (const [key, rows] of store.groups()) {
        if (asked.has(key)) continue;
        count += rows.length;
        for (const row of rows) {
          if (first.length >= ORPHANS_NAMED) break;
          first.push(
            message('run.orphan', {
              sheet: row.sheet,
              row: row.number,
              parent,
              on: join.on.join(' + '),
              key: keyText(join, row),
            }),
          );
        }
      }
    }
    return { count, first };
  }

  /** Before the job's sheet is read anew. */
  forgetAsked(): void {
    for (const { asked } of this.#stores.values()) asked.clear();
  }

  close(): void {
    for (const { store } of this.#stores.values()) store.close();
    this.#stores.clear();
  }
}

function keyText(join: JoinSpec, row: Row): string {
  return join.keyColumns.map((column) => row.cell(column)?.text ?? '').join(' + ');
}
