import { applyPlan } from '../../app/apply.js';
import { conductRun, type RunFlags } from '../conduct.js';

/** `apply PLAN` */
export async function apply(id: string, flags: RunFlags & { readonly maxAge: string }): Promise<void> {
  await conductRun(flags, (context) => applyPlan(context, id, flags));
}
