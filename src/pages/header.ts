import type { PageStatus, RunPage } from './contract.js';
import { count } from './format.js';
import { html, type Markup } from './markup.js';
import { GOOD } from './status-label.js';
import type { Words } from './words.js';

/** What run this is and how it came out, in three lines. */
export function headerOf({ run, counts }: RunPage, words: Words): Markup {
  return html`<header>
<p class="eyebrow">${words(`html.kind_${run.kind}`)} <bdi class="id">${run.id}</bdi>${markOf(run)}</p>
<h1><bdi>${run.job}</bdi></h1>
<p class="lead"><span class="state state-${run.state}">${words(`html.state_${run.state}`)}</span> ${verdict(
    counts,
    words,
  )}</p>
${run.reason === undefined ? undefined : html`<p>${run.reason}</p>\n`}${noteOf(run, words)}
</header>`;
}

/** What stands beside the name of a run that had no effect. */
export function markOf({ rehearsal, sandbox }: RunPage['run']): Markup | undefined {
  if (rehearsal) return html` <strong class="sandbox">REHEARSAL</strong>`;
  return sandbox ? html` <strong class="sandbox">SANDBOX</strong>` : undefined;
}

function noteOf({ rehearsal, sandbox }: RunPage['run'], words: Words): Markup | undefined {
  if (rehearsal) return html`<p class="quiet">${words('html.rehearsal')}</p>`;
  return sandbox ? html`<p class="quiet">${words('html.sandbox')}</p>` : undefined;
}

function verdict(counts: RunPage['counts'], words: Words): string {
  const sum = (wanted: (status: PageStatus) => boolean): number =>
    counts.reduce((total, it) => total + (wanted(it.status) ? it.rows : 0), 0);
  const rows = sum(() => true);
  const fine = sum((status) => GOOD.has(status));
  if (rows === 0) return words('html.verdict_none');
  if (fine === rows) return words('html.verdict_all', { rows: count(rows) });
  return words('html.verdict_some', { rows: count(rows), fine: count(fine), wrong: count(rows - fine) });
}

/** Links to the sections, by their ids. */
export function contentsOf(
  sections: readonly (readonly [id: string, title: string])[],
  words: Words,
): Markup {
  const links = sections.map(([id, title]) => html`<li><a href="#${id}">${title}</a></li>`);
  return html`<nav aria-label="${words('html.contents')}"><ul>${links}</ul></nav>`;
}
