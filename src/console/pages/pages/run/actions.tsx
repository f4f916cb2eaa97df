import { useEffect, useState } from 'preact/hooks';
import { isUnderWay } from '../../../../model/run-outcome.js';
import { apiAddress, getJson, sendJson } from '../../api/client.js';
import { RequestProblem } from '../../api/problem.js';
import type { RunDetailAnswer } from '../../api/replies.js';
import { useAction } from '../../api/use-action.js';
import { ConfirmDialog } from '../../parts/dialog.js';
import { Heading } from '../../parts/heading.js';
import { announce, ProblemNotice } from '../../parts/notices.js';
import { attentionCount } from '../../parts/status.js';
import { go } from '../../router.js';
import { t } from '../../words/language.js';

interface RunActionsProps {
  readonly run: RunDetailAnswer;
  readonly changed: () => void;
}

/** Actions that create a plan, which the user reviews and sends. */
const PLANNING_ACTIONS = ['retry', 'revert'] as const;

/** The top of the page, with the available actions and the reasons why others are not available. */
export function RunHeading({ run, changed }: RunActionsProps) {
  const { may } = run;
  const address = `/runs/${encodeURIComponent(run.run)}`;
  const stop = useStop(address, may.stop === true, changed);
  const [confirming, setConfirming] = useState(false);
  const resume = useAction(
    async () => {
      await sendJson('POST', `${address}/resume`);
      setConfirming(false);
      changed();
    },
    // Resuming a running run is rejected, so it is sufficient to look up whether it is running.
    async () => {
      const { state, kind } = await getJson<RunDetailAnswer>(address);
      changed();
      if (isUnderWay(state, kind)) setConfirming(false);
      return isUnderWay(state, kind);
    },
  );
  const createPlan = useAction(async (action: (typeof PLANNING_ACTIONS)[number]) => {
    const { run: plan } = await sendJson<{ readonly run: string }>('POST', `${address}/${action}`, {});
    announce(t('run.plan_created'));
    go(`/plans/${encodeURIComponent(plan)}`);
  });
  const busy = stop.busy || resume.busy || createPlan.busy;
  const unavailable = (['resume', 'retry', 'revert', 'stop'] as const).flatMap((it) => {
    const why = may[it];
    return typeof why === 'string' ? [{ act: it, why }] : [];
  });
  const problem = stop.problem ?? resume.problem ?? createPlan.problem;
  const below = (
    <>
      {stop.isStopping && (
        <p class="quiet" role="status">
          {t(stop.checkingOutcome ? 'run.stop_without_reply' : 'run.stopping')}
        </p>
      )}
      {unavailable.length > 0 && (
        <details class="refused">
          <summary>{t('run.why_not')}</summary>
          <ul>
            {unavailable.map(({ act: it, why }) => (
              <li key={it}>
                <span class="name">{t(`run.${it}`)}:</span> {why}
              </li>
            ))}
          </ul>
        </details>
      )}
      {problem && !busy && <ProblemNotice problem={problem} />}
    </>
  );
  return (
    <Heading name={t(`kind.${run.kind}`)} title={t('run.title', { job: run.job })} below={below}>
      {may.stop === true && (
        <button type="button" class="primary danger" disabled={stop.busy} onClick={() => void stop.run()}>
          {stop.busy && <span class="spinner" aria-hidden="true" />}
          {t('run.stop')}
        </button>
      )}
      {may.resume === true && (
        <button type="button" class="primary" disabled={busy} onClick={() => setConfirming(true)}>
          {resume.busy && <span class="spinner" aria-hidden="true" />}
          {t('run.resume')}
        </button>
      )}
      {confirming && (
        <ConfirmDialog
          title={t('run.resume')}
          confirmLabel={t('run.resume')}
          close={() => setConfirming(false)}
          action={resume}
        >
          <p>{t('run.resume_left', { count: run.counts.not_sent ?? 0, connection: run.connection })}</p>
        </ConfirmDialog>
      )}
      {PLANNING_ACTIONS.filter((it) => may[it] === true).map((it) => (
        <button key={it} type="button" disabled={busy} onClick={() => void createPlan.run(it)}>
          {t(`run.${it}`)}
        </button>
      ))}
      <ResultDownloads run={run} may={may.result} path={`${address}/result`} />
      {may.result === true && !isUnderWay(run.state, run.kind) && attentionCount(run.counts) > 0 && (
        <a class="button" href={apiAddress(`${address}/result?rows=attention`)} download>
          {t('run.download_attention')}
        </a>
      )}
      {may.report === true && (
        <a class="button" href={apiAddress(`${address}/report`)} target="_blank" rel="noopener">
          {t('run.report')}
        </a>
      )}
    </Heading>
  );
}

const FORMATS = ['csv', 'ndjson'] as const;

/** Download links of the result as workbook, CSV and NDJSON. */
function ResultDownloads({
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
        {t('common.download_result')}
      </a>
      {FORMATS.map((it) => (
        <a
          key={it}
          href={apiAddress(`${path}?format=${it}`)}
          download
          aria-label={t('run.result_as', { format: it })}
        >
          .{it}
        </a>
      ))}
    </span>
  );
}

const RETRY_MS = 1000;

/**
 * Stops the run. The request is repeated until there is a response, because stopping twice is harmless. The state
 * `stopping` is shown until the run has stopped: requests in flight may take long.
 */
function useStop(address: string, isRunning: boolean, changed: () => void) {
  const [checkingOutcome, setCheckingOutcome] = useState(false);
  const [stoppedAddress, setStoppedAddress] = useState<string>();
  useEffect(() => {
    if (!isRunning) setStoppedAddress(undefined);
  }, [isRunning]);
  const stop = useAction(async () => {
    try {
      for (;;) {
        try {
          await sendJson('POST', `${address}/stop`);
          setStoppedAddress(address);
          break;
        } catch (error) {
          if (!(error instanceof RequestProblem) || !error.unanswered) throw error;
          setCheckingOutcome(true);
          await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
        }
      }
    } finally {
      setCheckingOutcome(false);
      changed();
    }
  });
  return { ...stop, checkingOutcome, isStopping: stop.busy || (stoppedAddress === address && isRunning) };
}
