import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { type Message, message, render } from '../errors/message.js';
import type { Job, ReconcileAction } from '../model/job.js';
import type { JsonObject } from '../model/json.js';
import type { Row } from '../model/row.js';
import type { ActionRun } from '../model/run-outcome.js';
import { operationNamed } from '../platform/operations/catalogue.js';
import { writeRows } from '../source/rows-file.js';
import { EventLoopTurns } from '../util/clock.js';
import { actionFields, actionHeaders, actionRow, recordPaths } from './action-rows.js';
import type { InquiryEnd } from './ask-platform.js';
import { expectationOf, keyOf } from './bind.js';
import type { Reconciliation } from './input.js';
import type { SourceRead } from './read-source.js';
import type { DriftVerdict } from './services.js';
import { type BoundWhen, bindWhen } from './when.js';

/** An action that applies to at least one row. */
export interface ProposedAction {
  /** Counted from 1, as in the job file. */
  readonly action: number;
  readonly job: Job;
}

/** The folder for the sources of actions, by run, until the actions' runs have copies of them. */
export function actionsFolder(stateFolder: string): string {
  return path.join(stateFolder, 'actions');
}

/**
 * Finds the rows that an action applies to, notes them, and writes them as the source of a separate job, with columns
 * for expected and actual values. Undefined if there are none, or nothing is to be executed.
 */
async function propose(reconciliation: Reconciliation, index: number): Promise<ProposedAction | undefined> {
  const { run, job, input, comparison, store, stateFolder } = reconciliation;
  const action = job.actions[index]!;
  const headers = actionHeaders(input.table.headers, recordPaths(actionFields(comparison)));
  let touched = 0;
  const rows = async function* (): AsyncGenerator<readonly Row[]> {
    for await (const chosen of chosenRows(reconciliation, action, index)) {
      const page = chosen.map(({ line, row, verdict }) => {
        const expected = expectedOf(store.body(line));
        const place = { sheet: input.table.sheet.name, line, row };
        return actionRow(place, headers, {
          expected,
          actual: verdict.status === 'missing' ? {} : (verdict.actual ?? {}),
        });
      });
      touched += page.length;
      yield page;
    }
  };
  if (!reconciliation.apply) {
    for await (const _ of rows());
    return undefined;
  }
  const folder = path.join(actionsFolder(stateFolder), run);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const file = path.join(folder, `${index + 1}.rows`);
  const { name } = input.table.sheet;
  await writeRows(file, { sheet: name, headerRow: input.table.headerRow, headers, rows: rows() });
  return touched === 0 ? undefined : { action: index + 1, job: actionJob(reconciliation, index, file) };
}

/** The expected record of a row: the key and the expected fields. */
function expectedOf(body: JsonObject | undefined): JsonObject {
  return body ? { ...keyOf(body), ...expectationOf(body) } : {};
}

interface ChosenRow {
  readonly line: number;
  /** Absent for an extra record. */
  readonly row: Row | undefined;
  readonly verdict: DriftVerdict;
}

/** The rows or extra records with the action's status that meet its condition. */
async function* chosenRows(
  reconciliation: Reconciliation,
  action: ReconcileAction,
  index: number,
): AsyncGenerator<readonly ChosenRow[]> {
  const { input, store } = reconciliation;
  const when = bindWhen(reconciliation.job, action, input.table, reconciliation.comparison);
  const chosenAt = (line: number, row: Row | undefined): ChosenRow[] => {
    const verdict = store.verdict(line);
    if (verdict?.status !== action.on) return [];
    return meetsCondition(reconciliation, when, { line, row, verdict }, index)
      ? [{ line, row, verdict }]
      : [];
  };
  if (action.on !== 'extra') {
    const turns = new EventLoopTurns();
    for await (const chunk of input.reader.plain()) {
      const chosen: ChosenRow[] = [];
      for (const row of chunk) {
        if (turns.isDue) await turns.take();
        chosen.push(...chosenAt(row.number, row));
      }
      yield chosen;
    }
    return;
  }
  for (const extras of store.extras()) yield extras.flatMap(({ line }) => chosenAt(line, undefined));
}

function meetsCondition(
  { store, job, language }: Reconciliation,
  when: BoundWhen | undefined,
  { line, row, verdict }: ChosenRow,
  index: number,
): boolean {
  const operation = job.actions[index]!.operation;
  if (when) {
    const expected = expectedOf(store.body(line));
    const result = when(row, expected, verdict.status === 'missing' ? {} : (verdict.actual ?? {}));
    if (!result.ok) {
      const params = { condition: job.actions[index]!.when?.source ?? '', detail: result.detail };
      const text = render(message('reconcile.when_undecided', params), language);
      store.note(line, { action: index + 1, operation, status: 'not_decided', message: text });
    }
    if (!result.ok || !result.value) return false;
  }
  store.note(line, { action: index + 1, operation, status: 'proposed', message: '' });
  return true;
}

