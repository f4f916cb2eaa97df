import { type Message, message } from '../../errors/message.js';
import type { Connection } from '../../model/connection.js';
import type { Operation } from '../../model/operation.js';
import { shellWord } from '../../util/process.js';

/** Rows that a person must confirm, as the question shows them. */
export interface ChangedRows {
  readonly count: number;
  readonly rows: string;
  /** The later runs. */
  readonly runs: string;
  /** Time when the latest of these changes was sent; milliseconds since 1970. */
  readonly latest: number;
}

/** What is about to be sent, for the user who must confirm it. */
export interface SendQuestion {
  readonly job: string;
  readonly operation: Operation;
  readonly connection: Connection;
  /** The total of all steps, if there are several. */
  readonly items: number;
  /** The items of each step, if there are several. */
  readonly steps?: readonly StepNumbers[];
  /** Rows that another run left unknown and that would be sent again. */
  readonly uncertain?: { readonly run: string; readonly rows: number };
  /** The ledger has never sent to this platform, and this user has sent to it from another ledger. */
  readonly otherLedger?: { readonly location: string; readonly other: string; readonly platform: string };
  /** Rows that the job sent before, and whose locks or customers later runs changed. */
  readonly changed?: ChangedRows;
  /** The outcome of the canary, if the rest needs a confirmation. */
  readonly canary?: { readonly good: number; readonly settled: number };
}

/** A step with its number of items still to be sent, as far as known. */
export interface StepNumbers {
  readonly name: string;
  readonly operation: Operation;
  readonly items: number;
}

/** How a confirmation is obtained: given in advance (`true`), impossible (`false`), or requested. */
export type Confirm = boolean | ((question: SendQuestion) => boolean | Promise<boolean>);

/**
 * Whether the items may be sent. Asks for the confirmations that the contract requires (sections 4 and 7): delete
 * operations on any connection except the sandbox, connections with `confirm: always`, unknown rows that are sent
 * again, and rows whose locks or customers were changed since the job sent them.
 * @param findChanged finds the changed rows; called again after a confirmation, which may have taken hours
 * @returns the refusal; undefined if they may
 */
export async function confirmSending(
  confirm: Confirm,
  question: SendQuestion,
  findChanged: () => Promise<ChangedRows | undefined>,
): Promise<Message | undefined> {
  for (let changed = await findChanged(); ; ) {
    const refusal = await confirmed(confirm, { ...question, changed });
    if (refusal || confirm === true) return refusal;
    const current = await findChanged();
    if (!current || current.latest === changed?.latest) return undefined;
    changed = current;
  }
}

async function confirmed(confirm: Confirm, question: SendQuestion): Promise<Message | undefined> {
  const { connection, items, uncertain, otherLedger, changed } = question;
  const operations = question.steps?.map((step) => step.operation) ?? [question.operation];
  const needed =
    uncertain !== undefined ||
    otherLedger !== undefined ||
    changed !== undefined ||
    connection.confirm === 'always' ||
    (operations.some(({ revokes }) => revokes !== undefined) && !connection.sandbox);
  if (!needed || confirm === true) return undefined;
  if (confirm === false) {
    if (uncertain) return message('retry.needs_yes', uncertain);
    if (otherLedger) return newToPlatform(otherLedger);
    if (changed) return changedMessage('run.changed_needs_yes', changed);
    const operation = [...new Set(operations.map(({ name }) => name))].join(', ');
    return message('run.needs_yes', { operation, connection: connection.name, items });
  }
  if (await confirm(question)) return undefined;
  if (otherLedger) return newToPlatform(otherLedger);
  return changed ? changedMessage('run.changed_needs_yes', changed) : message('run.not_confirmed');
}

function newToPlatform(ledgers: NonNullable<SendQuestion['otherLedger']>): Message {
  return message('ledger.new_to_platform', { ...ledgers, other: shellWord(ledgers.other) });
}

export function changedMessage(
  code: 'run.changed_rows' | 'run.changed_needs_yes',
  changed: ChangedRows,
): Message {
  return message(code, { ...changed });
}
