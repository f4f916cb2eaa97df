import type { RunPage } from './contract.js';
import { count, duration, type Times } from './format.js';
import { html, type Markup, type Piece } from './markup.js';
import type { Words } from './words.js';

/** Facts of the run, as the result workbook's summary has them. */
export function aboutOf({ run, warnings, warningsLeft }: RunPage, words: Words, times: Times): Markup {
  const at = (ms: number): Markup =>
    html`<time datetime="${times.iso(ms)}">${times.full(ms)}</time> <span class="quiet">${times.zone}</span>`;
  const path = (text: string): Markup => html`<bdi class="path">${text}</bdi>`;
  const facts: (readonly [string, Piece])[] = [
    [words('html.run'), html`<bdi class="id">${run.id}</bdi>`],
    [words('html.job'), html`<bdi>${run.job}</bdi>`],
    [words('html.operation'), run.operation],
    [
      words('html.connection'),
      html`<bdi>${run.connection}</bdi>${run.sandbox ? html` <strong class="sandbox">SANDBOX</strong>` : undefined}`,
    ],
    ...(run.parent
      ? [[words(run.parent.retry ? 'html.retry_of' : 'html.action_of'), path(run.parent.id)] as const]
      : []),
    [words('html.job_file'), path(run.jobFile)],
    [words('html.input'), path(run.inputFile)],
    [words('html.sha256'), html`<span class="path">${run.inputSha256}</span>`],
    ...(run.output === undefined ? [] : [[words('html.output'), path(run.output)] as const]),
    [words('html.start'), at(run.startedAt)],
    ...(run.endedAt === undefined
      ? []
      : ([
          [words('html.end'), at(run.endedAt)],
          [words('html.from_start_to_end'), duration(Math.max(0, run.endedAt - run.startedAt))],
        ] as const)),
    ...(run.executeMs > 0 ? [[words('html.sending'), duration(run.executeMs)] as const] : []),
    [words('html.items'), count(run.items)],
    [
      words('html.requests'),
      words('html.requests_retries', { requests: count(run.requests), retries: count(run.retries) }),
    ],
    ...(run.reason ? [[words('html.reason'), run.reason] as const] : []),
  ];
  const said = warnings.map((it) => html`<li>${it}</li>\n`);
  if (warningsLeft > 0)
    said.push(html`<li class="quiet">${words('html.more', { count: count(warningsLeft) })}</li>\n`);
  return html`<dl class="facts">
${facts.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>\n`)}</dl>
${said.length > 0 ? html`<h3>${words('html.warnings')}</h3>\n<ul class="said">\n${said}</ul>` : undefined}`;
}
