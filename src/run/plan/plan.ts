import { type Message, message } from '../../errors/message.js';
import type { Ledger } from '../../ledger/contract/ledger.js';
import { inputOf } from '../../ledger/inputs.js';
import { onPlatform } from '../../ledger/rules/scopes.js';
import type { Mapping } from '../../mapping/contract.js';
import { touchesDigest } from '../../mapping/digest.js';
import type { Connection } from '../../model/connection.js';
import { type Job, type StepOfJob, type StepsJob, stepJob } from '../../model/job.js';
import type { Header } from '../../model/row.js';
import { operationNamed } from '../../platform/operations/index.js';
import { originalName, toldFile, withOriginalName } from '../../source/original-name.js';
import { refuseConflicts } from '../conflicts/refuse-conflicts.js';
import { cutOffRuns, cutOffWarnings } from '../cut-off-runs.js';
import { type NamingColumns, type ReadColumns, usedByAny } from '../input/input-reading.js';
import { bindMapping, type OpenedInput, openInput, overlayOf } from '../input/opened-input.js';
import { inRanges } from '../input/row-ranges.js';
import { thingNumbers } from '../named-things.js';
import { claimOptions } from '../retry-chain.js';
import { UndoneItemsOfRows } from '../revert/undone-items.js';
import { requireRun } from '../run-checks.js';
import type { RunContext } from '../run-context.js';
import type { RunSettings, StepsSettings } from '../settings.js';
import { refuseContradictions, rowsShareItems, withdrawInvalidRows } from './contradictions.js';
import { FormerKeys } from './former-keys.js';
import { FormerVersions, lostFromSight } from './former-versions.js';
import { rowLookups } from './lookups/row-lookups.js';
import type { OtherSteps } from './other-steps.js';
import { PlanBuffer } from './plan-buffer.js';
import { holdBackRepeats, refuseRepeats } from './plan-checks.js';
import { planRows } from './plan-rows.js';
import { SentBefore } from './sent-before.js';

/**
 * The plan stage: makes items or verdicts of all source rows, finds repeats and forms batches, all durable. Nothing is
 * sent. Interrupted, it leaves the run in state `planning`, to be planned again.
 * @throws ProductError input or usage for faults of the file or the job as a whole.
 */
export async function planStage(context: RunContext): Promise<void> {
  const { services, id: run, settings } = context;
  const { ledger, observer } = services;
  const rows = await planItems(context);
  if (rows === undefined) return;
  await warnOfCutOff(services, run, settings);
  await closePlan(context, rows);
  for (const warning of await ledger.plan.warnings(run)) observer.warn(warning);
}

/** Warns of the job's earlier runs that were cut off. */
export async function warnOfCutOff(
  { ledger }: Pick<RunContext['services'], 'ledger'>,
  run: string,
  { job, connection }: Pick<RunSettings | StepsSettings, 'job' | 'connection'>,
): Promise<void> {
  const left = await cutOffRuns(ledger, { job: job.name, ...onPlatform(connection) }, run);
  await ledger.plan.addWarnings(run, cutOffWarnings(left));
}

/** Forms the batches of what was planned; of what was planned with given values none, as it must never be sent. */
export async function closePlan(
  { services: { ledger }, id: run, settings }: RunContext,
  rows: number,
): Promise<void> {
  const { job, canary, step } = settings;
  if (!step?.given) await ledger.plan.formBatches(run, batchSize(job), canary);
  await ledger.plan.finish(run, rows, step?.given ? 'given' : undefined);
}

async function invalidRows(ledger: Ledger, run: string): Promise<ReadonlySet<number>> {
  const found = new Set<number>();
  for await (const page of ledger.report.rows(run, 'not_sent')) for (const { row } of page) found.add(row);
  return found;
}

/** All steps read the sheet alike: what is data for one of them is data for all. */
async function readTogether(
  whole: StepsJob,
  { step, own }: { readonly step: StepOfJob; readonly own: Mapping },
  connection: Connection,
  input: OpenedInput,
): Promise<ReadColumns> {
  const mappings = await stepMappings(whole, connection, input);
  const { use, joinedUse } = usedByAny(mappings);
  const at = whole.steps.findIndex(({ name }) => name === step.name);
  const naming = namingColumns(mappings, at, input.table.headers);
  return { use, joins: own.joins, joinedUse, unmapped: own.steps?.columns ?? [], naming };
}

async function stepMappings(
  whole: StepsJob,
  connection: Connection,
  input: OpenedInput,
  headers?: readonly Header[],
): Promise<readonly Mapping[]> {
  const mappings: Mapping[] = [];
  for (const it of whole.steps) {
    const job = stepJob(whole, it);
    mappings.push(await bindMapping(job, operationNamed(job.operation), connection, input, headers));
  }
  return mappings;
}

/** The columns that name a row of the step at that place. */
function namingColumns(mappings: readonly Mapping[], at: number, headers: readonly Header[]): NamingColumns {
  const columns = mappings.flatMap((it, index) => (index <= at ? it.use.columns : (it.steps?.naming ?? [])));
  const grouped = mappings.slice(at + 1).some(({ groupKey }) => groupKey !== undefined);
  const all = mappings.flatMap((it) => [...it.use.columns, ...(it.steps?.columns ?? [])]);
  return { columns, headers, ...(grouped ? { whole: [...new Set(all)] } : {}) };
}

