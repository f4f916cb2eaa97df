import type { SharedPause } from '../contract/queue.js';
import type { Database } from './database.js';
import { sendSignal } from './signals.js';

/** Unused time before now is lost except for this much, so that no burst follows a pause. */
const SLACK_MS = 20;

/** All rates in one statement, with keys in order, so that two callers with the same keys cannot deadlock. */
const RESERVE = `
INSERT INTO connection_limits (scope, next_at)
SELECT key, statement_timestamp() + $3 * every * interval '1 millisecond'
FROM unnest($1::text[], $2::float8[]) AS asked (key, every) ORDER BY key
ON CONFLICT (scope) DO UPDATE SET next_at =
  greatest(coalesce(connection_limits.next_at, '-infinity'), clock_timestamp() - ${SLACK_MS} * interval '1 millisecond')
  + (excluded.next_at - statement_timestamp())
RETURNING scope, extract(epoch FROM next_at - clock_timestamp()) * 1000 AS in_ms`;

interface PauseLine {
  readonly scope: string;
  readonly pause_json: string;
  readonly left_ms: number;
  readonly probing: boolean;
}

/** Limits over all workers together, by the database's clock. */
export class PostgresLimitStore {
  readonly #db: Database;
  readonly #schema: string;

  constructor(db: Database, schema: string) {
    this.#db = db;
    this.#schema = schema;
  }

