import { ask } from '../../api/client.js';
import type { ListAnswer, RunAnswer } from '../../api/runs.js';
import { useAsked } from '../../api/use-asked.js';
import { Counts } from '../../parts/status.js';
import { Time } from '../../parts/time.js';
import { say } from '../../words/language.js';
import { RUNS } from '../../words/runs.js';

/** Plans that wait for a second person's word, on top of the list; nothing where there are none. */
export function WaitingPlans() {
  const { value } = useAsked('waiting', (signal) =>
    ask<ListAnswer<RunAnswer>>('/runs', { query: { approval: 'waiting', limit: 20 }, signal }),
  );
  if (!value || value.items.length === 0) return undefined;
  return (
    <section class="card waiting-plans" aria-labelledby="waiting">
      <h2 id="waiting">{say(RUNS.waiting)}</h2>
      <ul>
        {value.items.map((it) => (
          <li key={it.run}>
            <a class="strong" href={`/plans/${encodeURIComponent(it.run)}`}>
              {it.job}
            </a>
            <span class="under">
              {it.by !== undefined && say(RUNS.waiting_of, { who: it.by })} <Time at={it.started} />
            </span>
            <Counts counts={it.counts} />
            {it.approval?.comment && <q>{it.approval.comment}</q>}
          </li>
        ))}
      </ul>
    </section>
  );
}
