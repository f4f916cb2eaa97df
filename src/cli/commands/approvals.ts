import {
  type ApprovalInput,
  approvePlan,
  type PlanSaid,
  rejectPlan,
  requestApproval,
} from '../../app/approvals.js';
import type { AppContext } from '../../app/context.js';
import { message, render } from '../../errors/message.js';
import { EXIT } from '../../model/exit-code.js';
import { guarded } from '../exit.js';
import { shownText } from '../shown-path.js';

type ApprovalFlags = ApprovalInput & { readonly json?: boolean; readonly ledger?: string };

/** `request PLAN` */
export async function request(plan: string, flags: ApprovalFlags): Promise<void> {
  await saying(flags, (context) => requestApproval(context, plan, flags));
}

/** `approve PLAN` */
export async function approve(plan: string, flags: ApprovalFlags & { maxAge?: string }): Promise<void> {
  await saying(flags, (context) => approvePlan(context, plan, flags));
}

/** `reject PLAN` */
export async function reject(plan: string, flags: ApprovalFlags): Promise<void> {
  await saying(flags, (context) => rejectPlan(context, plan, flags));
}

async function saying(flags: ApprovalFlags, work: (context: AppContext) => Promise<PlanSaid>): Promise<void> {
  await guarded(flags, async (context) => {
    const { plan, act, approval, checkers, warning } = await work(context);
    const { id, job, operation, connection, items, rows, planHash = '' } = plan;
    if (warning) process.stderr.write(`${render(warning, context.language)}\n`);
    if (flags.json) {
      const said = { plan: id, act, job, operation, connection, items, rows, planHash, approval };
      process.stdout.write(`${JSON.stringify(said, undefined, 2)}\n`);
      return EXIT.ok;
    }
    const { language } = context;
    const { by = '', until = '', comment = '' } = approval;
    const told = { plan: id, by, until, comment, checkers };
    const about = { job, operation, connection, items, rows, planHash };
    const lines = [message(`approval.said_${act}`, told), message('approval.said_of', about)];
    for (const it of lines) process.stdout.write(`${shownText(render(it, language))}\n`);
    return EXIT.ok;
  });
}
