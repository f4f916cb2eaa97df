import { type Message, message } from '../../errors/message.js';
import type { Ledger } from '../../ledger/contract/ledger.js';
import type { Run } from '../../ledger/contract/runs.js';
import { packSettings } from '../../ledger/stored-settings.js';
import type { JsonObject } from '../../model/json.js';
import { unpackAny } from '../settings.js';
import { stepRunsOf } from '../step-runs.js';
import type { Confirm, SendQuestion } from './confirm-sending.js';

/** The number of items in whole requests that contain at least `least` items: batches are not divided. */
export async function itemsOfWholeRequests(
  ledger: Pick<Ledger, 'execution'>,
  run: string,
  least: number,
): Promise<number> {
  let items = 0;
  let after = 0;
  while (items < least) {
    const batches = await ledger.execution.pending(run, after, 100);
    if (batches.length === 0) break;
    for (const batch of batches) {
      if (items < least) items += batch.items.length;
      after = batch.batch;
    }
  }
  return items;
}

/** The state of a run with a canary, from its ledger. */
type CanaryState =
  /** Number of canary items still to be sent. */
  | { readonly kind: 'sending'; readonly left: number }
  /** The canary has its outcomes and none of the rest was started. */
  | { readonly kind: 'waiting' }
  /** There is no canary, it is the whole run, or the rest was confirmed and started. */
  | { readonly kind: 'none' };

export async function canaryState(
  ledger: Ledger,
  run: string,
  planned: number,
  canary: number | undefined,
): Promise<CanaryState> {
  if (canary === undefined || canary >= planned) return { kind: 'none' };
  const { items } = await ledger.execution.remaining(run);
  const settled = planned - items;
  if (settled < canary) return { kind: 'sending', left: canary - settled };
  return settled === canary ? { kind: 'waiting' } : { kind: 'none' };
}

/**
 * Whether the items after the canary may be sent (contract section 7). Asks the user if that is possible. `--yes`
 * continues if the whole canary succeeded, or if its outcome was reported before (`unreported` false).
 * @returns the refusal; undefined if they may
 */
export async function confirmAfterCanary(
  ledger: Ledger,
  run: string,
  confirm: Confirm,
  question: SendQuestion,
  unreported: boolean,
): Promise<Message | undefined> {
  const counts = await ledger.execution.itemCounts(run);
  const good = (counts.succeeded ?? 0) + (counts.accepted ?? 0) + (counts.skipped ?? 0);
  const settled = good + (counts.rejected ?? 0) + (counts.failed ?? 0) + (counts.unknown ?? 0);
  const params = { run, good, settled, left: question.items };
  if (confirm === true)
    return unreported && good < settled ? message('run.canary_failed', params) : undefined;
  if (confirm === false) return message('run.canary_waits', params);
  const confirmed = await confirm({ ...question, canary: { good, settled } });
  return confirmed ? undefined : message('run.canary_waits', params);
}

/**
 * Sets a canary for a plan that already exists. In a run of several steps it applies to the first step that sends
 * anything: the first step already has its requests, later steps form theirs when their turn comes (advance.ts).
 * @returns the number of its items, and the changed settings by run, from which a resumed run reads the canary
 */
export async function canaryOfPlan(
  ledger: Ledger,
  plan: Run,
  least: number,
): Promise<{ readonly canary: number; readonly settings: ReadonlyMap<string, JsonObject> }> {
  const [first] = await stepRunsOf(ledger, plan);
  const target = first ? first.run : plan;
  const hasRequests = target !== undefined && target.items > 0;
  const canary = hasRequests ? await itemsOfWholeRequests(ledger, target.id, least) : least;
  const settings = new Map<string, JsonObject>();
  for (const run of hasRequests ? [plan, target] : [plan]) {
    const planned = unpackAny(run.settings);
    const changed = { ...planned, canary, plannedCanary: planned.canary ?? 0 };
    settings.set(run.id, packSettings(changed));
  }
  return { canary, settings };
}
