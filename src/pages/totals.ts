import type { RunPage } from './contract.js';
import { count, share } from './format.js';
import { html, type Markup } from './markup.js';
import { label, statusClass } from './status-label.js';
import { figuresTable } from './table.js';
import type { Words } from './words.js';

const WIDTH = 1000;
/** Wide enough to see one row of a million. */
const LEAST = 6;

/** A bar and a table of rows by status. */
export function totalsOf({ counts }: RunPage, words: Words): Markup {
  const all = counts.reduce((sum, it) => sum + it.rows, 0);
  if (all === 0) return html`<p>${words('html.verdict_none')}</p>`;
  const columns = [
    { title: words('html.status'), heads: true },
    { title: words('html.number'), look: 'n' },
    { title: words('html.share'), look: 'n' },
    { title: words('html.meaning'), look: 'wide quiet' },
  ];
  const lines = counts.map(({ status, rows }) => [
    label(status),
    count(rows),
    share(rows, all),
    words(`html.is_${status}`),
  ]);
  return html`${bar(counts, all)}
${figuresTable(columns, lines, [words('html.all'), count(all)])}`;
}

/** The bar repeats the table below, so screen readers skip it. */
function bar(counts: RunPage['counts'], all: number): Markup {
  const wanted = counts.map((it) => Math.max(LEAST, (it.rows / all) * WIDTH));
  const scale = WIDTH / wanted.reduce((sum, it) => sum + it, 0);
  let x = 0;
  const parts = counts.map(({ status, rows }, index) => {
    const width = (wanted[index] ?? 0) * scale;
    const part = html`<rect class="f-${statusClass(status)}" x="${x.toFixed(1)}" y="0" width="${width.toFixed(1)}" height="20"><title>${status} ${count(rows)}</title></rect>`;
    x += width;
    return part;
  });
  return html`<svg class="bar" viewBox="0 0 ${WIDTH} 20" preserveAspectRatio="none" aria-hidden="true" focusable="false">${parts}</svg>`;
}
