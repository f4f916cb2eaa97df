import { correctionsTold, explainedData } from '../app/explain.js';
import { type Language, type Message, message, render, renderText } from '../errors/message.js';
import type { RowExplanation } from '../run/report/explain.js';
import type { ExplainedRequest, ShownRequest } from '../run/report/explained-requests.js';
import type { ExplainedStep } from '../run/report/steps/explain-steps.js';
import { exactPretty, exactStringify } from '../util/exact-json.js';
import { plainText } from '../util/plain-text.js';
import { zonedText } from '../util/zoned-time.js';
import { resolutionText } from './resolution-text.js';
import { table } from './table.js';

type Say = (it: Message) => string;

/** Longest part of a reply and of a cell that is shown; --json has all of it. */
const REPLY_SHOWN = 2000;
const CELL_SHOWN = 200;

/** A row's story for people. */
export function explainedText(it: RowExplanation, language: Language): string {
  const say: Say = (text) => render(text, language);
  const { run, audit, timezone: zone } = it;
  const lines = [
    heading(it, say),
    say(message('explain.run', { run: run.id, operation: run.operation, connection: run.connection })),
    ...(it.liveState === 'cut off' ? [say(message('run.cut_off_resume', { run: run.id }))] : []),
    '',
    `${say(message('explain.status'))}: ${statusText(it)}`,
  ];
  const { message: said, steps = [] } = explainedData(it, language);
  if (said !== '') lines.push(`${say(message('explain.message'))}: ${said}`);
  lines.push('', ...cells(it, say));
  if (it.lookups.length > 0) lines.push('', say(message('explain.lookups')));
  for (const one of it.lookups) lines.push(...lookupLines(one, language, zone));
  it.steps?.forEach((step, index) => {
    lines.push('', ...stepLines(step, steps[index]?.message ?? '', language, say, zone));
  });
  if (it.requests.length === 0 && !it.steps) lines.push('', say(message('explain.no_request')));
  for (const request of it.requests) lines.push('', ...requestLines(request, say, zone));
  if (audit.length > 0) lines.push('', say(message('explain.audit')));
  for (const it of audit) lines.push(`  ${resolutionText(it, language, zone)}`);
  lines.push('', say(message('explain.next')), `  ${say(it.next)}`);
  return `${lines.join('\n')}\n`;
}

function heading({ run, result, source }: RowExplanation, say: Say): string {
  const sheet = source.kind === 'cells' ? source.sheet : '-';
  return say(message('explain.row', { row: result.row, file: run.inputFile, sheet }));
}

function statusText({ result }: Pick<RowExplanation, 'result'>): string {
  const { status, licenseOrderId, code } = result;
  return [status, licenseOrderId, code === undefined ? undefined : `code ${code}`]
    .filter((it) => it !== undefined)
    .join(', ');
}

function cells({ source }: RowExplanation, say: Say): string[] {
  if (source.kind === 'gone') return [say(message('explain.cells_gone', { reason: say(source.reason) }))];
  const lines = source.cells.map(({ address, header, text }) => [
    `  ${address}`,
    plainText(header, CELL_SHOWN),
    plainText(text, CELL_SHOWN),
  ]);
  const corrected = correctionsTold(source).map((it) => `  ${say(it)}`);
  return [say(message('explain.cells')), table(lines).trimEnd(), ...corrected];
}

/** What one step of several made of the row. */
function stepLines(step: ExplainedStep, said: string, language: Language, say: Say, zone: string): string[] {
  const { name, operation, run = '-' } = step;
  const pairs = (list: readonly (readonly [string, string])[]): string[] =>
    list.map(([field, value]) => `    ${plainText(field, CELL_SHOWN)}: ${plainText(value, CELL_SHOWN)}`);
  const lines = [
    say(message('explain.step', { step: name, operation: operation.name, run })),
    `  ${say(message('explain.status'))}: ${statusText(step)}`,
    ...(said === '' ? [] : [`  ${say(message('explain.message'))}: ${said}`]),
  ];
  if (step.taken.length > 0) {
    lines.push(`  ${say(message('explain.taken'))}`);
    lines.push(
      ...pairs(
        step.taken.map((it) => [
          it.field,
          `${it.from} = ${it.value ?? say(message(it.given ? 'explain.given' : 'explain.not_returned'))}`,
        ]),
      ),
    );
  }
  for (const request of step.requests)
    lines.push(...requestLines(request, say, zone).map((line) => `  ${line}`));
  if (step.returned.length > 0) {
    lines.push(`  ${say(message('explain.returned'))}`);
    lines.push(...pairs(step.returned.map((it) => [it.name, it.value])));
  }
  for (const it of step.audit)
    lines.push(`  ${say(message('explain.audit'))}: ${resolutionText(it, language, zone)}`);
  return lines;
}

/** A looked-up field: what was asked, and the record that it was taken from. */
function lookupLines(
  it: RowExplanation['lookups'][number],
  language: Language,
  zone: string,
): readonly string[] {
  const { field, operation, request, records, record, askedAt, detail } = it;
  const asked = Object.entries(request).map(([name, value]) => `${name}: ${String(value)}`);
  const params = { field, operation, asked: asked.join(', '), time: zonedText(askedAt, zone) };
  const told =
    records === undefined
      ? message('explain.lookup_unanswered', { ...params, detail: renderText(detail ?? '', language) })
      : message('explain.lookup', { ...params, records });
  const shown = record ? [`    ${plainText(exactStringify(record), REPLY_SHOWN)}`] : [];
  return [`  ${render(told, language)}`, ...shown];
}

function requestLines(
  { batch, items, places, request, attempts }: ExplainedRequest,
  say: Say,
  zone: string,
): string[] {
  const title = requestTitle({ batch, items, places, isSent: attempts.length > 0 });
  const lines = [say(title), ...shownRequest(request, say).map((line) => `  ${line}`)];
  for (const it of attempts) {
    const time = zonedText(it.startedAt, zone);
    const facts = [say(message('explain.attempt', { attempt: it.attempt, time })), `g_nonce ${it.nonce}`];
    if (it.endedAt === undefined) facts.push(say(message('explain.attempt_open')));
    else {
      facts.push(it.event ?? '', say(message(it.sent ? 'explain.attempt_sent' : 'explain.attempt_unsent')));
      if (it.httpStatus !== undefined) facts.push(`HTTP ${it.httpStatus}`);
      facts.push(`${it.endedAt - it.startedAt} ms`);
    }
    lines.push(`  ${facts.join(', ')}`);
    if (it.reply) lines.push(`    ${say(message('explain.reply'))}: ${plainText(it.reply, REPLY_SHOWN)}`);
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

function shownRequest({ method, url, query, headers, body }: ShownRequest, say: Say): string[] {
  const pairs = [['g_nonce', `<${say(message('explain.fresh_nonce'))}>`], ...Object.entries(query)];
  return [
    `${method} ${url}`,
    ...pairs.map(([name, value]) => `  ${name} = ${value}`),
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ...(body === undefined ? [] : exactPretty(body).split('\n')),
  ];
}
