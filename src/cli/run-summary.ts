import { isEmpty, problemsView, uncertainRunWarnings } from '../app/run-result.js';
import { type Language, type Message, message, render } from '../errors/message.js';
import type { InboxEnd } from '../inbox/inbox.js';
import type { RunCounts, StepEnd } from '../model/run-outcome.js';
import type { RunEnd } from '../run/run-end.js';
import { countsText, shownPath, shownText } from './shown-text.js';

const KINDS_SHOWN = 12;

/** The summary of a run. */
export function runText(end: RunEnd, durationMs: number, language: Language): string {
  const { run, status, operation, requests, retries, items, parent } = end;
  const connection = end.sandbox ? `${end.connection} (SANDBOX)` : end.connection;
  const head = { run, status, operation, connection, seconds: (durationMs / 1000).toFixed(1) };
  const textOf = (counts: RunCounts): string =>
    countsText(counts) || render(message('summary.none'), language);
  const lines: Message[] = [message('summary.rows', { rows: end.rows, counts: textOf(end.counts) })];
  if ((end.kind === 'run' || end.kind === 'reconcile') && status !== 'queued') {
    lines.push(message('summary.requests', { requests, retries }));
  }
  if (end.lookups !== undefined) lines.push(message('summary.lookups', { lookups: end.lookups }));
  if (end.kind === 'plan' && status === 'completed')
    lines.push(
      message(end.needsApproval ? 'summary.would_send_approved' : 'summary.would_send', { items, run }),
    );
  if (parent !== undefined) {
    lines.push(message(end.retry === false ? 'summary.action_of' : 'summary.retry_of', { parent }));
  }
  for (const it of end.steps ?? []) lines.push(stepLine(it, textOf(it.counts)));
  if (end.reverts !== undefined && end.items > 0)
    lines.push(
      message(end.kind === 'plan' ? 'summary.would_revert' : 'summary.reverts', { run: end.reverts }),
    );
  lines.push(...stayingLines(end));
  for (const it of end.actions ?? []) {
    const params = { operation: it.operation, run: it.run, status: it.status, counts: textOf(it.counts) };
    lines.push(message('summary.action', params));
  }
  lines.push(...problemLines(end, language));
  if (end.reason) lines.push(end.reason);
  if (end.output !== undefined) lines.push(message('summary.result', { file: shownPath(end.output) }));
  if (end.movedTo !== undefined) lines.push(message('summary.moved', { file: shownPath(end.movedTo) }));
  const texts = lines.map((it) => {
    const indent = it.code === 'summary.problem' ? '    ' : '  ';
    return `${indent}${shownText(render(it, language))}`;
  });
  const first = end.rehearsal ? message('summary.rehearsal', head) : headline(end.kind, head);
  return `${[render(first, language), ...texts].join('\n')}\n`;
}

/** The result of one step. */
export function stepLine({ name, operation, run = '-' }: StepEnd, counts: string): Message {
  return message('summary.step', { step: name, operation, counts, run });
}

/** Number of rows printed; the plan's workbook and --json contain all. */
const STAYING_SHOWN = 20;

/** Rows of a reverted run that are not reverted, each with its reason. */
function stayingLines({ stays = [] }: RunEnd): readonly Message[] {
  const shown = stays.slice(0, STAYING_SHOWN).map(({ row, step, reason }) => {
    return step === undefined
      ? message('summary.stays', { row, reason })
      : message('summary.step_stays', { row, step, reason });
  });
  const left = stays.length - shown.length;
  return left > 0 ? [...shown, message('summary.more_stay', { count: left })] : shown;
}

type Head = Parameters<typeof message<'summary.run'>>[1];

function headline(kind: RunEnd['kind'], head: Head): Message {
  switch (kind) {
    case 'run':
      return message('summary.run', head);
    case 'dry_run':
      return message('summary.dry_run', head);
    case 'plan':
      return message('summary.plan', head);
    case 'reconcile':
      return message('summary.reconcile', head);
  }
}

/** The kinds of problems with their counts and first cells, the most frequent first. */
function problemLines(end: RunEnd, language: Language): readonly Message[] {
  const problems = problemsView(end, language);
  if (problems.length === 0) return [];
  const shown = problems.slice(0, KINDS_SHOWN).map(({ count, message: text, first }) => {
    const more = count > first.length ? ', …' : '';
    return message('summary.problem', { count, text, places: first.join(', ') + more });
  });
  const left = problems.length - shown.length;
  const rest = left > 0 ? [message('summary.more_kinds', { count: left })] : [];
  return [message('summary.problems'), ...shown, ...rest];
}

/** The summary of an input folder: a block for each run, a line for each other file, and the totals. */
export function inboxText(end: InboxEnd, language: Language): string {
  const warnings = uncertainRunWarnings(end)
    .map((it) => `${shownText(render(it, language))}\n`)
    .join('');
  if (isEmpty(end))
    return `${render(message('inbox.none', { pattern: shownPath(end.pattern) }), language)}\n${warnings}`;
  const blocks = end.runs.map(({ input, end: run, durationMs }) => {
    return `${shownPath(input)}\n${runText(run, durationMs, language)}`;
  });
  for (const { file, movedTo, reason } of end.moved) {
    const moved = movedTo === undefined ? [] : [message('summary.moved', { file: shownPath(movedTo) })];
    blocks.push(block(file, [reason, ...moved], language));
  }
  for (const { file, reason } of end.left) blocks.push(block(file, [reason], language));
  const tally = { runs: end.runs.length, moved: end.moved.length, left: end.left.length };
  blocks.push(`${render(message('inbox.tally', tally), language)}\n`);
  return blocks.join('') + warnings;
}

function block(file: string, lines: readonly Message[], language: Language): string {
  const texts = lines.map((it) => `  ${shownText(render(it, language))}`);
  return `${[shownPath(file), ...texts].join('\n')}\n`;
}
