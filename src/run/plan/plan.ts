import { type Message, message } from '../../errors/message.js';
import type { Ledger } from '../../ledger/contract/ledger.js';
import { inputOf } from '../../ledger/inputs.js';
import { onPlatform } from '../../ledger/rules/scopes.js';
import { touchesDigest } from '../../mapping/digest.js';
import type { Mapping } from '../../mapping/mapping.js';
import type { Connection } from '../../model/connection.js';
import { type Job, type StepOfJob, type StepsJob, stepJob } from '../../model/job.js';
import type { Header } from '../../model/row.js';
import { operationNamed } from '../../platform/operations/catalogue.js';
import { lockFileNextTo } from '../../source/open-source.js';
import { displayedFile, originalName, withOriginalName } from '../../source/source.js';
import { warnOfChanges } from '../conflicts/changed-since-sent.js';
import { checkConflicts } from '../conflicts/check-conflicts.js';
import { type NamingColumns, type ReadColumns, usedByAny } from '../input/input-reading.js';
import { bindMapping, type OpenedInput, openInput, overlayOf } from '../input/opened-input.js';
import { inRanges } from '../input/row-ranges.js';
import { cutOffRuns, cutOffWarnings } from '../live-state.js';
import { thingNumbers } from '../named-things.js';
import { claimOptions } from '../retry-chain.js';
import { RevertedItemsOfRows } from '../revert/reverted-items.js';
import { requireRun } from '../run-checks.js';
import type { RunContext } from '../run-context.js';
import type { RunSettings, StepsSettings } from '../settings.js';
import { EarlierJobVersions, lostColumnsWarning } from './earlier-job-versions.js';
import { EarlierKeys } from './earlier-keys.js';
import { rowLookups } from './lookups/row-lookups.js';
import { PlanBuffer } from './plan-buffer.js';
import {
  invalidateContradictions,
  invalidateRepeats,
  rowsShareItems,
  withdrawInvalidRows,
  withholdRepeats,
} from './plan-checks.js';
import { planRows } from './plan-rows.js';
import { RowsSentEarlier } from './rows-sent-earlier.js';
import type { OtherSteps } from './step-progress.js';

/**
 * The plan stage: produces items or verdicts for all source rows, finds repeats and forms batches, all durable. Nothing
 * is sent. If interrupted, the run stays in state `planning` and is planned again.
 * @throws ProductError input or usage for errors of the file or the job as a whole
 */
