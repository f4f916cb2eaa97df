import { type Message, message } from '../../errors/message.js';
import type { Connection } from '../../model/connection.js';
import type { Operation } from '../../model/operation.js';
import { shellWord } from '../../util/shell-word.js';

/** What is about to happen, for the person who must say yes. */
export interface SendQuestion {
  readonly job: string;
  readonly operation: Operation;
  readonly connection: Connection;
  /** Of all steps, where there are several. */
  readonly items: number;
  /** What each step is to send, where there are several. */
  readonly steps?: readonly StepNumbers[];
  /** Rows that another run left unknown and that would be sent again. */
  readonly doubtful?: { readonly run: string; readonly rows: number };
  /** The ledger is new to the platform, and this user has sent to it by another one. */
  readonly otherLedger?: { readonly location: string; readonly other: string; readonly platform: string };
  /** What became of the canary, where it is the rest that needs a yes. */
  readonly canary?: { readonly good: number; readonly settled: number };
}

/** A step with the items that it is still to send, as far as that is known. */
export interface StepNumbers {
  readonly name: string;
  readonly operation: Operation;
  readonly items: number;
}

/** How a yes is had where one is needed: given beforehand (`true`), not to be had (`false`), or asked for. */
export type Confirm = boolean | ((question: SendQuestion) => boolean | Promise<boolean>);

/**
 * Whether the items may be sent, when the contract (section 7) wants a yes for them: delete operations on any
 * connection but the sandbox, connections that say `confirm: always`, and unknown rows that go again. Gives the refusal,
 * or undefined.
 */
export async function consent(confirm: Confirm, question: SendQuestion): Promise<Message | undefined> {
  const { connection, items, doubtful, otherLedger } = question;
  const operations = question.steps?.map((it) => it.operation) ?? [question.operation];
  const needed =
    doubtful !== undefined ||
    otherLedger !== undefined ||
    connection.confirm === 'always' ||
    (operations.some(({ revokes }) => revokes !== undefined) && !connection.sandbox);
  if (!needed || confirm === true) return undefined;
  if (confirm === false) {
    if (doubtful) return message('retry.needs_yes', doubtful);
    if (otherLedger) return newToPlatform(otherLedger);
    const operation = [...new Set(operations.map(({ name }) => name))].join(', ');
    return message('run.needs_yes', { operation, connection: connection.name, items });
  }
  if (await confirm(question)) return undefined;
  return otherLedger ? newToPlatform(otherLedger) : message('run.not_confirmed');
}

function newToPlatform(it: NonNullable<SendQuestion['otherLedger']>): Message {
  return message('ledger.new_to_platform', { ...it, other: shellWord(it.other) });
}
