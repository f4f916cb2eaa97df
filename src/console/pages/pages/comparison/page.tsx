import { useState } from 'preact/hooks';
import type { z } from 'zod';
import { isUnderWay } from '../../../../model/run-outcome.js';
import type { comparisonSchema, driftSchema } from '../../../routes/schemas.js';
import { apiAddress, sendJson } from '../../api/client.js';
import type { RunAnswer } from '../../api/replies.js';
import { useAction } from '../../api/use-action.js';
import { useResource } from '../../api/use-query.js';
import { ConfirmDialog } from '../../parts/dialog.js';
import { Heading } from '../../parts/heading.js';
import { Pager } from '../../parts/links.js';
import { Busy, EmptyState, Notice, NotLoaded, ProblemNotice } from '../../parts/notices.js';
import { Counts, StateBadge, StatusBadge } from '../../parts/status.js';
import { Table, Time } from '../../parts/table.js';
import { address, go, type PageProps } from '../../router.js';
import { hasRole } from '../../session.js';
import { operationText, t } from '../../words/language.js';

type DriftAnswer = z.infer<typeof driftSchema>;

type ComparisonAnswer = Omit<z.infer<typeof comparisonSchema>, 'run'> & { readonly run: RunAnswer };

const POLL_MS = 1500;

/** A comparison: rows by status, and the differences of each row by field. */
export function Page({ params: [run = ''] }: PageProps) {
  const after = address.value.query.get('after') ?? '';
  const path = `/reconciliations/${encodeURIComponent(run)}`;
  const comparison = useResource<ComparisonAnswer>(path, {
    query: { after, limit: 100 },
    follow: ({ run: { state, kind } }) => (isUnderWay(state, kind) ? POLL_MS : undefined),
  });
  const { value, problem, again } = comparison;
  const [planning, setPlanning] = useState(false);
  const isRunning = value !== undefined && isUnderWay(value.run.state, value.run.kind);
  if (!value) return <NotLoaded name={t('common.reconcile')} of={comparison} />;
  const { run: about, drift, next, gone, plans } = value;
  const mayPlan = hasRole('maker') && !isRunning && drift.some((it) => it.action !== undefined);
  return (
    <>
      <Heading name={t('common.reconcile')} title={t('reconcile.title', { job: about.job })}>
        {about.state === 'completed' && (
          <a class="button" href={apiAddress(`/runs/${encodeURIComponent(about.run)}/result`)} download>
            {t('common.download_result')}
          </a>
        )}
        {mayPlan && plans.length === 0 && (
          <button type="button" class="primary" onClick={() => setPlanning(true)}>
            {t('reconcile.plan')}
          </button>
        )}
      </Heading>
      <p class="lead">
        {about.job} · {about.connection} · <Time at={about.started} /> <StateBadge state={about.state} />
      </p>
      {problem && <ProblemNotice problem={problem} again={again} />}
      {isRunning && <Busy text={t('reconcile.comparing')} />}
      {about.reason !== undefined && (
        <Notice tone="doubt">
          <p>{about.reason}</p>
        </Notice>
      )}
      <Counts counts={about.counts} big />
      {plans.length > 0 && (
        <section class="card" aria-labelledby="plans">
          <h2 id="plans">{t('reconcile.plans')}</h2>
          <ul>
            {plans.map((it) => (
              <li key={it.run}>
                <a href={`/plans/${encodeURIComponent(it.run)}`}>{operationText(it.operation)}</a>{' '}
                {t('reconcile.items', { count: it.items })}
              </li>
            ))}
          </ul>
        </section>
      )}
      {!isRunning && (
        <section class="card" aria-labelledby="drift">
          <h2 id="drift">{t('reconcile.drift')}</h2>
          {gone !== undefined ? (
            <Notice tone="doubt">
              <p>{t('reconcile.result_gone', { file: gone })}</p>
            </Notice>
          ) : drift.length > 0 ? (
            <DriftTable drift={drift} />
          ) : about.state === 'completed' ? (
            <EmptyState title={t('reconcile.in_sync')} />
          ) : (
            <Notice tone="doubt">
              <p>{t('reconcile.unfinished')}</p>
            </Notice>
          )}
        </section>
      )}
      <Pager by="after" next={next} />
      {planning && <PlanActions job={about.job} close={() => setPlanning(false)} />}
    </>
  );
}

/** One table row per differing field; action and message are only in the first. */
function DriftTable({ drift }: { readonly drift: readonly DriftAnswer[] }) {
  const lines = drift.flatMap((it) => {
    const fields = it.fields.length > 0 ? it.fields : [{ field: '' }];
    return fields.map((field, index) => ({ ...it, difference: field, index }));
  });
  return (
    <Table
      caption={t('reconcile.drift')}
      rows={lines}
      keyOf={(it) => `${it.line} ${it.index}`}
      columns={[
        {
          key: 'row',
          name: t('grid.row'),
          numeric: true,
          heads: true,
          cell: (it) => it.row ?? t('reconcile.no_row'),
        },
        { key: 'status', name: t('common.status'), cell: (it) => <StatusBadge status={it.status} /> },
        { key: 'field', name: t('common.field'), cell: (it) => it.difference.field || '–' },
        {
          key: 'sheet',
          name: t('reconcile.sheet'),
          cell: ({ difference }) => ('expected' in difference && difference.expected) || '–',
        },
        {
          key: 'platform',
          name: t('reconcile.platform'),
          cell: ({ difference }) => ('actual' in difference && difference.actual) || '–',
        },
        {
          key: 'action',
          name: t('reconcile.action'),
          cell: ({ action, outcome, index }) =>
            action === undefined || index > 0
              ? '–'
              : outcome === undefined
                ? action
                : t('reconcile.outcome', { action, outcome }),
        },
        {
          key: 'message',
          name: t('common.message'),
          wide: true,
          cell: (it) => (it.index === 0 && it.message) || '–',
        },
      ]}
    />
  );
}

function PlanActions({ job, close }: { readonly job: string; readonly close: () => void }) {
  const plan = useAction(async () => {
    const { run } = await sendJson<{ readonly run: string }>('POST', '/reconciliations', { job, plan: true });
    close();
    go(`/reconcile/${encodeURIComponent(run)}`);
  });
  return (
    <ConfirmDialog title={t('reconcile.plan')} confirmLabel={t('reconcile.plan')} close={close} action={plan}>
      <p>{t('reconcile.plan_detail')}</p>
    </ConfirmDialog>
  );
}