export async function planStage(context: RunContext): Promise<void> {
  const { services, id: run, settings } = context;
  const { ledger, observer } = services;
  const rows = await planItems(context);
  if (rows === undefined) return;
  await warnOfCutOff(services, run, settings);
  await finishPlan(context, rows);
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

/** Forms the batches of the planned items. A plan with placeholders gets none, because it must never be sent. */
export async function finishPlan(
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

/** The columns that all steps read together, so that a row that is data for one step is data for all. */
async function sharedColumns(
  whole: StepsJob,
  { step, mapping }: { readonly step: StepOfJob; readonly mapping: Mapping },
  connection: Connection,
  input: OpenedInput,
): Promise<ReadColumns> {
  const mappings = await stepMappings(whole, connection, input);
  const { use, joinedUse } = usedByAny(mappings);
  const index = whole.steps.findIndex(({ name }) => name === step.name);
  const naming = namingColumns(mappings, index, input.table.headers);
  return { use, joins: mapping.joins, joinedUse, unmapped: mapping.steps?.columns ?? [], naming };
}

async function stepMappings(
  whole: StepsJob,
  connection: Connection,
  input: OpenedInput,
  headers?: readonly Header[],
): Promise<readonly Mapping[]> {
  const mappings: Mapping[] = [];
  for (const step of whole.steps) {
    const job = stepJob(whole, step);
    mappings.push(await bindMapping(job, operationNamed(job.operation), connection, input, headers));
  }
  return mappings;
}

/** The columns that identify a row of the step at that index. */
function namingColumns(
  mappings: readonly Mapping[],
  last: number,
  headers: readonly Header[],
): NamingColumns {
  const columns = mappings.flatMap(({ use, steps }, index) =>
    index <= last ? use.columns : (steps?.naming ?? []),
  );
  const grouped = mappings.slice(last + 1).some(({ groupKey }) => groupKey !== undefined);
  const all = mappings.flatMap((mapping) => [...mapping.use.columns, ...(mapping.steps?.columns ?? [])]);
  return { columns, headers, whole: grouped ? [...new Set(all)] : undefined };
}

function batchSize({ operation, batch }: Job): number {
  const { size, fixed } = operationNamed(operation).batch;
  return fixed ? size : (batch.size ?? size);
}

/** The run that a step belongs to, as needed to plan the step. */
interface PlannedAmong {
  readonly whole: StepsJob;
  /** The results of the other steps for the step's rows. */
  readonly others: () => OtherSteps;
  /** Keeps the verdicts of rows that were invalid when all steps were checked. */
  readonly keep?: 'invalid rows';
}

/**
 * Produces items or verdicts for all source rows and finds repeats.
 * @param among absent unless it is a step run
 * @returns the number of rows; undefined if planning was stopped
 */
export async function planItems(context: RunContext, among?: PlannedAmong): Promise<number | undefined> {
  const { services, id: run, kind, settings } = context;
  const { ledger, observer, stop } = services;
  const { job, connection, retry } = settings;
  const operation = operationNamed(job.operation);
  const current = await requireRun(ledger, run);
  const copy = await inputOf(ledger.inputs, current);
  const only = retry && inRanges(retry.rows);
  const fileName = displayedFile(job.source.file);
  return withOriginalName(copy, fileName, async () => {
    const keep = among?.keep;
    await ledger.plan.clear(run, keep);
    const invalid = keep && (await invalidRows(ledger, run));
    const overlay = await overlayOf(ledger.inputs, settings);
    const input = await openInput(among?.whole ?? job, copy, services.env, overlay);
    try {
      const mapping = await bindMapping(job, operation, connection, input);
      const reverted = job.undoes && new RevertedItemsOfRows(ledger, job.undoes, input.table.headers);
      const buffer = new PlanBuffer(
        ledger.plan,
        run,
        keep,
        {
          touches: ledger.queue && operation.touches ? (body) => touchesDigest(operation, body) : undefined,
          things: (envelope, body) => thingNumbers(operation, envelope, body),
        },
        reverted,
      );
      const warnings = input.source.warnings.map((warning) => originalName(warning, copy, fileName));
      const lock = settings.retry ? undefined : await lockFileNextTo(current.inputFile);
      if (lock !== undefined) warnings.push(message('source.open_elsewhere', { file: fileName, lock }));
      if (overlay.size > 0) warnings.push(message('corrections.in_use', { cells: overlay.size }));
      if (kind !== 'run') warnings.push(...mapping.notes, ...(job.undoes?.warnings ?? []));
      const reads =
        among && (await sharedColumns(among.whole, { step: job.step!, mapping }, connection, input));
      const lookups = await rowLookups(context, mapping);
      const claim = await claimOptions(ledger, run, settings);
      const earlier = claim.claim ? await earlierVersions(context, among, reads?.naming, input) : undefined;
      if (earlier?.lost) warnings.push(earlier.lost);
      const options = {
        warnings,
        earlier: earlier?.versions,
        earlierKeys: new EarlierKeys(ledger, run),
        batchSize: batchSize(job),
        only,
        lookups,
        others: among?.others,
        reads,
        reverted,
        invalid,
        rowsSentEarlier: await RowsSentEarlier.of(ledger, current, settings, operation, input.table, mapping),
      };
      const rows = await planRows({ job, input, mapping, buffer, observer, stop, ...options }).finally(() =>
        lookups?.close(),
      );
      if (lookups) await ledger.plan.addWarnings(run, lookups.warnings(operation));
      const sheet = input.table.sheet.name;
      if (rows === 0) {
        const params = { file: fileName, sheet, header: input.table.headerRow };
        await ledger.plan.addWarnings(run, [message('run.no_rows', params)]);
      }
      if (stop.cause) return undefined;
      const place = { sheet, columns: mapping.keyColumns };
      const { key } = operation;
      // Rows of a step may share a key of the operation if their content is the same.
      const keyField =
        job.step && typeof key === 'object' ? key.findLast((it) => mapping.columnsOf(it)[0]) : undefined;
      const subject = operation.subject ?? keyField;
      if (keyField === undefined) await invalidateRepeats(ledger, run, place);
      if (subject !== undefined) await invalidateContradictions(ledger, run, { sheet, subject, mapping });
      await withholdRepeats(ledger, run, place, claim, job.step !== undefined);
      await options.rowsSentEarlier?.invalidateEdited(run, sheet);
      await checkConflicts(ledger, run, job, { sheet, mapping });
      await warnOfChanges(ledger, run, job);
      await withdrawInvalidRows(ledger, run, rowsShareItems(job));
      return rows;
    } finally {
      await input.source.close();
    }
  });
}

/** Former versions of the job, for a step that returns something new each time it is sent. */
async function earlierVersions(
  { services: { ledger }, id, settings: { job, connection } }: RunContext,
  among: PlannedAmong | undefined,
  naming: NamingColumns | undefined,
  input: OpenedInput,
): Promise<
  { readonly versions: EarlierJobVersions | undefined; readonly lost: Message | undefined } | undefined
> {
  const operation = operationNamed(job.operation);
  if (!among || !job.step || !naming || operation.repeatable || operation.key !== undefined) return undefined;
  const { whole, keep } = among;
  const ownStep = {
    whole,
    step: job.step.name,
    naming,
    namingOf: async (earlier: StepsJob, index: number, headers: readonly Header[]) =>
      namingColumns(await stepMappings(earlier, connection, input, headers), index, headers),
  };
  const isFirstCheck = keep === undefined;
  return {
    versions: await EarlierJobVersions.find(ledger, id, operation, { ...ownStep, refuses: isFirstCheck }),
    lost: isFirstCheck ? await lostColumnsWarning(ledger, id, operation, ownStep) : undefined,
  };
}
