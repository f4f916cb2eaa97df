import type { AttemptFigures } from '../contract/attempt.js';
import { idRange, unpackId } from './ids.js';
import { TO_BE_SENT } from './item-standing.js';
import { type Lines, pagesOf } from './pages.js';

/** An attempt with the counts below. */
export interface FiguresLine {
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

/**
 * An outcome remembers which attempt of its batch it is of: earlier ones carried the item in vain, and of what was
 * withheld no later one carried it. Counted over the items of the batches of `page`, some attempts.
 */
export const FIGURES = `page.batch, page.attempt, page.started_at, page.ended_at, page.http_status, page.event, page.sent,
  count(CASE WHEN ${TO_BE_SENT} OR outcomes.attempts >= page.attempt
    THEN 1 END) AS items,
  count(CASE WHEN outcomes.status NOT IN ('not_sent', 'skipped') AND outcomes.attempts = page.attempt
    THEN 1 END) AS settled`;

/**
 * The attempts of a run, by its number, in pages.
 * @param read a page after an attempt and before the batch `end`
 */
export async function* attemptFigures(
  run: number,
  read: (after: Pick<FiguresLine, 'batch' | 'attempt'>, end: number) => Lines<FiguresLine>,
): AsyncGenerator<readonly AttemptFigures[], void> {
  const { first, end } = idRange(run);
  const placeOf = ({ batch, attempt }: FiguresLine) => ({ batch, attempt });
  const pages = pagesOf({ batch: first, attempt: 0 }, (after) => read(after, end), placeOf);
  for await (const lines of pages) yield lines.map(toFigures);
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
