import { type Language, render } from '../errors/message.js';
import type { Ledger } from '../ledger/contract/ledger.js';
import { EXIT } from '../model/exit-code.js';
import type { RunAbout } from '../run/observer.js';
import { problemText } from '../run/report/problem-kinds.js';
import type { NothingToRetry } from '../run/retry/retry.js';
import type { RunEnd } from '../run/run-end.js';
import type { Failure } from './failure.js';

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
    lookups: end.lookups,
    output: end.output,
    movedTo: end.movedTo,
    durationMs: Math.round(durationMs),
    executeMs: end.executeMs,
    plan:
      end.kind === 'plan' && (end.status === 'completed' || end.planHash !== undefined)
        ? end.run
        : end.stays && null,
    planHash: end.planHash,
    needsApproval: end.needsApproval,
    reverts: end.reverts,
    ...(end.stays ? { notReverted: staysTold(end.stays, language) } : {}),
    parent: end.parent,
    steps: end.steps,
    actions: end.actions,
    sandbox: end.sandbox ? 'SANDBOX' : undefined,
    rehearsal: end.rehearsal ? 'REHEARSAL' : undefined,
    reason: end.reason && render(end.reason),
    warnings: (end.warnings ?? []).map((it) => render(it, language)),
    ...(end.problems && end.problems.length > 0 ? { problems: problemsTold(end, 'en') } : {}),
  };
}

/** Rows that a plan doesn't take back, each with its reason. */
function staysTold(stays: NonNullable<RunEnd['stays']>, language: Language) {
  return stays.map(({ reason, ...at }) => ({ ...at, reason: render(reason, language) }));
}

/** What is wrong with the rows of a run by kind, the most frequent first; `first`: the first few cells or rows. */
export function problemsTold({ problems = [] }: RunEnd, language: Language) {
  return problems.map((it) => ({
    status: it.status,
    count: it.count,
    message: problemText(it, language),
    first: it.places,
  }));
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

/** What the ledger knows of a run that ended by an error, which may be the ledger's own. */
export async function figuresOf(ledger: Ledger, id: string): Promise<RunFigures | undefined> {
  try {
    const run = await ledger.runs.get(id);
    if (!run) return undefined;
    const { rows, requests, retries } = run;
    return { rows, counts: await ledger.runs.counts(id), requests, retries };
  } catch {
    return undefined;
  }
}
