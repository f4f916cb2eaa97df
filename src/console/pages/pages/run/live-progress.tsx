import { isUnderWay } from '../../../../model/under-way.js';
import { ask } from '../../api/client.js';
import type { ProgressAnswer, RunDetailAnswer, RunNews } from '../../api/runs.js';
import { useAsked } from '../../api/use-asked.js';
import { Chart } from '../../parts/chart.js';
import { Facts } from '../../parts/facts.js';
import { Notice } from '../../parts/notices.js';
import { Progress } from '../../parts/progress.js';
import { Counts, countsNow, type RowCounts } from '../../parts/status.js';
import { durationText, number, say, timeText } from '../../words/language.js';
import { RUN } from '../../words/run.js';

interface LiveProgressProps {
  readonly run: RunDetailAnswer;
  readonly news: RunNews | undefined;
  readonly state: string;
  readonly counts: RowCounts;
  readonly live: boolean;
}

/** How far a run is: counts, bar, rate, time left, and the picture of it. */
export function LiveProgress({ run, news, state, counts, live }: LiveProgressProps) {
  const underWay = isUnderWay(state, run.kind);
  // A plan may have waited for days until it was sent.
  const began = Date.parse(run.applied ?? run.started);
  const between = run.ended === undefined ? undefined : Date.parse(run.ended) - began;
  return (
    <section class="card" aria-labelledby="counts">
      <h2 id="counts">
        {say(RUN.counts)} {live && <span class="live">{say(RUN.live)}</span>}
      </h2>
      {Object.values(counts).some((it) => it > 0) ? (
        <Counts counts={countsNow(counts, underWay)} big />
      ) : (
        <p class="quiet">{say(state === 'queued' ? RUN.queued : RUN.nothing_yet)}</p>
      )}
      {underWay && <Progress done={news?.done ?? 0} total={news?.total ?? 0} />}
      {underWay && news?.pause && (
        <Notice tone="doubt">
          <p>{say(RUN.paused, { time: timeText(news.pause.until, { seconds: true }) })}</p>
        </Notice>
      )}
      <Facts
        of={[
          [say(RUN.rate), underWay && news?.rate !== undefined ? rateText(news.rate) : undefined],
          [
            say(RUN.left),
            underWay && news?.etaMs !== undefined
              ? say(RUN.about, { time: durationText(news.etaMs) })
              : undefined,
          ],
          [say(RUN.took), underWay || between === undefined ? undefined : durationText(between)],
          [
            say(RUN.requests),
            run.requests > 0 && !underWay
              ? say(RUN.requests_of, { requests: run.requests, retries: run.retries })
              : undefined,
          ],
        ]}
      />
      {news?.series ? (
        <Chart
          series={news.series}
          total={news.total || run.items}
          without={underWay ? ['valid', 'not_sent', 'unknown'] : undefined}
        />
      ) : (
        !underWay && run.kind === 'run' && <PastChart run={run} />
      )}
    </section>
  );
}

/** How it went, of a run that nobody hears of any more. */
function PastChart({ run }: { readonly run: RunDetailAnswer }) {
  const path = `/runs/${encodeURIComponent(run.run)}/timeline`;
  const { value } = useAsked(`${path} ${run.state} ${run.ended} ${JSON.stringify(run.counts)}`, (signal) =>
    ask<Required<Pick<ProgressAnswer, 'series'>>>(path, { signal }),
  );
  return value && <Chart series={value.series} total={run.rows} />;
}

function rateText(rate: number): string {
  const digits = rate < 10 ? 1 : 0;
  return say(RUN.per_second, { count: number(rate, { maximumFractionDigits: digits }) });
}
