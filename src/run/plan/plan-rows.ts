import { type Message, message } from '../../errors/message.js';
import type { RowVerdict } from '../../ledger/contract/plan.js';
import { NO_ANSWERS } from '../../mapping/lookup/records.js';
import type { MappedGroup, Mapping } from '../../mapping/mapping.js';
import { CellWarnings } from '../../mapping/mapping-pass.js';
import type { MappedItem } from '../../model/item.js';
import type { Job } from '../../model/job.js';
import type { JsonObject } from '../../model/json.js';
import type { Fault, Row } from '../../model/row.js';
import { operationNamed } from '../../platform/operations/catalogue.js';
import { hiddenRowsWarning, type LeftOut, leftOut } from '../../source/non-data-rows.js';
import { displayedFile } from '../../source/source.js';
import { EventLoopTurns } from '../../util/clock.js';
import { crashPoint } from '../../util/crash-point.js';
import type { StopSignal } from '../../util/stop-signal.js';
import { RowNumbers } from '../../util/text.js';
import { InputReading, type ReadColumns } from '../input/input-reading.js';
import { Joins } from '../input/joins.js';
import type { OpenedInput } from '../input/opened-input.js';
import type { RunObserver } from '../observer.js';
import type { RevertedItemsOfRows } from '../revert/reverted-items.js';
import type { EarlierJobVersions } from './earlier-job-versions.js';
import type { EarlierKeys } from './earlier-keys.js';
import { LookupWindow, type RowLookups } from './lookups/lookup-window.js';
import type { PlanBuffer } from './plan-buffer.js';
import { maybeIncomplete, RowFeeder } from './row-feeder.js';
import { AdjacentRows, type RowGroups, ScatteredRows } from './row-groups.js';
import { RowIdentities } from './row-identities.js';
import type { RowsSentEarlier } from './rows-sent-earlier.js';
import { type OtherSteps, StepProgressRows } from './step-progress.js';

/** Limit of other rows' errors shown at a row of the group. Each is shown in full at its own row. */
const OTHERS_SHOWN = 20;

interface RowPlan {
  readonly job: Job;
  readonly input: OpenedInput;
  readonly mapping: Mapping;
  readonly buffer: PlanBuffer;
  readonly observer: RunObserver;
  readonly stop: StopSignal;
  /** Warnings that precede those of the rows. */
  readonly warnings: readonly Message[];
  /** Maximum number of items in one request. */
  readonly batchSize: number;
  /** True for rows that belong to the run; absent when all do. */
  readonly only?: ((row: number) => boolean) | undefined;
  /** Rows that were found invalid before. They keep their verdicts. */
  readonly invalid?: ReadonlySet<number> | undefined;
  /** The columns read, if these are not only the map's. */
  readonly reads?: ReadColumns | undefined;
  /** Absent if the map has no lookups. */
  readonly lookups?: RowLookups | undefined;
  /** The results of the run's other steps for its rows, from the first row on; absent unless it is a step run. */
  readonly others?: (() => OtherSteps) | undefined;
  /** Absent if no row can have been sent by an earlier version of the job. */
  readonly earlier?: EarlierJobVersions | undefined;
  readonly earlierKeys: EarlierKeys;
  /** Absent if no row can have been sent before. */
  readonly rowsSentEarlier?: RowsSentEarlier | undefined;
  readonly reverted?: RevertedItemsOfRows | undefined;
}

/**
 * Reads the job's sheet and produces an item or a verdict for each row. Usually the rows of a group are adjacent, and
 * each group is mapped as soon as it ends. If a group appears again further down, the plan so far is discarded, all
 * rows are grouped first, and the sheet is read again. Grouping and joining store data on disk beyond a limit.
 * @returns the number of rows
 * @throws ProductError input for hidden rows that the job refuses
 */
export async function planRows(plan: RowPlan): Promise<number> {
  const { job, input, mapping, buffer } = plan;
  const reading = await InputReading.bind(job, input, plan.reads ?? mapping);
  const joins = await Joins.index(mapping, reading, plan.job);
  try {
    const read = await readSheet(plan, reading, joins, new AdjacentRows());
    if (read !== undefined) return read;
    await buffer.discard();
    joins.forgetLookups();
    const again = await readSheet(plan, reading, joins, new ScatteredRows(mapping.columns));
    if (again === undefined) throw new Error('rows were gathered and yet scattered');
    return again;
  } finally {
    joins.close();
  }
}

