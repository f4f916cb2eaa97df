import { useEffect, useState } from 'preact/hooks';
import { isUnderWay } from '../../../../model/under-way.js';
import { act, apiAddress, ask } from '../../api/client.js';
import { RequestProblem } from '../../api/problem.js';
import type { RunAct, RunDetailAnswer } from '../../api/runs.js';
import { useAct } from '../../api/use-act.js';
import { Heading } from '../../parts/heading.js';
import { announce } from '../../parts/live.js';
import { ProblemNotice } from '../../parts/notices.js';
import { go } from '../../router.js';
import { say } from '../../words/language.js';
import { RUN } from '../../words/run.js';

interface RunActsProps {
  readonly run: RunDetailAnswer;
  readonly changed: () => void;
}

/** Acts that end in a plan, which somebody looks at and sends. */
const LEADING_ON = ['retry', 'revert'] as const;

/** The top of the page, with what may be done with the run, and why not what a reader would look for. */
export function RunHeading({ run, changed }: RunActsProps) {
  const { may } = run;
  const address = `/runs/${encodeURIComponent(run.run)}`;
  const stop = useStop(address, may.stop === true, changed);
  const resume = useAct(
    async () => {
      await act('POST', `${address}/resume`);
      changed();
    },
    // Resuming a run that runs again is refused, so that it is only looked up whether it does.
    async () => {
      const { state, kind } = await ask<RunDetailAnswer>(address);
      changed();
      return isUnderWay(state, kind);
    },
  );
  const leading = useAct(async (which: (typeof LEADING_ON)[number]) => {
    const { run: made } = await act<{ readonly run: string }>('POST', `${address}/${which}`, {});
    announce(say(RUN.made_plan));
    go(`/plans/${encodeURIComponent(made)}`);
  });
  const busy = stop.busy || resume.busy || leading.busy;
  const refused = (['resume', 'retry', 'revert', 'stop'] as const).flatMap((it) => {
    const why = may[it];
    return typeof why === 'string' ? [{ act: it, why }] : [];
  });
  const problem = stop.problem ?? resume.problem ?? leading.problem;
  const below = (
    <>
      {stop.asked && (
        <p class="quiet" role="status">
          {say(stop.looking ? RUN.stop_unanswered : RUN.stopping)}
        </p>
      )}
      {refused.length > 0 && (
        <details class="refused">
          <summary>{say(RUN.why_not)}</summary>
          <ul>
            {refused.map(({ act: it, why }) => (
              <li key={it}>
                <span class="name">{say(RUN[it as RunAct & keyof typeof RUN])}:</span> {why}
              </li>
            ))}
          </ul>
        </details>
      )}
      {problem && !busy && <ProblemNotice problem={problem} />}
    </>
  );
  return (
    <Heading name={say(RUN[run.kind])} title={say(RUN.title, { job: run.job })} below={below}>
      {may.stop === true && (
        <button type="button" class="primary danger" disabled={stop.busy} onClick={() => void stop.run()}>
          {stop.busy && <span class="spinner" aria-hidden="true" />}
          {say(RUN.stop)}
        </button>
      )}
      {may.resume === true && (
        <button type="button" class="primary" disabled={busy} onClick={() => void resume.run()}>
          {resume.busy && <span class="spinner" aria-hidden="true" />}
          {say(RUN.resume)}
        </button>
      )}
      {LEADING_ON.filter((it) => may[it] === true).map((it) => (
        <button key={it} type="button" disabled={busy} onClick={() => void leading.run(it)}>
          {say(RUN[it])}
        </button>
      ))}
      <Takeaway run={run} may={may.result} path={`${address}/result`} />
      {may.report === true && (
        <a class="button" href={apiAddress(`${address}/report`)} target="_blank" rel="noopener">
          {say(RUN.report)}
        </a>
      )}
    </Heading>
  );
}

const FORMATS = ['csv', 'ndjson'] as const;

/** The result as the workbook, and in forms for programs. */
function Takeaway({
  run,
  may,
  path,
}: {
  readonly run: RunDetailAnswer;
  readonly may: true | string | undefined;
  readonly path: string;
}) {
  if (may !== true) return undefined;
  return (
    <span class="takeaway">
      <a
        class={isUnderWay(run.state, run.kind) ? 'button' : 'button strong'}
        href={apiAddress(`${path}?format=xlsx`)}
        download
      >
        {say(RUN.result)}
      </a>
      {FORMATS.map((it) => (
        <a
          key={it}
          href={apiAddress(`${path}?format=${it}`)}
          download
          aria-label={say(RUN.result_as, { format: it })}
        >
          .{it}
        </a>
      ))}
    </span>
  );
}

const BETWEEN_STOPS_MS = 1000;

/**
 * Stops the run. It is asked for until there is an answer: to stop twice does no harm, not to stop may. It counts as asked
 * until the run stands still: what is in flight may hang for long.
 */
function useStop(address: string, goesOn: boolean, changed: () => void) {
  const [looking, setLooking] = useState(false);
  const [heard, setHeard] = useState<string>();
  useEffect(() => {
    if (!goesOn) setHeard(undefined);
  }, [goesOn]);
  const stop = useAct(async () => {
    try {
      for (;;) {
        try {
          await act('POST', `${address}/stop`);
          setHeard(address);
          break;
        } catch (error) {
          if (!(error instanceof RequestProblem) || !error.unanswered) throw error;
          setLooking(true);
          await new Promise((resolve) => setTimeout(resolve, BETWEEN_STOPS_MS));
        }
      }
    } finally {
      setLooking(false);
      changed();
    }
  });
  return { ...stop, looking, asked: stop.busy || (heard === address && goesOn) };
}