function batchSize({ operation, batch }: Job): number {
  const { size, fixed } = operationNamed(operation).batch;
  return fixed ? size : (batch.size ?? size);
}

/** What a step must know of the run that it belongs to. */
interface PlannedAmong {
  readonly whole: StepsJob;
  /** What the other steps made of its rows. */
  readonly others: () => OtherSteps;
  /** Rows that were invalid when all steps were checked stay so, each with its faults. */
  readonly kept?: 'invalid rows';
}

/**
 * Makes items or verdicts of all source rows and finds repeats. Gives the number of rows; undefined where it was stopped.
 * @param among absent unless it is a step run
 */
export async function planItems(context: RunContext, among?: PlannedAmong): Promise<number | undefined> {
  const { services, id: run, kind, settings } = context;
  const { ledger, observer, stop } = services;
  const { job, connection, retry } = settings;
  const operation = operationNamed(job.operation);
  const own = await requireRun(ledger, run);
  const copy = await inputOf(ledger.inputs, own);
  const only = retry && inRanges(retry.rows);
  const told = toldFile(job.source.file);
  return withOriginalName(copy, told, async () => {
    const kept = among?.kept;
    await ledger.plan.clear(run, kept);
    const invalid = kept && (await invalidRows(ledger, run));
    const overlay = await overlayOf(ledger.inputs, settings);
    const input = await openInput(among?.whole ?? job, copy, services.env, overlay);
    try {
      const mapping = await bindMapping(job, operation, connection, input);
      const undone = job.undoes && new UndoneItemsOfRows(ledger, job.undoes, input.table.headers);
      const buffer = new PlanBuffer(
        ledger.plan,
        run,
        kept,
        {
          touches: ledger.queue && operation.touches ? (body) => touchesDigest(operation, body) : undefined,
          things: (envelope, body) => thingNumbers(operation, envelope, body),
        },
        undone,
      );
      const warnings = input.source.warnings.map((it) => originalName(it, copy, told));
      if (overlay.size > 0) warnings.push(message('corrections.in_use', { cells: overlay.size }));
      if (kind !== 'run') warnings.push(...mapping.notes, ...(job.undoes?.warnings ?? []));
      const reads =
        among && (await readTogether(among.whole, { step: job.step!, own: mapping }, connection, input));
      const lookups = await rowLookups(context, mapping);
      const claim = await claimOptions(ledger, run, settings);
      const former = claim.claim ? await formerVersions(context, among, reads?.naming, input) : undefined;
      if (former?.lost) warnings.push(former.lost);
      const how = {
        warnings,
        former: former?.versions,
        formerKeys: new FormerKeys(ledger, run),
        batchSize: batchSize(job),
        only,
        lookups,
        others: among?.others,
        reads,
        undone,
        invalid,
        sentBefore: await SentBefore.of(ledger, own, settings, operation, input.table),
      };
      const rows = await planRows({ job, input, mapping, buffer, observer, stop, ...how }).finally(() =>
        lookups?.close(),
      );
      if (lookups) await ledger.plan.addWarnings(run, lookups.warnings(operation));
      const sheet = input.table.sheet.name;
      if (rows === 0) {
        const params = { file: told, sheet, header: input.table.headerRow };
        await ledger.plan.addWarnings(run, [message('run.no_rows', params)]);
      }
      if (stop.cause) return undefined;
      const place = { sheet, columns: mapping.keyColumns };
      const { key } = operation;
      // Within a step rows share what they name by its own key, so those that don't differ in something else.
      const named =
        job.step && typeof key === 'object' ? key.findLast((it) => mapping.columnsOf(it)[0]) : undefined;
      const subject = operation.subject ?? named;
      if (named === undefined) await refuseRepeats(ledger, run, place);
      if (subject !== undefined) await refuseContradictions(ledger, run, { sheet, subject, mapping });
      await holdBackRepeats(ledger, run, place, claim, job.step !== undefined);
      await refuseConflicts(ledger, run, job, { sheet, mapping });
      await withdrawInvalidRows(ledger, run, rowsShareItems(job));
      return rows;
    } finally {
      await input.source.close();
    }
  });
}

/** Of a step that returns something new each time. */
async function formerVersions(
  { services: { ledger }, id, settings: { job, connection } }: RunContext,
  among: PlannedAmong | undefined,
  naming: NamingColumns | undefined,
  input: OpenedInput,
): Promise<
  { readonly versions: FormerVersions | undefined; readonly lost: Message | undefined } | undefined
> {
  const operation = operationNamed(job.operation);
  if (!among || !job.step || !naming || operation.repeatable || operation.key !== undefined) return undefined;
  const { whole, kept } = among;
  const own = {
    whole,
    step: job.step.name,
    naming,
    namingOf: async (former: StepsJob, at: number, headers: readonly Header[]) =>
      namingColumns(await stepMappings(former, connection, input, headers), at, headers),
  };
  const isCheck = kept === undefined;
  return {
    versions: await FormerVersions.find(ledger, id, operation, { ...own, refuses: isCheck }),
    lost: isCheck ? await lostFromSight(ledger, id, operation, own) : undefined,
  };
}
