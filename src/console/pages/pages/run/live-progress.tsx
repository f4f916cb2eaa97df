import { useEffect, useRef, useState } from 'preact/hooks';
import { isUnderWay } from '../../../../model/run-outcome.js';
import { listen } from '../../api/events.js';
import type { ProgressAnswer, RunDetailAnswer, RunPageEvent } from '../../api/replies.js';
import { useResource } from '../../api/use-query.js';
import { Chart } from '../../parts/chart.js';
import { Notice, Progress } from '../../parts/notices.js';
import { Counts, countsNow, type RowCounts } from '../../parts/status.js';
import { Facts } from '../../parts/table.js';
import { durationText, number, t, timeText } from '../../words/language.js';

interface LiveProgressProps {
  readonly run: RunDetailAnswer;
  readonly event: RunPageEvent | undefined;
  readonly state: string;
  readonly counts: RowCounts;
  readonly live: boolean;
}

/** Progress of a run: counts, bar, rate, time left, and chart. */
export function LiveProgress({ run, event, state, counts, live }: LiveProgressProps) {
  const underWay = isUnderWay(state, run.kind);
  // A plan may have been sent days after it was created.
  const startedAt = Date.parse(run.applied ?? run.started);
  const tookMs = run.ended === undefined ? undefined : Date.parse(run.ended) - startedAt;
  return (
    <section class="card" aria-labelledby="counts">
      <h2 id="counts">
        {t('run.counts')} {live && <span class="live">{t('run.live')}</span>}
      </h2>
      {Object.values(counts).some((it) => it > 0) ? (
        <Counts counts={countsNow(counts, underWay)} big />
      ) : (
        <p class="quiet">{t(state === 'queued' ? 'run.queued' : 'run.no_status')}</p>
      )}
      {underWay && <Progress done={event?.done ?? 0} total={event?.total ?? 0} />}
      {underWay && event?.pause && (
        <Notice tone="doubt">
          <p>{t('run.paused', { time: timeText(event.pause.until, { seconds: true }) })}</p>
        </Notice>
      )}
      <Facts
        of={[
          [t('run.rate'), underWay && event?.rate !== undefined ? rateText(event.rate) : undefined],
          [
            t('run.left'),
            underWay && event?.etaMs !== undefined
              ? t('run.about', { time: durationText(event.etaMs) })
              : undefined,
          ],
          [t('run.took'), underWay || tookMs === undefined ? undefined : durationText(tookMs)],
          [
            t('common.requests'),
            run.requests > 0 && !underWay
              ? t('run.requests_of', { requests: run.requests, retries: run.retries })
              : undefined,
          ],
        ]}
      />
      {event?.series ? (
        <Chart
          series={event.series}
          total={event.total || run.items}
          without={underWay ? ['valid', 'not_sent', 'unknown'] : undefined}
        />
      ) : (
        !underWay && run.kind === 'run' && <PastChart run={run} />
      )}
    </section>
  );
}

/** The chart of a finished run. */
function PastChart({ run }: { readonly run: RunDetailAnswer }) {
  const path = `/runs/${encodeURIComponent(run.run)}/timeline`;
  const { value } = useResource<Required<Pick<ProgressAnswer, 'series'>>>(path, {
    also: [run.state, run.ended, run.counts],
  });
  return value && <Chart series={value.series} total={run.rows} />;
}

function rateText(rate: number): string {
  const digits = rate < 10 ? 1 : 0;
  return t('run.per_second', { count: number(rate, { maximumFractionDigits: digits }) });
}

const RECONNECT_MS = 1500;

/**
 * Listens to the events of a running run. Hidden pages disconnect, because browsers allow only six connections per
 * host. They reconnect when they are visible again.
 * @param changed called when the run's state has changed or the run has ended, because the available actions change
 */
export function useLiveRun(run: RunDetailAnswer | undefined, changed: () => void): RunPageEvent | undefined {
  const [event, setEvent] = useState<RunPageEvent>();
  const latest = useRef({ state: run?.state, changed });
  latest.current = { state: run?.state, changed };
  const id = run !== undefined && isUnderWay(run.state, run.kind) ? run.run : undefined;
  useEffect(() => {
    setEvent(undefined);
    if (id === undefined) return;
    let controller = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const connect = (): void => {
      clearTimeout(timer);
      controller.abort();
      controller = new AbortController();
      if (document.hidden) return;
      const listener = {
        event: (name: string, data: unknown) => {
          if (name === 'run') setEvent(data as RunPageEvent);
          if (name !== 'over') return;
          latest.current.changed();
          // The run may have been resumed before the page was reloaded: then there are more events.
          timer = setTimeout(connect, RECONNECT_MS);
        },
        refused: () => latest.current.changed(),
      };
      void listen(`/runs/${encodeURIComponent(id)}/events`, listener, controller.signal);
    };
    connect();
    document.addEventListener('visibilitychange', connect);
    return () => {
      clearTimeout(timer);
      controller.abort();
      document.removeEventListener('visibilitychange', connect);
    };
  }, [id]);
  useEffect(() => {
    if (event !== undefined && event.state !== latest.current.state) latest.current.changed();
  }, [event?.state]);
  // A finished run is shown by its own data: the last event may be out of date.
  return id === undefined ? undefined : event;
}

const FAST_POLL_MS = 700;
const SLOW_POLL_MS = 5000;
const FAST_POLLS = 12;

/**
 * Polls a run that waits for an action, because another user or a worker may resume it; more often after an action of
 * this page, until its effect is visible.
 * @param actionCount changes with every action
 */
export function usePolling(run: RunDetailAnswer | undefined, again: () => void, actionCount: number): void {
  const isWaiting = run !== undefined && run.state !== 'completed' && !isUnderWay(run.state, run.kind);
  useEffect(() => {
    if (!isWaiting) return;
    let polls = 0;
    let timer: ReturnType<typeof setTimeout>;
    const poll = (): void => {
      polls += 1;
      if (!document.hidden) again();
      timer = setTimeout(poll, polls < FAST_POLLS ? FAST_POLL_MS : SLOW_POLL_MS);
    };
    timer = setTimeout(poll, FAST_POLL_MS);
    return () => clearTimeout(timer);
  }, [isWaiting, again, actionCount]);
}