function actionJob({ job, input, output }: Reconciliation, index: number, file: string): Job {
  const { operation, map, batch } = job.actions[index]!;
  const suffix = `${index + 1}-${operation.replaceAll(/[._]/g, '-')}`;
  const { dir, name, ext } = path.parse(output);
  const { key, repeatable } = operationNamed(operation);
  // The platform differs again, although the same rows may have been sent before, so duplicates are sent.
  const safety =
    key === undefined && repeatable ? { ...job.safety, duplicates: 'send' as const } : job.safety;
  return {
    file: job.file,
    sha256: job.sha256,
    name: `${job.name}-${suffix}`,
    operation,
    source: {
      file,
      headerRow: input.table.headerRow,
      encoding: 'auto',
      delimiter: 'auto',
      hiddenRows: 'include',
    },
    map,
    batch,
    run: job.run,
    safety,
    output: { file: path.join(dir, `${name}-${suffix}${ext}`) },
  };
}

export interface ActionsOutcome {
  readonly runs: readonly ActionRun[];
  /** True if something may have been changed on the platform. */
  readonly touched: boolean;
  /** Why not all was executed. */
  readonly refusal?: Message;
  /** True if rows of an action were invalid. */
  readonly invalid: boolean;
  readonly warnings: readonly Message[];
}

/** Statuses of rows that were never sent. */
const UNSENT: ReadonlySet<string> = new Set(['invalid', 'skipped', 'not_sent', 'valid']);

/** Proposes the job's actions and executes them if `apply` is set. Notes the outcome at each row. */
export async function runProposedActions(
  reconciliation: Reconciliation,
  read: SourceRead,
  inquiryEnd: InquiryEnd | undefined,
): Promise<ActionsOutcome> {
  const { job, store } = reconciliation;
  const warnings: Message[] = [];
  const nothing = { runs: [], touched: false, invalid: false, warnings };
  if (reconciliation.stop.cause) return nothing;
  const proposed: ProposedAction[] = [];
  for (const [index, { on }] of job.actions.entries()) {
    const withheld = on === 'extra' ? extraWithheld(read, inquiryEnd) : undefined;
    if (withheld) {
      if (store.counts().extra) warnings.push(withheld);
      continue;
    }
    const found = await propose(reconciliation, index);
    if (found) proposed.push(found);
  }
  // After an incomplete comparison nothing is executed. The next comparison may do so, when the platform replies again.
  if (!reconciliation.apply || inquiryEnd || proposed.length === 0) return nothing;
  const actions = await reconciliation.runActions(
    proposed.map((action) => action.job),
    reconciliation.run,
  );
  let touched = false;
  for (const [index, run] of actions.runs.entries()) {
    const { action } = proposed[index]!;
    for await (const page of run.rows()) {
      for (const { row, status, message: text } of page) {
        store.note(row, { action, operation: run.operation, status, message: text });
        if (UNSENT.has(status)) continue;
        store.touch(row);
        touched = true;
      }
    }
  }
  if (!actions.refusal) return { runs: actions.runs, touched, invalid: false, warnings };
  reportNotPlanned(reconciliation, proposed.slice(actions.runs.length), actions.refusal);
  const invalid = actions.runs.some((run) => run.status === 'invalid');
  return { runs: actions.runs, touched, refusal: actions.refusal, invalid, warnings };
}

/** Why actions on extra records are withheld: it must be certain that a record is extra. */
function extraWithheld(read: SourceRead, inquiryEnd: InquiryEnd | undefined): Message | undefined {
  if (read.unreadableKey !== undefined) {
    return message('reconcile.extra_actions_withheld', { row: read.unreadableKey });
  }
  return inquiryEnd ? message('reconcile.extra_actions_incomplete') : undefined;
}

function reportNotPlanned(
  { store, language }: Reconciliation,
  left: readonly ProposedAction[],
  why: Message,
): void {
  const text = render(message('reconcile.not_carried_out', { why: render(why, language) }), language);
  for (const { action, job } of left) {
    for (const line of store.linesOf(action)) {
      store.note(line, { action, operation: job.operation, status: 'not_sent', message: text });
    }
  }
}
