import type { z } from 'zod';
import type { rehearsalSchema } from '../../../routes/schemas.js';
import { act, apiAddress, ask } from '../../api/client.js';
import { useAct } from '../../api/use-act.js';
import { useAsked } from '../../api/use-asked.js';
import { Facts } from '../../parts/facts.js';
import { Heading } from '../../parts/heading.js';
import { Busy, EmptyState, Notice, ProblemNotice, Warnings } from '../../parts/notices.js';
import { Progress } from '../../parts/progress.js';
import { Counts } from '../../parts/status.js';
import { Time } from '../../parts/time.js';
import type { PageProps } from '../../router.js';
import { say } from '../../words/language.js';
import { REHEARSAL } from '../../words/rehearsal.js';
import { Parts } from '../run/parts.js';
import { Comparison } from './comparison.js';
import { RehearsedRows } from './rows.js';

type RehearsalAnswer = z.infer<typeof rehearsalSchema>;

const BETWEEN_LOOKS_MS = 700;

/** A plan's rehearsal: how far it is, what would come of the plan, and later what came out otherwise. */
export function Page({ params }: PageProps) {
  const [id = ''] = params;
  const path = `/runs/${encodeURIComponent(id)}/rehearsal`;
  const asked = useAsked(
    path,
    (signal) => ask<RehearsalAnswer>(path, { signal }),
    ({ state }) => (state === 'running' ? BETWEEN_LOOKS_MS : undefined),
  );
  const { value: it, problem, again } = asked;
  const isRunning = it?.state === 'running';
  const stop = useAct(async () => {
    await act('POST', `${path}/stop`);
    again();
  });
  if (!it) {
    return (
      <>
        <Heading name={say(REHEARSAL.name)} />
        {problem ? <ProblemNotice problem={problem} again={again} /> : <Busy />}
      </>
    );
  }
  const whole = encodeURIComponent(it.run);
  return (
    <>
      <Heading name={say(REHEARSAL.name)} title={say(REHEARSAL.title, { job: it.job })}>
        {isRunning && (
          <button type="button" disabled={stop.busy} onClick={() => void stop.run()}>
            {say(REHEARSAL.stop)}
          </button>
        )}
        {it.result && (
          <a class="button" href={apiAddress(`${path}/result`)} download>
            {say(REHEARSAL.download)}
          </a>
        )}
        <a class="button" href={it.sent ? `/runs/${whole}` : `/plans/${whole}`}>
          {say(it.sent ? REHEARSAL.to_run : REHEARSAL.to_plan)}
        </a>
      </Heading>
      <p class="lead">
        <strong>{it.job}</strong> <span class="badge sandbox">{say(REHEARSAL.mark)}</span>
      </p>
      <Notice tone="doubt">
        <p>{say(REHEARSAL.nothing_took)}</p>
      </Notice>
      {(problem ?? stop.problem) && <ProblemNotice problem={(problem ?? stop.problem)!} again={again} />}
      {it.state === 'none' && (
        <EmptyState title={say(REHEARSAL.none)}>
          <p>{say(REHEARSAL.none_detail)}</p>
        </EmptyState>
      )}
      {isRunning && (
        <section class="card">
          <Busy text={say(REHEARSAL.under_way)} />
          {it.progress && <Progress done={it.progress.done} total={it.progress.total ?? 0} />}
        </section>
      )}
      {it.state === 'failed' && (
        <Notice tone="doubt">
          <p class="first">{say(REHEARSAL.failed)}</p>
          <p>{it.failure}</p>
        </Notice>
      )}
      {it.state === 'over' && <Outcome it={it} path={path} />}
    </>
  );
}

function Outcome({ it, path }: { readonly it: RehearsalAnswer; readonly path: string }) {
  const { counts = {}, steps = [] } = it;
  return (
    <>
      <Warnings of={it.warnings} />
      <section class="card" aria-labelledby="counts">
        <h2 id="counts">{say(REHEARSAL.counts)}</h2>
        <Counts counts={counts} big />
        <Facts
          of={[
            [say(REHEARSAL.by), it.by],
            [say(REHEARSAL.at), it.ended && <Time at={it.ended} zone />],
          ]}
        />
      </section>
      <Parts steps={steps} />
      {it.comparable && <Comparison path={path} />}
      <RehearsedRows path={path} counts={counts} />
    </>
  );
}
