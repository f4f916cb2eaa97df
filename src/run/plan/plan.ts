import { message } from '../../errors/message.js';
import type { Ledger } from '../../ledger/contract/ledger.js';
import type { RunKind } from '../../ledger/contract/run.js';
import { inputOf } from '../../ledger/inputs.js';
import type { Operation } from '../../model/operation.js';
import { originalName, withOriginalName } from '../../source/original-name.js';
import type { StopSignal } from '../../util/stop-signal.js';
import { cutOffRuns, cutOffWarnings } from '../cut-off-runs.js';
import type { RunObserver } from '../observer.js';
import { retryChainIds } from '../retry/retry-chain.js';
import { requireRun } from '../run-checks.js';
import type { RunSettings } from '../settings.js';
import { freeInvalidRows, refuseContradictions } from './contradictions.js';
import { bindMapping, openInput } from './opened-input.js';
import { PlanBuffer } from './plan-buffer.js';
import { holdBackRepeats, refuseRepeats } from './plan-checks.js';
import { planRows } from './plan-rows.js';
import { inRanges } from './row-ranges.js';

export interface PlanParts {
  readonly run: string;
  readonly kind: RunKind;
  readonly settings: RunSettings;
  readonly operation: Operation;
  readonly ledger: Ledger;
  readonly observer: RunObserver;
  readonly stop: StopSignal;
}

export interface Planned {
  /** Items that earlier runs hold and that were left out. */
  readonly held: number;
  readonly heldBy?: string;
}

/** The run whose unknown items may be sent again, where a retry includes them. */
export function releasedRun({ retry }: RunSettings): string | undefined {
  return retry && retry.unknown > 0 ? retry.parent : undefined;
}

/**
 * The plan stage: source rows to items and verdicts, repeats found, batches formed, all durable. Sends nothing.
 * Interrupted, it leaves the run in state `planning`.
 * @throws ProductError input or usage for faults of the file or the job as a whole.
 */
export async function planStage(parts: PlanParts): Promise<Planned> {
  const { run, kind, settings, operation, ledger, observer, stop } = parts;
  const { job, connection, retry } = settings;
  const copy = await inputOf(ledger.inputs, await requireRun(ledger, run));
  const only = retry && inRanges(retry.rows);
  return withOriginalName(copy, job.source.file, async () => {
    await ledger.plan.clear(run);
    const input = await openInput(job, copy);
    try {
      const mapping = await bindMapping(job, operation, connection, input);
      const buffer = new PlanBuffer(ledger.plan, run);
      const told = input.source.warnings.map((it) => originalName(it, copy, job.source.file));
      const warnings = kind === 'run' ? told : [...told, ...mapping.notes];
      const size = operation.batch.fixed ? operation.batch.size : (job.batch.size ?? operation.batch.size);
      const batch = { warnings, batchSize: size };
      const { rows } = await planRows({ job, input, mapping, buffer, observer, stop, only, ...batch });
      const sheet = input.table.sheet.name;
      if (rows === 0) {
        const params = { file: job.source.file, sheet, header: input.table.headerRow };
        await ledger.plan.addWarnings(run, [message('run.no_rows', params)]);
      }
      if (stop.cause) return { held: 0 };
      const place = { sheet, columns: mapping.keyColumns };
      await refuseRepeats(ledger, run, place);
      if (operation.subject !== undefined) {
        await refuseContradictions(ledger, run, { sheet, subject: operation.subject, mapping });
      }
      const kin = await retryChainIds(ledger, run, settings);
      const held = await holdBackRepeats(ledger, run, place, job, releasedRun(settings), kin);
      await freeInvalidRows(ledger, run, operation);
      await ledger.plan.formBatches(run, size, settings.canary);
      const left = await cutOffRuns(ledger, { job: job.name, connection: connection.name }, run);
      await ledger.plan.addWarnings(run, cutOffWarnings(left));
      await ledger.plan.finish(run, rows);
      for (const warning of await ledger.plan.warnings(run)) observer.warn(warning);
      return held.firstRun === undefined ? { held: held.count } : { held: held.count, heldBy: held.firstRun };
    } finally {
      await input.source.close();
    }
  });
}
