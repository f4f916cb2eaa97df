import { type Message, message } from '../../errors/message.js';
import type { RowVerdict } from '../../ledger/contract/plan.js';
import { CellWarnings } from '../../mapping/cell-warnings.js';
import type { MappedGroup, Mapping } from '../../mapping/contract.js';
import { NO_ANSWERS } from '../../mapping/lookup/contract.js';
import type { Job } from '../../model/job.js';
import type { Row } from '../../model/row.js';
import { operationNamed } from '../../platform/operations/index.js';
import { hiddenRowsWarning } from '../../source/hidden-rows.js';
import { leftOut } from '../../source/left-out.js';
import type { LeftOut } from '../../source/non-data-row.js';
import { toldFile } from '../../source/original-name.js';
import { RowNumbers } from '../../source/row-numbers.js';
import { crashPoint } from '../../util/crash-point.js';
import { EventLoopTurns } from '../../util/event-loop.js';
import type { StopSignal } from '../../util/stop-signal.js';
import { InputReading, type ReadColumns } from '../input/input-reading.js';
import { Joins } from '../input/joins.js';
import type { OpenedInput } from '../input/opened-input.js';
import type { RunObserver } from '../observer.js';
import type { UndoneItemsOfRows } from '../revert/undone-items.js';
import type { FormerKeys } from './former-keys.js';
import type { FormerVersions } from './former-versions.js';
import type { RowLookups } from './lookups/contract.js';
import { LookupWindow } from './lookups/lookup-window.js';
import type { OtherSteps } from './other-steps.js';
import type { PlanBuffer } from './plan-buffer.js';
import { maybeIncomplete, RowFeeder } from './row-feeder.js';
import { AdjacentRows, type RowGroups, ScatteredRows } from './row-groups.js';
import { RowIdentities } from './row-identities.js';
import type { SentBefore } from './sent-before.js';
import { SharedSequences } from './shared-sequences.js';
import { StandingRows } from './standing-rows.js';

/** At most so many faults of other rows of the group are shown at a row. Each is shown in full at its own row. */
const OTHERS_TOLD = 20;

interface RowPlan {
  readonly job: Job;
  readonly input: OpenedInput;
  readonly mapping: Mapping;
  readonly buffer: PlanBuffer;
  readonly observer: RunObserver;
  readonly stop: StopSignal;
  /** Warnings that come before those of the rows. */
  readonly warnings: readonly Message[];
  /** Items in one request at most. */
  readonly batchSize: number;
  /** True for rows that belong to the run; absent when all do. */
  readonly only?: ((row: number) => boolean) | undefined;
  /** Rows that were found invalid before, and stay so with what was said of them. */
  readonly invalid?: ReadonlySet<number> | undefined;
  /** How the sheet is read, where that isn't by the map alone. */
  readonly reads?: ReadColumns | undefined;
  /** Absent where the map has no look-ups. */
  readonly lookups?: RowLookups | undefined;
  /** What the other steps of the run made of its rows, from the first row on; absent unless it is a step run. */
  readonly others?: (() => OtherSteps) | undefined;
  /** Absent where no row can be known as an earlier version of the job named it. */
  readonly former?: FormerVersions | undefined;
  readonly formerKeys: FormerKeys;
  /** Absent where no row can have been sent before. */
  readonly sentBefore?: SentBefore | undefined;
  /** What the rows take back, where that is what they are for. */
  readonly undone?: UndoneItemsOfRows | undefined;
}

