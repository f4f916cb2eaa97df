import type { AttemptFigures } from '../../../ledger/contract/attempt.js';
import type { Ledger } from '../../../ledger/contract/ledger.js';
import { endedUnheard } from '../../../ledger/rules/attempts.js';
import type { AttemptKind, AttemptTotals } from '../../../pages/contract.js';
import { Activity } from './activity.js';
import { Durations } from './durations.js';
import { TimelineTally } from './timeline.js';

/** Figures about the attempts of a run, or of the runs of its steps. They are read twice, first to learn when the run was working; memory is bounded. */
export async function attemptTotals(ledger: Ledger, runs: readonly string[]): Promise<AttemptTotals> {
  const activity = new Activity();
  const kinds = new Map<string, { -readonly [K in keyof AttemptKind]: AttemptKind[K] }>();
  for await (const page of attemptsOf(ledger, runs)) {
    for (const it of page) {
      if (hasEnded(it)) activity.add(it.startedAt, it.endedAt);
      const { event = 'open', httpStatus, sent } = it;
      const key = `${event} ${httpStatus} ${sent}`;
      const kind = kinds.get(key) ?? {
        event,
        httpStatus,
        sent,
        attempts: 0,
        settled: 0,
      };
      kind.attempts += 1;
      kind.settled += it.settled;
      kinds.set(key, kind);
    }
  }
  const ordered = [...kinds.values()].sort((a, b) => b.attempts - a.attempts);
  const spans = activity.spans();
  if (spans.length === 0) return { kinds: ordered };
  const tally = new TimelineTally(spans);
  const durations = new Durations();
  for await (const page of attemptsOf(ledger, runs)) {
    for (const it of page) {
      if (!hasEnded(it)) continue;
      tally.add(it);
      if (it.sent) durations.add(it.endedAt - it.startedAt);
    }
  }
  const latency = durations.latency();
  return { kinds: ordered, timeline: tally.timeline(), latency };
}

async function* attemptsOf(
  ledger: Ledger,
  runs: readonly string[],
): AsyncGenerator<readonly AttemptFigures[]> {
  for (const run of runs) yield* ledger.report.attempts(run);
}

/** Nobody knows when an attempt ended whose process died. */
function hasEnded(it: AttemptFigures): it is AttemptFigures & { readonly endedAt: number } {
  return it.endedAt !== undefined && !endedUnheard(it.event);
}
