import { message } from '../../errors/message.js';
import { inputOf } from '../../ledger/inputs.js';
import { touchesDigest } from '../../mapping/digest.js';
import { operationNamed } from '../../platform/operations/index.js';
import { originalName, withOriginalName } from '../../source/original-name.js';
import { cutOffRuns, cutOffWarnings } from '../cut-off-runs.js';
import { bindMapping, openInput } from '../input/opened-input.js';
import { inRanges } from '../input/row-ranges.js';
import { claimOptions } from '../retry-chain.js';
import { requireRun } from '../run-checks.js';
import type { RunContext } from '../run-context.js';
import { refuseContradictions, withdrawInvalidRows } from './contradictions.js';
import { PlanBuffer } from './plan-buffer.js';
import { holdBackRepeats, refuseRepeats } from './plan-checks.js';
import { planRows } from './plan-rows.js';

/**
 * The plan stage: makes items or verdicts of all source rows, finds repeats and forms batches, all durable. Nothing is
 * sent. Interrupted, it leaves the run in state `planning`, to be planned again.
 * @throws ProductError input or usage for faults of the file or the job as a whole.
 */
export async function planStage({ services, id: run, kind, settings }: RunContext): Promise<void> {
  const { ledger, observer, stop } = services;
  const { job, connection, retry } = settings;
  const operation = operationNamed(job.operation);
  const copy = await inputOf(ledger.inputs, await requireRun(ledger, run));
  const only = retry && inRanges(retry.rows);
  await withOriginalName(copy, job.source.file, async () => {
    await ledger.plan.clear(run);
    const input = await openInput(job, copy);
    try {
      const mapping = await bindMapping(job, operation, connection, input);
      const buffer = new PlanBuffer(
        ledger.plan,
        run,
        ledger.queue && operation.touches ? (body) => touchesDigest(operation, body) : undefined,
      );
      const warnings = input.source.warnings.map((it) => originalName(it, copy, job.source.file));
      if (kind !== 'run') warnings.push(...mapping.notes);
      const size = operation.batch.fixed ? operation.batch.size : (job.batch.size ?? operation.batch.size);
      const batch = { warnings, batchSize: size };
      const rows = await planRows({ job, input, mapping, buffer, observer, stop, only, ...batch });
      const sheet = input.table.sheet.name;
      if (rows === 0) {
        const params = { file: job.source.file, sheet, header: input.table.headerRow };
        await ledger.plan.addWarnings(run, [message('run.no_rows', params)]);
      }
      if (stop.cause) return;
      const place = { sheet, columns: mapping.keyColumns };
      await refuseRepeats(ledger, run, place);
      if (operation.subject !== undefined) {
        await refuseContradictions(ledger, run, { sheet, subject: operation.subject, mapping });
      }
      await holdBackRepeats(ledger, run, place, await claimOptions(ledger, run, settings));
      await withdrawInvalidRows(ledger, run, operation);
      await ledger.plan.formBatches(run, size, settings.canary);
      const left = await cutOffRuns(ledger, { job: job.name, connection: connection.name }, run);
      await ledger.plan.addWarnings(run, cutOffWarnings(left));
      await ledger.plan.finish(run, rows);
      for (const warning of await ledger.plan.warnings(run)) observer.warn(warning);
    } finally {
      await input.source.close();
    }
  });
}