/**
 * Reads the job's sheet and gives every row an item or a verdict. Gives the number of rows. Usually the rows of a group
 * are adjacent, and each group is mapped as soon as it ends. If a group appears again further down, the plan so far is
 * discarded and the sheet is read once more, with all rows grouped first. What grouping and joining hold in memory goes
 * to disk past a bound.
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

/** Reads the sheet once. Gives undefined, and nothing of it counts, when a group turned out to be scattered. */
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
  const standing = new StandingRows(buffer, plan.invalid);
  const identities = rowIdentities(plan);
  const mapped = (group: MappedGroup, rows: readonly Row[], below: RowNumbers | undefined): void =>
    planGroup(plan, sheet, below ? maybeIncomplete(group, rows, below) : group, sequences, cells);
  const window = plan.lookups && new LookupWindow(mapping, joins, plan.lookups, mapped);
  const feeder = new RowFeeder(mapping, groups, input.table, (rows, below) => {
    if (standing.holdsBack(rows)) claimJoinedRows(rows, mapping, joins);
    else if (window) window.add(rows, below);
    else mapped(mapping.map(rows, joins), rows, below);
  });
  const waiting = plan.former ?? plan.formerKeys;
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
        const named = identities?.map((it) => it.next(row));
        if (plan.only && !plan.only(row.number)) {
          claimJoinedRows([row], mapping, joins);
          continue;
        }
        rows += 1;
        if (row.hidden) hidden.add(row.number);
        const own = plan.undone?.leftOut(row) ?? leftOut(line, reading.where, job.source.hiddenRows);
        const out = own ?? (plan.sentBefore && (await plan.sentBefore.leftOut(row)));
        if (out) {
          if (!plan.invalid?.has(row.number)) buffer.verdict(verdictOf(row, out));
          claimJoinedRows([row], mapping, joins);
          if (!line.nonData) feeder.end();
        } else {
          const taken =
            others && mapping.steps ? standing.take(row, others.at(row.number), mapping.steps, named) : row;
          if (taken === undefined) {
            claimJoinedRows([row], mapping, joins);
            feeder.end();
          } else if (!feeder.add(taken, checking)) return undefined;
        }
      }
      await window?.settle('few');
      await waiting.settle(buffer, sheet, 'full');
      await buffer.writeIfFull();
      plan.observer.progress({ stage: 'plan', done: rows });
    }
    feeder.end();
    for (const group of groups.rest()) {
      crashPoint('plan');
      feeder.map(group);
      await window?.settle('few');
      await waiting.settle(buffer, sheet, 'full');
      await buffer.writeIfFull();
    }
    await window?.settle('none');
    await waiting.settle(buffer, sheet, 'all');
  } finally {
    groups.close();
  }
  const { unmatched } = standing;
  if (unmatched.count > 0)
    buffer.warn(message('steps.unmatched_rows', { sheet, count: unmatched.count, rows: `${unmatched}` }));
  const hiddenWarning = hiddenRowsWarning(job.source, sheet, hidden);
  if (hiddenWarning) buffer.warn(hiddenWarning);
  if (!plan.stop.cause) warnOfOrphans(plan, joins, sheet);
  // A retry doesn't repeat them: they were told when all rows were planned.
  const asides = plan.only ? [] : [...reading.main.warnings(), ...joins.warnings];
  for (const warning of [...asides, ...cells.rest(), ...mapping.warnings]) buffer.warn(warning);
  await buffer.flush();
  return rows;
}

/** What names the rows of a step whose operation has no keys: now, and in former versions of the job. */
function rowIdentities({ job, reads, former }: RowPlan): readonly RowIdentities[] | undefined {
  if (!job.step || !reads?.naming || operationNamed(job.operation).key !== undefined) return undefined;
  const namings = former?.namings ?? [reads.naming];
  return namings.map((it) => new RowIdentities(job, it, it.headers));
}

function verdictOf({ sheet, number: row }: Row, { kind, message: told, column }: LeftOut): RowVerdict {
  if (kind === 'skipped') return { row, status: 'skipped', message: told };
  return { row, status: 'invalid', faults: [{ sheet, row, column, message: told }] };
}

/** Marks the joined rows of rows that are left out as used, so that they don't count as orphans. */
function claimJoinedRows(rows: readonly Row[], mapping: Mapping, joins: Joins): void {
  if (mapping.joins.length > 0) mapping.map(rows, joins, NO_ANSWERS);
}

function planGroup(
  { buffer, former, formerKeys }: Pick<RowPlan, 'buffer' | 'former' | 'formerKeys'>,
  sheet: string,
  group: MappedGroup,
  sequences: SharedSequences,
  cells: CellWarnings,
): void {
  if (group.kind === 'items') {
    for (const item of group.items) {
      const fault = sequences.fault(sheet, item);
      if (!fault) {
        if (former) former.add(item);
        else formerKeys.add(item, buffer);
      } else
        for (const row of item.rows) buffer.verdict({ row, status: 'invalid', faults: [{ ...fault, row }] });
    }
    for (const warning of group.warnings) if (cells.names(warning)) buffer.warn(warning);
    return;
  }
  for (const row of group.rows) {
    // The faults of the row's own cells come first: that is where its reader looks.
    const own = group.faults.filter((it) => it.row === row && it.sheet === sheet);
    const others = group.faults.filter((it) => it.row !== row || it.sheet !== sheet).slice(0, OTHERS_TOLD);
    buffer.verdict({ row, status: 'invalid', faults: [...own, ...others] });
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
  const params = { file: toldFile(job.source.file), count, parent, first: `${sheet}, row ${row}` };
  const isAbort = job.run.onInvalid === 'abort';
  if (isAbort || count > first.length)
    buffer.warn(message(isAbort ? 'run.orphans' : 'run.orphans_skipped', params));
}
