import { type Message, message, render } from '../errors/message.js';
import type { ActionRun } from '../model/run-outcome.js';
import type { InquiryEnd } from './ask-platform.js';
import { type ProposedAction, propose } from './propose.js';
import type { SourceRead } from './read-source.js';
import type { Reconciliation } from './reconciliation.js';

export interface ActionsOutcome {
  readonly runs: readonly ActionRun[];
  /** True when something may have been changed on the platform. */
  readonly touched: boolean;
  /** Why not all was carried out. */
  readonly refusal?: Message;
  /** True when rows of an action were invalid. */
  readonly invalid: boolean;
  readonly warnings: readonly Message[];
}

/** Statuses of rows that were never sent. */
const UNSENT: ReadonlySet<string> = new Set(['invalid', 'skipped', 'not_sent', 'valid']);

/** Proposes the job's actions and carries them out if `apply` is set. Each row is given a note of what became of it. */
export async function runProposedActions(
  it: Reconciliation,
  read: SourceRead,
  asked: InquiryEnd | undefined,
): Promise<ActionsOutcome> {
  const { job, store } = it;
  const warnings: Message[] = [];
  const nothing = { runs: [], touched: false, invalid: false, warnings };
  if (it.stop.cause) return nothing;
  const proposed: ProposedAction[] = [];
  for (const [index, { on }] of job.actions.entries()) {
    const withheld = on === 'extra' ? extraWithheld(read, asked) : undefined;
    if (withheld) {
      if (store.counts().extra) warnings.push(withheld);
      continue;
    }
    const found = await propose(it, index);
    if (found) proposed.push(found);
  }
  // An incomplete comparison carries nothing out; the next one may, once the platform answers again.
  if (!it.apply || asked || proposed.length === 0) return nothing;
  const acted = await it.runActions(
    proposed.map((action) => action.job),
    it.run,
  );
  let touched = false;
  for (const [index, run] of acted.runs.entries()) {
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
  if (!acted.refusal) return { runs: acted.runs, touched, invalid: false, warnings };
  tellNotPlanned(it, proposed.slice(acted.runs.length), acted.refusal);
  const invalid = acted.runs.some((run) => run.status === 'invalid');
  return { runs: acted.runs, touched, refusal: acted.refusal, invalid, warnings };
}

/** Why actions on extra records are withheld: it must be certain that a record is extra. */
function extraWithheld(read: SourceRead, asked: InquiryEnd | undefined): Message | undefined {
  if (read.unreadableKey !== undefined) {
    return message('reconcile.extra_actions_withheld', { row: read.unreadableKey });
  }
  return asked ? message('reconcile.extra_actions_incomplete') : undefined;
}

function tellNotPlanned(
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
