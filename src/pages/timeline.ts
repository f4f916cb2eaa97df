import { count, duration, figure, type Times, type Words } from './format.js';
import { figuresTable, html, type Markup } from './markup.js';
import type { Latency, RunPage, Timeline, TimelineBin } from './run-page.js';

/** Width of a bin in SVG units; heights are per cent. The drawing is stretched, but the width of lines is not scaled. */
const STEP = 10;
const HEIGHT = 100;

export interface Chart {
  readonly title: string;
  /** Alternative text. */
  readonly description: string;
  /** Formats a value of the y axis. */
  readonly unit: (value: number) => string;
  /** CSS class and name of each series. */
  readonly legend: readonly (readonly [className: string, name: string])[];
  /** Stacked bars. */
  readonly bars?: readonly Series[];
  readonly lines?: readonly Series[];
  /** The tooltip of each bin. */
  readonly titles: readonly string[];
  /** Bins that follow an omitted pause. */
  readonly pauses: readonly number[];
  /** Clock times at the start, middle and end. */
  readonly times: readonly string[];
}

interface Series {
  readonly className: string;
  /** One per bin. */
  readonly values: readonly (number | undefined)[];
}

/** A chart as inline SVG. Labels are HTML text, so that they are readable on phones. */
function chart(spec: Chart): Markup {
  const bins = spec.titles.length;
  const top = niceTop(
    Math.max(0, ...highest(spec.bars ?? []), ...(spec.lines ?? []).flatMap(({ values }) => defined(values))),
  );
  const y = (value: number): number => HEIGHT - (value / top) * HEIGHT;
  const legend = spec.legend.map(
    ([className, name]) => html`<li><span class="key k-${className}" aria-hidden="true"></span>${name}</li>`,
  );
  return html`<figure class="chart">
<figcaption>${spec.title}</figcaption>
${legend.length > 1 ? html`<ul class="legend">${legend}</ul>\n` : undefined}<div class="plot">
<div class="y" aria-hidden="true"><span>${spec.unit(top)}</span><span>${spec.unit(top / 2)}</span><span>0</span></div>
<svg viewBox="0 0 ${bins * STEP} ${HEIGHT}" preserveAspectRatio="none" role="img" focusable="false" aria-label="${spec.description}">
<path class="grid" d="M0 0H${bins * STEP}M0 50H${bins * STEP}M0 100H${bins * STEP}"/>
${barsOf(spec.bars ?? [], y)}${(spec.lines ?? []).map((series) => html`<path class="line l-${series.className}" d="${lineOf(series, y)}"/>\n`)}${spec.pauses.map(
  (bin) => html`<path class="pause" d="M${bin * STEP} 0V${HEIGHT}"/>\n`,
)}${spec.titles.map(
  (title, bin) =>
    html`<rect class="hit" x="${bin * STEP}" y="0" width="${STEP}" height="${HEIGHT}"><title>${title}</title></rect>\n`,
)}</svg>
<div class="x" aria-hidden="true">${spec.times.map((time) => html`<span>${time}</span>`)}</div>
</div>
</figure>
`;
}

function barsOf(bars: readonly Series[], y: (value: number) => number): Markup[] {
  const below: number[] = [];
  return bars.map(({ className, values }) => {
    let d = '';
    values.forEach((value, bin) => {
      const from = below[bin] ?? 0;
      below[bin] = from + (value ?? 0);
      if (!value) return;
      d += `M${bin * STEP + 1} ${round(y(from))}V${round(y(from + value))}H${(bin + 1) * STEP - 1}V${round(y(from))}Z`;
    });
    return html`<path class="f-${className}" d="${d}"/>\n`;
  });
}

/** A line through the middles of the bins. A bin without a value interrupts it; a single value is a dot. */
function lineOf({ values }: Series, y: (value: number) => number): string {
  let d = '';
  values.forEach((value, bin) => {
    if (value === undefined) return;
    const point = `${bin * STEP + STEP / 2} ${round(y(value))}`;
    if (values[bin - 1] !== undefined) d += `L${point}`;
    else d += values[bin + 1] === undefined ? `M${point}h0.01` : `M${point}`;
  });
  return d;
}

function highest(bars: readonly Series[]): number[] {
  const sums: number[] = [];
  for (const { values } of bars) {
    values.forEach((value, bin) => {
      sums[bin] = (sums[bin] ?? 0) + (value ?? 0);
    });
  }
  return sums;
}

function defined(values: Series['values']): number[] {
  return values.filter((it) => it !== undefined);
}

/** The next round number not below the maximum. */
export function niceTop(max: number): number {
  if (max <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(max));
  return (
    [1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10]
      .map((it) => Number((it * power).toPrecision(3)))
      .find((it) => it >= max) ?? max
  );
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}

/** Minimum number of bins of a chart. */
const MIN_BINS = 3;
const FINE_MS = 1000;

const PERCENTILES = ['p50', 'p90', 'p99'] as const;

