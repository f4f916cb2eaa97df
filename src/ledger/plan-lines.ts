import type { Ledger } from './contract/ledger.js';
import { pagesOf } from './store/chunks.js';
import { idRange, unpackId } from './store/ids.js';

type Reading = Pick<Ledger, 'upkeep'>;

/** An item of a plan as stored: JSON texts as they will be sent. */
export interface PlanLine {
  readonly item: number;
  /** Ascending. */
  readonly rows: readonly number[];
  readonly key: string | undefined;
  readonly envelope: string;
  readonly body: string;
  /** Its batch; absent if the item will be planned again before anything is sent. */
  readonly batch: number | undefined;
}

/** The verdict on a row that isn't sent. */
export interface PlanVerdict {
  readonly row: number;
  readonly status: string;
  /** JSON of its cell errors. */
  readonly faults: string | undefined;
  /** JSON. */
  readonly message: string | undefined;
}

const ITEMS_AT_ONCE = 500;
const VERDICTS_AT_ONCE = 1000;
/** Size of the cache of envelopes. Items that share an envelope are mostly near each other. */
const ENVELOPES_KEPT = 1000;

const ITEMS = `
SELECT id, envelope, item_key FROM items WHERE id > $1 AND id < $2 ORDER BY id LIMIT ${ITEMS_AT_ONCE}`;
const BODIES = 'SELECT item, json FROM bodies WHERE item > $1 AND item <= $2 ORDER BY item';
const ROWS = 'SELECT item, "row" FROM item_rows WHERE item > $1 AND item <= $2 ORDER BY item, "row"';
const BATCHES = 'SELECT item, batch FROM batch_items WHERE item > $1 AND item <= $2 ORDER BY item';
const ENVELOPES = 'SELECT id, json FROM envelopes WHERE id >= $1 AND id <= $2 ORDER BY id';
const VERDICTS = `
SELECT "row", n, status, faults_json, message_json FROM verdicts
WHERE ("row", n) > ($1, $2) AND "row" < $3 ORDER BY "row", n LIMIT ${VERDICTS_AT_ONCE}`;

interface ItemLine {
  readonly id: number;
  readonly envelope: number;
  readonly item_key: string | null;
}

/** Items of a run by number. Statements have no joins, because a server has no statistics of a new table. */
export async function* planLines(ledger: Reading, run: string): AsyncGenerator<readonly PlanLine[], void> {
  const { first, end } = await rangeOf(ledger, run);
  const { upkeep } = ledger;
  const envelopes = new Envelopes(ledger);
  const read = (after: number) => upkeep.read<ItemLine>(ITEMS, [after, end]);
  let before = first;
  for await (const items of pagesOf(first, read, (it) => it.id)) {
    const last = items.at(-1)!.id;
    const bodies = await upkeep.read<{ item: number; json: string }>(BODIES, [before, last]);
    const batches = await upkeep.read<{ item: number; batch: number }>(BATCHES, [before, last]);
    const links = await upkeep.read<{ item: number; row: number }>(ROWS, [before, last]);
    await envelopes.fetch(items.map((it) => it.envelope));
    const bodyOf = new Map(bodies.map((it) => [it.item, it.json]));
    const batchOf = new Map(batches.map((it) => [it.item, unpackId(it.batch)]));
    const rowsOf = new Map<number, number[]>();
    for (const { item, row } of links) {
      const rows = rowsOf.get(item);
      if (rows) rows.push(unpackId(row));
      else rowsOf.set(item, [unpackId(row)]);
    }
    yield items.map(({ id, envelope, item_key }) => ({
      item: unpackId(id),
      rows: rowsOf.get(id) ?? [],
      key: item_key ?? undefined,
      envelope: envelopes.get(envelope),
      body: bodyOf.get(id) ?? '',
      batch: batchOf.get(id),
    }));
    before = last;
  }
}

/** Verdicts of a run by row. */
export async function* planVerdicts(
  ledger: Reading,
  run: string,
): AsyncGenerator<readonly PlanVerdict[], void> {
  const { first, end } = await rangeOf(ledger, run);
  interface Line {
    readonly row: number;
    readonly n: number;
    readonly status: string;
    readonly faults_json: string | null;
    readonly message_json: string | null;
  }
  const read = ([row, n]: readonly [number, number]) => ledger.upkeep.read<Line>(VERDICTS, [row, n, end]);
  const placeOf = (it: Line): readonly [number, number] => [it.row, it.n];
  for await (const lines of pagesOf<Line, readonly [number, number]>([first, 0], read, placeOf)) {
    yield lines.map((it) => ({
      row: unpackId(it.row),
      status: it.status,
      faults: it.faults_json ?? undefined,
      message: it.message_json ?? undefined,
    }));
  }
}

async function rangeOf({ upkeep }: Reading, run: string) {
  const [found] = await upkeep.read<{ id: number }>('SELECT id FROM runs WHERE name = $1', [run]);
  return idRange(found?.id ?? 0);
}

class Envelopes {
  readonly #ledger: Reading;
  #known = new Map<number, string>();

  constructor(ledger: Reading) {
    this.#ledger = ledger;
  }

  get(id: number): string {
    return this.#known.get(id) ?? '';
  }

  /** Reads the envelopes of a page, in ranges: they are numbered in order of first appearance. */
  async fetch(ids: readonly number[]): Promise<void> {
    const needed = [...new Set(ids)].sort((a, b) => a - b);
    const missing = needed.filter((id) => !this.#known.has(id));
    if (this.#known.size + missing.length > ENVELOPES_KEPT) {
      this.#known = new Map(
        needed.flatMap((id) => (this.#known.has(id) ? [[id, this.#known.get(id)!]] : [])),
      );
    }
    for (let at = 0; at < missing.length; ) {
      let upto = at;
      while (missing[upto + 1] === missing[upto]! + 1) upto += 1;
      const lines = await this.#ledger.upkeep.read<{ id: number; json: string }>(ENVELOPES, [
        missing[at]!,
        missing[upto]!,
      ]);
      for (const { id, json } of lines) this.#known.set(id, json);
      at = upto + 1;
    }
  }
}
