import { message } from '../../errors/message.js';
import { EXIT } from '../../model/exit-code.js';
import { distinctMessages } from '../../util/distinct-messages.js';
import { followRun } from '../follow-run.js';
import { requireRun } from '../run-checks.js';
import type { RunServices } from '../run-context.js';
import { type RunEnd, runEnd } from '../run-end.js';
import { type SettingsChange, unpackAny } from '../settings.js';
import { reportCarried } from './conclude.js';

/**
 * Follows a run that others carry to its end, and writes its result here, from the ledger alone.
 * @param change where the result goes
 * @throws ProductError usage for a run that nobody carries
 */
export async function waitForRun(services: RunServices, id: string, change: SettingsChange): Promise<RunEnd> {
  const { ledger } = services;
  const run = await followRun(services, id);
  if (!run) {
    const now = await requireRun(ledger, id);
    const counts = await ledger.runs.counts(id);
    const sandbox = unpackAny(now.settings).connection.sandbox;
    const reason = message('team.goes_on', { run: id });
    return runEnd(now, sandbox, { status: 'queued', counts, exitCode: EXIT.interrupted, reason });
  }
  const settings = change(unpackAny(run.settings));
  const { state, reason } = run;
  const status = state === 'stopped' || state === 'interrupted' || state === 'invalid' ? state : 'completed';
  const end = await reportCarried(
    { services, id, kind: run.kind, settings, queue: false },
    { status, reason },
  );
  return { ...end, warnings: distinctMessages(await ledger.plan.warnings(id)) };
}
