import type { Wording } from '../../errors/at-page.js';
import { type Message, message, render, renderText } from '../../errors/message.js';
import type { Ledger } from '../../ledger/contract/ledger.js';
import type { RowResult } from '../../ledger/contract/report.js';
import type { Run } from '../../ledger/contract/run.js';
import { isRefusedPlan } from '../../ledger/rules/run-states.js';
import { hostOfRun } from '../../ledger/rules/scopes.js';
import type { Fault } from '../../model/fault.js';
import type { MapNode } from '../../model/map.js';
import type { Operation } from '../../model/operation.js';
import { STATUSES, type Status } from '../../model/status.js';
import { operationNamed } from '../../platform/operations/index.js';
import { type LiveState, liveStateOf } from '../../run/live-state.js';
import { differenceOf } from '../../run/report/difference.js';
import { firstRequests, type ShownRequest } from '../../run/report/explained-requests.js';
import { askedBefore, sinceAsked } from '../../run/report/since-asked.js';
import { refusePruned } from '../../run/run-checks.js';
import { unpackAny, unpackSettings } from '../../run/settings.js';
import { hasSteps, stepRunsOf } from '../../run/step-runs.js';
import { toldFile } from '../../source/original-name.js';
import { cellAddress } from '../../util/address.js';
import { faultText } from '../../workbook/fault-text.js';
import { approvalData } from '../approval-data.js';
import { type AppContext, wordsOf } from '../context.js';
import { importOfRun } from '../imports/import-plans.js';
import { runNamed, withLedger } from '../open.js';
import { mayAtPlan } from './may.js';
import { rehearsedTold } from './rehearsal.js';

const REQUESTS_SHOWN = 5;
const ROWS_NAMED = 10;
/** Reasons of rows that are left out, and what changes, are told as far as they are found within so long each. */
const LOOKED_FOR_MS = 1500;

/** A kept plan as somebody looks at it before it is sent: all that is approved. */
export function planData(context: AppContext, id: string) {
  return withLedger(context, async ({ ledger }) => {
    const language = wordsOf(context);
    const run = await runNamed(ledger, id);
    refusePruned(run);
    const { connection, job, corrections } = unpackSettings(run.settings);
    const state = await liveStateOf(ledger, run);
    const isRefused = isRefusedPlan(run);
    const sent = isRefused ? undefined : await ledger.approvals.application(id);
    const parts = await partsOf(ledger, run);
    const first: (ShownRequest & { operation: string; items: number })[] = [];
    for (const it of parts) {
      if (!it.run || it.run.state === 'planning' || first.length >= REQUESTS_SHOWN) continue;
      const count = REQUESTS_SHOWN - first.length;
      for (const { items, request } of await firstRequests(ledger, it.run, it.operation, connection, count))
        first.push({ ...request, operation: it.operation.name, items });
    }
    return {
      run: id,
      job: run.job,
      state,
      input: toldFile(run.inputFile),
      ...(run.planHash === undefined ? {} : { hash: run.planHash }),
      ...(run.by === undefined ? {} : { by: run.by }),
      madeAt: new Date(run.startedAt).toISOString(),
      rows: run.rows,
      items: run.items,
      counts: await ledger.runs.counts(id),
      operations: await Promise.all(parts.map((it) => plannedOperation(ledger, it, language))),
      first,
      ...(await leftOut(ledger, run, sent !== undefined, language)),
      difference: await differenceTold(ledger, run, language),
      ...(await sinceAskedTold(ledger, run, state, language)),
      approval: {
        needed: run.needsApproval === true,
        ...((await approvalData(ledger, run)) ?? { state: 'not_asked', lines: [] }),
      },
      onInvalid: job.run.onInvalid,
      ...(await importOfRun(ledger, run)),
      connection: { name: run.connection, host: hostOfRun(run), sandbox: connection.sandbox },
      ...(sent ? { sent: { by: sent.by.who, at: new Date(sent.at).toISOString() } } : {}),
      ...(isRefused && run.reason ? { refused: render(run.reason, language) } : {}),
      warnings: (await ledger.plan.warnings(id)).map((it) => render(it, language)),
      ...(corrections ? { corrections: corrections.cells } : {}),
      ...(job.undoes ? { reverts: job.undoes.run } : {}),
      ...(run.parent === undefined ? {} : { parent: run.parent }),
      ...(await rehearsedTold(ledger, run)),
      may: await mayAtPlan(context, ledger, run, state),
    };
  });
}

/** What a plan sends by one operation. */
interface PlanPart {
  readonly operation: Operation;
  readonly step?: string;
  readonly run?: Run | undefined;
}

async function partsOf(ledger: Ledger, run: Run): Promise<readonly PlanPart[]> {
  if (!hasSteps(run)) return [{ operation: operationNamed(run.operation as Operation['name']), run }];
  return (await stepRunsOf(ledger, run)).map((it) => ({
    operation: it.operation,
    step: it.step.name,
    run: it.run,
  }));
}

async function plannedOperation(ledger: Ledger, { operation, step, run }: PlanPart, language: Wording) {
  const { wayBack } = operation;
  const isNone = wayBack.kind === 'none';
  return {
    operation: operation.name,
    ...(step === undefined ? {} : { step }),
    items: run?.items ?? 0,
    // A later step is made into requests when its turn comes, with what the one before it returned.
    ...(run && run.state !== 'planning'
      ? { requests: (await ledger.execution.remaining(run.id)).batches }
      : {}),
    irreversible: isNone && !operation.repeatable,
    wayBack: isNone
      ? render(wayBack.reason, language)
      : `${wayBack.operation}: ${render(wayBack.caution, language)}`,
    deletes: operation.revokes !== undefined,
  };
}

