import type { RunPage, StatusMessages } from './contract.js';
import { count } from './format.js';
import { html, type Markup } from './markup.js';
import { label } from './status-label.js';
import { figuresTable } from './table.js';
import type { Words } from './words.js';

/** What rows say, grouped, one table for each status. */
export function rowMessagesOf({ messages: sayings }: RunPage, words: Words): Markup {
  return html`<p class="quiet">${words('html.sayings_note')}</p>
${sayings.map((it) => ofStatus(it, words))}`;
}

function ofStatus({ status, rows, groups: sayings, others }: StatusMessages, words: Words): Markup {
  const columns = [
    { title: words('html.number'), look: 'n', labelled: true },
    { title: words('html.code'), look: 'code', labelled: true },
    { title: words('html.first_row'), look: 'n', labelled: true },
    { title: words('html.saying'), look: 'wide' },
  ];
  const lines = sayings.map((it) => [
    count(it.rows),
    it.code === undefined ? undefined : html`<bdi>${it.code}</bdi>`,
    String(it.firstRow),
    html`<bdi>${it.text}</bdi>`,
  ]);
  return html`<h3>${label(status)} <span class="quiet">${count(rows)} ${words('html.rows')}</span></h3>
${figuresTable(columns, lines)}${
  others > 0
    ? html`<p class="quiet">${words('html.sayings_others', { count: count(others) })}</p>\n`
    : undefined
}`;
}
