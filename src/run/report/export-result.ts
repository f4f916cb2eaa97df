import { message } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';
import type { Run } from '../../ledger/contract/runs.js';
import { checkedInputOf } from '../../ledger/inputs.js';
import { isResultFile } from '../../source/result-file.js';
import { isPostgresUrl } from '../../util/ledger-address.js';
import { refuseTarget } from '../../workbook/write.js';
import { keptAuthors, keptOverlay } from '../corrections/overlay.js';
import { writeCorrected } from '../corrections/write-corrected.js';
import { refusePruned, refuseStepRun, refuseUnplanned } from '../run-checks.js';
import type { RunServices } from '../run-context.js';
import { unpackAny, unpackSettings } from '../settings.js';
import { writeReport } from './report.js';

/**
 * Writes a run's result to another location. The run itself is not changed.
 * @param onlyAttention only the rows that need a person; a valid source like any result
 * @returns the path written
 */
export async function exportResult(
  services: Pick<RunServices, 'ledger' | 'language' | 'observer' | 'env'>,
  run: Run,
  output: string,
  onlyAttention = false,
): Promise<string> {
  refuseStepRun(run);
  refusePruned(run);
  refuseUnplanned(run);
  const { job, ...rest } = unpackSettings(run.settings);
  await refuseTarget(job, output);
  const settings = { ...rest, job: { ...job, output: { file: output } } };
  return (await writeReport(services, run, settings, { onlyAttention })).output;
}

/**
 * Writes a run's input with the corrections that it was planned with.
 * @returns the path written
 * @throws ProductError usage for a run without corrections, and if the output is the input itself
 */
export async function exportCorrectedInput(
  { ledger, language, observer, env }: Pick<RunServices, 'ledger' | 'language' | 'observer' | 'env'>,
  run: Run,
  output: string,
): Promise<string> {
  refusePruned(run);
  const { job, connection, corrections } = unpackAny(run.settings);
  if (!corrections) throw new ProductError('usage', message('corrections.none', { run: run.id }));
  await refuseTarget(job, output);
  const { inputs, location, stateFolder } = ledger;
  const overlay = await keptOverlay(inputs, corrections);
  const authors = await keptAuthors(inputs, corrections);
  const copy = await checkedInputOf(inputs, run);
  return writeCorrected({ job, connection, copy, overlay, authors, language, env }, output, {
    stateFolder,
    isOfServer: isPostgresUrl(location),
    by: 'run',
    isResult: isResultFile,
    warn: (warning) => observer.warn(warning),
  });
}
