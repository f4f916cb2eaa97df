import { useEffect, useState } from 'preact/hooks';
import { ask } from '../../api/client.js';
import type { PlanAnswer } from '../../api/plans.js';
import { useAsked } from '../../api/use-asked.js';
import { Facts } from '../../parts/facts.js';
import { Heading } from '../../parts/heading.js';
import { ImportOf } from '../../parts/import-of.js';
import { Busy, EmptyState, Notice, ProblemNotice, Warnings } from '../../parts/notices.js';
import { Time } from '../../parts/time.js';
import type { PageProps } from '../../router.js';
import { COMMON } from '../../words/common.js';
import { say, timeText } from '../../words/language.js';
import { PLAN } from '../../words/plan.js';
import { ActsDialog, PlanActs, type PlanDialog, Refusals } from './acts.js';
import { ApprovalCard } from './approval.js';
import { Differences, FirstRequests, LeftOut, Operations } from './contents.js';
import { InvalidRows } from './invalid-rows.js';
import { itemsText } from './items.js';
import './plan.css';

const WHILE_MADE_MS = 1000;

/** `Plan`: what would be sent, and the acts on it. Whoever looks again after an act sees it as the ledger has it. */
export function Page({ params }: PageProps) {
  const [run = ''] = params;
  const path = `/plans/${encodeURIComponent(run)}`;
  const {
    value: plan,
    problem,
    again,
  } = useAsked(
    path,
    (signal) => ask<PlanAnswer>(path, { signal }),
    ({ state }) => (state === 'planning' ? WHILE_MADE_MS : undefined),
  );
  const [dialog, setDialog] = useState<PlanDialog>();
  const beingMade = plan?.state === 'planning';
  useEffect(() => {
    // Another person, or another tab, may have acted on it meanwhile.
    const look = (): void => {
      if (!document.hidden) again();
    };
    document.addEventListener('visibilitychange', look);
    return () => document.removeEventListener('visibilitychange', look);
  }, [again]);

  if (!plan) {
    return (
      <>
        <Heading name={say(PLAN.plan)} />
        {!problem ? (
          <Busy />
        ) : problem.status === 404 ? (
          <Gone />
        ) : (
          <ProblemNotice problem={problem} again={again} />
        )}
      </>
    );
  }
  const { connection, sent } = plan;
  return (
    <>
      <Heading name={say(PLAN.plan)} title={say(PLAN.title, { job: plan.job })}>
        {!sent && !beingMade && <PlanActs plan={plan} open={setDialog} />}
      </Heading>
      <p class="lead">
        {!beingMade && itemsText('lead', plan)}{' '}
        {connection.sandbox && <span class="badge sandbox">{say(COMMON.sandbox)}</span>}
      </p>
      <p class="quiet">
        {[plan.job, plan.by, fileName(plan.input)].filter(Boolean).join(' · ')} · <Time at={plan.madeAt} />
      </p>
      {!sent && !beingMade && <Refusals plan={plan} />}
      {!sent && !beingMade && <InvalidRows plan={plan} />}
      {plan.refused !== undefined && (
        <Notice tone="doubt">
          <p>{plan.refused}</p>
        </Notice>
      )}
      {problem && <ProblemNotice problem={problem} again={again} />}
      {beingMade && <Busy text={say(PLAN.being_made)} />}
      {sent && (
        <Notice tone="good">
          <p>{say(PLAN.sent, { who: sent.by, time: timeText(sent.at) })}</p>
          <p>
            <a href={`/runs/${encodeURIComponent(plan.run)}`}>{say(PLAN.to_run)}</a>
          </p>
        </Notice>
      )}
      {plan.rehearsed && (
        <Notice>
          <p>
            {say(PLAN.rehearsed, { time: timeText(plan.rehearsed) })}{' '}
            <a href={`/runs/${encodeURIComponent(plan.run)}/rehearsal`}>{say(PLAN.to_rehearsal)}</a>
          </p>
        </Notice>
      )}
      <Warnings of={plan.warnings} />
      <ApprovalCard plan={plan} />
      <Operations plan={plan} />
      {plan.sinceAsked && (
        <Differences
          title={say(PLAN.since_asked)}
          lines={plan.sinceAsked.lines}
          to={{ href: `/plans/${encodeURIComponent(plan.sinceAsked.run)}`, name: say(PLAN.asked_then) }}
        />
      )}
      {!beingMade && <LeftOut plan={plan} />}
      <FirstRequests plan={plan} />
      {plan.difference && (
        <Differences
          title={say(PLAN.difference)}
          lines={plan.difference}
          to={{ href: `/runs/${encodeURIComponent(plan.run)}`, name: say(PLAN.all_rows) }}
        />
      )}
      <PlanFacts plan={plan} />
      {dialog && (
        <ActsDialog plan={plan} dialog={dialog} close={() => setDialog(undefined)} changed={again} />
      )}
    </>
  );
}

function makersText({ by, approval: { makers = [] } }: PlanAnswer): string | undefined {
  if (makers.length === 0) return by;
  return makers
    .map(({ who, did }) => say(PLAN.maker, { who, did: say(PLAN[`did_${did}`]) }))
    .join(say(COMMON.comma));
}

function PlanFacts({ plan }: { readonly plan: PlanAnswer }) {
  return (
    <section class="card">
      <Facts
        of={[
          [say(PLAN.made), makersText(plan)],
          [say(PLAN.made_at), <Time key="at" at={plan.madeAt} zone />],
          [say(PLAN.job), plan.job],
          [say(PLAN.input), plan.import ? <ImportOf key="import" of={plan.import} /> : fileName(plan.input)],
          [say(PLAN.host), plan.connection.host],
        ]}
      />
      {plan.corrections ? <p>{say(PLAN.corrected, { count: plan.corrections })}</p> : undefined}
      {plan.hash && (
        <p class="hash">
          <span class="quiet">{say(PLAN.hash)}</span> <code>{plan.hash}</code>
          <span class="hint">{say(PLAN.hash_hint)}</span>
        </p>
      )}
    </section>
  );
}

/** Where a file lies on the console's machine is nothing to somebody at a page. */
function fileName(path = ''): string | undefined {
  return path.split(/[\\/]/).at(-1);
}

function Gone() {
  return (
    <EmptyState title={say(PLAN.gone)}>
      <p>{say(PLAN.gone_detail)}</p>
    </EmptyState>
  );
}