/** The timeline of the run: requests and items per second, and latency. */
export function timelineOf({ figures }: RunPage, words: Words, times: Times): Markup {
  const { timeline, latency } = figures;
  if (!timeline) return html`<p>${words('html.timeline_none')}</p>`;
  const numbers = latency && latencyFigures(latency, words);
  if (timeline.length < MIN_BINS) return html`${numbers}<p>${words('html.timeline_short')}</p>`;
  const pauses = timeline.flatMap(({ pauseMs }) => (pauseMs === undefined ? [] : [duration(pauseMs)]));
  return html`${numbers}${charts(timeline, words, times)}${
    pauses.length > 0
      ? html`<p class="quiet">${words('html.pauses', { pauses: pauses.join(', ') })}</p>\n`
      : undefined
  }${asTable(timeline, words, times)}`;
}

function latencyFigures(latency: Latency, words: Words): Markup {
  const parts = PERCENTILES.map(
    (it) =>
      html`<div><dt>${words(`html.${it}`)} <span class="quiet">(${it})</span></dt><dd>${duration(latency[it])}</dd></div>\n`,
  );
  return html`<dl class="tiles">\n${parts}</dl>\n<p class="quiet">${words('html.latency_note')}</p>\n`;
}

function charts(timeline: Timeline, words: Words, times: Times): Markup {
  const clock = clockOf(timeline, times);
  const last = timeline.at(-1)!;
  const [from, to] = [clock(timeline[0]!.from), clock(last.from + last.ms)];
  const shared: Pick<Chart, 'titles' | 'pauses' | 'times'> = {
    titles: timeline.map((it) => binTitle(it, words, clock)),
    pauses: timeline.flatMap(({ pauseMs }, bin) => (pauseMs === undefined ? [] : [bin])),
    times: [from, clock(timeline[Math.floor(timeline.length / 2)]!.from), to],
  };
  const answered = timeline.map((it) => perSecond(it, it.answered));
  const others = timeline.map((it) => perSecond(it, it.others));
  const settled = timeline.map((it) => perSecond(it, it.settled));
  const requests = timeline.map((it) => perSecond(it, it.answered + it.others));
  const most = (values: readonly number[]): string => figure(Math.max(...values));
  const hasBatches = timeline.some((it) => it.settled > it.answered + it.others);
  const slowest = Math.max(0, ...timeline.map((it) => it.latency?.p99 ?? 0));
  return html`${chart({
    ...shared,
    title: words('html.throughput'),
    description: words('html.chart_throughput', { from, to, most: most(requests) }),
    unit: figure,
    legend: [
      ['answered', words('html.answered')],
      ...(others.some((it) => it > 0) ? [['others', words('html.others')] as const] : []),
    ],
    bars: [
      { className: 'answered', values: answered },
      { className: 'others', values: others },
    ],
  })}${
    hasBatches
      ? chart({
          ...shared,
          title: words('html.throughput_items'),
          description: words('html.chart_items', { from, to, most: most(settled) }),
          unit: figure,
          legend: [],
          bars: [{ className: 'answered', values: settled }],
        })
      : undefined
  }${
    slowest > 0
      ? chart({
          ...shared,
          title: words('html.latency'),
          description: words('html.chart_latency', { from, to, most: duration(slowest) }),
          unit: duration,
          legend: PERCENTILES.map((it) => [it, it]),
          lines: PERCENTILES.map((it) => ({
            className: it,
            values: timeline.map(({ latency }) => latency?.[it]),
          })),
        })
      : undefined
  }`;
}

function binTitle(bin: TimelineBin, words: Words, clock: (ms: number) => string): string {
  const { from, answered, others, settled, latency } = bin;
  const params = { time: clock(from), requests: count(answered + others), items: count(settled) };
  const took = latency ? `; ${PERCENTILES.map((it) => `${it} ${duration(latency[it])}`).join(', ')}` : '';
  return words('html.bin_title', params) + took;
}

function asTable(timeline: Timeline, words: Words, times: Times): Markup {
  const clock = clockOf(timeline, times);
  const number = (title: string) => ({ title, className: 'n' });
  const columns = [
    { ...number(words('html.time', { zone: times.zone })), heads: true },
    number(words('html.throughput')),
    number(words('html.others')),
    number(words('html.throughput_items')),
    ...PERCENTILES.map(number),
  ];
  const lines = timeline.map((it) => [
    clock(it.from),
    figure(perSecond(it, it.answered + it.others)),
    figure(perSecond(it, it.others)),
    figure(perSecond(it, it.settled)),
    ...PERCENTILES.map((p) => (it.latency ? duration(it.latency[p]) : '–')),
  ]);
  return html`<details>
<summary>${words('html.as_table')}</summary>
<div class="scroll" tabindex="0" role="region" aria-label="${words('html.timeline')}">
${figuresTable(columns, lines)}</div>
</details>
`;
}

/** Formats times: with the date if the run took several days, with milliseconds if bins are short. */
function clockOf(timeline: Timeline, times: Times): (ms: number) => string {
  const [first, last] = [timeline[0]!, timeline.at(-1)!];
  const day = (ms: number): string => times.full(ms).slice(0, 10);
  if (day(first.from) !== day(last.from + last.ms)) return (ms) => times.full(ms).slice(5);
  return (ms) => times.clock(ms, first.ms < FINE_MS);
}

function perSecond({ ms }: TimelineBin, n: number): number {
  return n / (ms / 1000);
}
