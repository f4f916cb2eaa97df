import type { AppContext } from '../../app/context.js';
import { correctionsView, explainedData, explain as explainRow } from '../../app/explain.js';
import { chineseValue } from '../../errors/chinese-names.js';
import { type Language, type Message, message, render, renderText } from '../../errors/message.js';
import type { RowExplanation } from '../../run/report/explain.js';
import type { ExplainedStep } from '../../run/report/explain-steps.js';
import type { ExplainedRequest, ShownRequest } from '../../run/report/explained-requests.js';
import { exactPretty, exactStringify } from '../../util/exact-json.js';
import { redactKnown } from '../../util/secrets.js';
import { plainText } from '../../util/text.js';
import { zonedText } from '../../util/zoned-time.js';
import { type JsonFlag, table } from '../shown-text.js';
import { resolutionText } from './runs.js';

/** `explain RUN ROW` */
export async function explain(context: AppContext, id: string, row: number, flags: JsonFlag): Promise<void> {
  const explained = await explainRow(context, id, row);
  const text = flags.json
    ? `${exactPretty(explainedData(explained, 'en'))}\n`
    : explainedText(explained, context.language);
  process.stdout.write(redactKnown(text));
}

type Renderer = (it: Message) => string;

/** Maximum lengths of replies and cells in the text; --json is not cut. */
const REPLY_SHOWN = 2000;
const CELL_SHOWN = 200;

/** A row's history as text. */
export function explainedText(it: RowExplanation, language: Language): string {
  const rendered: Renderer = (text) => render(text, language);
  const { run, audit, timezone: zone } = it;
  const lines = [
    heading(it, rendered),
    rendered(message('explain.run', { run: run.id, operation: run.operation, connection: run.connection })),
    ...(it.liveState === 'cut off' ? [rendered(message('run.cut_off_resume', { run: run.id }))] : []),
    '',
    `${rendered(message('explain.status'))}: ${statusText(it, language)}`,
  ];
  const { message: text, steps = [] } = explainedData(it, language);
  if (text !== '') lines.push(`${rendered(message('explain.message'))}: ${text}`);
  lines.push('', ...cells(it, rendered));
  if (it.lookups.length > 0) lines.push('', rendered(message('explain.lookups')));
  for (const lookup of it.lookups) lines.push(...lookupLines(lookup, language, zone));
  it.steps?.forEach((step, index) => {
    lines.push('', ...stepLines(step, steps[index]?.message ?? '', language, rendered, zone));
  });
  if (it.requests.length === 0 && !it.steps) lines.push('', rendered(message('explain.no_request')));
  for (const request of it.requests) lines.push('', ...requestLines(request, rendered, zone));
  if (audit.length > 0) lines.push('', rendered(message('explain.audit')));
  for (const it of audit) lines.push(`  ${resolutionText(it, language, zone)}`);
  lines.push('', rendered(message('explain.next')), `  ${rendered(it.next)}`);
  return `${lines.join('\n')}\n`;
}

function heading({ run, result, source }: RowExplanation, rendered: Renderer): string {
  const sheet = source.kind === 'cells' ? source.sheet : '-';
  return rendered(message('explain.row', { row: result.row, file: run.inputFile, sheet }));
}

/** In Chinese with the status's name: 成功（succeeded）. */
function statusText({ result }: Pick<RowExplanation, 'result'>, language: Language): string {
  const { status, licenseOrderId, code } = result;
  const shown = language === 'zh' ? chineseValue('status', status, '') : status;
  return [shown, licenseOrderId, code === undefined ? undefined : `code ${code}`]
    .filter((it) => it !== undefined)
    .join(', ');
}

function cells({ source }: RowExplanation, rendered: Renderer): string[] {
  if (source.kind === 'gone')
    return [rendered(message('explain.cells_gone', { reason: rendered(source.reason) }))];
  const lines = source.cells.map(({ address, header, text }) => [
    `  ${address}`,
    plainText(header, CELL_SHOWN),
    plainText(text, CELL_SHOWN),
  ]);
  const corrected = correctionsView(source).map((it) => `  ${rendered(it)}`);
  return [rendered(message('explain.cells')), table(lines).trimEnd(), ...corrected];
}