/** Statuses that rows have from the plan on. */
const LEFT_OUT: ReadonlySet<Status> = new Set(['invalid', 'skipped']);

interface Reason {
  readonly reason: string;
  readonly status: string;
  count: number;
  readonly rows: number[];
}

/** Rows that aren't sent, by status and reason, the most frequent first. */
async function leftOut(ledger: Ledger, run: Run, isSent: boolean, language: Wording) {
  const until = performance.now() + LOOKED_FOR_MS;
  const found = new Map<string, Reason>();
  const seen = new Set<string>();
  // What became of the others once they were sent is no reason to have left them out.
  const wanted = STATUSES.filter((it) => (isSent ? LEFT_OUT.has(it) : it !== 'valid'));
  const { job } = unpackAny(run.settings);
  for (const { step, run: of } of await partsOf(ledger, run)) {
    if (!of) continue;
    const headers = headersOf('steps' in job ? job.steps.find((it) => it.name === step)?.map : job.map);
    const told = { headers, language, seen, ...(step === undefined ? {} : { step }) };
    let after = 0;
    for (;;) {
      const { row, lookedTo } = await ledger.report.nextOf(of.id, wanted, { pendingAs: 'valid', after });
      if (row === undefined && lookedTo === undefined) break;
      after = lookedTo ?? row! - 1;
      if (row !== undefined) {
        for await (const page of ledger.report.rows(of.id, 'valid', after)) {
          for (const it of page) if (wanted.includes(it.status)) addReason(found, it, told);
          after = page.at(-1)?.row ?? after;
          if (!page.some((it) => wanted.includes(it.status)) || performance.now() > until) break;
        }
      }
      if (performance.now() > until) return { skipped: sorted(found), skippedUntil: after };
    }
  }
  return { skipped: sorted(found) };
}

function sorted<T extends { readonly count: number }>(found: ReadonlyMap<string, T>): readonly T[] {
  return [...found.values()].sort((a, b) => b.count - a.count);
}

const REASONS_TOLD = 200;

interface ToldOf {
  readonly headers: ReadonlyMap<string, string>;
  readonly language: Wording;
  readonly step?: string;
  /** Reasons that several steps have for a row, with that row. */
  readonly seen: Set<string>;
}

function addReason(
  found: Map<string, Reason>,
  { row, status, faults, messages }: RowResult,
  { headers, language, step, seen }: ToldOf,
): void {
  const [fault] = faults;
  const text = messages[0]?.text ?? '';
  const code = typeof text === 'string' ? undefined : text.code;
  // Told of the step that finds it invalid.
  if (code === 'steps.invalid') return;
  const isOfStep = step !== undefined && !fault && code !== 'steps.together';
  const reason = fault ? faultByHeader(fault, headers, language) : renderText(text, language);
  // Of faults the cell differs in every row: they are told by kind.
  const kind = fault ? `${fault.message.code} ${fault.column ?? ''}` : `${isOfStep ? step : ''} ${reason}`;
  const key = `${status} ${kind}`;
  if (step !== undefined && !isOfStep) {
    if (seen.has(`${row} ${key}`)) return;
    seen.add(`${row} ${key}`);
  }
  const known = found.get(key);
  if (!known && found.size >= REASONS_TOLD) return;
  const it = known ?? { reason: isOfStep ? `${step}: ${reason}` : reason, status, count: 0, rows: [] };
  it.count += 1;
  if (it.rows.length < ROWS_NAMED) it.rows.push(row);
  found.set(key, it);
}

/** As the result has it, but by the header of the column that feeds the field, which is what people know. */
function faultByHeader(fault: Fault, headers: ReadonlyMap<string, string>, language: Wording): string {
  const header = fault.column === undefined ? undefined : headers.get(fault.field ?? '');
  if (fault.column === undefined || header === undefined) return faultText(fault, language);
  const cell = `${fault.sheet}!${cellAddress(fault.column, fault.row)}`;
  return render(
    message('imports.fault_cell', { header, cell, fault: render(fault.message, language) }),
    language,
  );
}

/** The headers of the columns that fields come from, by the fields' paths; two steps may have the same from others. */
function headersOf(map: MapNode | undefined): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const add = (node: MapNode | undefined, path: readonly string[]): void => {
    if (node?.kind === 'column') found.set(path.join('.'), node.column);
    else if (node?.kind === 'branch') for (const [name, it] of node.fields) add(it, [...path, name]);
  };
  add(map, []);
  return found;
}

async function differenceTold(ledger: Ledger, run: Run, language: Wording) {
  const until = performance.now() + LOOKED_FOR_MS;
  const told = [];
  if (run.rows > 50_000) return [];
  for await (const { kind, depth, text } of differenceOf(ledger, run, false)) {
    // At a page nobody can ask for all of them; the rows are a click away.
    const own: Message = text.code === 'difference.more' ? { ...text, code: 'difference.more_there' } : text;
    told.push({ kind, depth, text: render(own, language) });
    if (performance.now() > until) break;
  }
  return told;
}

/** What somebody who approved, or refused, an earlier plan of the job need look at. */
async function sinceAskedTold(ledger: Ledger, run: Run, state: LiveState, language: Wording) {
  if (!run.needsApproval || state === 'planning') return {};
  const asked = await askedBefore(ledger, run);
  if (!asked) return {};
  const lines = (await sinceAsked(ledger, run, asked)).map((it) => ({
    ...it,
    text: render(it.text, language),
  }));
  return { sinceAsked: { run: asked.id, lines } };
}
