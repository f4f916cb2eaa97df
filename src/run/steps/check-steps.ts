import { type Message, message } from '../../errors/message.js';
import type { Ledger } from '../../ledger/contract/ledger.js';
import type { RowVerdict } from '../../ledger/contract/plan.js';
import { crashPoint } from '../../util/crash-point.js';
import { distinctMessages } from '../../util/error-detail.js';
import { finishPlan, planItems, warnOfCutOff } from '../plan/plan.js';
import { rowsShareItems, withdrawInvalidRows } from '../plan/plan-checks.js';
import { OtherSteps } from '../plan/step-progress.js';
import { type ActiveStep, activeSteps, type StepsContext } from './step-contexts.js';

/**
 * The plan stage of a run of several steps. Plans all of them over the whole file: the first as it will be sent, the
 * others with placeholders for the results of earlier steps. A row that is invalid in one step is sent in none. If
 * interrupted, the run stays in state `planning` and is planned again.
 * @throws ProductError as `planItems`
 */
export async function checkSteps(context: StepsContext): Promise<void> {
  const { services, id, settings } = context;
  const { ledger, stop, observer } = services;
  const steps = await activeSteps(context);
  const rows: number[] = [];
  try {
    for (const step of steps) {
      const planned = await planItems(step.context, {
        whole: settings.job,
        others: othersOf(step, steps, true),
      });
      if (planned === undefined) return;
      rows.push(planned);
      crashPoint('step-checked');
    }
    await withholdInvalidRows(ledger, steps);
    for (const [index, active] of steps.entries()) await finishPlan(active.context, rows[index]!);
  } catch (error) {
    // The end of the whole run is reported by the caller.
    for (const { run } of steps) await ledger.runs.patch(run.id, { state: 'invalid' }).catch(() => {});
    throw error;
  }
  if (stop.cause) return;
  await warnOfCutOff(services, id, settings);
  await moveWarnings(context, steps);
  for (const warning of await ledger.plan.warnings(id)) observer.warn(warning);
  const items = await Promise.all(steps.map(async ({ run }) => (await ledger.runs.get(run.id))?.items ?? 0));
  await ledger.runs.patch(id, {
    state: 'planned',
    rows: Math.max(0, ...rows),
    items: items.reduce((sum, count) => sum + count, 0),
  });
}

/** The other steps, as a step's planning needs them. Created again for each pass over the sheet. */
export function othersOf(active: ActiveStep, all: readonly ActiveStep[], given: boolean): () => OtherSteps {
  const named = (steps: readonly ActiveStep[]) =>
    steps.map(({ step, run }) => ({ name: step.name, run: run.id }));
  const earlier = named(all.filter(({ index }) => index < active.index));
  // During a check, later steps are not planned yet.
  const later = given ? [] : named(all.filter(({ index }) => index > active.index));
  return () => new OtherSteps(active.context.services.ledger, { earlier, later }, given);
}

/** Moves the planning warnings of the steps to the whole run, each once. */
export async function moveWarnings(
  { services: { ledger }, id }: StepsContext,
  steps: readonly ActiveStep[],
): Promise<void> {
  const known = distinctMessages(await ledger.plan.warnings(id));
  const all = [...known];
  for (const { run } of steps) all.push(...(await ledger.plan.warnings(run.id)));
  const more = distinctMessages(all).slice(known.length);
  if (more.length > 0) await ledger.plan.addWarnings(id, more);
}

const VERDICTS_AT_ONCE = 500;

/** Marks rows that are invalid in any step, and all rows of their orders, as not sent in every step. */
async function withholdInvalidRows(ledger: Ledger, steps: readonly ActiveStep[]): Promise<void> {
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
        // A row that an earlier run sent keeps its status.
        if (why && status === 'valid') verdicts.push({ row, status: 'not_sent', message: why });
      }
      if (verdicts.length >= VERDICTS_AT_ONCE) await flush();
    }
    await flush();
    await withdrawInvalidRows(ledger, run.id, rowsShareItems(context.settings.job));
  }
}

/** Invalid rows, each with the message that its other steps show. */
async function invalidRows(ledger: Ledger, steps: readonly ActiveStep[]): Promise<Map<number, Message>> {
  const held = new Map<number, Message>();
  for (const { step, run } of steps) {
    const invalid = message('steps.invalid', { step: step.name });
    for await (const page of ledger.report.rows(run.id, 'valid')) {
      for (const { row, status } of page) if (status === 'invalid' && !held.has(row)) held.set(row, invalid);
    }
  }
  return held;
}

/** Adds the other rows of each order with an invalid row in any step, until there are no more. */
async function addRowsTogether(
  ledger: Ledger,
  steps: readonly ActiveStep[],
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
