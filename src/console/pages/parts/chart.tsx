import { COMMON } from '../words/common.js';
import { durationText, number, say } from '../words/language.js';
import { countsInOrder, countText, type RowCounts, statusWord } from './status.js';

/** The counts at a moment: milliseconds since 1970. */
export type CountsAt = readonly [at: number, counts: RowCounts];

const WIDTH = 600;
const HEIGHT = 120;
/** A drawing is no finer than this; more moments are thinned out. */
const MOMENTS = 200;

interface ChartProps {
  readonly series: readonly CountsAt[];
  readonly total: number;
  /** Statuses that aren't drawn, because they only are what is left. */
  readonly without?: readonly string[];
}

/** Rows by status over time, one on top of the other. Those who can't see it hear the last counts. */
export function Chart({ series, total, without = ['valid', 'not_sent'] }: ChartProps) {
  const moments = thinned(series);
  const [first, last] = [moments[0], moments.at(-1)];
  if (!first || !last || last[0] <= first[0]) return undefined;
  const shown = countsInOrder(highest(moments)).filter(([status]) => !without.includes(status));
  const top = Math.max(
    1,
    total,
    ...moments.map(([, counts]) => shown.reduce((sum, [it]) => sum + (counts[it] ?? 0), 0)),
  );
  const x = (at: number): number => round(((at - first[0]) / (last[0] - first[0])) * WIDTH);
  const y = (count: number): number => round(HEIGHT - (count / top) * HEIGHT);
  const below = moments.map(() => 0);
  const time = durationText(last[0] - first[0]);
  const counts = countsInOrder(last[1]).map(([status, count]) => countText(status, count));
  return (
    <figure class="chart">
      <figcaption>{say(COMMON.chart)}</figcaption>
      <div class="plot">
        <div class="axis" aria-hidden="true">
          <span>{number(top)}</span>
          <span>0</span>
        </div>
        <svg
          viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
          preserveAspectRatio="none"
          role="img"
          aria-label={say(COMMON.chart_said, { time, counts: counts.join(', '), total })}
        >
          <title>{say(COMMON.chart)}</title>
          <path class="lines" d={`M0 0H${WIDTH}M0 ${HEIGHT / 2}H${WIDTH}M0 ${HEIGHT}H${WIDTH}`} />
          {shown.map(([status]) => {
            const lower = moments.map(([at], index) => `${x(at)} ${y(below[index] ?? 0)}`).reverse();
            moments.forEach(([, now], index) => {
              below[index] = (below[index] ?? 0) + (now[status] ?? 0);
            });
            const upper = moments.map(([at], index) => `${x(at)} ${y(below[index] ?? 0)}`);
            return <path key={status} class={`f-${status}`} d={`M${upper.join('L')}L${lower.join('L')}Z`} />;
          })}
        </svg>
        <div class="axis across" aria-hidden="true">
          <span>0</span>
          <span>{time}</span>
        </div>
      </div>
      <ul class="legend">
        {shown.map(([status]) => (
          <li key={status}>
            <span class={`key k-${status}`} aria-hidden="true" />
            {statusWord(status)}
          </li>
        ))}
      </ul>
    </figure>
  );
}

function thinned(series: readonly CountsAt[]): readonly CountsAt[] {
  const each = Math.ceil(series.length / MOMENTS);
  return each <= 1 ? series : series.filter((_, index) => index % each === 0 || index === series.length - 1);
}

function highest(moments: readonly CountsAt[]): RowCounts {
  const found: Record<string, number> = {};
  for (const [, counts] of moments) {
    for (const [status, count] of Object.entries(counts)) found[status] = Math.max(found[status] ?? 0, count);
  }
  return found;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
