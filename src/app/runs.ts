import { type Message, message, render, renderText } from '../errors/message.js';
import type { MessageSurface } from '../errors/message-surface.js';
import type { ApprovalLine } from '../ledger/contract/approvals.js';
import type { Ledger } from '../ledger/contract/ledger.js';
import type { Resolution } from '../ledger/contract/resolutions.js';
import type { ReversalRun } from '../ledger/contract/reversals.js';
import type { Run } from '../ledger/contract/runs.js';
import { isRefusedPlan } from '../ledger/rules/run-states.js';
import { hostOfRun } from '../ledger/rules/scopes.js';
import { timezoneOf } from '../ledger/stored-settings.js';
import { member } from '../model/json.js';
import type { StepEnd } from '../model/run-outcome.js';
import { approvalState, makersOf } from '../run/approval/approval-state.js';
import { liveStateOf } from '../run/live-state.js';
import { wholeRunOf } from '../util/run-id.js';
import type { AppContext } from './context.js';
import { runNamed, withLedger, withLedgerIfAny } from './with-ledger.js';

// Modules that only some commands need are not loaded here, so that a list does not wait for them.

/** A run as listed. */
export type RunListing = Awaited<ReturnType<typeof describe>>;

/** Runs, the newest first. Without a ledger, `none` names where it was looked for. */
type RunList =
  | {
      readonly runs: readonly RunListing[];
      readonly location: string;
      /** The zone of each run's connection, by run. */
      readonly timezones: ReadonlyMap<string, string>;
    }
  | { readonly none: Message };

/** `runs`: by default the newest 20. */
export function listRuns(context: AppContext, limit = 20): Promise<RunList> {
  return withLedgerIfAny(context, async (found) => {
    if ('none' in found) return found;
    const { ledger } = found;
    const runs: RunListing[] = [];
    const timezones = new Map<string, string>();
    for (const run of await ledger.runs.list(limit)) {
      runs.push(await describe(ledger, run, context.language));
      timezones.set(run.id, timezoneOf(run));
    }
    return { runs, location: ledger.location, timezones };
  });
}

/** `runs show`: one run, and the rows that were resolved afterwards. */
export function showRun(
  context: AppContext,
  id: string,
): Promise<{
  readonly run: RunListing;
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
    for (const runId of steps.length > 0 ? steps.flatMap((it) => it.run ?? []) : [id])
      resolved.push(...(await ledger.resolutions.list(runId)));
    const timezone = timezoneOf(run);
    return { run: await describe(ledger, run, context.language), steps, resolved, timezone };
  });
}

/** A run as plain data. */
export async function describe(ledger: Ledger, run: Run, language: MessageSurface) {
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

/** The run that it reverts, and the runs and plans that revert it, each with its rows and how many succeeded. */
async function revertsOf(
  ledger: Ledger,
  { id, operation, settings }: Run,
): Promise<{ readonly reverts?: string; readonly revertedBy?: readonly (ReversalRun & { plan?: true })[] }> {
  const run = member(member(member(settings, 'job'), 'undoes'), 'run');
  const found = new Map<string, ReversalRun>();
  const steps = operation === 'steps' ? await ledger.runs.children(id) : [];
  for (const runId of [id, ...steps.filter((it) => it.step !== undefined).map((it) => it.id)]) {
    for (const reversal of await ledger.reversals.by(runId)) {
      const parent = wholeRunOf(reversal.run);
      const { rows = 0, succeeded = 0 } = found.get(parent) ?? {};
      found.set(parent, {
        run: parent,
        rows: rows + reversal.rows,
        succeeded: succeeded + reversal.succeeded,
      });
    }
  }
  const revertedBy: (ReversalRun & { plan?: true })[] = [];
  for (const reversal of found.values()) {
    const isPlan = (await ledger.runs.get(reversal.run))?.kind === 'plan';
    revertedBy.push(isPlan ? { ...reversal, plan: true } : reversal);
  }
  const by = revertedBy.length > 0 ? { revertedBy } : {};
  if (typeof run !== 'string') return by;
  return {
    reverts: run,
    ...by,
  };
}

/** Hash and approval of a stored plan, or of a run that was one. */
async function sealedOf(
  ledger: Ledger,
  run: Run,
): Promise<{ readonly planHash?: string; readonly approval?: ApprovalView }> {
  if (run.planHash === undefined) return {};
  const approval = await approvalData(ledger, run);
  return {
    planHash: run.planHash,
    ...(approval ? { approval } : {}),
  };
}

/** A comparison changes nothing itself, so it is repeated instead of resumed. */
function cutOffNext({ id, parent, step, jobFile, kind }: Run): Message {
  // A step is resumed through its whole run.
  const run = step === undefined ? id : (parent ?? id);
  return kind === 'reconcile'
    ? message('run.cut_off_compare', { run, jobFile })
    : message('run.cut_off_resume', { run });
}

/** A resolution as plain data. The evidence of a person is the note. */
export function resolutionData({ at, evidence, note, ...line }: Resolution, language: MessageSurface) {
  const noteText = note ?? (line.how === 'operator' && typeof evidence === 'string' ? evidence : undefined);
  return {
    at: new Date(at).toISOString(),
    ...line,
    evidence: renderText(
      evidence ?? (line.how === 'late_reply' ? message('explain.late_evidence') : ''),
      language,
    ),
    ...(noteText === undefined ? {} : { note: noteText }),
  };
}

/** The approval entries of a plan, and the resulting state. */
export type ApprovalView = NonNullable<Awaited<ReturnType<typeof approvalData>>>;

/** The approval as plain data; undefined if none is needed. */
export async function approvalData(ledger: Pick<Ledger, 'approvals'>, run: Run, now = Date.now()) {
  if (!run.needsApproval) return undefined;
  const lines = await ledger.approvals.list(run.id);
  // A plan that was refused before its first request still waits to be sent.
  const applied = isRefusedPlan(run) ? undefined : await ledger.approvals.application(run.id);
  // An applied plan was approved at that time, so a later expiry does not matter.
  const current = await approvalState(ledger, run, applied?.at ?? now);
  return {
    state: applied ? ('applied' as const) : current.state,
    ...('line' in current ? lineData(current.line) : {}),
    ...(applied ? { appliedBy: applied.by.who, appliedAt: new Date(applied.at).toISOString() } : {}),
    makers: (await makersOf(ledger, run)).map(({ who, did }) => ({ who, did })),
    lines: lines.map((it) => ({ act: it.act, ...lineData(it) })),
  };
}

function lineData({ by, at, comment, expiresAt }: ApprovalLine) {
  return {
    by: by.who,
    at: new Date(at).toISOString(),
    ...(comment === undefined ? {} : { comment }),
    ...(expiresAt === undefined ? {} : { until: new Date(expiresAt).toISOString() }),
  };
}
