import { render } from '../../errors/message.js';
import type { Ledger } from '../../ledger/contract/ledger.js';
import type { Run, RunKind, RunState } from '../../ledger/contract/runs.js';
import { isRefusedPlan } from '../../ledger/rules/run-states.js';
import type { Connection } from '../../model/connection.js';
import { isUnderWay, type RunCounts } from '../../model/run-outcome.js';
import { type Actor, mayDo } from '../../people/identity.js';
import { type LiveState, liveStateOf } from '../../run/live-state.js';
import { unpackSettings } from '../../run/settings.js';
import { hasSteps, itemRunsOf, stepEnds } from '../../run/step-runs.js';
import { systemClock } from '../../util/clock.js';
import { type AppContext, wordsOf } from '../context.js';
import { importOfRun } from '../imports/imports.js';
import { type ApprovalView, describe, resolutionData } from '../runs.js';
import { runNamed, withLedger } from '../with-ledger.js';
import { runPermissions } from './permissions.js';
import { rehearsedView } from './rehearsal.js';

export interface RunsQuery {
  /** Part of a name, in any case. */
  readonly job?: string | undefined;
  readonly person?: string | undefined;
  /** A state as shown to users; `stopped` includes interrupted runs. */
  readonly status?: LiveState | undefined;
  readonly kind?: RunKind | undefined;
  /** Milliseconds since 1970, `to` not included. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  /**
   * Only plans, and runs before a step: `waiting` for approval, or `mine`: those that the caller may approve, and the
   * caller's own that wait, were rejected, or are approved and not sent.
   */
  readonly approval?: 'waiting' | 'mine' | undefined;
  readonly before?: string | undefined;
  readonly limit: number;
}

/** The ledger's states for states that are not shown one to one. */
const STATES_OF: Partial<Readonly<Record<LiveState, readonly RunState[]>>> = {
  executing: ['executing', 'executed'],
  stopped: ['stopped', 'interrupted'],
  'cut off': ['planning', 'planned', 'executing', 'executed', 'queued'],
};

const READ_AT_ONCE = 50;
/** Number of runs that one page examines for filters that the ledger cannot apply; the next page continues there. */
const RUNS_SEARCHED = 2000;

/** Runs by filter, the newest first. `next`: what `before` is on the next page. */
export function runsData(context: AppContext, query: RunsQuery) {
  const { job, person, kind, from, to, status, limit, approval } = query;
  return withLedger(context, async ({ ledger, actor }) => {
    if (approval === 'mine' && !(['approve', 'request'] as const).some((act) => mayDo(actor.roles, act)))
      return { items: [] };
    const items: Awaited<ReturnType<typeof listedRun>>[] = [];
    const states = status && (STATES_OF[status] ?? ([status] as readonly RunState[]));
    const kinds: readonly RunKind[] | undefined = approval ? ['plan', 'run'] : kind && [kind];
    // Checks of imports are shown at their import, unless checks are requested.
    const without = kind === undefined ? ('import_checks' as const) : undefined;
    const filter = {
      job,
      person,
      kinds,
      from,
      to,
      without,
      states: approval ? (['planned', 'stopped'] as const) : states,
    };
    let before = query.before;
    for (let searched = 0; searched < RUNS_SEARCHED; ) {
      const page = await ledger.runs.find({ ...filter, before }, READ_AT_ONCE);
      for (const run of page) {
        searched += 1;
        before = run.id;
        const item = await matchingRun(ledger, run, query, { ...context, actor });
        if (item) items.push(item);
        if (items.length === limit) return { items, next: before };
      }
      if (page.length < READ_AT_ONCE) return { items };
    }
    return { items, next: before };
  });
}

async function matchingRun(
  ledger: Ledger,
  run: Run,
  { status, approval }: RunsQuery,
  context: AppContext & { readonly actor: Actor },
) {
  if (approval && (!run.needsApproval || (run.kind === 'run' && !run.awaitsApproval))) return undefined;
  const listing = await listedRun(ledger, run, context);
  if (approval === 'waiting' && listing.approval?.state !== 'waiting') return undefined;
  if (approval === 'mine' && !concerns(context.actor, listing.approval)) return undefined;
  const isCutOff = listing.state === 'cut off';
  if (status !== undefined && isCutOff !== (status === 'cut off')) return undefined;
  return listing;
}

/** Rejected plans are listed for a week: most are replaced by another plan and never sent. */
const REJECTED_LISTED_MS = 7 * 24 * 3_600_000;

