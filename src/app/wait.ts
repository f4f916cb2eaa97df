import { existsSync } from 'node:fs';
import { hostname } from 'node:os';
import path from 'node:path';
import { loadConnections } from '../job/connections.js';
import { applyChanges } from '../job/job-changes.js';
import type { JobBase } from '../model/job.js';
import { toldIfLate } from '../run/follow-run.js';
import { waitForRun } from '../run/report/wait-for-run.js';
import { refusePruned } from '../run/run-checks.js';
import type { RunSettings, StepsSettings } from '../run/settings.js';
import type { CarriedRun, RunChanges, WatchedContext } from './context.js';
import { ledgerLocation, runNamed } from './open.js';
import { inRunFrame } from './run-frame.js';
import { refuseFile } from './team.js';

export type WaitInput = Pick<RunChanges, 'output' | 'report' | 'logFile'>;

/** `wait`: follows a run that others carry, and writes its result here. */
export function waitRun(context: WatchedContext, id: string, input: WaitInput): Promise<CarriedRun> {
  return inRunFrame(context, input, async (frame) => {
    refuseFile('wait', await ledgerLocation(context));
    const home = await resultsHome(context);
    return frame.watchRun(
      (ledger) => runNamed(ledger, id),
      async (parts, run) => {
        refusePruned(run);
        const warnings = await toldIfLate(parts, parts.ledger.plan.warnings(id));
        for (const warning of warnings) parts.observer.warn(warning);
        return waitForRun(parts, id, (settings) => placedHere(settings, input, context.cwd, home));
      },
    );
  });
}

/** Where results go that were planned on another machine, whose folders may not be here. */
async function resultsHome({ env, cwd }: WatchedContext): Promise<string> {
  const { configFile } = await loadConnections(path.join(cwd, 'license-sync.yaml'), { env, cwd });
  return path.join(configFile === undefined ? cwd : path.dirname(configFile), 'results');
}

/** The planner's folders may be gone, or be on another machine of the same name: they are not made again. */
function isThere({ file, output }: Pick<JobBase, 'file' | 'output'>): boolean {
  return [file, output.file].some((it) => existsSync(path.dirname(it)));
}

function placedHere<S extends RunSettings | StepsSettings>(
  settings: S,
  input: WaitInput,
  cwd: string,
  home: string,
): S {
  const { job, begunBy } = settings;
  if (input.output !== undefined)
    return { ...settings, job: applyChanges(job, { output: input.output }, cwd) };
  if (begunBy?.host === hostname() && isThere(job)) return settings;
  return { ...settings, job: { ...job, output: { file: path.join(home, path.basename(job.output.file)) } } };
}
