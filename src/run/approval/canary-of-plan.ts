import type { Ledger } from '../../ledger/contract/ledger.js';
import type { Run } from '../../ledger/contract/run.js';
import { packSettings } from '../../ledger/kept-settings.js';
import type { JsonObject } from '../../model/json.js';
import { itemsOfWholeRequests } from '../execute/canary.js';
import { unpackAny } from '../settings.js';
import { stepRunsOf } from '../step-runs.js';

/**
 * A canary that is asked for when the plan is sent already. Of a run of several steps it is of the first that sends anything:
 * the first of all has its requests, those after it get theirs when their turn comes (advance.ts).
 * @returns how many items it has, and the settings of the runs that must know of it: whoever resumes them finds it there
 */
export async function canaryOfPlan(
  ledger: Ledger,
  plan: Run,
  wanted: number,
): Promise<{ readonly canary: number; readonly settings: ReadonlyMap<string, JsonObject> }> {
  const [first] = await stepRunsOf(ledger, plan);
  const of = first ? first.run : plan;
  const hasRequests = of !== undefined && of.items > 0;
  const canary = hasRequests ? await itemsOfWholeRequests(ledger, of.id, wanted) : wanted;
  const settings = new Map<string, JsonObject>();
  for (const it of hasRequests ? [plan, of] : [plan]) {
    const planned = unpackAny(it.settings);
    const own = { ...planned, canary, plannedCanary: planned.canary ?? 0 };
    settings.set(it.id, packSettings(own));
  }
  return { canary, settings };
}