/** Whether the user has something to do for the plan: to approve it, or as one of its makers. */
function concerns(actor: Actor, approval: ApprovalView | undefined): boolean {
  if (!approval) return false;
  const { state, makers, at = '' } = approval;
  const { roles } = actor;
  if (!makers.some(({ who }) => who === actor.who)) return state === 'waiting' && mayDo(roles, 'approve');
  if (!mayDo(roles, 'request')) return false;
  if (state === 'rejected') return Date.parse(at) > systemClock.now() - REJECTED_LISTED_MS;
  return state === 'waiting' || state === 'approved';
}

/** Undefined for a pruned run. */
function isSandbox({ settings }: Run): boolean | undefined {
  const connection: Partial<Connection> | undefined = unpackSettings(settings).connection;
  return connection?.sandbox;
}

/** A run as listed, with sandbox and refusal. */
export async function listedRun(ledger: Ledger, run: Run, context: AppContext) {
  return {
    ...(await describe(ledger, run, wordsOf(context))),
    sandbox: isSandbox(run),
    ...(isRefusedPlan(run) ? { refused: true as const } : {}),
  };
}

/** `ChangedRows.latest` of the rows for which a run stopped, as its page shows them. */
export function changedShown(context: AppContext, id: string): Promise<number | undefined> {
  return withLedger(context, async ({ ledger }) => {
    const { reason } = await runNamed(ledger, id);
    return reason?.code === 'run.changed_needs_yes' ? Number(reason.params.latest) : undefined;
  });
}

/** A run for its page: the listing, its steps, its resolutions, and the actions that the caller may perform. */
export function runDetailData(context: AppContext, id: string) {
  return withLedger(context, async ({ ledger }) => {
    const words = wordsOf(context);
    const run = await runNamed(ledger, id);
    const listing = await listedRun(ledger, run, context);
    const steps = await stepEnds(ledger, run);
    const warnings = (await ledger.plan.warnings(id)).map((it) => render(it, words));
    const resolved = [];
    for (const runId of steps.length > 0 ? steps.flatMap((it) => it.run ?? []) : [id])
      for (const it of await ledger.resolutions.list(runId)) resolved.push(resolutionData(it, words));
    return {
      ...listing,
      ...(await importOfRun(ledger, run)),
      stopped: await stopOf(ledger, run),
      ...(run.reason ? { reason: render(run.reason, words) } : {}),
      ...(steps.length > 0 ? { steps } : {}),
      warnings,
      resolved,
      ...(await rehearsedView(ledger, run)),
      may: await runPermissions(context, ledger, run, listing),
    };
  });
}

/** The audit entry of the last stop; undefined if the run is not stopped, or stopped for another reason. */
async function stopOf(
  ledger: Ledger,
  { id, state }: Run,
): Promise<{ readonly by: string; readonly at: string } | undefined> {
  if (state !== 'stopped' && state !== 'interrupted') return undefined;
  const entries = await ledger.audit.page({ run: id, limit: 20 });
  const last = entries.find((it) => it.act === 'stop' || it.act === 'resume');
  return last?.act === 'stop' ? { by: last.who, at: new Date(last.at).toISOString() } : undefined;
}

/** Progress of a run as recorded in the ledger, independent of the executing process. */
export interface LiveRunData {
  readonly state: LiveState;
  /** A process is still executing it. */
  readonly goesOn: boolean;
  /** Rows by status; absent while they are planned. */
  readonly counts: RunCounts;
  /** Items with an outcome, of how many. */
  readonly done: number;
  readonly total: number;
  readonly exitCode?: number;
  /** The executing process reports only the current step: counts of all steps are only in the ledger. */
  readonly ofSteps: boolean;
}

/** @param detail `state`: counts are omitted while the run is active */
export function liveRunData(context: AppContext, id: string, detail: 'state' | 'all'): Promise<LiveRunData> {
  return withLedger(context, async ({ ledger }) => {
    const run = await runNamed(ledger, id);
    const state = await liveStateOf(ledger, run);
    const { exitCode, items } = run;
    const goesOn = isUnderWay(state, run.kind);
    const common = { state, goesOn, ofSteps: hasSteps(run), ...(exitCode === undefined ? {} : { exitCode }) };
    if (state === 'planning' || (detail === 'state' && goesOn))
      return { ...common, counts: {}, done: 0, total: items };
    const counts = await ledger.runs.counts(id);
    let done = 0;
    let total = 0;
    const steps = await itemRunsOf(ledger, run);
    for (const step of steps) {
      total += step.items;
      if (step.state === 'planning' || step.state === 'planned') continue;
      if (step.state === 'completed') done += step.items;
      else {
        const { pending = 0, open = 0 } = await ledger.execution.itemCounts(step.id);
        done += Math.max(0, step.items - pending - open);
      }
    }
    return { ...common, counts, done, total };
  });
}
