import { type Message, message } from '../errors/message.js';
import { ProductError } from '../errors/product-error.js';
import { finishResumed } from '../inbox/finish-file.js';
import { applyChanges, requireWholeNumber } from '../job/job-changes.js';
import type { Ledger } from '../ledger/contract/ledger.js';
import type { Run } from '../ledger/contract/runs.js';
import { isFinished } from '../ledger/rules/run-states.js';
import { type LiveState, liveStateOf } from '../run/live-state.js';
import { readPlanFiles } from '../run/plan/plan-refusal.js';
import type { RetryInclude } from '../run/retry.js';
import { refuseOtherConnection } from '../run/run-connection.js';
import type { SettingsChange } from '../run/settings.js';
import { resumeRun as resumeKept, applyPlan as sendPlan } from '../run/start-run.js';
import { nearest } from '../util/name-match.js';
import type { RunChanges, RunCommandResult, WatchedContext } from './context.js';
import { ageMs } from './input-values.js';
import { RunFrame } from './run-frame.js';
import { ledgerLocation, refuseFile, runNamed } from './with-ledger.js';

// Modules that only `retry` or `revert` need are loaded by them.

export interface ApplyInput extends RunChanges {
  /** In milliseconds, or as `24h`. The age of an approved plan is limited by its approval. */
  readonly maxAge: number | string;
  /** Number of items sent first, as whole requests; the rest waits until a user resumes the run. */
  readonly canary?: number;
  /** What is to be sent is put into the ledger's queue, for workers. */
  readonly queue?: boolean;
}

/** `apply`: sends a stored plan exactly as it was created, once. */
export function applyPlan(context: WatchedContext, id: string, input: ApplyInput): Promise<RunCommandResult> {
  return RunFrame.run(context, input, async (frame) => {
    const { queue, canary } = input;
    requireWholeNumber('canary', canary, 1);
    if (queue) await refuseFile('apply --queue', await ledgerLocation(context));
    const maxAgeMs = ageMs(input.maxAge);
    requireWholeNumber('maxAgeMs', maxAgeMs, 0);
    const find = (ledger: Ledger): Promise<Run> => runNamed(ledger, id);
    const {
      parts,
      run: plan,
      connection,
    } = await frame.continueRun(find, {
      act: 'apply',
      run: id,
      connection: input.connection,
      notifies: true,
    });
    const files = await readPlanFiles(plan, connection, maxAgeMs);
    const end = await sendPlan(parts, plan, files, changing(context, input), { queue, canary });
    // The worker that ends the run notifies the connection's recipients.
    if (end.status === 'queued') frame.reportToJobsOnly();
    return { ...end, movedTo: await finishResumed(parts, plan.id) };
  });
}

export interface ResumeInput extends RunChanges {
  /** What is left is put into the ledger's queue, for workers. */
  readonly queue?: boolean;
}

/** `resume`: continues a run that did not finish; without an id the last one of the ledger. */
export function resumeRun(
  context: WatchedContext,
  id: string | undefined,
  input: ResumeInput,
): Promise<RunCommandResult> {
  return RunFrame.run(context, input, async (frame) => {
    const { queue } = input;
    if (queue) await refuseFile('resume --queue', await ledgerLocation(context));
    const find = async (ledger: Ledger): Promise<Run> => {
      const run = await (id === undefined ? lastUnfinished(ledger) : runNamed(ledger, id));
      refuseOtherConnection(run, input.connection);
      return run;
    };
    const { parts, run, connection } = await frame.continueRun(find, { act: 'resume', run: id });
    const change = changing(context, input);
    const end = await resumeKept(parts, run, (settings) => change({ ...settings, connection }), { queue });
    return { ...end, movedTo: await finishResumed(parts, run.id) };
  });
}

export interface RetryInput extends RunChanges {
  /** Statuses of rows that are sent again in addition to `failed`, each entry one or several with commas. */
  readonly include?: readonly string[];
  /** A stored plan is created from the rows; `apply` sends them. */
  readonly plan?: boolean;
}

/** `retry`: a new run of the rows of another that failed. */
export function retryRun(context: WatchedContext, id: string, input: RetryInput): Promise<RunCommandResult> {
  return RunFrame.run(context, input, async (frame) => {
    const retry = await import('../run/retry.js');
    const include = readIncludes(input.include ?? [], retry.RETRY_INCLUDES);
    const { parts, run, connection } = await frame.continueRun((ledger) => runNamed(ledger, id), {
      act: 'retry',
      run: id,
      connection: input.connection,
      notifies: input.plan ? false : undefined,
    });
    const change = changing(context, input);
    return retry.retryRun(parts, run, { include, connection, plan: input.plan, change });
  });
}

