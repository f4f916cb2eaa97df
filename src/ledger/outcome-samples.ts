import type { Ledger } from './contract/ledger.js';
import { endedUnreported } from './rules/attempts.js';
import { idRange, packId } from './store/ids.js';

/** Outcomes of a sample of a run's requests, evenly distributed over all. */
export interface OutcomeSamples {
  /** Start of the first of them; absent if nothing was sent. */
  readonly start?: number;
  /** One entry per item, by the end of the attempt that gave its outcome. */
  readonly ends: readonly { readonly at: number; readonly status: string }[];
}

const BATCHES_AT_MOST = 1500;
const BATCHES_AT_LEAST = 100;
const ITEMS = 20_000;
/** Batches per statement; constant, so that the statement is prepared once. */
const AT_ONCE = 250;

const LIST = Array.from({ length: AT_ONCE }, (_, at) => `$${at + 1}`).join(', ');
const RUN = 'SELECT id, items FROM runs WHERE name = $1';
const LAST = 'SELECT max(id) AS last FROM batches WHERE id > $1 AND id < $2';
const ATTEMPTS = `SELECT batch, attempt, started_at, ended_at, event FROM attempts WHERE batch IN (${LIST})`;
/** A subquery per item, because a server has no statistics of a new table and would join it badly. */
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

/** All batches of a small run; a bounded sample of a large one, so that the time is bounded too. */
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
  const sampled = Math.round((ITEMS * batches) / Math.max(1, found.items));
  const step = Math.ceil(batches / Math.max(BATCHES_AT_LEAST, Math.min(BATCHES_AT_MOST, sampled)));
  let start: number | undefined;
  const ends: { at: number; status: string }[] = [];
  for (let at = 1; at <= batches; at += step * AT_ONCE) {
    const numbers = Array.from({ length: AT_ONCE }, (_, index) => Math.min(at + index * step, batches));
    const ids = numbers.map((it) => packId(found.id, it));
    const endOf = new Map<string, number>();
    for (const attempt of await upkeep.read<AttemptLine>(ATTEMPTS, ids)) {
      start = Math.min(start ?? attempt.started_at, attempt.started_at);
      // The real end of an attempt whose process died is unknown.
      if (attempt.ended_at !== null && !endedUnreported(attempt.event))
        endOf.set(`${attempt.batch} ${attempt.attempt}`, attempt.ended_at);
    }
    if (endOf.size === 0) continue;
    for (const { batch, status, attempt } of await upkeep.read<OutcomeLine>(OUTCOMES, ids)) {
      const ended = endOf.get(`${batch} ${attempt}`);
      if (ended !== undefined && status !== null && status !== 'not_sent') ends.push({ at: ended, status });
    }
  }
  return { ...(start === undefined ? {} : { start }), ends: ends.sort((a, b) => a.at - b.at) };
}