/** Reads the sheet once. Returns undefined if a group turned out to be scattered; the result is then discarded. */
async function readSheet(
  plan: RowPlan,
  reading: InputReading,
  joins: Joins,
  groups: RowGroups,
): Promise<number | undefined> {
  const { job, input, mapping, buffer } = plan;
  const sheet = input.table.sheet.name;
  const sequences = new SharedSequences(plan.batchSize);
  const cells = new CellWarnings();
  const others = plan.others?.();
  const progress = new StepProgressRows(buffer, plan.invalid);
  const identities = rowIdentities(plan);
  const mapped = (group: MappedGroup, rows: readonly Row[], below: RowNumbers | undefined): void =>
    planGroup(plan, sheet, below ? maybeIncomplete(group, rows, below) : group, sequences, cells);
  const window = plan.lookups && new LookupWindow(mapping, joins, plan.lookups, mapped);
  const feeder = new RowFeeder(mapping, groups, input.table, (rows, below) => {
    if (progress.withholdIfBlocked(rows)) claimJoinedRows(rows, mapping, joins);
    else if (window) window.add(rows, below);
    else mapped(mapping.map(rows, joins), rows, below);
  });
  const waiting = plan.earlier ?? plan.earlierKeys;
  waiting.forget();
  const checking = job.run.onInvalid === 'skip';
  let rows = 0;
  const turns = new EventLoopTurns();
  const hidden = new RowNumbers();
  for (const warning of plan.warnings) buffer.warn(warning);
  try {
    for await (const chunk of reading.main.rows()) {
      if (plan.stop.cause) break;
      await others?.upTo(chunk.at(-1)?.row.number ?? 0);
      for (const line of chunk) {
        const { row } = line;
        crashPoint('plan');
        if (turns.isDue) await turns.take();
        if (plan.stop.cause) break;
        const named = identities?.map((identity) => identity.next(row));
        if (plan.only && !plan.only(row.number)) {
          claimJoinedRows([row], mapping, joins);
          continue;
        }
        rows += 1;
        if (row.hidden) hidden.add(row.number);
        const reason = plan.reverted?.leftOut(row) ?? leftOut(line, reading.where, job.source.hiddenRows);
        const excluded =
          reason ??
          (plan.rowsSentEarlier &&
            (await plan.rowsSentEarlier.leftOut(row, () => mapping.map([row], joins))));
        if (excluded) {
          if (!plan.invalid?.has(row.number)) buffer.verdict(verdictOf(row, excluded));
          claimJoinedRows([row], mapping, joins);
          if (!line.nonData) feeder.end();
        } else {
          const progressed =
            others && mapping.steps ? progress.take(row, others.at(row.number), mapping.steps, named) : row;
          if (progressed === undefined) {
            claimJoinedRows([row], mapping, joins);
            feeder.end();
          } else if (!feeder.add(progressed, checking)) return undefined;
        }
      }
      await window?.drain('few');
      await waiting.flush(buffer, sheet, 'full');
      await buffer.writeIfFull();
      plan.observer.progress({ stage: 'plan', done: rows });
    }
    feeder.end();
    for (const group of groups.rest()) {
      crashPoint('plan');
      feeder.map(group);
      await window?.drain('few');
      await waiting.flush(buffer, sheet, 'full');
      await buffer.writeIfFull();
    }
    await window?.drain('none');
    await waiting.flush(buffer, sheet, 'all');
  } finally {
    groups.close();
  }
  const { unmatched } = progress;
  if (unmatched.count > 0)
    buffer.warn(message('steps.unmatched_rows', { sheet, count: unmatched.count, rows: `${unmatched}` }));
  const hiddenWarning = hiddenRowsWarning(job.source, sheet, hidden);
  if (hiddenWarning) buffer.warn(hiddenWarning);
  if (!plan.stop.cause) warnOfOrphans(plan, joins, sheet);
  // A retry does not repeat them: they were reported when all rows were planned.
  const inputWarnings = plan.only ? [] : [...reading.main.warnings(), ...joins.warnings];
  for (const warning of [...inputWarnings, ...cells.rest(), ...mapping.warnings]) buffer.warn(warning);
  await buffer.flush();
  return rows;
}

