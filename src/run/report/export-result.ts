import type { Run } from '../../ledger/contract/run.js';
import { refusePruned, refuseStepRun, refuseUnplanned } from '../run-checks.js';
import type { RunServices } from '../run-context.js';
import { unpackSettings } from '../settings.js';
import { writeReport } from './report.js';

/** Writes a run's result again to another place and leaves the run itself unchanged. Gives the path written. */
export async function exportResult(
  services: Pick<RunServices, 'ledger' | 'language' | 'observer' | 'env'>,
  run: Run,
  output: string,
): Promise<string> {
  refuseStepRun(run);
  refusePruned(run);
  refuseUnplanned(run);
  const { job, ...others } = unpackSettings(run.settings);
  return (await writeReport(services, run, { ...others, job: { ...job, output: { file: output } } })).output;
}
