import { useState } from 'preact/hooks';
import { isUnderWay } from '../../../../model/run-outcome.js';
import { sendJson } from '../../api/client.js';
import { offline } from '../../api/problem.js';
import type { PlanAnswer, RunDetailAnswer } from '../../api/replies.js';
import { useAction } from '../../api/use-action.js';
import { useResource } from '../../api/use-query.js';
import { FixRows, fileName, ImportOf } from '../../parts/links.js';
import { announce, Busy, Notice, NotLoaded, ProblemNotice } from '../../parts/notices.js';
import { Attention, StateBadge } from '../../parts/status.js';
import { Facts, Time } from '../../parts/table.js';
import type { PageProps } from '../../router.js';
import { operationText, t } from '../../words/language.js';
import {
  ApprovalCard,
  PlanActionDialog,
  PlanActions,
  type PlanDialog,
  UnavailableActions,
} from '../plan/actions.js';
import { RunHeading } from './actions.js';
import { LiveProgress, useLiveRun, usePolling } from './live-progress.js';
import type { ResolvedAnswer } from './resolve.js';
import { Rows } from './rows.js';
import { RunSteps } from './steps.js';

/** A run: its progress, the available actions, and the outcome of each row. */
export function Page({ params }: PageProps) {
  const [id = ''] = params;
  const path = `/runs/${encodeURIComponent(id)}`;
  const detail = useResource<RunDetailAnswer>(path);
  const { value: run, problem, again } = detail;
  // Rows are reloaded after an action.
  const [actionCount, setActionCount] = useState(0);
  const changed = (): void => {
    again();
    setActionCount((it) => it + 1);
  };
  const event = useLiveRun(run, changed);
  usePolling(run, again, actionCount);
  if (!run) return <NotLoaded name={t('kind.run')} of={detail} missing={t('run.not_found')} />;
  const state = event?.state ?? run.state;
  const counts = event?.counts ?? run.counts;
  const isPlan = run.kind === 'plan' || run.refused === true;
  return (
    <>
      <RunHeading run={run} changed={changed} />
      <p class="lead">
        <strong>{run.job}</strong> {/* Read out when it changes. */}
        <span role="status">
          <StateBadge state={state} /> {!isUnderWay(state, run.kind) && <Attention counts={counts} />}
        </span>{' '}
        {run.stopped && run.state === state && (
          <span class="quiet">
            {t('run.stopped_by', { who: run.stopped.by })} <Time at={run.stopped.at} />
          </span>
        )}{' '}
        {run.sandbox && <span class="badge sandbox">{t('common.sandbox')}</span>}
      </p>
      {problem && <ProblemNotice problem={problem} again={again} />}
      {isPlan && (
        <Notice>
          <p>
            {t('run.is_plan')} <a href={`/plans/${encodeURIComponent(run.run)}`}>{t('run.to_plan')}</a>
          </p>
        </Notice>
      )}
      {[run.reason, run.next, ...(run.warnings ?? [])].map(
        (it) =>
          it !== undefined && (
            <Notice key={it} tone="doubt">
              <p>{it}</p>
            </Notice>
          ),
      )}
      {run.import && (counts.invalid ?? 0) > 0 && (
        <Notice tone="doubt">
          <p>
            <FixRows of={run.import} />
          </p>
        </Notice>
      )}
      {run.may.approve !== undefined || run.may.request !== undefined ? (
        <StepApproval run={run} changed={changed} />
      ) : undefined}
      <UnknownRows run={run} count={counts.unknown ?? 0} changed={changed} />
      <LiveProgress
        run={run}
        event={event}
        state={state}
        counts={counts}
        live={isUnderWay(state, run.kind) && !offline.value}
      />
      <RunSteps run={run} />
      <Rows run={run} actionCount={actionCount} counts={counts} changed={changed} />
      <About run={run} />
    </>
  );
}

