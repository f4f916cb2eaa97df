import { useState } from 'preact/hooks';
import type { z } from 'zod';
import type { jobSchema } from '../../../routes/schemas.js';
import { sendJson } from '../../api/client.js';
import type { ListAnswer, RunAnswer } from '../../api/replies.js';
import { useAction } from '../../api/use-action.js';
import { useResource } from '../../api/use-query.js';
import { Choice } from '../../parts/field.js';
import { Heading } from '../../parts/heading.js';
import { Busy, EmptyState, ProblemNotice, QueryView } from '../../parts/notices.js';
import { Counts, StateBadge } from '../../parts/status.js';
import { Table, Time } from '../../parts/table.js';
import { go } from '../../router.js';
import { hasRole } from '../../session.js';
import { t } from '../../words/language.js';

type JobAnswer = z.infer<typeof jobSchema>;

/** Starts a comparison, and lists earlier ones. */
export function Page() {
  const runs = useResource<ListAnswer<RunAnswer>>('/runs', {
    query: { kind: 'reconcile', limit: 30 },
  });
  return (
    <>
      <Heading name={t('common.reconcile')} />
      <p class="lead">{t('reconcile.about')}</p>
      {hasRole('maker') && <StartComparison />}
      <section class="card" aria-labelledby="earlier">
        <h2 id="earlier">{t('reconcile.earlier')}</h2>
        <QueryView of={runs}>
          {({ items }) =>
            items.length === 0 ? (
              <EmptyState title={t('reconcile.none')} />
            ) : (
              <Table
                caption={t('reconcile.earlier')}
                rows={items}
                keyOf={(it) => it.run}
                columns={[
                  {
                    key: 'job',
                    name: t('common.job'),
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
                    name: t('common.status'),
                    cell: (it) => <StateBadge state={it.state} />,
                  },
                  { key: 'rows', name: t('grid.row'), cell: (it) => <Counts counts={it.counts} /> },
                ]}
              />
            )
          }
        </QueryView>
      </section>
    </>
  );
}

function StartComparison() {
  const { value, problem, again } = useResource<ListAnswer<JobAnswer>>('/jobs');
  const [chosen, setChosen] = useState('');
  const jobs = value?.items.filter((it) => it.kind === 'reconcile') ?? [];
  const job = chosen || jobs[0]?.file || '';
  const start = useAction(async () => {
    const { run } = await sendJson<{ readonly run: string }>('POST', '/reconciliations', { job });
    go(`/reconcile/${encodeURIComponent(run)}`);
  });
  if (!value) return problem ? <ProblemNotice problem={problem} again={again} /> : <Busy />;
  if (jobs.length === 0) {
    return (
      <EmptyState title={t('reconcile.no_jobs')}>
        <p>{t('reconcile.no_jobs_detail')}</p>
      </EmptyState>
    );
  }
  return (
    <form
      class="card"
      onSubmit={(event) => {
        event.preventDefault();
        void start.run();
      }}
    >
      <Choice
        label={t('common.job')}
        value={job}
        change={setChosen}
        options={jobs.map((it) => ({ value: it.file, name: it.name }))}
      />
      {start.problem && <ProblemNotice problem={start.problem} />}
      <div class="actions">
        <button type="submit" class="primary" disabled={start.busy}>
          {t(start.busy ? 'reconcile.comparing' : 'reconcile.compare')}
        </button>
      </div>
    </form>
  );
}
