import { outcomeSamples } from '../../ledger/outcome-samples.js';
import type { RunCounts } from '../../model/run-outcome.js';
import type { Status } from '../../model/status.js';
import { itemRunsOf } from '../../run/step-runs.js';
import type { AppContext } from '../context.js';
import { runNamed, withLedger } from '../with-ledger.js';

const POINTS = 200;

/** The rows by status at a time, in milliseconds since 1970. */
type CountsAt = readonly [at: number, counts: RunCounts];

/** Statuses that planning assigns, constant over time. */
const PLANNED_STATUSES: readonly Status[] = ['invalid', 'skipped'];

/**
 * Counts of a run's rows by status over time, for a chart. Derived from the ends of requests, for a large run from a sample.
 * The last point equals the run's counts.
 */
export function timelineData(
  context: AppContext,
  id: string,
): Promise<{ readonly series: readonly CountsAt[] }> {
  return withLedger(context, async ({ ledger }) => {
    const run = await runNamed(ledger, id);
    if (run.prunedAt !== undefined) return { series: [] };
    const parts = await itemRunsOf(ledger, run);
    const samples = [];
    for (const part of parts) samples.push(await outcomeSamples(ledger, part.id));
    const ends = samples.flatMap((it) => it.ends).sort((a, b) => a.at - b.at);
    const last = ends.at(-1)?.at;
    const start = Math.min(...samples.map((it) => it.start ?? Number.POSITIVE_INFINITY));
    if (last === undefined || !Number.isFinite(start)) return { series: [] };
    const counts = await ledger.runs.counts(id);
    const fixed = Object.fromEntries(
      PLANNED_STATUSES.flatMap((it) => (counts[it] ? [[it, counts[it]]] : [])),
    );
    return { series: [[start, fixed], ...pointsOf(ends, start, last, counts, fixed), [last, counts]] };
  });
}

function pointsOf(
  ends: readonly { readonly at: number; readonly status: string }[],
  start: number,
  last: number,
  counts: RunCounts,
  fixed: RunCounts,
): CountsAt[] {
  const sums: Record<string, number> = {};
  for (const { status } of ends) sums[status] = (sums[status] ?? 0) + 1;
  const scaled = (status: string, seen: number): number =>
    Math.round(((counts[status as Status] ?? 0) * seen) / sums[status]!);
  const points: CountsAt[] = [];
  const seen: Record<string, number> = {};
  let next = 0;
  for (let point = 1; point < POINTS && last > start; point += 1) {
    const at = Math.round(start + ((last - start) * point) / POINTS);
    for (; next < ends.length && ends[next]!.at <= at; next += 1) {
      const { status } = ends[next]!;
      seen[status] = (seen[status] ?? 0) + 1;
    }
    const current = Object.entries(seen).map(([status, count]) => [status, scaled(status, count)] as const);
    points.push([at, { ...fixed, ...Object.fromEntries(current) }]);
  }
  return points;
}
