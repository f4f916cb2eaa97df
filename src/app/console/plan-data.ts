import { type Message, message, render } from '../../errors/message.js';
import type { MessageSurface } from '../../errors/message-surface.js';
import type { Ledger } from '../../ledger/contract/ledger.js';
import type { Run } from '../../ledger/contract/runs.js';
import { isFinished, isRefusedPlan } from '../../ledger/rules/run-states.js';
import { hostOfRun } from '../../ledger/rules/scopes.js';
import type { Operation } from '../../model/operation.js';
import { isUnderWay } from '../../model/run-outcome.js';
import { operationNamed } from '../../platform/operations/catalogue.js';
import { changedRows } from '../../run/conflicts/changed-since-sent.js';
import { type LiveState, liveStateOf } from '../../run/live-state.js';
import { changesSinceRequest, previouslyRequested } from '../../run/report/approval-diff.js';
import { differenceOf } from '../../run/report/difference.js';
import { firstRequests, type ShownRequest } from '../../run/report/explained-requests.js';
import { refusePruned } from '../../run/run-checks.js';
import { unpackSettings } from '../../run/settings.js';
import { hasSteps, stepNumbers, stepRunsOf } from '../../run/step-runs.js';
import { displayedFile } from '../../source/source.js';
import { type AppContext, wordsOf } from '../context.js';
import { importOfRun } from '../imports/imports.js';
import { approvalData } from '../runs.js';
import { runNamed, withLedger } from '../with-ledger.js';
import { excludedRows } from './excluded-rows.js';
import { planPermissions } from './permissions.js';
import { rehearsedView } from './rehearsal.js';

const REQUESTS_SHOWN = 5;

/** A stored plan for review before it is sent or approved. */
export function planData(context: AppContext, id: string) {
  return withLedger(context, async ({ ledger }) => {
    const language = wordsOf(context);
    const run = await runNamed(ledger, id);
    refusePruned(run);
    const { connection, job, corrections } = unpackSettings(run.settings);
    const state = await liveStateOf(ledger, run);
    const isRefused = isRefusedPlan(run);
    const sent = isRefused ? undefined : await ledger.approvals.application(id);
    const isBegun = sent !== undefined || run.awaitsApproval === true;
    const parts = await partsOf(ledger, run);
    const left = run.awaitsApproval ? await stepNumbers(ledger, await stepRunsOf(ledger, run)) : undefined;
    const first: (ShownRequest & { operation: string; items: number })[] = [];
    for (const part of parts) {
      if (!part.run || part.run.state === 'planning' || first.length >= REQUESTS_SHOWN) continue;
      if (run.awaitsApproval && isFinished(part.run)) continue;
      const count = REQUESTS_SHOWN - first.length;
      for (const { items, request } of await firstRequests(
        ledger,
        part.run,
        part.operation,
        connection,
        count,
      ))
        first.push({ ...request, operation: part.operation.name, items });
    }
    return {
      run: id,
      version: await versionOf(ledger, run, state),
      job: run.job,
      state,
      input: displayedFile(run.inputFile),
      hash: run.planHash,
      by: run.by,
      madeAt: new Date(run.startedAt).toISOString(),
      rows: run.rows,
      items: left ? left.reduce((sum, it) => sum + it.items, 0) : run.items,
      counts: await ledger.runs.counts(id),
      operations: await Promise.all(parts.map((it) => plannedOperation(ledger, it, language))),
      first,
      ...(await excludedRows(ledger, run, { parts, isSent: isBegun, language })),
      difference: await differenceView(ledger, run, language),
      ...(await changedView(ledger, parts, isBegun)),
      ...(await sinceAskedView(ledger, run, state, language)),
      approval: {
        needed: run.needsApproval === true,
        ...((await approvalData(ledger, run)) ?? { state: 'not_asked', lines: [] }),
      },
      onInvalid: job.run.onInvalid,
      ...(await importOfRun(ledger, run)),
      connection: { name: run.connection, host: hostOfRun(run), sandbox: connection.sandbox },
      ...(sent
        ? {
            sent: {
              by: sent.by.who,
              at: new Date(sent.at).toISOString(),
              requests: run.requests,
              goesOn: isUnderWay(state, run.kind),
            },
          }
        : {}),
      ...((isRefused || run.awaitsApproval) && run.reason ? { refused: render(run.reason, language) } : {}),
      warnings: (await ledger.plan.warnings(id)).map((it) => render(it, language)),
      ...(corrections ? { corrections: corrections.cells } : {}),
      ...(job.undoes ? { reverts: job.undoes.run } : {}),
      parent: run.parent,
      ...(await rehearsedView(ledger, run)),
      may: await planPermissions(context, ledger, run, state),
    };
  });
}

