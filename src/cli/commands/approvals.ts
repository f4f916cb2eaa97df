import {
  type ApprovalInput,
  approvePlan,
  type PlanReviews,
  rejectPlan,
  requestApproval,
} from '../../app/approvals.js';
import type { AppContext } from '../../app/context.js';
import { message, render } from '../../errors/message.js';
import { EXIT } from '../../model/run-outcome.js';
import { zonedText } from '../../util/zoned-time.js';
import { guarded } from '../process.js';
import { shownText } from '../shown-text.js';

type ApprovalFlags = ApprovalInput & { readonly json?: boolean; readonly ledger?: string };

/** `request PLAN` */
export async function request(plan: string, flags: ApprovalFlags): Promise<void> {
  await printReview(flags, (context) => requestApproval(context, plan, flags));
}

/** `approve PLAN` */
export async function approve(plan: string, flags: ApprovalFlags & { maxAge?: string }): Promise<void> {
  await printReview(flags, (context) => approvePlan(context, plan, flags));
}

/** `reject PLAN` */
export async function reject(plan: string, flags: ApprovalFlags): Promise<void> {
  await printReview(flags, (context) => rejectPlan(context, plan, flags));
}

async function printReview(
  flags: ApprovalFlags,
  work: (context: AppContext) => Promise<PlanReviews>,
): Promise<void> {
  await guarded(flags, async (context) => {
    const { plan, act, approval, checkers, timezone, warning } = await work(context);
    const { id, job, operation, connection, items, rows, planHash = '' } = plan;
    if (warning) process.stderr.write(`${render(warning, context.language)}\n`);
    if (flags.json) {
      const data = { plan: id, act, job, operation, connection, items, rows, planHash, approval };
      process.stdout.write(`${JSON.stringify(data, undefined, 2)}\n`);
      return EXIT.ok;
    }
    const { language } = context;
    const { by = '', until: end, comment = '' } = approval;
    const until = end === undefined ? '' : zonedText(Date.parse(end), timezone);
    const params = { plan: id, by, until, comment, checkers };
    const about = { job, operation, connection, items, rows, planHash };
    const line = act === 'approve' && plan.awaitsApproval ? 'approve_step' : act;
    const lines = [message(`approval.said_${line}`, params), message('approval.said_of', about)];
    for (const it of lines) process.stdout.write(`${shownText(render(it, language))}\n`);
    return EXIT.ok;
  });
}
