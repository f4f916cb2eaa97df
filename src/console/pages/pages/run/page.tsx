import { useState } from 'preact/hooks';
import { isUnderWay } from '../../../../model/under-way.js';
import { ask } from '../../api/client.js';
import type { RunDetailAnswer } from '../../api/runs.js';
import { useAsked } from '../../api/use-asked.js';
import { Heading } from '../../parts/heading.js';
import { MendRows } from '../../parts/import-of.js';
import { Busy, EmptyState, Notice, ProblemNotice } from '../../parts/notices.js';
import { StateBadge } from '../../parts/status.js';
import type { PageProps } from '../../router.js';
import { COMMON } from '../../words/common.js';
import { say } from '../../words/language.js';
import { RUN } from '../../words/run.js';
import { About } from './about.js';
import { RunHeading } from './acts.js';
import { useLiveRun, useLookAgain } from './live.js';
import { LiveProgress } from './live-progress.js';
import { RunParts } from './parts.js';
import { Rows } from './rows.js';
import { UnknownRows } from './unknown.js';
import './run.css';

/** A run: how far it is, what may be done with it, and what became of each row. */
export function Page({ params }: PageProps) {
  const [id = ''] = params;
  const path = `/runs/${encodeURIComponent(id)}`;
  const { value: run, problem, again } = useAsked(path, (signal) => ask<RunDetailAnswer>(path, { signal }));
  // Rows are read again when something was done with them.
  const [turn, setTurn] = useState(0);
  const changed = (): void => {
    again();
    setTurn((it) => it + 1);
  };
  const { news, connected } = useLiveRun(run, changed);
  useLookAgain(run, again, turn);
  if (!run) {
    return (
      <>
        <Heading name={say(RUN.run)} />
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
  const state = news?.state ?? run.state;
  const counts = news?.counts ?? run.counts;
  const isPlan = run.kind === 'plan' || run.refused === true;
  return (
    <>
      <RunHeading run={run} changed={changed} />
      <p class="lead">
        <strong>{run.job}</strong> {/* Read out when it changes. */}
        <span role="status">
          <StateBadge state={state} />
        </span>{' '}
        {run.sandbox && <span class="badge sandbox">{say(COMMON.sandbox)}</span>}
        {!connected && (
          <span class="quiet" role="status">
            {say(RUN.reconnecting)}
          </span>
        )}
      </p>
      {problem && <ProblemNotice problem={problem} again={again} />}
      {isPlan && (
        <Notice>
          <p>
            {say(RUN.is_plan)} <a href={`/plans/${encodeURIComponent(run.run)}`}>{say(RUN.to_plan)}</a>
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
            <MendRows of={run.import} />
          </p>
        </Notice>
      )}
      <UnknownRows run={run} count={counts.unknown ?? 0} changed={changed} />
      <LiveProgress
        run={run}
        news={news}
        state={state}
        counts={counts}
        live={isUnderWay(state, run.kind) && connected}
      />
      <RunParts run={run} />
      <Rows run={run} turn={turn} counts={counts} changed={changed} />
      <About run={run} />
    </>
  );
}

function Gone() {
  return (
    <EmptyState title={say(RUN.gone)}>
      <p>{say(RUN.gone_detail)}</p>
    </EmptyState>
  );
}
