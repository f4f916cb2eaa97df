import { durationText, listText, number, t } from '../words/language.js';
import { countsInOrder, countText, type RowCounts, statusWord } from './status.js';

/** The counts at a time in milliseconds since 1970. */
export type CountsAt = readonly [at: number, counts: RowCounts];

const WIDTH = 600;
const HEIGHT = 120;
/** Maximum number of rendered points; longer series are downsampled. */
const MAX_POINTS = 200;

interface ChartProps {
  readonly series: readonly CountsAt[];
  readonly total: number;
  /** Statuses not rendered, because they are only the remainder. */
  readonly without?: readonly string[];
}

/** A stacked chart of rows by status over time. The last counts are its description for screen readers. */
export function Chart({ series, total, without = ['valid', 'not_sent'] }: ChartProps) {
  const points = downsampled(series);
  const [first, last] = [points[0], points.at(-1)];
  if (!first || !last || last[0] <= first[0]) return undefined;
  const shown = countsInOrder(highest(points)).filter(([status]) => !without.includes(status));
  const top = Math.max(
    1,
    total,
    ...points.map(([, counts]) => shown.reduce((sum, [it]) => sum + (counts[it] ?? 0), 0)),
  );
  const x = (at: number): number => round(((at - first[0]) / (last[0] - first[0])) * WIDTH);
  const y = (count: number): number => round(HEIGHT - (count / top) * HEIGHT);
  const below = points.map(() => 0);
  const time = durationText(last[0] - first[0]);
  const counts = countsInOrder(last[1]).map(([status, count]) => countText(status, count));
  return (
    <figure class="chart">
      <figcaption>{t('common.chart')}</figcaption>
      <div class="plot">
        <div class="axis" aria-hidden="true">
          <span>{number(top)}</span>
          <span>0</span>
        </div>
        <svg
          viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
          preserveAspectRatio="none"
          role="img"
          aria-label={t('common.chart_description', { time, counts: listText(counts), total })}
        >
          <title>{t('common.chart')}</title>
          <path class="lines" d={`M0 0H${WIDTH}M0 ${HEIGHT / 2}H${WIDTH}M0 ${HEIGHT}H${WIDTH}`} />
          {shown.map(([status]) => {
            const lower = points.map(([at], index) => `${x(at)} ${y(below[index] ?? 0)}`).reverse();
            points.forEach(([, countsAt], index) => {
              below[index] = (below[index] ?? 0) + (countsAt[status] ?? 0);
            });
            const upper = points.map(([at], index) => `${x(at)} ${y(below[index] ?? 0)}`);
            const d = `M${upper.join('L')}L${lower.join('L')}Z`;
            return <path key={status} style={{ fill: colour(status) }} d={d} />;
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
            <span class="key" style={{ background: colour(status) }} aria-hidden="true" />
            {statusWord(status)}
          </li>
        ))}
      </ul>
    </figure>
  );
}

/** Other statuses have no colour. */
function colour(status: string): string {
  return `var(--f-${status}, transparent)`;
}

function downsampled(series: readonly CountsAt[]): readonly CountsAt[] {
  const stride = Math.ceil(series.length / MAX_POINTS);
  return stride <= 1
    ? series
    : series.filter((_, index) => index % stride === 0 || index === series.length - 1);
}

function highest(points: readonly CountsAt[]): RowCounts {
  const maxima: Record<string, number> = {};
  for (const [, counts] of points) {
    for (const [status, count] of Object.entries(counts))
      maxima[status] = Math.max(maxima[status] ?? 0, count);
  }
  return maxima;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