/** The row in one step of a run. */
function stepLines(
  step: ExplainedStep,
  text: string,
  language: Language,
  rendered: Renderer,
  zone: string,
): string[] {
  const { name, operation, run = '-' } = step;
  const pairs = (list: readonly (readonly [string, string])[]): string[] =>
    list.map(([field, value]) => `    ${plainText(field, CELL_SHOWN)}: ${plainText(value, CELL_SHOWN)}`);
  const lines = [
    rendered(message('explain.step', { step: name, operation: operation.name, run })),
    `  ${rendered(message('explain.status'))}: ${statusText(step, language)}`,
    ...(text === '' ? [] : [`  ${rendered(message('explain.message'))}: ${text}`]),
  ];
  if (step.taken.length > 0) {
    lines.push(`  ${rendered(message('explain.taken'))}`);
    lines.push(
      ...pairs(
        step.taken.map((it) => [
          it.field,
          `${it.from} = ${it.value ?? rendered(message(it.given ? 'explain.given' : 'explain.not_returned'))}`,
        ]),
      ),
    );
  }
  for (const request of step.requests)
    lines.push(...requestLines(request, rendered, zone).map((line) => `  ${line}`));
  if (step.returned.length > 0) {
    lines.push(`  ${rendered(message('explain.returned'))}`);
    lines.push(...pairs(step.returned.map((it) => [it.name, it.value])));
  }
  for (const it of step.audit)
    lines.push(`  ${rendered(message('explain.audit'))}: ${resolutionText(it, language, zone)}`);
  return lines;
}

/** A looked-up field: the request, and the record that the value comes from. */
function lookupLines(
  it: RowExplanation['lookups'][number],
  language: Language,
  zone: string,
): readonly string[] {
  const { field, operation, request, records, record, askedAt, detail } = it;
  const fields = Object.entries(request).map(([name, value]) => `${name}: ${String(value)}`);
  const params = { field, operation, asked: fields.join(', '), time: zonedText(askedAt, zone) };
  const line =
    records === undefined
      ? message('explain.lookup_unanswered', { ...params, detail: renderText(detail ?? '', language) })
      : message('explain.lookup', { ...params, records });
  const shown = record ? [`    ${plainText(exactStringify(record), REPLY_SHOWN)}`] : [];
  return [`  ${render(line, language)}`, ...shown];
}

function requestLines(
  { batch, items, places, request, attempts }: ExplainedRequest,
  rendered: Renderer,
  zone: string,
): string[] {
  const title = requestTitle({ batch, items, places, isSent: attempts.length > 0 });
  const lines = [rendered(title), ...shownRequest(request, rendered).map((line) => `  ${line}`)];
  for (const attempt of attempts) {
    const time = zonedText(attempt.startedAt, zone);
    const facts = [
      rendered(message('explain.attempt', { attempt: attempt.attempt, time })),
      `g_nonce ${attempt.nonce}`,
    ];
    if (attempt.endedAt === undefined) facts.push(rendered(message('explain.attempt_open')));
    else {
      facts.push(
        attempt.event ?? '',
        rendered(message(attempt.sent ? 'explain.attempt_sent' : 'explain.attempt_unsent')),
      );
      if (attempt.httpStatus !== undefined) facts.push(`HTTP ${attempt.httpStatus}`);
      facts.push(`${attempt.endedAt - attempt.startedAt} ms`);
    }
    lines.push(`  ${facts.join(', ')}`);
    if (attempt.reply)
      lines.push(`    ${rendered(message('explain.reply'))}: ${plainText(attempt.reply, REPLY_SHOWN)}`);
  }
  return lines;
}

function requestTitle({
  batch,
  items,
  places,
  isSent,
}: Pick<ExplainedRequest, 'batch' | 'items' | 'places'> & { readonly isSent: boolean }): Message {
  if (batch === undefined) return message('explain.request_given');
  const params = { batch, items, places: places.join(', ') };
  return isSent ? message('explain.request_sent', params) : message('explain.request_unsent', params);
}

function shownRequest({ method, url, query, headers, body }: ShownRequest, rendered: Renderer): string[] {
  const pairs = [['g_nonce', `<${rendered(message('explain.fresh_nonce'))}>`], ...Object.entries(query)];
  return [
    `${method} ${url}`,
    ...pairs.map(([name, value]) => `  ${name} = ${value}`),
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ...(body === undefined ? [] : exactPretty(body).split('\n')),
  ];
}
