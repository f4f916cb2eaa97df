import { type Code, isCode } from '../errors/message.js';
import { count, duration, GOOD, label, share, statusClass, type Times, type Words } from './format.js';
import { figuresTable, html, type Markup, type Piece } from './markup.js';
import type { AttemptKind, PageStatus, RunPage, StatusMessages } from './run-page.js';

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

/** A mark next to the name of a run that changed nothing on the platform. */
function markOf({ rehearsal, sandbox }: RunPage['run']): Markup | undefined {
  if (rehearsal) return html` <strong class="sandbox">REHEARSAL</strong>`;
  return sandbox ? html` <strong class="sandbox">SANDBOX</strong>` : undefined;
}

function noteOf({ rehearsal, sandbox }: RunPage['run'], words: Words): Markup | undefined {
  if (rehearsal) return html`<p class="quiet">${words('html.rehearsal')}</p>`;
  return sandbox ? html`<p class="quiet">${words('html.sandbox')}</p>` : undefined;
}

function verdict(counts: RunPage['counts'], words: Words): string {
  const sum = (matches: (status: PageStatus) => boolean): number =>
    counts.reduce((total, it) => total + (matches(it.status) ? it.rows : 0), 0);
  const rows = sum(() => true);
  const fine = sum((status) => GOOD.has(status));
  if (rows === 0) return words('html.verdict_none');
  if (fine === rows) return words('html.verdict_all', { rows: count(rows) });
  return words('html.verdict_some', { rows: count(rows), fine: count(fine), wrong: count(rows - fine) });
}

export function contentsOf(
  sections: readonly (readonly [id: string, title: string])[],
  words: Words,
): Markup {
  const links = sections.map(([id, title]) => html`<li><a href="#${id}">${title}</a></li>`);
  return html`<nav aria-label="${words('html.contents')}"><ul>${links}</ul></nav>`;
}

/** The relation of a run to its parent. */
const ROLE = { retry: 'html.retry_of', step: 'html.step_of', action: 'html.action_of' } as const;

