import type { Message } from '../../errors/message.js';
import type { JoinLookup, MappedGroup, Mapping } from '../../mapping/contract.js';
import type { LookupAnswers } from '../../mapping/lookup/contract.js';
import type { StepResult } from '../../mapping/steps/contract.js';
import type { Fault } from '../../model/fault.js';
import type { Job } from '../../model/job.js';
import type { Row } from '../../model/row.js';
import { leftOut } from '../../source/left-out.js';
import type { LeftOut } from '../../source/non-data-row.js';
import type { ReadRow } from '../../source/table-reader.js';
import { EventLoopTurns } from '../../util/event-loop.js';
import type { InputReading } from '../input/input-reading.js';
import type { OpenedInput } from '../input/opened-input.js';
import { maybeIncomplete, RowFeeder } from '../plan/row-feeder.js';
import { AdjacentRows, type RowGroups, ScatteredRows } from '../plan/row-groups.js';
import { leftOutMessage } from '../plan/standing-rows.js';

/** What the check makes of a row. `valid` here still leaves open what only the whole sheet, or the ledger, can tell. */
export interface CheckedRow {
  readonly row: number;
  readonly status: 'valid' | 'invalid' | 'skipped';
  readonly faults: readonly Fault[];
  /** Why it is skipped, or what is wrong with it as a whole. */
  readonly message?: Message;
}

/** A job's map, or that of one of its steps, with the sheets that it joins. */
export interface CheckedMap {
  readonly job: Job;
  readonly mapping: Mapping;
  readonly joins: JoinLookup;
}

/** What becomes of some rows that stand together. */
export interface WindowCheck {
  readonly rows: ReadonlyMap<number, CheckedRow>;
  /** Rows that are mapped together, in order of the sheet; a row by itself is one of its own. */
  readonly groups: readonly (readonly number[])[];
  /** Whether rows above the first may belong to it, and rows below the last to that. */
  readonly isOpenAbove: boolean;
  readonly isOpenBelow: boolean;
}

/** Look-ups aren't asked of every cell that is typed: what they fill counts as given. */
const UNASKED: LookupAnswers = { find: () => ({ kind: 'unasked' }) };

/** Checks rows as planning them does, by each map in turn: what is invalid in one step is invalid. */
export async function checkWindow(
  maps: readonly CheckedMap[],
  reading: InputReading,
  table: OpenedInput['table'],
): Promise<WindowCheck> {
  const lines: ReadRow[] = [];
  for await (const page of reading.main.rows()) lines.push(...page);
  const checked = new Map<number, CheckedRow>();
  const results = new Map<number, StepResult[]>();
  const groups = new Map<number, number[]>();
  for (const map of maps) {
    const told = await mapLines(map, lines, reading, table, results);
    for (const [row, it] of told.rows) checked.set(row, worse(checked.get(row), it));
    for (const group of told.groups) joinGroup(groups, group);
  }
  const isOpen = (line: ReadRow | undefined): boolean =>
    line !== undefined &&
    (line.nonData !== undefined || maps.some(({ mapping }) => mapping.continues(line.row)));
  return {
    rows: checked,
    groups: [...new Set(groups.values())].sort((a, b) => a[0]! - b[0]!),
    isOpenAbove: isOpen(lines[0]),
    isOpenBelow: isOpen(lines.at(-1)),
  };
}

interface ToldLines {
  readonly rows: Map<number, CheckedRow>;
  readonly groups: number[][];
}

async function mapLines(
  map: CheckedMap,
  lines: readonly ReadRow[],
  reading: InputReading,
  table: OpenedInput['table'],
  results: Map<number, StepResult[]>,
): Promise<ToldLines> {
  return (
    (await mapAs(new AdjacentRows(), map, lines, reading, table, results)) ??
    (await mapAs(new ScatteredRows(map.mapping.columns), map, lines, reading, table, results))!
  );
}

