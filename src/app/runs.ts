import type { Wording } from '../errors/at-page.js';
import { type Message, message, render } from '../errors/message.js';
import type { Ledger } from '../ledger/contract/ledger.js';
import type { Resolution } from '../ledger/contract/resolutions.js';
import type { Run } from '../ledger/contract/run.js';
import type { UndoingRun } from '../ledger/contract/undoings.js';
import { timezoneOf } from '../ledger/kept-settings.js';
import { hostOfRun } from '../ledger/rules/scopes.js';
import { member } from '../model/json.js';
import type { StepEnd } from '../model/run-outcome.js';

import { liveStateOf } from '../run/live-state.js';
import { wholeRunOf } from '../util/run-id.js';
import { type ApprovalTold, approvalData } from './approval-data.js';
import type { AppContext } from './context.js';
import { runNamed, withLedger, withLedgerIfAny } from './open.js';

// What only some commands need isn't loaded here: a list should not wait for what reads files and writes results.

/** A run as listings tell it. */
export type RunListing = Awaited<ReturnType<typeof describe>>;

/** Runs, the newest first; without a ledger there are none, and it is said where one was looked for. */
type RunList =
  | { readonly runs: readonly RunListing[]; readonly location: string }
  | { readonly none: Message };

/** `runs`: by default the newest 20. */
export function listRuns(context: AppContext, limit = 20): Promise<RunList> {
  return withLedgerIfAny(context, async (found) => {
    if ('none' in found) return found;
    const { ledger } = found;
    const runs: RunListing[] = [];
    for (const run of await ledger.runs.list(limit)) runs.push(await describe(ledger, run, context.language));
    return { runs, location: ledger.location };
  });
}

/** `runs show`: one run, and what was settled of it afterwards. */
export function showRun(
  context: AppContext,
  id: string,
): Promise<{
  readonly run: RunListing;
  /** Those of a run of several. */
  readonly steps: readonly StepEnd[];
  readonly resolved: readonly Resolution[];
  /** The zone of the run's connection. */
  readonly timezone: string;
}> {
  return withLedger(context, async ({ ledger }) => {
    const run = await runNamed(ledger, id);
    const { stepEnds } = await import('../run/step-runs.js');
    const steps = await stepEnds(ledger, run);
    const resolved: Resolution[] = [];
    for (const of of steps.length > 0 ? steps.flatMap((it) => it.run ?? []) : [id])
      resolved.push(...(await ledger.resolutions.list(of)));
    const timezone = timezoneOf(run);
    return { run: await describe(ledger, run, context.language), steps, resolved, timezone };
  });
}

/** A run as plain data. */
export async function describe(ledger: Ledger, run: Run, language: Wording) {
  const state = await liveStateOf(ledger, run);
  return {
    run: run.id,
    kind: run.kind,
    job: run.job,
    operation: run.operation,
    connection: run.connection,
    host: hostOfRun(run),
    parent: run.parent,
    ...(run.step === undefined ? {} : { step: run.step }),
    ...(await revertsOf(ledger, run)),
    state,
    ...(state === 'cut off' ? { next: render(cutOffNext(run), language) } : {}),
    started: new Date(run.startedAt).toISOString(),
    applied: run.appliedAt === undefined ? undefined : new Date(run.appliedAt).toISOString(),
    by: run.by,
    ended: run.endedAt === undefined ? undefined : new Date(run.endedAt).toISOString(),
    input: run.inputFile,
    inputSha256: run.inputSha256,
    rows: run.rows,
    items: run.items,
    counts: await ledger.runs.counts(run.id),
    requests: run.requests,
    retries: run.retries,
    exitCode: run.exitCode,
    output: run.output,
    reason: run.reason && render(run.reason, language),
    ...(await sealedOf(ledger, run)),
  };
}

/** Which run it takes back, and which ones take it back, plans too: each with its rows, and how many of them did. */
async function revertsOf(
  ledger: Ledger,
  { id, operation, settings }: Run,
): Promise<{ readonly reverts?: string; readonly revertedBy?: readonly (UndoingRun & { plan?: true })[] }> {
  const run = member(member(member(settings, 'job'), 'undoes'), 'run');
  const found = new Map<string, UndoingRun>();
  const steps = operation === 'steps' ? await ledger.runs.children(id) : [];
  for (const of of [id, ...steps.filter((it) => it.step !== undefined).map((it) => it.id)]) {
    for (const it of await ledger.undoings.by(of)) {
      const whole = wholeRunOf(it.run);
      const { rows = 0, succeeded = 0 } = found.get(whole) ?? {};
      found.set(whole, { run: whole, rows: rows + it.rows, succeeded: succeeded + it.succeeded });
    }
  }
  const revertedBy: (UndoingRun & { plan?: true })[] = [];
  for (const it of found.values()) {
    const isPlan = (await ledger.runs.get(it.run))?.kind === 'plan';
    revertedBy.push(isPlan ? { ...it, plan: true } : it);
  }
  const by = revertedBy.length > 0 ? { revertedBy } : {};
  if (typeof run !== 'string') return by;
  return {
    reverts: run,
    ...by,
  };
}

/** Of a kept plan, and of a run that was one. */
async function sealedOf(
  ledger: Ledger,
  run: Run,
): Promise<{ readonly planHash?: string; readonly approval?: ApprovalTold }> {
  if (run.planHash === undefined) return {};
  const approval = await approvalData(ledger, run);
  return {
    planHash: run.planHash,
    ...(approval ? { approval } : {}),
  };
}

/** A comparison changes nothing by itself and is simply made again. */
function cutOffNext({ id, parent, step, jobFile, kind }: Run): Message {
  // A step is gone on with by its whole run.
  const run = step === undefined ? id : (parent ?? id);
  return kind === 'reconcile'
    ? message('run.cut_off_compare', { run, jobFile })
    : message('run.cut_off_resume', { run });
}
