import { isUnderWay } from '../../../../model/under-way.js';
import { act } from '../../api/client.js';
import type { RunDetailAnswer } from '../../api/runs.js';
import { useAct } from '../../api/use-act.js';
import { announce } from '../../parts/live.js';
import { Notice, ProblemNotice } from '../../parts/notices.js';
import { say } from '../../words/language.js';
import { RUN } from '../../words/run.js';
import type { ResolvedAnswer } from './resolve.js';

/** What is doubtful stands above all else, with the way to settle it. */
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
  } = useAct(async () => {
    const { settled, left } = await act<ResolvedAnswer>(
      'POST',
      `/runs/${encodeURIComponent(run.run)}/resolve`,
      {
        verify: true,
      },
    );
    announce(say(RUN.settled, { count: settled.length, left: left.length }));
    changed();
  });
  const why = run.may.resolve;
  if (count === 0 || isUnderWay(run.state, run.kind)) return undefined;
  return (
    <Notice tone="doubt">
      <p class="first">{say(RUN.unknown_rows, { count })}</p>
      {typeof why === 'string' && <p>{why}</p>}
      {why === true && (
        <p>
          <button type="button" disabled={busy} onClick={() => void askAll()}>
            {busy && <span class="spinner" aria-hidden="true" />}
            {say(RUN.ask_all)}
          </button>
        </p>
      )}
      {problem && <ProblemNotice problem={problem} />}
    </Notice>
  );
}
