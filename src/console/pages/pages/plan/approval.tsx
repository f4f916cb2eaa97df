import type { ApprovalLineAnswer, PlanAnswer } from '../../api/plans.js';
import { Time } from '../../parts/time.js';
import { say, timeText } from '../../words/language.js';
import { PLAN } from '../../words/plan.js';

/** How it stands with the second person's word, and who said what of the plan. */
export function ApprovalCard({ plan: { approval } }: { readonly plan: PlanAnswer }) {
  const { needed, lines } = approval;
  if (!needed && lines.length === 0) return undefined;
  const state = stateText(approval);
  return (
    <section class="card approval" aria-labelledby="approval">
      <h2 id="approval">{say(PLAN.approval)}</h2>
      {state === undefined ? <p>{say(PLAN.needed)}</p> : <p class={`state ${approval.state}`}>{state}</p>}
      {lines.length > 0 && (
        <ol class="said">
          {lines.map((it) => (
            <li key={`${it.at} ${it.act} ${it.by}`}>
              <span>{lineText(it)}</span> <Time at={it.at} />
              {it.comment && <q>{it.comment}</q>}
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}

function stateText({ state, by = '', until }: PlanAnswer['approval']): string | undefined {
  switch (state) {
    case 'waiting':
      return say(PLAN.waiting);
    case 'approved':
      return say(PLAN.approved, { who: by, time: until ? timeText(until) : '' });
    case 'rejected':
      return say(PLAN.rejected, { who: by });
    case 'expired':
      return say(PLAN.expired);
    default:
      return undefined;
  }
}

function lineText({ act, by, until }: ApprovalLineAnswer): string {
  switch (act) {
    case 'request':
      return say(PLAN.did_request, { who: by });
    case 'approve':
      return say(PLAN.did_approve, { who: by, time: until ? timeText(until) : '' });
    case 'reject':
      return say(PLAN.did_reject, { who: by });
  }
}
