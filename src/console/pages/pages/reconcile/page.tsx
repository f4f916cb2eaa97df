import { useState } from 'preact/hooks';
import type { z } from 'zod';
import type { jobSchema } from '../../../routes/schemas.js';
import { act, ask } from '../../api/client.js';
import type { ListAnswer, RunAnswer } from '../../api/runs.js';
import { useAct } from '../../api/use-act.js';
import { useAsked } from '../../api/use-asked.js';
import { Choice } from '../../parts/field.js';
import { Heading } from '../../parts/heading.js';
import { Asked, Busy, EmptyState, ProblemNotice } from '../../parts/notices.js';
import { Counts, StateBadge } from '../../parts/status.js';
import { Table } from '../../parts/table.js';
import { Time } from '../../parts/time.js';
import { go } from '../../router.js';
import { hasRole } from '../../session.js';
import { COMMON } from '../../words/common.js';
import { say } from '../../words/language.js';
import { RECONCILE } from '../../words/reconcile.js';

type JobAnswer = z.infer<typeof jobSchema>;

/** `Reconcile`: begins a comparison, and lists those that were made. */
export function Page() {
  const runs = useAsked('reconciliations', (signal) =>
    ask<ListAnswer<RunAnswer>>('/runs', { query: { kind: 'reconcile', limit: 30 }, signal }),
  );
  return (
    <>
      <Heading name={say(COMMON.reconcile)} />
      <p class="lead">{say(RECONCILE.about)}</p>
      {hasRole('maker') && <Begin />}
      <section class="card" aria-labelledby="earlier">
        <h2 id="earlier">{say(RECONCILE.earlier)}</h2>
        <Asked of={runs}>
          {({ items }) =>
            items.length === 0 ? (
              <EmptyState title={say(RECONCILE.none)} />
            ) : (
              <Table
                caption={say(RECONCILE.earlier)}
                rows={items}
                keyOf={(it) => it.run}
                columns={[
                  {
                    key: 'job',
                    name: say(RECONCILE.job),
                    heads: true,
                    wide: true,
                    cell: (it) => (
                      <>
                        <a class="strong" href={`/reconcile/${encodeURIComponent(it.run)}`}>
                          {it.job}
                        </a>
                        <span class="under">
                          <Time at={it.started} />
                        </span>
                      </>
                    ),
                  },
                  {
                    key: 'state',
                    name: say(RECONCILE.status),
                    cell: (it) => <StateBadge state={it.state} />,
                  },
                  { key: 'rows', name: say(RECONCILE.row), cell: (it) => <Counts counts={it.counts} /> },
                ]}
              />
            )
          }
        </Asked>
      </section>
    </>
  );
}

function Begin() {
  const { value, problem, again } = useAsked('jobs', (signal) =>
    ask<{ readonly items: readonly JobAnswer[] }>('/jobs', { signal }),
  );
  const [chosen, setChosen] = useState('');
  const jobs = value?.items.filter((it) => it.kind === 'reconcile') ?? [];
  const job = chosen || jobs[0]?.file || '';
  const begin = useAct(async () => {
    const { run } = await act<{ readonly run: string }>('POST', '/reconciliations', { job });
    go(`/reconcile/${encodeURIComponent(run)}`);
  });
  if (!value) return problem ? <ProblemNotice problem={problem} again={again} /> : <Busy />;
  if (jobs.length === 0) {
    return (
      <EmptyState title={say(RECONCILE.no_jobs)}>
        <p>{say(RECONCILE.no_jobs_told)}</p>
      </EmptyState>
    );
  }
  return (
    <form
      class="card"
      onSubmit={(event) => {
        event.preventDefault();
        void begin.run();
      }}
    >
      <Choice
        label={say(RECONCILE.job)}
        value={job}
        change={setChosen}
        options={jobs.map((it) => ({ value: it.file, name: it.name }))}
      />
      {begin.problem && <ProblemNotice problem={begin.problem} />}
      <div class="acts">
        <button type="submit" class="primary" disabled={begin.busy}>
          {say(begin.busy ? RECONCILE.comparing : RECONCILE.compare)}
        </button>
      </div>
    </form>
  );
}
