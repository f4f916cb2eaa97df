import type { PlanAnswer } from '../../api/plans.js';
import { say } from '../../words/language.js';
import { PLAN } from '../../words/plan.js';

/** A sentence about the plan's items, which is another one where it is a single item. */
export function itemsText(sentence: 'lead' | 'send_title' | 'send_yes', plan: PlanAnswer): string {
  // Of a plan with invalid rows nothing goes, where the job says so: then nobody may be told that something would.
  const items = sentence === 'lead' && plan.state === 'invalid' ? 0 : plan.items;
  const params = { items, connection: plan.connection.name };
  if (items === 1) return say(PLAN[`${sentence}_one`], params);
  return say(items === 0 && sentence === 'lead' ? PLAN.lead_none : PLAN[sentence], params);
}