/** Names the rows of a step whose operation has no keys, by the present and by earlier versions of the job. */
function rowIdentities({ job, reads, earlier }: RowPlan): readonly RowIdentities[] | undefined {
  if (!job.step || !reads?.naming || operationNamed(job.operation).key !== undefined) return undefined;
  const namings = earlier?.namings ?? [reads.naming];
  return namings.map((columns) => new RowIdentities(job, columns, columns.headers));
}

function verdictOf({ sheet, number: row }: Row, { kind, message: reason, column }: LeftOut): RowVerdict {
  if (kind === 'skipped') return { row, status: 'skipped', message: reason };
  return { row, status: 'invalid', faults: [{ sheet, row, column, message: reason }] };
}

/** Marks the joined rows of excluded rows as used, so that they are not reported as orphans. */
function claimJoinedRows(rows: readonly Row[], mapping: Mapping, joins: Joins): void {
  if (mapping.joins.length > 0) mapping.map(rows, joins, NO_ANSWERS);
}

function planGroup(
  { buffer, earlier, earlierKeys }: Pick<RowPlan, 'buffer' | 'earlier' | 'earlierKeys'>,
  sheet: string,
  group: MappedGroup,
  sequences: SharedSequences,
  cells: CellWarnings,
): void {
  if (group.kind === 'items') {
    for (const item of group.items) {
      const fault = sequences.fault(sheet, item);
      if (!fault) {
        if (earlier) earlier.add(item);
        else earlierKeys.add(item, buffer);
      } else
        for (const row of item.rows) buffer.verdict({ row, status: 'invalid', faults: [{ ...fault, row }] });
    }
    for (const warning of group.warnings) if (cells.names(warning)) buffer.warn(warning);
    return;
  }
  for (const row of group.rows) {
    // The errors of the row's own cells come first.
    const ownFaults = group.faults.filter((fault) => fault.row === row && fault.sheet === sheet);
    const otherFaults = group.faults
      .filter((it) => it.row !== row || it.sheet !== sheet)
      .slice(0, OTHERS_SHOWN);
    buffer.verdict({ row, status: 'invalid', faults: [...ownFaults, ...otherFaults] });
  }
}

/**
 * Warns of joined rows that belong to no row of the job's sheet. If invalid rows abort the run, the last warning is the
 * reason why nothing may be sent (`orphanRefusal`).
 */
function warnOfOrphans({ job, buffer }: RowPlan, joins: Joins, parent: string): void {
  const { count, first } = joins.orphans();
  if (count === 0) return;
  for (const warning of first) buffer.warn(warning);
  const { sheet, row } = first[0]!.params as { readonly sheet: string; readonly row: number };
  const place = message('run.place_sheet_row', { sheet, row });
  const params = { file: displayedFile(job.source.file), count, parent, first: place };
  const isAbort = job.run.onInvalid === 'abort';
  if (isAbort || count > first.length)
    buffer.warn(message(isAbort ? 'run.orphans' : 'run.orphans_skipped', params));
}

/**
 * Finds mapped sequences that occur twice among orders that may share a request. Their replies could not be
 * distinguished, and one would have to be sent with another number than the sheet's.
 */
class SharedSequences {
  /** First row by envelope and sequence. */
  readonly #seen = new Map<string, number>();
  readonly #active: boolean;

  /** @param batchSize maximum number of items in one request; with 1 no order shares its request */
  constructor(batchSize: number) {
    this.#active = batchSize > 1;
  }

  /** The error of an item whose sequence an earlier item has; undefined if there is none. */
  fault(sheet: string, { envelopeJson, body, rows }: MappedItem): Fault | undefined {
    const sequence = this.#active ? (body as JsonObject).sequence : undefined;
    const [row] = rows;
    if (sequence === undefined || row === undefined) return undefined;
    const sequenceKey = `${String(sequence)} ${envelopeJson}`;
    const first = this.#seen.get(sequenceKey);
    if (first === undefined) {
      this.#seen.set(sequenceKey, row);
      return undefined;
    }
    const params = { sequence: String(sequence), row: first };
    return { sheet, row, field: 'orderList.sequence', message: message('run.same_sequence', params) };
  }
}
