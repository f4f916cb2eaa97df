import type { AttemptFigures } from '../contract/attempt.js';
import { attemptFigures, FIGURES, type FiguresLine } from '../shared/attempt-figures.js';
import type { Database } from './database.js';

const ATTEMPTS_AT_ONCE = 1000;

const PAGE = `
SELECT ${FIGURES}
FROM (
  SELECT batch, attempt, started_at, ended_at, http_status, event, sent FROM attempts
  WHERE (batch, attempt) > (:batch, :attempt) AND batch < :end ORDER BY batch, attempt LIMIT :limit) AS page
CROSS JOIN batch_items ON batch_items.batch = page.batch
LEFT JOIN outcomes ON outcomes.item = batch_items.item
GROUP BY page.batch, page.attempt ORDER BY page.batch, page.attempt`;

/** The attempts of a run, by its number, in pages. */
export function runFigures(db: Database, run: number): AsyncGenerator<readonly AttemptFigures[], void> {
  return attemptFigures(run, (after, end) =>
    db.read(() => db.allNamed<FiguresLine>(PAGE, { ...after, end, limit: ATTEMPTS_AT_ONCE })),
  );
}
