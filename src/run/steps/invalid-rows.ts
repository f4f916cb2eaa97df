import { type Message, message } from '../../errors/message.js';
import type { Ledger } from '../../ledger/contract/ledger.js';
import type { RowVerdict } from '../../ledger/contract/plan.js';
import { rowsShareItems, withdrawInvalidRows } from '../plan/contradictions.js';
import type { StepInHand } from './step-contexts.js';

const VERDICTS_AT_ONCE = 500;

/**
 * Takes the rows that are invalid in any step out of all the others, and with them the rows of their orders: no part of an
 * invalid row is sent, in no step.
 */
export async function holdBackInvalidRows(ledger: Ledger, steps: readonly StepInHand[]): Promise<void> {
  const held = await invalidRows(ledger, steps);
  if (held.size === 0) return;
  await addRowsTogether(ledger, steps, held);
  for (const { run, context } of steps) {
    let verdicts: RowVerdict[] = [];
    const flush = async (): Promise<void> => {
      if (verdicts.length > 0) await ledger.plan.addVerdicts(run.id, verdicts);
      verdicts = [];
    };
    for await (const page of ledger.report.rows(run.id, 'valid')) {
      for (const { row, status } of page) {
        const why = held.get(row);
        // A row that an earlier run got through stays told so.
        if (why && status === 'valid') verdicts.push({ row, status: 'not_sent', message: why });
      }
      if (verdicts.length >= VERDICTS_AT_ONCE) await flush();
    }
    await flush();
    await withdrawInvalidRows(ledger, run.id, rowsShareItems(context.settings.job));
  }
}

/** Invalid rows, each with what its other steps say of it. */
async function invalidRows(ledger: Ledger, steps: readonly StepInHand[]): Promise<Map<number, Message>> {
  const held = new Map<number, Message>();
  for (const { step, run } of steps) {
    const invalid = message('steps.invalid', { step: step.name });
    for await (const page of ledger.report.rows(run.id, 'valid')) {
      for (const { row, status } of page) if (status === 'invalid' && !held.has(row)) held.set(row, invalid);
    }
  }
  return held;
}

/** Adds the other rows of each order that has such a row, in whatever step, until there are no more. */
async function addRowsTogether(
  ledger: Ledger,
  steps: readonly StepInHand[],
  held: Map<number, Message>,
): Promise<void> {
  for (let before = -1; before < held.size; ) {
    before = held.size;
    for (const { step, run, context } of steps) {
      if (rowsShareItems(context.settings.job)) continue;
      for await (const together of ledger.report.sharedRows(run.id)) {
        const first = together.find((row) => held.has(row));
        if (first === undefined) continue;
        const why = message('steps.together', { row: first, step: step.name, status: 'invalid' });
        for (const row of together) if (!held.has(row)) held.set(row, why);
      }
    }
  }
}
