import type { AttemptFigures } from '../contract/attempt.js';
import { attemptFigures, FIGURES, type FiguresLine } from '../shared/attempt-figures.js';
import type { Database } from './database.js';
import { lookUp } from './pieces.js';

const ATTEMPTS_AT_ONCE = 1000;

const PAGE = `
SELECT ${FIGURES}
FROM (
  SELECT batch, attempt, started_at, ended_at, http_status, event, sent FROM attempts
  WHERE (batch, attempt) > ($1::bigint, $2::int) AND batch < $3::bigint
  ORDER BY batch, attempt LIMIT ${ATTEMPTS_AT_ONCE}) AS page
${lookUp('batch_items', 'batch_items.batch = page.batch')}
LEFT ${lookUp('outcomes', 'outcomes.item = batch_items.item')}
GROUP BY page.batch, page.attempt, page.started_at, page.ended_at, page.http_status, page.event, page.sent
ORDER BY page.batch, page.attempt`;

/** The attempts of a run, by its number, in pages. */
export function runFigures(db: Database, run: number): AsyncGenerator<readonly AttemptFigures[], void> {
  return attemptFigures(run, ({ batch, attempt }, end) => db.all<FiguresLine>(PAGE, [batch, attempt, end]));
}