function readIncludes(
  given: readonly string[],
  statuses: readonly RetryInclude[],
): ReadonlySet<RetryInclude> {
  const found = new Set<RetryInclude>();
  for (const word of given.flatMap((it) => it.split(',')).map((it) => it.trim())) {
    const known = statuses.find((it) => it === word);
    if (known) found.add(known);
    else if (word !== 'failed') {
      const near = nearest(word, statuses);
      const params = { word, known: statuses.join(', ') };
      const detail =
        near === undefined
          ? message('retry.unknown_include_far', params)
          : message('retry.unknown_include', { ...params, nearest: near });
      throw new ProductError('usage', detail);
    }
  }
  return found;
}

export interface RevertInput extends RunChanges {
  /** Only these rows of the run, as Excel numbers them; default all. */
  readonly rows?: readonly number[];
  /** If nothing is left to revert, no run is created. Otherwise a dry run reports for each row why it stays. */
  readonly planOnly?: boolean;
}

/** `revert`: a stored plan that reverts what a run did; `apply` sends it. */
export function revertRun(
  context: WatchedContext,
  id: string,
  input: RevertInput,
): Promise<RunCommandResult> {
  return RunFrame.run(context, input, async (frame) => {
    const rows = input.rows && input.rows.length > 0 ? input.rows : undefined;
    const find = async (ledger: Ledger): Promise<Run> => {
      const run = await runNamed(ledger, id);
      refuseOtherConnection(run, input.connection);
      return run;
    };
    // No notifications are sent for a plan.
    const { parts, run, connection } = await frame.continueRun(find, {
      act: 'revert',
      run: id,
      notifies: false,
    });
    const revert = await import('../run/revert/revert.js');
    // If rows were named, a plan is created in any case, so that the reason is reported for each.
    if (input.planOnly && !rows) {
      await revert.refuseRevert(parts.ledger, run);
      const { nothingToRevert } = await import('../run/eligibility.js');
      const nothing = await nothingToRevert(parts.ledger, run, Number.POSITIVE_INFINITY);
      if (nothing) return { nothing, parent: run };
    }
    return revert.revertRun(parts, run, {
      rows,
      connection,
      wording: context.wording,
      change: changing(context, input),
    });
  });
}

/** Applies the changes of this command to the settings of a run. */
function changing({ cwd }: WatchedContext, changes: RunChanges): SettingsChange {
  const conflicts = conflictsOf(changes.set ?? []);
  return (settings) => {
    const job = applyChanges(settings.job, changes, cwd);
    return { ...settings, job: conflicts ? { ...job, safety: { ...job.safety, conflicts } } : job };
  };
}

const CONFLICTS = { 'safety.conflicts=abort': 'abort', 'safety.conflicts=warn': 'warn' } as const;

/** @throws ProductError usage for any other setting: the others were applied when the run was planned */
function conflictsOf(set: readonly string[]): 'abort' | 'warn' | undefined {
  for (const argument of set) {
    if (!Object.hasOwn(CONFLICTS, argument)) {
      throw new ProductError('usage', message('run.only_conflicts', { argument }));
    }
  }
  return CONFLICTS[set.at(-1) as keyof typeof CONFLICTS];
}

/** @throws ProductError usage if the last run has finished, naming an earlier one that can be resumed */
async function lastUnfinished(ledger: Ledger): Promise<Run> {
  const run = await ledger.runs.last(['run']);
  if (run && !isFinished(run)) return run;
  if (run) throw new ProductError('usage', await nothingLeftOf(ledger, run));
  throw new ProductError('usage', message('run.none_to_resume', { location: ledger.location }));
}

/** Did not finish, and no process is processing it. */
const UNFINISHED: ReadonlySet<LiveState> = new Set(['cut off', 'stopped', 'interrupted']);

/** How many earlier runs are searched for one that can be resumed. */
const RUNS_SEARCHED = 100;

/** Why the last run cannot be resumed, and which earlier one can. */
async function nothingLeftOf(ledger: Ledger, { id, state }: Run): Promise<Message> {
  for (const earlier of await ledger.runs.list(RUNS_SEARCHED)) {
    if (earlier.kind !== 'run' || earlier.prunedAt !== undefined) continue;
    const liveState = await liveStateOf(ledger, earlier);
    if (UNFINISHED.has(liveState))
      return message('run.another_to_resume', {
        run: id,
        state,
        other: earlier.id,
        job: earlier.job,
        standing: liveState,
      });
  }
  return message('run.nothing_to_resume', { run: id, state });
}
