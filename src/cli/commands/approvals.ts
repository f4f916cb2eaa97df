import { approvePlan, type PlanReviews, rejectPlan, requestApproval } from '../../app/approvals.js';
import type { AppContext } from '../../app/context.js';
import { message } from '../../errors/message.js';
import { zonedText } from '../../util/zoned-time.js';
import { type JsonFlag, printJson, printMessage, printNote } from '../shown-text.js';

/** `request PLAN`, `approve PLAN`, `reject PLAN` */
export const request = reviewing(requestApproval);
export const approve = reviewing(approvePlan);
export const reject = reviewing(rejectPlan);

/** The command that performs an approval action and prints the plan. */
function reviewing<Input>(work: (context: AppContext, plan: string, input: Input) => Promise<PlanReviews>) {
  return async (context: AppContext, id: string, flags: Input & JsonFlag): Promise<void> => {
    const { language } = context;
    const { plan, act, approval, checkers, timezone, warning } = await work(context, id, flags);
    const { job, operation, connection, items, rows, planHash = '' } = plan;
    if (warning) printNote(warning, language);
    const about = { job, operation, connection, items, rows, planHash };
    if (flags.json) return printJson({ plan: id, act, ...about, approval }, 2);
    const { by = '', until: end, comment = '' } = approval;
    const until = end === undefined ? '' : zonedText(Date.parse(end), timezone);
    const line = act === 'approve' && plan.awaitsApproval ? 'approve_step' : act;
    printMessage(message(`approval.said_${line}`, { plan: id, by, until, comment, checkers }), language);
    printMessage(message('approval.said_of', about), language);
  };
}
