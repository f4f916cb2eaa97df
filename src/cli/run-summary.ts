import { type Language, type Message, message, render } from '../errors/message.js';
import { DRIFT_STATUSES } from '../model/drift.js';
import { EXIT } from '../model/exit-code.js';
import type { RunCounts } from '../model/run-outcome.js';
import { STATUSES } from '../model/status.js';
import type { RunAbout } from '../run/observer.js';
import { problemText, type RowProblemKind } from '../run/report/problem-kinds.js';
import type { NothingToRetry } from '../run/retry/retry.js';
import type { RunEnd } from '../run/run-end.js';
import { shownPath, shownText } from '../util/shown-path.js';
import type { Failure } from './exit.js';

/** How far a run had come by its ledger. */
export type RunFigures = Pick<RunEnd, 'rows' | 'counts' | 'requests' | 'retries'>;

export const NO_FIGURES: RunFigures = { rows: 0, counts: {}, requests: 0, retries: 0 };

/**
 * The `--json` object of a run (contract section 7).
 * @param language of the warnings, which are words for people
 */
export function runJson(end: RunEnd, durationMs: number, language: Language): Record<string, unknown> {
  return {
    run: end.run,
    job: end.job,
    operation: end.operation,
    connection: end.connection,
    status: end.status,
    rows: end.rows,
    counts: end.counts,
    requests: end.requests,
    retries: end.retries,
    output: end.output,
    ...(end.movedTo === undefined ? {} : { movedTo: end.movedTo }),
    durationMs: Math.round(durationMs),
    executeMs: end.executeMs,
    ...(end.kind === 'plan' && end.status === 'completed' ? { plan: end.run } : {}),
    ...(end.parent === undefined ? {} : { parent: end.parent }),
    ...(end.actions === undefined ? {} : { actions: end.actions }),
    ...(end.sandbox ? { sandbox: 'SANDBOX' } : {}),
    ...(end.reason ? { reason: render(end.reason) } : {}),
    warnings: (end.warnings ?? []).map((it) => render(it, language)),
    ...(end.problems && end.problems.length > 0 ? { problems: end.problems.map(problemJson) } : {}),
  };
}

function problemJson(it: RowProblemKind): Record<string, unknown> {
  const { status, count, places } = it;
  return { status, count, message: problemText(it, 'en'), first: places };
}

/** The `--json` object of a retry that found nothing to do: it made no run. */
export function nothingJson(
  { nothing, parent }: NothingToRetry,
  durationMs: number,
): Record<string, unknown> {
  return {
    parent: parent.id,
    job: parent.job,
    operation: parent.operation,
    connection: parent.connection,
    status: 'completed',
    ...NO_FIGURES,
    durationMs: Math.round(durationMs),
    executeMs: 0,
    reason: render(nothing),
    warnings: [],
  };
}

/**
 * The `--json` object of a command that ended by an error; `about` as far as the run had come.
 * @param figures undefined where the ledger can't be asked: no figures are better than wrong ones
 */
export function failureJson(
  { exitCode, code, text, others }: Failure,
  about: Partial<RunAbout> & { readonly run: string | undefined },
  figures: RunFigures | undefined,
  durationMs: number,
): Record<string, unknown> {
  return {
    ...about,
    status: exitCode === EXIT.input ? 'invalid' : 'stopped',
    ...figures,
    durationMs: Math.round(durationMs),
    error: { code, message: text, others },
  };
}

const KINDS_SHOWN = 12;

/** The same in words. */
export function runText(end: RunEnd, durationMs: number, language: Language): string {
  const { run, status, operation, requests, retries, items, parent } = end;
  const connection = end.sandbox ? `${end.connection} (SANDBOX)` : end.connection;
  const head = { run, status, operation, connection, seconds: (durationMs / 1000).toFixed(1) };
  const told = (counts: RunCounts): string => countsText(counts) || render(message('summary.none'), language);
  const lines: Message[] = [message('summary.rows', { rows: end.rows, counts: told(end.counts) })];
  if (end.kind === 'run' || end.kind === 'reconcile') {
    lines.push(message('summary.requests', { requests, retries }));
  }
  if (end.kind === 'plan' && status === 'completed')
    lines.push(message('summary.would_send', { items, run }));
  if (parent !== undefined) {
    lines.push(message(end.retry === false ? 'summary.action_of' : 'summary.retry_of', { parent }));
  }
  for (const it of end.actions ?? []) {
    const params = { operation: it.operation, run: it.run, status: it.status, counts: told(it.counts) };
    lines.push(message('summary.action', params));
  }
  lines.push(...problemLines(end.problems ?? [], language));
  if (end.reason) lines.push(end.reason);
  if (end.output !== undefined) lines.push(message('summary.result', { file: shownPath(end.output) }));
  if (end.movedTo !== undefined) lines.push(message('summary.moved', { file: shownPath(end.movedTo) }));
  const texts = lines.map((it) => {
    const indent = it.code === 'summary.problem' ? '    ' : '  ';
    return `${indent}${shownText(render(it, language))}`;
  });
  return `${[render(headline(end.kind, head), language), ...texts].join('\n')}\n`;
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
function problemLines(problems: readonly RowProblemKind[], language: Language): readonly Message[] {
  if (problems.length === 0) return [];
  const shown = problems.slice(0, KINDS_SHOWN).map((it) => {
    const more = it.count > it.places.length ? ', …' : '';
    const params = { count: it.count, text: problemText(it, language), places: it.places.join(', ') + more };
    return message('summary.problem', params);
  });
  const left = problems.length - shown.length;
  const rest = left > 0 ? [message('summary.more_kinds', { count: left })] : [];
  return [message('summary.problems'), ...shown, ...rest];
}

function countsText(counts: RunCounts): string {
  const words = new Set([...STATUSES, ...DRIFT_STATUSES]);
  const told = [...words].filter((it) => counts[it]).map((it) => `${it} ${counts[it]}`);
  return told.join(', ');
}
