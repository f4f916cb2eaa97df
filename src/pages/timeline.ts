import { type Chart, chart } from './chart.js';
import type { Latency, RunPage, Timeline, TimelineBin } from './contract.js';
import { count, duration, figure, type Times } from './format.js';
import { html, type Markup } from './markup.js';
import { figuresTable } from './table.js';
import type { Words } from './words.js';

/** Fewer parts than this are no curve. */
const LEAST_BINS = 3;
const FINE_MS = 1000;

const PERCENTILES = ['p50', 'p90', 'p99'] as const;

/** How the run went over time: requests and items per second, and how long requests took. */
export function timelineOf({ figures }: RunPage, words: Words, times: Times): Markup {
  const { timeline, latency } = figures;
  if (!timeline) return html`<p>${words('html.timeline_none')}</p>`;
  const numbers = latency && latencyFigures(latency, words);
  if (timeline.length < LEAST_BINS) return html`${numbers}<p>${words('html.timeline_short')}</p>`;
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
  const several = timeline.some((it) => it.settled > it.answered + it.others);
  const slowest = Math.max(0, ...timeline.map((it) => it.latency?.p99 ?? 0));
  return html`${chart({
    ...shared,
    title: words('html.throughput'),
    said: words('html.chart_throughput', { from, to, most: most(requests) }),
    unit: figure,
    legend: [
      ['answered', words('html.answered')],
      ...(others.some((it) => it > 0) ? [['others', words('html.others')] as const] : []),
    ],
    bars: [
      { look: 'answered', values: answered },
      { look: 'others', values: others },
    ],
  })}${
    several
      ? chart({
          ...shared,
          title: words('html.throughput_items'),
          said: words('html.chart_items', { from, to, most: most(settled) }),
          unit: figure,
          legend: [],
          bars: [{ look: 'answered', values: settled }],
        })
      : undefined
  }${
    slowest > 0
      ? chart({
          ...shared,
          title: words('html.latency'),
          said: words('html.chart_latency', { from, to, most: duration(slowest) }),
          unit: duration,
          legend: PERCENTILES.map((it) => [it, it]),
          lines: PERCENTILES.map((it) => ({
            look: it,
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
  const number = (title: string) => ({ title, look: 'n' });
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

/** How times of the run are written: with the day where there are several, finely where it was short. */
function clockOf(timeline: Timeline, times: Times): (ms: number) => string {
  const [first, last] = [timeline[0]!, timeline.at(-1)!];
  const day = (ms: number): string => times.full(ms).slice(0, 10);
  if (day(first.from) !== day(last.from + last.ms)) return (ms) => times.full(ms).slice(5);
  return (ms) => times.clock(ms, first.ms < FINE_MS);
}

function perSecond({ ms }: TimelineBin, n: number): number {
  return n / (ms / 1000);
}
