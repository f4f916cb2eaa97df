import type { PlanMaker } from '../../ledger/contract/approvals.js';
import type { Ledger } from '../../ledger/contract/ledger.js';
import type { Run } from '../../ledger/contract/run.js';
import { currentUser } from '../../util/current-user.js';
import { keptCorrectors } from '../corrections/overlay.js';
import { unpackAny } from '../settings.js';
import { hasSteps, stepsSettings } from '../step-runs.js';

/**
 * Everybody who made a part of a plan: planned it, uploaded its sheet, made its import, corrected or excluded rows, or changed
 * its job since the last approved plan of that job. None of them may approve it.
 */
export async function planMakers(ledger: Ledger, run: Run): Promise<readonly PlanMaker[]> {
  const { imports, inputs, approvals } = ledger;
  const settings = hasSteps(run) ? stepsSettings(run) : unpackAny(run.settings);
  const makers: PlanMaker[] = [];
  const add = (who: string | undefined, did: PlanMaker['did'], more: Partial<PlanMaker> = {}): void => {
    if (who !== undefined && !makers.some((it) => it.who === who && it.did === did))
      makers.push({ who, did, ...more });
  };
  add(run.by, 'planned', { subject: run.bySubject, user: currentUser() });
  for (const { by } of await imports.uploads(run.inputSha256)) add(by, 'uploaded');
  if (settings.import !== undefined) add((await imports.get(settings.import))?.by, 'imported');
  if (settings.corrections)
    for (const who of await keptCorrectors(inputs, settings.corrections)) add(who, 'corrected');
  for (const { by, bySubject } of await jobChanges({ runs: ledger.runs, approvals }, run))
    add(by, 'changed_job', { subject: bySubject });
  return makers;
}

/** So many runs of the job back its last approved plan is looked for. */
const LOOKED_BACK = 500;

/** Of each content that the job got since its last approved plan, the first plan or run. */
async function jobChanges(
  { runs, approvals }: Pick<Ledger, 'runs' | 'approvals'>,
  run: Run,
): Promise<readonly Run[]> {
  const first = new Map<string, Run>();
  // Newest first.
  for (const it of await runs.find({ job: run.job, kinds: ['plan', 'run'], before: run.id }, LOOKED_BACK)) {
    if (it.job !== run.job) continue;
    if (it.needsApproval && (await approvals.application(it.id))) {
      first.delete(it.jobSha256);
      return [...first.values()];
    }
    first.set(it.jobSha256, it);
  }
  return [];
}
