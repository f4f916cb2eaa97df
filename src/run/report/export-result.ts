import type { Run } from '../../ledger/contract/run.js';
import { operationNamed } from '../../platform/operations/index.js';
import { refusePruned, refuseUnplanned } from '../existing-run.js';
import type { RunParts } from '../run-parts.js';
import { unpackSettings } from '../settings.js';
import { report } from './report.js';

/** Writes the result of a run again, elsewhere; the run itself is left as it is. Gives the path written. */
export async function exportResult(
  parts: Pick<RunParts, 'ledger' | 'language' | 'observer'>,
  run: Run,
  output: string,
): Promise<string> {
  refusePruned(run);
  refuseUnplanned(run);
  const settings = unpackSettings(run.settings);
  const reported = await report({
    ...parts,
    run,
    settings: { ...settings, job: { ...settings.job, output: { file: output } } },
    operation: operationNamed(settings.job.operation),
    pendingAs: run.kind === 'run' ? 'not_sent' : 'valid',
  });
  return reported.output;
}