/** Facts of the run, the same as in the result workbook's summary. */
export function aboutOf({ run, warnings, warningsLeft }: RunPage, words: Words, times: Times): Markup {
  const timeElement = (ms: number): Markup =>
    html`<time datetime="${times.iso(ms)}">${times.full(ms)}</time> <span class="quiet">${times.zone}</span>`;
  const path = (text: string): Markup => html`<bdi class="path">${text}</bdi>`;
  const { parent, output, startedAt, appliedAt, endedAt, executeMs } = run;
  const took = endedAt === undefined ? undefined : duration(Math.max(0, endedAt - (appliedAt ?? startedAt)));
  const mark = markOf(run);
  const sent = { requests: count(run.requests), retries: count(run.retries) };
  const facts: readonly (readonly [string, Piece])[] = [
    [words('html.run'), html`<bdi class="id">${run.id}</bdi>`],
    [words('html.job'), html`<bdi>${run.job}</bdi>`],
    [words('html.operation'), run.operation],
    [words('html.connection'), html`<bdi>${run.connection}</bdi>${mark}`],
    [words(parent ? ROLE[parent.as] : 'html.action_of'), parent && path(parent.id)],
    [words('html.job_file'), path(run.jobFile)],
    [words('html.input'), path(run.inputFile)],
    [words('html.sha256'), html`<span class="path">${run.inputSha256}</span>`],
    [words('html.output'), output === undefined ? undefined : path(output)],
    [words('html.start'), timeElement(startedAt)],
    [words('html.applied'), appliedAt === undefined ? undefined : timeElement(appliedAt)],
    [words('html.end'), endedAt === undefined ? undefined : timeElement(endedAt)],
    [words('html.from_start_to_end'), took],
    [words('html.sending'), executeMs > 0 ? duration(executeMs) : undefined],
    [words('html.items'), count(run.items)],
    [words('html.requests'), words('html.requests_retries', sent)],
    [words('html.reason'), run.reason || undefined],
  ];
  const present = facts.filter(([, value]) => value !== undefined);
  const warningItems = warnings.map((it) => html`<li>${it}</li>\n`);
  if (warningsLeft > 0)
    warningItems.push(html`<li class="quiet">${words('html.more', { count: count(warningsLeft) })}</li>\n`);
  return html`<dl class="facts">
${present.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>\n`)}</dl>
${warningItems.length > 0 ? html`<h3>${words('html.warnings')}</h3>\n<ul class="said">\n${warningItems}</ul>` : undefined}`;
}

const WIDTH = 1000;
/** Minimum width of a bar segment, so that one row of a million is visible. */
const MIN_WIDTH = 6;

export function totalsOf({ counts }: RunPage, words: Words): Markup {
  const all = counts.reduce((sum, it) => sum + it.rows, 0);
  if (all === 0) return html`<p>${words('html.verdict_none')}</p>`;
  const columns = [
    { title: words('html.status'), heads: true },
    { title: words('html.number'), className: 'n' },
    { title: words('html.share'), className: 'n' },
    { title: words('html.meaning'), className: 'wide quiet' },
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

export function partsOf({ parts = [] }: RunPage, words: Words): Markup {
  const columns = [
    { title: words('html.part'), heads: true },
    { title: words('html.operation'), labelled: true },
    { title: words('html.number'), className: 'wide', labelled: true },
    { title: words('html.requests'), className: 'n', labelled: true },
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

/** The table below contains the same data, so the bar is hidden from screen readers. */
function bar(counts: RunPage['counts'], all: number): Markup {
  const widths = counts.map((it) => Math.max(MIN_WIDTH, (it.rows / all) * WIDTH));
  const scale = WIDTH / widths.reduce((sum, it) => sum + it, 0);
  let x = 0;
  const parts = counts.map(({ status, rows }, index) => {
    const width = (widths[index] ?? 0) * scale;
    const part = html`<rect class="f-${statusClass(status)}" x="${x.toFixed(1)}" y="0" width="${width.toFixed(1)}" height="20"><title>${status} ${count(rows)}</title></rect>`;
    x += width;
    return part;
  });
  return html`<svg class="bar" viewBox="0 0 ${WIDTH} 20" preserveAspectRatio="none" aria-hidden="true" focusable="false">${parts}</svg>`;
}

export function eventsOf({ figures: { kinds } }: RunPage, words: Words): Markup {
  const all = kinds.reduce((sum, it) => sum + it.attempts, 0);
  const columns = [
    { title: words('html.event'), className: 'wide', heads: true },
    { title: 'HTTP', className: 'n', labelled: true },
    { title: words('html.attempts'), className: 'n', labelled: true },
    { title: words('html.share'), className: 'n' },
    { title: words('html.settled'), className: 'n', labelled: true },
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

/** The text of a kind; an unknown kind (from a newer ledger) is shown unchanged. */
function kindText({ event, sent }: AttemptKind, words: Words): string {
  const codes = [...(sent === false ? [`html.event_${event}_unsent`] : []), `html.event_${event}`];
  const known = codes.find(isCode);
  return known === undefined ? event : (words as (code: Code) => string)(known);
}

/** Messages of rows, grouped, one table per status. */
export function rowMessagesOf({ messages }: RunPage, words: Words): Markup {
  return html`<p class="quiet">${words('html.sayings_note')}</p>
${messages.map((it) => ofStatus(it, words))}`;
}

function ofStatus({ status, rows, groups, others }: StatusMessages, words: Words): Markup {
  const columns = [
    { title: words('html.number'), className: 'n', labelled: true },
    { title: words('html.code'), className: 'code', labelled: true },
    { title: words('html.first_row'), className: 'n', labelled: true },
    { title: words('html.saying'), className: 'wide' },
  ];
  const lines = groups.map((it) => [
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
