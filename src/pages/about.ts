import type { RunPage } from './contract.js';
import { count, duration, type Times } from './format.js';
import { markOf } from './header.js';
import { html, type Markup, type Piece } from './markup.js';
import type { Words } from './words.js';

/** What a run is to its parent. */
const ROLE = { retry: 'html.retry_of', step: 'html.step_of', action: 'html.action_of' } as const;

/** Facts of the run, as the result workbook's summary has them. */
export function aboutOf({ run, warnings, warningsLeft }: RunPage, words: Words, times: Times): Markup {
  const at = (ms: number): Markup =>
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
    [words('html.start'), at(startedAt)],
    [words('html.applied'), appliedAt === undefined ? undefined : at(appliedAt)],
    [words('html.end'), endedAt === undefined ? undefined : at(endedAt)],
    [words('html.from_start_to_end'), took],
    [words('html.sending'), executeMs > 0 ? duration(executeMs) : undefined],
    [words('html.items'), count(run.items)],
    [words('html.requests'), words('html.requests_retries', sent)],
    [words('html.reason'), run.reason || undefined],
  ];
  const known = facts.filter(([, value]) => value !== undefined);
  const said = warnings.map((it) => html`<li>${it}</li>\n`);
  if (warningsLeft > 0)
    said.push(html`<li class="quiet">${words('html.more', { count: count(warningsLeft) })}</li>\n`);
  return html`<dl class="facts">
${known.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>\n`)}</dl>
${said.length > 0 ? html`<h3>${words('html.warnings')}</h3>\n<ul class="said">\n${said}</ul>` : undefined}`;
}
