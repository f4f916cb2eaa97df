import { html, type Markup } from './markup.js';

/** Units of a bin's width; heights are per cent. The drawing is stretched to the page, its lines keep their strength. */
const STEP = 10;
const HEIGHT = 100;

export interface Chart {
  readonly title: string;
  /** A description for people who can't see it. */
  readonly said: string;
  /** How a value of the axis is written. */
  readonly unit: (value: number) => string;
  /** Class and name of each series. */
  readonly legend: readonly (readonly [look: string, name: string])[];
  /** Bars stand on each other. */
  readonly bars?: readonly Series[];
  readonly lines?: readonly Series[];
  /** The tooltip of each bin. */
  readonly titles: readonly string[];
  /** Bins before which time was left out. */
  readonly pauses: readonly number[];
  /** Clock times at the first, middle and last end. */
  readonly times: readonly string[];
}

interface Series {
  readonly look: string;
  /** By bin; undefined: none. */
  readonly values: readonly (number | undefined)[];
}

/** A chart as inline SVG; labels are text of the page, so that they stay readable on a phone. */
export function chart(it: Chart): Markup {
  const bins = it.titles.length;
  const top = niceTop(
    Math.max(0, ...highest(it.bars ?? []), ...(it.lines ?? []).flatMap(({ values }) => defined(values))),
  );
  const y = (value: number): number => HEIGHT - (value / top) * HEIGHT;
  const legend = it.legend.map(
    ([look, name]) => html`<li><span class="key k-${look}" aria-hidden="true"></span>${name}</li>`,
  );
  return html`<figure class="chart">
<figcaption>${it.title}</figcaption>
${legend.length > 1 ? html`<ul class="legend">${legend}</ul>\n` : undefined}<div class="plot">
<div class="y" aria-hidden="true"><span>${it.unit(top)}</span><span>${it.unit(top / 2)}</span><span>0</span></div>
<svg viewBox="0 0 ${bins * STEP} ${HEIGHT}" preserveAspectRatio="none" role="img" focusable="false" aria-label="${it.said}">
<path class="grid" d="M0 0H${bins * STEP}M0 50H${bins * STEP}M0 100H${bins * STEP}"/>
${barsOf(it.bars ?? [], y)}${(it.lines ?? []).map((series) => html`<path class="line l-${series.look}" d="${lineOf(series, y)}"/>\n`)}${it.pauses.map(
  (bin) => html`<path class="pause" d="M${bin * STEP} 0V${HEIGHT}"/>\n`,
)}${it.titles.map(
  (title, bin) =>
    html`<rect class="hit" x="${bin * STEP}" y="0" width="${STEP}" height="${HEIGHT}"><title>${title}</title></rect>\n`,
)}</svg>
<div class="x" aria-hidden="true">${it.times.map((time) => html`<span>${time}</span>`)}</div>
</div>
</figure>
`;
}

function barsOf(bars: readonly Series[], y: (value: number) => number): Markup[] {
  const below: number[] = [];
  return bars.map(({ look, values }) => {
    let d = '';
    values.forEach((value, bin) => {
      const from = below[bin] ?? 0;
      below[bin] = from + (value ?? 0);
      if (!value) return;
      d += `M${bin * STEP + 1} ${round(y(from))}V${round(y(from + value))}H${(bin + 1) * STEP - 1}V${round(y(from))}Z`;
    });
    return html`<path class="f-${look}" d="${d}"/>\n`;
  });
}

/** Through the middle of each bin; a bin without a value breaks the line, one alone is a dot. */
function lineOf({ values }: Series, y: (value: number) => number): string {
  let d = '';
  values.forEach((value, bin) => {
    if (value === undefined) return;
    const at = `${bin * STEP + STEP / 2} ${round(y(value))}`;
    if (values[bin - 1] !== undefined) d += `L${at}`;
    else d += values[bin + 1] === undefined ? `M${at}h0.01` : `M${at}`;
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

/** The next round number above all values. */
export function niceTop(most: number): number {
  if (most <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(most));
  return (
    [1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10]
      .map((it) => Number((it * power).toPrecision(3)))
      .find((it) => it >= most) ?? most
  );
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
