import type { LeftOutAnswer, PlanAnswer } from '../../api/plans.js';
import { MendRows } from '../../parts/import-of.js';
import { Notice } from '../../parts/notices.js';
import { number, say } from '../../words/language.js';
import { PLAN } from '../../words/plan.js';
import { rowsText } from './contents.js';

export function invalidRows({ counts }: PlanAnswer): number {
  return counts?.invalid ?? 0;
}

function leftOutText(plan: PlanAnswer): string {
  const count = invalidRows(plan);
  return count === 1 ? say(PLAN.invalid_left_out_one) : say(PLAN.invalid_left_out, { count });
}

/** What invalid rows do to the plan, with the way back to where they are mended. */
export function InvalidRows({ plan }: { readonly plan: PlanAnswer }) {
  if (invalidRows(plan) === 0) return undefined;
  // That they hold the plan back is said of `Send`.
  const isSaid = plan.state === 'invalid';
  if (isSaid && !plan.import) return undefined;
  return (
    <Notice tone="doubt">
      {!isSaid && <p>{leftOutText(plan)}</p>}
      {plan.import && (
        <p>
          <MendRows of={plan.import} />
        </p>
      )}
    </Notice>
  );
}

/** Said again when somebody gives their word for the plan, or sends it: every fault whose rows are left out. */
export function LeftOutAgain({ plan }: { readonly plan: PlanAnswer }) {
  if (invalidRows(plan) === 0) return undefined;
  const faults = plan.skipped.filter(({ status }) => status === 'invalid');
  return (
    <div class="notice doubt">
      <p class="first">{leftOutText(plan)}</p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard */}
      <section class="left-out" aria-label={say(PLAN.skipped)} tabIndex={0}>
        <ul>
          {faults.map((it) => (
            <li key={it.reason}>{faultText(it)}</li>
          ))}
        </ul>
      </section>
      <p>
        <a href={`/runs/${encodeURIComponent(plan.run)}?status=invalid`}>{say(PLAN.all_left_out)}</a>
      </p>
    </div>
  );
}

function faultText({ reason, count, rows = [] }: LeftOutAnswer): string {
  if (count === 1) return reason;
  return say(PLAN.fault_in_rows, { fault: reason, count: number(count), rows: rowsText(rows, count) });
}
