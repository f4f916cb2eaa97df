import type { PageProblem, RunPage } from './contract.js';
import { count } from './format.js';
import { html, type Markup } from './markup.js';
import { label } from './status-label.js';
import { type Column, tableEnd, tableRow, tableStart } from './table.js';
import type { Words } from './words.js';

const ROWS_AT_ONCE = 250;

/** The rows to look at, in pieces. Searching needs a script and stays hidden without one. */
export function* problemsOf({ problems }: RunPage, words: Words): Generator<Markup> {
  const { rows, left } = problems;
  if (rows.length === 0 && left.length === 0) {
    yield html`<p>${words('html.problems_none')}</p>`;
    return;
  }
  if (left.length > 0) {
    const sum = left.reduce((total, it) => total + it.rows, 0);
    const statuses = left.map((it) => `${it.status} ${count(it.rows)}`).join(', ');
    yield html`<p class="notice">${words('html.problems_left', { count: count(sum), statuses })}</p>\n`;
  }
  yield search(rows, words);
  const columns = [
    { title: words('html.row'), look: 'n', heads: true },
    { title: words('html.status') },
    { title: words('html.code'), look: 'code' },
    { title: words('html.saying'), look: 'message' },
    { title: 'licenseOrderId', look: 'order' },
  ];
  yield tableStart('problems', columns, 'problem-rows');
  for (let from = 0; from < rows.length; from += ROWS_AT_ONCE) {
    yield html`${rows.slice(from, from + ROWS_AT_ONCE).map((it) => problemRow(columns, it))}`;
  }
  yield tableEnd(columns);
}

function search(rows: readonly PageProblem[], words: Words): Markup {
  const statuses = [...new Set(rows.map((it) => it.status))];
  const shown = words('html.shown', { shown: '{shown}', all: '{all}' });
  return html`<div id="search" class="search" role="search" hidden>
<label>${words('html.search')} <input id="search-text" type="search" autocomplete="off" spellcheck="false" placeholder="${words(
    'html.search_hint',
  )}"></label>
<label>${words('html.filter')} <select id="search-status"><option value="">${words('html.filter_all')}</option>${statuses.map(
    (it) => html`<option value="${it}">${it}</option>`,
  )}</select></label>
<button id="search-clear" type="button">${words('html.clear')}</button>
<p id="search-shown" class="quiet" role="status" data-text="${shown}"></p>
</div>
`;
}

function problemRow(columns: readonly Column[], it: PageProblem): Markup {
  const values = [
    it.row === undefined ? '' : String(it.row),
    label(it.status),
    it.code && html`<bdi>${it.code}</bdi>`,
    html`<bdi>${it.message}</bdi>`,
    it.licenseOrderId && html`<bdi>${it.licenseOrderId}</bdi>`,
  ];
  return tableRow(columns, values, html` data-status="${it.status}"`);
}
