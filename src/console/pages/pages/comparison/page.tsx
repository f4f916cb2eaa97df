import { useState } from 'preact/hooks';
import type { z } from 'zod';
import { isUnderWay } from '../../../../model/under-way.js';
import type { comparisonSchema, driftSchema } from '../../../routes/schemas.js';
import { act, apiAddress, ask } from '../../api/client.js';
import type { RunAnswer } from '../../api/runs.js';
import { useAct } from '../../api/use-act.js';
import { useAsked } from '../../api/use-asked.js';
import { ActDialog } from '../../parts/dialog.js';
import { Heading } from '../../parts/heading.js';
import { Busy, EmptyState, Notice, ProblemNotice } from '../../parts/notices.js';
import { Pager } from '../../parts/pager.js';
import { Counts, StateBadge, StatusBadge } from '../../parts/status.js';
import { Table } from '../../parts/table.js';
import { Time } from '../../parts/time.js';
import { address, go, type PageProps } from '../../router.js';
import { hasRole } from '../../session.js';
import { COMMON } from '../../words/common.js';
import { say } from '../../words/language.js';
import { RECONCILE } from '../../words/reconcile.js';

type DriftAnswer = z.infer<typeof driftSchema>;

type ComparisonAnswer = Omit<z.infer<typeof comparisonSchema>, 'run'> & { readonly run: RunAnswer };

const LOOK_AGAIN_MS = 1500;

/** One comparison: rows by status, and what differs in each row, field by field. */
export function Page({ params: [run = ''] }: PageProps) {
  const after = address.value.query.get('after') ?? '';
  const path = `/reconciliations/${encodeURIComponent(run)}`;
  const { value, problem, again } = useAsked(
    `${path} ${after}`,
    (signal) => ask<ComparisonAnswer>(path, { query: { after, limit: 100 }, signal }),
    ({ run: { state, kind } }) => (isUnderWay(state, kind) ? LOOK_AGAIN_MS : undefined),
  );
  const [planning, setPlanning] = useState(false);
  const goesOn = value !== undefined && isUnderWay(value.run.state, value.run.kind);
  if (!value) {
    return (
      <>
        <Heading name={say(COMMON.reconcile)} />
        {problem ? <ProblemNotice problem={problem} again={again} /> : <Busy />}
      </>
    );
  }
  const { run: about, drift, next, gone, plans } = value;
  const mayPlan = hasRole('maker') && !goesOn && drift.some((it) => it.action !== undefined);
  return (
    <>
      <Heading name={say(COMMON.reconcile)} title={say(RECONCILE.title, { job: about.job })}>
        {about.state === 'completed' && (
          <a class="button" href={apiAddress(`/runs/${encodeURIComponent(about.run)}/result`)} download>
            {say(RECONCILE.result)}
          </a>
        )}
        {mayPlan && plans.length === 0 && (
          <button type="button" class="primary" onClick={() => setPlanning(true)}>
            {say(RECONCILE.plan)}
          </button>
        )}
      </Heading>
      <p class="lead">
        {about.job} · {about.connection} · <Time at={about.started} /> <StateBadge state={about.state} />
      </p>
      {problem && <ProblemNotice problem={problem} again={again} />}
      {goesOn && <Busy text={say(RECONCILE.comparing)} />}
      {about.reason !== undefined && (
        <Notice tone="doubt">
          <p>{about.reason}</p>
        </Notice>
      )}
      <Counts counts={about.counts} big />
      {plans.length > 0 && (
        <section class="card" aria-labelledby="plans">
          <h2 id="plans">{say(RECONCILE.plans)}</h2>
          <ul>
            {plans.map((it) => (
              <li key={it.run}>
                <a href={`/plans/${encodeURIComponent(it.run)}`}>{it.operation}</a>{' '}
                {say(RECONCILE.items, { count: it.items })}
              </li>
            ))}
          </ul>
        </section>
      )}
      {!goesOn && (
        <section class="card" aria-labelledby="drift">
          <h2 id="drift">{say(RECONCILE.drift)}</h2>
          {gone !== undefined ? (
            <Notice tone="doubt">
              <p>{say(RECONCILE.gone, { file: gone })}</p>
            </Notice>
          ) : drift.length > 0 ? (
            <DriftTable drift={drift} />
          ) : about.state === 'completed' ? (
            <EmptyState title={say(RECONCILE.in_sync)} />
          ) : (
            <Notice tone="doubt">
              <p>{say(RECONCILE.not_over)}</p>
            </Notice>
          )}
        </section>
      )}
      <Pager by="after" next={next} />
      {planning && <PlanActions job={about.job} close={() => setPlanning(false)} />}
    </>
  );
}

/** A line for each field that differs: the first of a row names it. */
function DriftTable({ drift }: { readonly drift: readonly DriftAnswer[] }) {
  const lines = drift.flatMap((it) => {
    const fields = it.fields.length > 0 ? it.fields : [{ field: '' }];
    return fields.map((field, index) => ({ ...it, of: field, index }));
  });
  return (
    <Table
      caption={say(RECONCILE.drift)}
      rows={lines}
      keyOf={(it) => `${it.line} ${it.index}`}
      columns={[
        {
          key: 'row',
          name: say(RECONCILE.row),
          numeric: true,
          heads: true,
          cell: (it) => it.row ?? say(RECONCILE.no_row),
        },
        { key: 'status', name: say(RECONCILE.status), cell: (it) => <StatusBadge status={it.status} /> },
        { key: 'field', name: say(RECONCILE.field), cell: (it) => it.of.field || '–' },
        {
          key: 'sheet',
          name: say(RECONCILE.sheet),
          cell: ({ of }) => ('expected' in of && of.expected) || '–',
        },
        {
          key: 'platform',
          name: say(RECONCILE.platform),
          cell: ({ of }) => ('actual' in of && of.actual) || '–',
        },
        {
          key: 'action',
          name: say(RECONCILE.action),
          cell: ({ action, outcome, index }) =>
            action === undefined || index > 0
              ? '–'
              : outcome === undefined
                ? action
                : say(RECONCILE.outcome, { action, outcome }),
        },
        {
          key: 'message',
          name: say(RECONCILE.message),
          wide: true,
          cell: (it) => (it.index === 0 && it.message) || '–',
        },
      ]}
    />
  );
}

function PlanActions({ job, close }: { readonly job: string; readonly close: () => void }) {
  const plan = useAct(async () => {
    const { run } = await act<{ readonly run: string }>('POST', '/reconciliations', { job, plan: true });
    close();
    go(`/reconcile/${encodeURIComponent(run)}`);
  });
  return (
    <ActDialog
      title={say(RECONCILE.plan)}
      yes={say(RECONCILE.plan)}
      close={close}
      busy={plan.busy}
      problem={plan.problem}
      carry={() => void plan.run()}
    >
      <p>{say(RECONCILE.plan_told)}</p>
    </ActDialog>
  );
}
