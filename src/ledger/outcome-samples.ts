import type { Ledger } from './contract/ledger.js';
import { endedUnheard } from './rules/attempts.js';
import { idRange, packId } from './shared/ids.js';

/** What a run's requests came to, of some of them that lie evenly among all. */
export interface OutcomeSamples {
  /** When the first of them was begun; absent where nothing was sent. */
  readonly began?: number;
  /** An item each, by when the attempt ended that brought its outcome. */
  readonly ends: readonly { readonly at: number; readonly status: string }[];
}

const BATCHES_AT_MOST = 1500;
const BATCHES_AT_LEAST = 100;
const ITEMS = 20_000;
/** Of one statement, whose text is the same each time: it is prepared once. */
const AT_ONCE = 250;

const LIST = Array.from({ length: AT_ONCE }, (_, at) => `$${at + 1}`).join(', ');
const RUN = 'SELECT id, items FROM runs WHERE name = $1';
const LAST = 'SELECT max(id) AS last FROM batches WHERE id > $1 AND id < $2';
const ATTEMPTS = `SELECT batch, attempt, started_at, ended_at, event FROM attempts WHERE batch IN (${LIST})`;
/** Looked up item by item: of a table that was just filled a server knows too little to join it well. */
const OUTCOMES = `
SELECT batch, (SELECT status FROM outcomes WHERE outcomes.item = batch_items.item) AS status,
  (SELECT attempts FROM outcomes WHERE outcomes.item = batch_items.item) AS attempt
FROM batch_items WHERE batch IN (${LIST})`;

interface AttemptLine {
  readonly batch: number;
  readonly attempt: number;
  readonly started_at: number;
  readonly ended_at: number | null;
  readonly event: string | null;
}

interface OutcomeLine {
  readonly batch: number;
  readonly status: string | null;
  readonly attempt: number | null;
}

/** Of a small run all of them; of a large one no more, so that it is told as quickly. */
export async function outcomeSamples(
  { upkeep }: Pick<Ledger, 'upkeep'>,
  run: string,
): Promise<OutcomeSamples> {
  const [found] = await upkeep.read<{ id: number; items: number }>(RUN, [run]);
  if (!found) return { ends: [] };
  const { first, end } = idRange(found.id);
  const [{ last } = { last: null }] = await upkeep.read<{ last: number | null }>(LAST, [first, end]);
  if (last === null) return { ends: [] };
  const batches = last - first;
  const wanted = Math.round((ITEMS * batches) / Math.max(1, found.items));
  const step = Math.ceil(batches / Math.max(BATCHES_AT_LEAST, Math.min(BATCHES_AT_MOST, wanted)));
  let began: number | undefined;
  const ends: { at: number; status: string }[] = [];
  for (let at = 1; at <= batches; at += step * AT_ONCE) {
    const numbers = Array.from({ length: AT_ONCE }, (_, it) => Math.min(at + it * step, batches));
    const ids = numbers.map((it) => packId(found.id, it));
    const endOf = new Map<string, number>();
    for (const it of await upkeep.read<AttemptLine>(ATTEMPTS, ids)) {
      began = Math.min(began ?? it.started_at, it.started_at);
      // Of one whose process died nobody knows when it ended.
      if (it.ended_at !== null && !endedUnheard(it.event))
        endOf.set(`${it.batch} ${it.attempt}`, it.ended_at);
    }
    if (endOf.size === 0) continue;
    for (const { batch, status, attempt } of await upkeep.read<OutcomeLine>(OUTCOMES, ids)) {
      const ended = endOf.get(`${batch} ${attempt}`);
      if (ended !== undefined && status !== null && status !== 'not_sent') ends.push({ at: ended, status });
    }
  }
  return { ...(began === undefined ? {} : { began }), ends: ends.sort((a, b) => a.at - b.at) };
}
