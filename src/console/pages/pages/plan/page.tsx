import { useEffect, useState } from 'preact/hooks';
import type { PlanAnswer } from '../../api/replies.js';
import { useResource } from '../../api/use-query.js';
import { Heading } from '../../parts/heading.js';
import { fileName, ImportOf } from '../../parts/links.js';
import { Busy, Notice, NotLoaded, ProblemNotice, Warnings } from '../../parts/notices.js';
import { Facts, Time } from '../../parts/table.js';
import type { PageProps } from '../../router.js';
import { listText, t, timeText } from '../../words/language.js';
import {
  ApprovalCard,
  PlanActionDialog,
  PlanActions,
  type PlanDialog,
  UnavailableActions,
} from './actions.js';
import {
  Differences,
  ExcludedRows,
  FirstRequests,
  InvalidRows,
  itemsText,
  Operations,
  PlanCounts,
} from './contents.js';
import { PlanRowTable } from './rows.js';
import { ChangedSince } from './send.js';

const POLL_MS = 1000;
/** Interval of queries whether another user approved, rejected or sent the plan. */
const FOLLOW_MS = 2000;

/** A plan: what would be sent, and the available actions. It is reloaded after each action. */
export function Page({ params }: PageProps) {
  const [run = ''] = params;
  const path = `/plans/${encodeURIComponent(run)}`;
  const query = useResource<PlanAnswer>(path, {
    follow: ({ state }) => (state === 'planning' ? POLL_MS : undefined),
  });
  const { value: plan, problem, again } = query;
  const [dialog, setDialog] = useState<PlanDialog>();
  const now = useResource<{ readonly version: string }>(`${path}/version`, { follow: () => FOLLOW_MS });
  const isChanged = plan !== undefined && now.value !== undefined && now.value.version !== plan.version;
  useEffect(() => {
    if (isChanged) again();
  }, [again, isChanged, now.value]);
  const isPlanning = plan?.state === 'planning';
  useEffect(() => {
    // Another user or tab may have changed the plan in the meantime.
    const refresh = (): void => {
      if (!document.hidden) again();
    };
    document.addEventListener('visibilitychange', refresh);
    return () => document.removeEventListener('visibilitychange', refresh);
  }, [again]);

  if (!plan) return <NotLoaded name={t('kind.plan')} of={query} missing={t('plan.not_found')} />;
  const { connection, sent } = plan;
  return (
    <>
      <Heading name={t('kind.plan')} title={t('plan.title', { job: plan.job })}>
        {!sent && !isPlanning && <PlanActions plan={plan} open={setDialog} />}
      </Heading>
      <p class="lead">
        {!isPlanning && itemsText('lead', plan)}{' '}
        {connection.sandbox && <span class="badge sandbox">{t('common.sandbox')}</span>}
      </p>
      <p class="quiet">
        {[plan.job, plan.by, fileName(plan.input)].filter(Boolean).join(' · ')} · <Time at={plan.madeAt} />
      </p>
      {!sent && !isPlanning && <PlanCounts plan={plan} big />}
      {!sent && !isPlanning && <UnavailableActions plan={plan} />}
      {!sent && !isPlanning && <InvalidRows plan={plan} />}
      {!sent && !isPlanning && <ChangedSince plan={plan} />}
      {plan.refused !== undefined && (
        <Notice tone="doubt">
          <p>{plan.refused}</p>
          <p>
            <a href={`/runs/${encodeURIComponent(plan.run)}`}>{t('plan.to_run')}</a>
          </p>
        </Notice>
      )}
      {problem && <ProblemNotice problem={problem} again={again} />}
      {isPlanning && <Busy text={t('plan.being_created')} />}
      {sent && (
        <Notice tone={sent.requests > 0 || sent.goesOn ? 'good' : 'doubt'}>
          <p>{t(sentText(sent), { who: sent.by, time: timeText(sent.at) })}</p>
          <p>
            <a href={`/runs/${encodeURIComponent(plan.run)}`}>{t('plan.to_run')}</a>
          </p>
        </Notice>
      )}
      {plan.rehearsed && (
        <Notice>
          <p>
            {t('plan.rehearsed', { time: timeText(plan.rehearsed) })}{' '}
            <a href={`/runs/${encodeURIComponent(plan.run)}/rehearsal`}>{t('plan.to_rehearsal')}</a>
          </p>
        </Notice>
      )}
      <Warnings of={plan.warnings} />
      <ApprovalCard plan={plan} />
      <Operations plan={plan} />
      {plan.sinceAsked && (
        <Differences
          title={t(plan.sinceAsked.approved ? 'plan.since_approval' : 'plan.since_request')}
          lines={plan.sinceAsked.lines}
          to={{
            href: `/plans/${encodeURIComponent(plan.sinceAsked.run)}`,
            name: t(plan.sinceAsked.approved ? 'plan.approved_plan' : 'plan.requested_plan'),
          }}
        />
      )}
      {!isPlanning && <PlanRowTable run={plan.run} />}
      {!isPlanning && <ExcludedRows plan={plan} />}
      <FirstRequests plan={plan} />
      {plan.difference && (
        <Differences
          title={t('plan.difference')}
          lines={plan.difference}
          to={{ href: `/runs/${encodeURIComponent(plan.run)}`, name: t('plan.all_rows') }}
        />
      )}
      <PlanFacts plan={plan} />
      {dialog && (
        <PlanActionDialog plan={plan} dialog={dialog} close={() => setDialog(undefined)} changed={again} />
      )}
    </>
  );
}

function sentText({ requests, goesOn }: NonNullable<PlanAnswer['sent']>) {
  if (goesOn) return 'plan.is_being_sent';
  return requests > 0 ? 'plan.sent' : 'plan.nothing_sent';
}

function makersText({ by, approval: { makers = [] } }: PlanAnswer): string | undefined {
  if (makers.length === 0) return by;
  return listText(makers.map(({ who, did }) => t('plan.maker', { who, did: t(`plan.did_${did}`) })));
}

function PlanFacts({ plan }: { readonly plan: PlanAnswer }) {
  return (
    <section class="card">
      <Facts
        of={[
          [t('plan.created_by'), makersText(plan)],
          [t('plan.created_at'), <Time key="at" at={plan.madeAt} zone />],
          [t('common.job'), plan.job],
          [
            t('common.spreadsheet'),
            plan.import ? <ImportOf key="import" of={plan.import} /> : fileName(plan.input),
          ],
          [t('common.host'), plan.connection.host],
        ]}
      />
      {plan.corrections ? <p>{t('plan.corrected', { count: plan.corrections })}</p> : undefined}
      {plan.hash && (
        <p class="hash">
          <span class="quiet">{t('plan.hash')}</span> <code>{plan.hash}</code>
          <span class="hint">{t('plan.hash_hint')}</span>
        </p>
      )}
    </section>
  );
}
