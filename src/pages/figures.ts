import { CATALOGUE } from '../errors/catalogue/index.js';
import type { Code } from '../errors/message.js';
import type { AttemptKind, RunPage, StatusMessages } from './contract.js';
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

/** What each step of a run of several came to. */
export function partsOf({ parts = [] }: RunPage, words: Words): Markup {
  const columns = [
    { title: words('html.part'), heads: true },
    { title: words('html.operation'), labelled: true },
    { title: words('html.number'), look: 'wide', labelled: true },
    { title: words('html.requests'), look: 'n', labelled: true },
    { title: words('html.run'), labelled: true },
  ];
  const lines = parts.map((it) => [
    html`<bdi>${it.name}</bdi>`,
    it.operation,
    it.counts.map(({ status, rows }) => html`${label(status)} ${count(rows)} `),
    count(it.requests),
    it.run === undefined ? undefined : html`<bdi class="id">${it.run}</bdi>`,
  ]);
  return figuresTable(columns, lines);
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

/** How attempts ended, by kind. */
export function eventsOf({ figures: { kinds } }: RunPage, words: Words): Markup {
  const all = kinds.reduce((sum, it) => sum + it.attempts, 0);
  const columns = [
    { title: words('html.event'), look: 'wide', heads: true },
    { title: 'HTTP', look: 'n', labelled: true },
    { title: words('html.attempts'), look: 'n', labelled: true },
    { title: words('html.share'), look: 'n' },
    { title: words('html.settled'), look: 'n', labelled: true },
  ];
  const lines = kinds.map((it) => [
    kindText(it, words),
    it.httpStatus === undefined ? undefined : String(it.httpStatus),
    count(it.attempts),
    share(it.attempts, all),
    count(it.settled),
  ]);
  return figuresTable(columns, lines);
}

/** A kind in words; one from a newer ledger is shown as it is. */
function kindText({ event, sent }: AttemptKind, words: Words): string {
  const codes = [...(sent === false ? [`html.event_${event}_unsent`] : []), `html.event_${event}`];
  const known = codes.find((it) => Object.hasOwn(CATALOGUE, it));
  return known === undefined ? event : (words as (code: Code) => string)(known as Code);
}

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