/** Changes when another user or process changes the plan: its state, its approval, whether it was sent. */
export function planVersionData(context: AppContext, id: string): Promise<{ readonly version: string }> {
  return withLedger(context, async ({ ledger }) => {
    const run = await runNamed(ledger, id);
    return { version: await versionOf(ledger, run, await liveStateOf(ledger, run)) };
  });
}

async function versionOf(ledger: Ledger, run: Run, state: LiveState): Promise<string> {
  const { state: approval = '', lines = [] } = (await approvalData(ledger, run)) ?? {};
  return [run.kind, state, approval, lines.length].join(' ');
}

interface PlanPart {
  readonly operation: Operation;
  readonly step?: string;
  readonly run?: Run | undefined;
}

export async function partsOf(ledger: Ledger, run: Run): Promise<readonly PlanPart[]> {
  if (!hasSteps(run)) return [{ operation: operationNamed(run.operation as Operation['name']), run }];
  return (await stepRunsOf(ledger, run)).map((it) => ({
    operation: it.operation,
    step: it.step.name,
    run: it.run,
  }));
}

async function plannedOperation(
  ledger: Ledger,
  { operation, step, run }: PlanPart,
  language: MessageSurface,
) {
  const { reversal } = operation;
  const isNone = reversal.kind === 'none';
  return {
    operation: operation.name,
    step,
    items: run?.items ?? 0,
    // Requests of a later step are formed only after the step before it, from what that returned.
    ...(run && run.state !== 'planning'
      ? { requests: (await ledger.execution.remaining(run.id)).batches }
      : {}),
    irreversible: isNone && !operation.repeatable,
    reversal: isNone
      ? render(reversal.reason, language)
      : `${reversal.operation}: ${render(reversal.caution, language)}`,
    deletes: operation.revokes !== undefined,
  };
}

async function differenceView(ledger: Ledger, run: Run, language: MessageSurface) {
  const lines = [];
  if (run.rows > 50_000) {
    const text = render(message('difference.not_searched'), language);
    return [{ kind: 'skipped', depth: 0, text }] as const;
  }
  for await (const { kind, depth, text } of differenceOf(ledger, run, false)) {
    // The page links to the rows instead of the option `--all`.
    const shown: Message =
      text.code === 'difference.more' ? { ...text, code: 'difference.more_there' } : text;
    lines.push({ kind, depth, text: render(shown, language) });
  }
  return lines;
}

/** Rows that need a confirmation, as the ledger has them now. */
async function changedView(ledger: Ledger, parts: readonly PlanPart[], isSent: boolean) {
  if (isSent) return {};
  const runs = parts.flatMap(({ run }) =>
    run ? [{ run: run.id, job: unpackSettings(run.settings).job }] : [],
  );
  const changed = await changedRows(ledger, runs);
  return changed ? { changed } : {};
}

/** Changes since the last approved plan of the job, or else since the last one for which approval was requested. */
async function sinceAskedView(ledger: Ledger, run: Run, state: LiveState, language: MessageSurface) {
  if (!run.needsApproval || state === 'planning') return {};
  const earlier = await previouslyRequested(ledger, run);
  if (!earlier) return {};
  const lines = (await changesSinceRequest(ledger, run, earlier.plan)).map((it) => ({
    ...it,
    text: render(it.text, language),
  }));
  return { sinceAsked: { run: earlier.plan.id, approved: earlier.isApproved, lines } };
}
