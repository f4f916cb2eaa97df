import { render } from '../../errors/message.js';
import { stepEnds } from '../../run/step-runs.js';
import { type AppContext, wordsOf } from '../context.js';
import { importOfRun } from '../imports/import-plans.js';
import { runNamed, withLedger } from '../open.js';
import { resolutionData } from '../resolution-data.js';
import { mayAtRun } from './may.js';
import { rehearsedTold } from './rehearsal.js';
import { listedRun } from './run-list.js';

/** A run at its page: what lists tell, its steps, what was settled of it, and what whoever asks may do with it. */
export function runDetailData(context: AppContext, id: string) {
  return withLedger(context, async ({ ledger }) => {
    const words = wordsOf(context);
    const run = await runNamed(ledger, id);
    const told = await listedRun(ledger, run, context);
    const steps = await stepEnds(ledger, run);
    const warnings = (await ledger.plan.warnings(id)).map((it) => render(it, words));
    const resolved = [];
    for (const of of steps.length > 0 ? steps.flatMap((it) => it.run ?? []) : [id])
      for (const it of await ledger.resolutions.list(of)) resolved.push(resolutionData(it, words));
    return {
      ...told,
      ...(await importOfRun(ledger, run)),
      ...(run.reason ? { reason: render(run.reason, words) } : {}),
      ...(steps.length > 0 ? { steps } : {}),
      warnings,
      resolved,
      ...(await rehearsedTold(ledger, run)),
      may: await mayAtRun(context, ledger, run, told),
    };
  });
}
