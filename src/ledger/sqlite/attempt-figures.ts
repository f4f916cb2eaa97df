import type { AttemptFigures } from '../contract/attempt.js';
import type { Database } from './database.js';
import { idRange, unpackId } from './ids.js';
import { TO_BE_SENT } from './item-standing.js';
import { pagesOf } from './pages.js';

const ATTEMPTS_AT_ONCE = 1000;

/**
 * An outcome remembers which attempt of its batch it is of: earlier ones carried the item in vain, and of what was
 * withheld no later one carried it.
 */
const FIGURES = `
SELECT page.batch, page.attempt, page.started_at, page.ended_at, page.http_status, page.event, page.sent,
  count(CASE WHEN ${TO_BE_SENT} OR outcomes.attempts >= page.attempt
    THEN 1 END) AS items,
  count(CASE WHEN outcomes.status NOT IN ('not_sent', 'skipped') AND outcomes.attempts = page.attempt
    THEN 1 END) AS settled
FROM (
  SELECT batch, attempt, started_at, ended_at, http_status, event, sent FROM attempts
  WHERE (batch, attempt) > (:batch, :attempt) AND batch < :end ORDER BY batch, attempt LIMIT :limit) AS page
CROSS JOIN batch_items ON batch_items.batch = page.batch
LEFT JOIN outcomes ON outcomes.item = batch_items.item
GROUP BY page.batch, page.attempt ORDER BY page.batch, page.attempt`;

interface FiguresLine {
  readonly batch: number;
  readonly attempt: number;
  readonly started_at: number;
  readonly ended_at: number | null;
  readonly http_status: number | null;
  readonly event: string | null;
  readonly sent: number | null;
  readonly items: number;
  readonly settled: number;
}

/** The attempts of a run, by its number, in pages. */
export async function* attemptFigures(
  db: Database,
  run: number,
): AsyncGenerator<readonly AttemptFigures[], void> {
  const { first, end } = idRange(run);
  const read = (after: Pick<FiguresLine, 'batch' | 'attempt'>): readonly FiguresLine[] =>
    db.read(() => db.allNamed(FIGURES, { ...after, end, limit: ATTEMPTS_AT_ONCE }));
  const placeOf = ({ batch, attempt }: FiguresLine) => ({ batch, attempt });
  for await (const lines of pagesOf({ batch: first, attempt: 0 }, read, placeOf)) yield lines.map(toFigures);
}

function toFigures(it: FiguresLine): AttemptFigures {
  return {
    batch: unpackId(it.batch),
    attempt: it.attempt,
    startedAt: it.started_at,
    ...(it.ended_at === null ? {} : { endedAt: it.ended_at }),
    ...(it.http_status === null ? {} : { httpStatus: it.http_status }),
    ...(it.event === null ? {} : { event: it.event }),
    ...(it.sent === null ? {} : { sent: it.sent === 1 }),
    items: it.items,
    settled: it.settled,
  };
}