  /**
   * Reserves the next start times of requests, evenly over all callers with the same key.
   * @returns for each request the milliseconds from now; with several rates the latest
   */
  async reserveStarts(
    rates: readonly { readonly key: string; readonly perSecond: number }[],
    count: number,
  ): Promise<readonly number[]> {
    const every = rates.map((it) => 1000 / it.perSecond);
    const reserved = await this.#db.all<{ scope: string; in_ms: number }>(RESERVE, [
      rates.map((it) => `rate ${it.key}`),
      every,
      count,
    ]);
    return Array.from({ length: count }, (_, at) =>
      Math.max(
        ...reserved.map(({ scope, in_ms: end }) => {
          const between = every[rates.findIndex((it) => `rate ${it.key}` === scope)] ?? 0;
          return end - (count - at) * between;
        }),
      ),
    );
  }

  /**
   * Requests slots for concurrent requests to a scope.
   * @param want `usable`: how many this worker could use
   * @returns how many it may have: its fair share among the workers that need any, at most what the others leave of `most`.
   *   The grant expires after `ms`
   */
  async holdSlots(
    scope: string,
    worker: string,
    { most, usable, inFlight }: { readonly most: number; readonly usable: number; readonly inFlight: number },
    ms: number,
  ): Promise<number> {
    return this.#db.transaction(async (tx) => {
      // Serialises requests for slots of the same scope.
      await tx.run('INSERT INTO connection_limits (scope) VALUES ($1) ON CONFLICT DO NOTHING', [
        `slots ${scope}`,
      ]);
      await tx.get('SELECT 1 FROM connection_limits WHERE scope = $1 FOR UPDATE', [`slots ${scope}`]);
      await tx.run('DELETE FROM slots_held WHERE scope = $1 AND until <= clock_timestamp()', [scope]);
      const others = await tx.all<{ worker: string; slots: number; wanted: number }>(
        'SELECT worker, slots, wanted FROM slots_held WHERE scope = $1 AND worker <> $2 ORDER BY worker',
        [scope, worker],
      );
      const slots = shareOf(worker, { most, usable, inFlight }, others);
      await tx.run(
        `INSERT INTO slots_held (scope, worker, slots, wanted, until)
         VALUES ($1, $2, $3, $4, clock_timestamp() + $5 * interval '1 millisecond')
         ON CONFLICT (scope, worker) DO UPDATE SET slots = $3, wanted = $4, until = excluded.until`,
        [scope, worker, slots, usable, ms],
      );
      return slots;
    });
  }

  /** Pauses all workers. An existing longer pause stays. */
  async pause({ origin, httpStatus, retryAfterMs, leftMs }: Omit<SharedPause, 'probing'>): Promise<void> {
    await this.#db.transaction(async (tx) => {
      await tx.run(
        `INSERT INTO connection_limits (scope, paused_until, pause_json)
         VALUES ($1, clock_timestamp() + $2 * interval '1 millisecond', $3)
         ON CONFLICT (scope) DO UPDATE SET
           pause_json = CASE WHEN connection_limits.paused_until > excluded.paused_until
             THEN connection_limits.pause_json ELSE excluded.pause_json END,
           paused_until = greatest(connection_limits.paused_until, excluded.paused_until),
           probe_by = NULL, probe_until = NULL`,
        [
          `pause ${origin}`,
          leftMs,
          JSON.stringify({ httpStatus, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) }),
        ],
      );
      await sendSignal(tx, this.#schema, { scope: origin });
    });
  }

  /** The current pauses of these origins. */
  async pauses(origins: readonly string[]): Promise<readonly SharedPause[]> {
    const found = await this.#db.all<PauseLine>(
      `SELECT scope, pause_json, extract(epoch FROM paused_until - clock_timestamp()) * 1000 AS left_ms,
         coalesce(probe_until > clock_timestamp(), false) AS probing
       FROM connection_limits WHERE scope = ANY($1::text[]) AND paused_until IS NOT NULL`,
      [origins.map((it) => `pause ${it}`)],
    );
    return found.map(({ scope, pause_json: json, left_ms: leftMs, probing }) => ({
      origin: scope.slice('pause '.length),
      ...(JSON.parse(json) as Pick<SharedPause, 'httpStatus' | 'retryAfterMs'>),
      leftMs,
      probing,
    }));
  }

  /** Whether this worker's request may probe: one worker at a time, once the pause is over. Another worker may after `ms`. */
  async probe(origin: string, worker: string, ms: number): Promise<boolean> {
    const probes = await this.#db.run(
      `UPDATE connection_limits SET probe_by = $2, probe_until = clock_timestamp() + $3 * interval '1 millisecond'
       WHERE scope = $1 AND paused_until <= clock_timestamp()
         AND (probe_until IS NULL OR probe_until <= clock_timestamp())`,
      [`pause ${origin}`, worker, ms],
    );
    return probes > 0;
  }

  /** Ends the pause: the platform responds again. */
  async lift(origin: string): Promise<void> {
    await this.#db.transaction(async (tx) => {
      await tx.run('DELETE FROM connection_limits WHERE scope = $1', [`pause ${origin}`]);
      await sendSignal(tx, this.#schema, { scope: origin });
    });
  }
}

/**
 * The number of requests a worker may have in flight: an even share among the workers that need any, where a share that a
 * worker doesn't need goes to the others. At most what the others leave, at least what it already has.
 */
function shareOf(
  worker: string,
  { most, usable, inFlight }: { readonly most: number; readonly usable: number; readonly inFlight: number },
  others: readonly { readonly worker: string; readonly slots: number; readonly wanted: number }[],
): number {
  const demands = [...others, { worker, wanted: usable }]
    .filter((demand) => demand.wanted > 0)
    .sort((a, b) => a.wanted - b.wanted || (a.worker < b.worker ? -1 : 1));
  let left = most;
  let share = 0;
  for (const [at, demand] of demands.entries()) {
    const slots = Math.min(demand.wanted, Math.ceil(left / (demands.length - at)));
    if (demand.worker === worker) share = slots;
    left -= slots;
  }
  const free = most - others.reduce((sum, it) => sum + it.slots, 0);
  return Math.max(Math.min(share, free), inFlight);
}

/** Without its private members, so that a test can replace it. */
export type LimitStore = Pick<PostgresLimitStore, keyof PostgresLimitStore>;
