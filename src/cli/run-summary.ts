import { type Language, render } from '../errors/message.js';
import type { RunCounts } from '../ledger/contract.js';
import { DRIFT_STATUSES } from '../model/drift.js';
import { EXIT } from '../model/exit-code.js';
import { STATUSES } from '../model/status.js';
import type { RunAbout } from '../run/observer.js';
import type { NothingToRetry } from '../run/retry.js';
import type { RunEnd } from '../run/run-end.js';
import { shownPath } from '../util/shown-path.js';
import type { Failure } from './exit.js';

/** The `--json` object of a run (contract section 7). */
export function runJson(end: RunEnd, durationMs: number): Record<string, unknown> {
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
  };
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
    rows: 0,
    counts: {},
    requests: 0,
    retries: 0,
    durationMs: Math.round(durationMs),
    executeMs: 0,
    reason: render(nothing),
  };
}

/** The `--json` object of a command that ended by an error; `about` as far as the run had come. */
export function failureJson(
  { exitCode, code, text, others }: Failure,
  about: Partial<RunAbout> & { readonly run: string | undefined },
  durationMs: number,
): Record<string, unknown> {
  return {
    ...about,
    status: exitCode === EXIT.input ? 'invalid' : 'stopped',
    rows: 0,
    counts: {},
    requests: 0,
    retries: 0,
    durationMs: Math.round(durationMs),
    error: { code, message: text, others },
  };
}

const KIND_WORDS: Readonly<Record<RunEnd['kind'], string>> = {
  run: 'run',
  dry_run: 'dry run',
  plan: 'plan',
  reconcile: 'reconciliation',
};

/** The same in words. */
export function runText(end: RunEnd, durationMs: number, language: Language): string {
  const seconds = (durationMs / 1000).toFixed(1);
  const where = end.sandbox ? `${end.connection} (SANDBOX)` : end.connection;
  const lines = [
    `${KIND_WORDS[end.kind]} ${end.run} ${end.status}: ${end.operation} on ${where}, ${seconds} s`,
    `  rows ${end.rows}: ${countsText(end.counts)}`,
  ];
  if (end.kind === 'run' || end.kind === 'reconcile')
    lines.push(`  requests ${end.requests}, of them retries ${end.retries}`);
  if (end.kind === 'plan' && end.status === 'completed') {
    lines.push(`  would send ${end.items} items; carry it out with: license-sync apply ${end.run}`);
  }
  if (end.parent !== undefined) lines.push(`  ${end.retry === false ? 'action' : 'retry'} of ${end.parent}`);
  for (const { operation, run, status, counts } of end.actions ?? []) {
    lines.push(`  action ${operation}, run ${run} ${status}: ${countsText(counts)}`);
  }
  if (end.reason) lines.push(`  ${render(end.reason, language)}`);
  if (end.output !== undefined) lines.push(`  result ${shownPath(end.output)}`);
  if (end.movedTo !== undefined) lines.push(`  input moved to ${shownPath(end.movedTo)}`);
  return `${lines.join('\n')}\n`;
}

function countsText(counts: RunCounts): string {
  const words = new Set([...STATUSES, ...DRIFT_STATUSES]);
  const told = [...words].filter((it) => counts[it]).map((it) => `${it} ${counts[it]}`);
  return told.join(', ') || 'none';
}
