import { count, label, type Words } from './format.js';
import { type Column, html, type Markup, tableEnd, tableRow, tableStart } from './markup.js';
import type { PageProblem, RunPage } from './run-page.js';

const ROWS_PER_CHUNK = 250;

/** The table of rows that need attention, in chunks. The search needs the script and is hidden without it. */
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
    { title: words('html.row'), className: 'n', heads: true },
    { title: words('html.status') },
    { title: words('html.code'), className: 'code' },
    { title: words('html.saying'), className: 'message' },
    { title: 'licenseOrderId', className: 'order' },
  ];
  yield tableStart('problems', columns, 'problem-rows');
  for (let from = 0; from < rows.length; from += ROWS_PER_CHUNK) {
    yield html`${rows.slice(from, from + ROWS_PER_CHUNK).map((it) => problemRow(columns, it))}`;
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

function problemRow(columns: readonly Column[], problem: PageProblem): Markup {
  const values = [
    problem.row === undefined ? '' : String(problem.row),
    label(problem.status),
    problem.code && html`<bdi>${problem.code}</bdi>`,
    html`<bdi>${problem.message}</bdi>`,
    problem.licenseOrderId && html`<bdi>${problem.licenseOrderId}</bdi>`,
  ];
  return tableRow(columns, values, html` data-status="${problem.status}"`);
}
