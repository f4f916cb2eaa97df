import { type Language, render } from '../errors/message.js';
import { STATUSES } from '../model/status.js';
import type { NothingToRetry } from '../run/retry.js';
import type { RunEnd } from '../run/run-end.js';

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
    durationMs: Math.round(durationMs),
    executeMs: end.executeMs,
    ...(end.kind === 'plan' && end.status === 'completed' ? { plan: end.run } : {}),
    ...(end.parent === undefined ? {} : { parent: end.parent }),
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
    `  rows ${end.rows}: ${
      STATUSES.filter((it) => end.counts[it])
        .map((it) => `${it} ${end.counts[it]}`)
        .join(', ') || 'none'
    }`,
  ];
  if (end.kind === 'run') lines.push(`  requests ${end.requests}, of them retries ${end.retries}`);
  if (end.kind === 'plan' && end.status === 'completed') {
    lines.push(`  would send ${end.items} items; carry it out with: license-sync apply ${end.run}`);
  }
  if (end.parent !== undefined) lines.push(`  retry of ${end.parent}`);
  if (end.reason) lines.push(`  ${render(end.reason, language)}`);
  if (end.output !== undefined) lines.push(`  result ${end.output}`);
  return `${lines.join('\n')}\n`;
}