/** The approval of a step, for a run that stopped before a step that requires one. */
function StepApproval({ run, changed }: { readonly run: RunDetailAnswer; readonly changed: () => void }) {
  const path = `/plans/${encodeURIComponent(run.run)}`;
  const [dialog, setDialog] = useState<PlanDialog>();
  const {
    value: plan,
    problem,
    again,
  } = useResource<PlanAnswer>(path, {
    also: [run.planHash, run.approval?.lines.length],
  });
  if (!plan) return problem ? <ProblemNotice problem={problem} again={again} /> : <Busy />;
  return (
    <>
      <ApprovalCard plan={plan} />
      <p class="actions">
        <PlanActions plan={plan} open={setDialog} /> <a href={path}>{t('run.to_step')}</a>
      </p>
      <UnavailableActions plan={plan} />
      {dialog && (
        <PlanActionDialog plan={plan} dialog={dialog} close={() => setDialog(undefined)} changed={changed} />
      )}
    </>
  );
}

/** Facts of the run, and links to related runs. */
export function About({ run }: { readonly run: RunDetailAnswer }) {
  const link = (id: string) => <a href={`/runs/${encodeURIComponent(id)}`}>{id}</a>;
  const linksTo = (runs: RunDetailAnswer['revertedBy'] = []) =>
    runs.length > 0 ? runs.map((it) => link(it.run)) : undefined;
  return (
    <section class="card" aria-labelledby="about">
      <h2 id="about">{t('run.about_run')}</h2>
      <Facts
        of={[
          [t('common.job'), run.job],
          [t('common.operation'), <code key="operation">{operationText(run.operation)}</code>],
          [t('common.connection'), run.connection],
          [t('common.host'), run.host],
          [t('common.by'), run.by],
          [
            t('common.spreadsheet'),
            run.import ? <ImportOf key="import" of={run.import} /> : fileName(run.input),
          ],
          [t(run.applied ? 'run.planned' : 'common.started'), <Time key="started" at={run.started} zone />],
          [t('run.applied'), run.applied && <Time at={run.applied} zone />],
          [t('run.ended'), run.ended && <Time at={run.ended} zone />],
          [
            t('run.rehearsed'),
            run.rehearsed && (
              <a href={`/runs/${encodeURIComponent(run.run)}/rehearsal`}>
                <Time at={run.rehearsed} />
              </a>
            ),
          ],
          [t('run.id'), <code key="id">{run.run}</code>],
          [t('run.retry_of'), run.parent && link(run.parent)],
          [t('run.reverts'), run.reverts && link(run.reverts)],
          [t('run.reverted_by'), linksTo(run.revertedBy?.filter((it) => !it.plan))],
          [t('run.revert_planned'), linksTo(run.revertedBy?.filter((it) => it.plan))],
        ]}
      />
    </section>
  );
}

/** Unknown rows are shown first, with the action that resolves them. */
export function UnknownRows({
  run,
  count,
  changed,
}: {
  readonly run: RunDetailAnswer;
  readonly count: number;
  readonly changed: () => void;
}) {
  const {
    busy,
    problem,
    run: askAll,
  } = useAction(async () => {
    const { settled, left } = await sendJson<ResolvedAnswer>(
      'POST',
      `/runs/${encodeURIComponent(run.run)}/resolve`,
      {
        verify: true,
      },
    );
    announce(t('run.resolved', { count: settled.length, left: left.length }));
    changed();
  });
  const why = run.may.resolve;
  if (count === 0 || isUnderWay(run.state, run.kind)) return undefined;
  return (
    <Notice tone="doubt">
      <p class="first">{t('run.unknown_rows', { count })}</p>
      {typeof why === 'string' && <p>{why}</p>}
      {why === true && (
        <p>
          <button type="button" disabled={busy} onClick={() => void askAll()}>
            {busy && <span class="spinner" aria-hidden="true" />}
            {t('run.ask_all')}
          </button>
        </p>
      )}
      {problem && <ProblemNotice problem={problem} />}
    </Notice>
  );
}