/** Undefined where a group turned out to be scattered. */
async function mapAs(
  groups: RowGroups,
  { job, mapping, joins }: CheckedMap,
  lines: readonly ReadRow[],
  reading: InputReading,
  table: OpenedInput['table'],
  results: Map<number, StepResult[]>,
): Promise<ToldLines | undefined> {
  // The console checks corrected rows in its own process, where others wait for their pages.
  const turns = new EventLoopTurns();
  const told: ToldLines = { rows: new Map(), groups: [] };
  const came = new Map<number, StepResult>();
  const feeder = new RowFeeder(mapping, groups, table, (rows, below) => {
    const mapped = mapping.map(rows, joins, UNASKED) as MappedGroup;
    const numbers = rows.map((it) => it.number);
    tell(told, below ? maybeIncomplete(mapped, rows, below) : mapped, numbers);
    told.groups.push(numbers);
    for (const row of numbers) came.set(row, { kind: 'given', id: `${job.step?.name} ${numbers.join(' ')}` });
  });
  const checking = job.run.onInvalid === 'skip';
  try {
    for (const line of lines) {
      if (turns.isDue) await turns.take();
      const { row } = line;
      const out = leftOut(line, reading.where, job.source.hiddenRows) ?? leftByStep(mapping, row, results);
      if (out) {
        told.rows.set(row.number, outcome(row, out));
        told.groups.push([row.number]);
        // Only a condition that was evaluated leaves the row out.
        came.set(
          row.number,
          out.kind === 'skipped' ? { kind: 'left_out' } : { kind: 'given', id: `row ${row.number}` },
        );
        if (!line.nonData) feeder.end();
        continue;
      }
      const taken = mapping.steps?.withResults(row, results.get(row.number) ?? []) ?? row;
      if (!feeder.add(taken, checking)) return undefined;
    }
    feeder.end();
    for (const group of groups.rest()) feeder.map(group);
  } finally {
    groups.close();
  }
  for (const [row, it] of came) results.set(row, [...(results.get(row) ?? []), it]);
  return told;
}

/** A row that a step's `when` leaves out, or can't decide about. */
function leftByStep(
  { steps }: Mapping,
  row: Row,
  results: ReadonlyMap<number, readonly StepResult[]>,
): LeftOut | undefined {
  if (!steps) return undefined;
  const earlier = results.get(row.number) ?? [];
  const when = steps.when(steps.withResults(row, earlier), earlier);
  if (when.kind === 'goes') return undefined;
  if (when.kind !== 'fault') return { kind: 'skipped', message: leftOutMessage(when.kind) };
  return { kind: 'invalid', message: when.fault.message, column: when.fault.column };
}

function outcome({ sheet, number: row }: Row, { kind, message: told, column }: LeftOut): CheckedRow {
  if (kind === 'skipped') return { row, status: 'skipped', faults: [], message: told };
  return { row, status: 'invalid', faults: [{ sheet, row, column, message: told }] };
}

/** Each row has the faults of its own cells, then those of the rows that it goes with. */
function tell({ rows }: ToldLines, mapped: MappedGroup, numbers: readonly number[]): void {
  for (const row of numbers) {
    if (mapped.kind === 'items') {
      rows.set(row, { row, status: 'valid', faults: [] });
      continue;
    }
    const own = mapped.faults.filter((it) => it.row === row);
    const others = mapped.faults.filter((it) => it.row !== row);
    rows.set(row, { row, status: 'invalid', faults: [...own, ...others] });
  }
}

const RANK = { skipped: 0, valid: 1, invalid: 2 } as const;

/** Of a row in several steps: it goes if any takes it, and not if any finds it at fault. */
function worse(one: CheckedRow | undefined, other: CheckedRow): CheckedRow {
  if (!one) return other;
  if (one.status === 'invalid' && other.status === 'invalid')
    return { ...one, faults: [...one.faults, ...other.faults] };
  return RANK[other.status] > RANK[one.status] ? other : one;
}

function joinGroup(groups: Map<number, number[]>, rows: readonly number[]): void {
  const all = new Set(rows);
  for (const row of rows) for (const other of groups.get(row) ?? []) all.add(other);
  const joined = [...all].sort((a, b) => a - b);
  for (const row of joined) groups.set(row, joined);
}
