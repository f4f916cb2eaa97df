import type { Message } from '../../errors/message.js';
import type { LookupAnswers } from '../../mapping/lookup/records.js';
import type { JoinLookup, MappedGroup, Mapping } from '../../mapping/mapping.js';
import type { StepResult } from '../../mapping/steps/step-columns.js';
import type { Job, StepsJob } from '../../model/job.js';
import type { Fault, Row } from '../../model/row.js';
import { type LeftOut, leftOut } from '../../source/non-data-rows.js';
import type { Table } from '../../source/table.js';
import type { ReadRow } from '../../source/table-reader.js';
import { EventLoopTurns } from '../../util/clock.js';
import { fold } from '../../util/text.js';
import type { InputReading } from '../input/input-reading.js';
import type { OpenedInput } from '../input/opened-input.js';
import { maybeIncomplete, RowFeeder } from '../plan/row-feeder.js';
import { AdjacentRows, type RowGroups, ScatteredRows } from '../plan/row-groups.js';
import { leftOutMessage } from '../plan/step-progress.js';
import type { Overlay } from './overlay.js';

/** The result of the check for a row. A `valid` row may still break rules that need the whole sheet or the ledger. */
export interface CheckedRow {
  readonly row: number;
  readonly status: 'valid' | 'invalid' | 'skipped';
  readonly faults: readonly Fault[];
  /** Why it is skipped, or the problem of the row as a whole. */
  readonly message?: Message;
}

/** The map of a job or of one of its steps, with the sheets that it joins. */
export interface CheckedMap {
  readonly job: Job;
  readonly mapping: Mapping;
  readonly joins: JoinLookup;
}

/** The results of some adjacent rows. */
export interface WindowCheck {
  readonly rows: ReadonlyMap<number, CheckedRow>;
  /** Rows that are mapped together, in sheet order; a single row is its own group. */
  readonly groups: readonly (readonly number[])[];
  /** Rows above the first may belong to its group, and rows below the last to its group. */
  readonly isOpenAbove: boolean;
  readonly isOpenBelow: boolean;
}

/** No lookups are requested while cells are edited. Looked-up fields are treated as given. */
const UNASKED: LookupAnswers = { find: () => ({ kind: 'unasked' }) };

/** Checks rows in the same way as planning, by each map in turn. A row that is invalid in one step is invalid. */
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
    const lineResults = await mapLines(map, lines, reading, table, results);
    for (const [row, result] of lineResults.rows) checked.set(row, combineResults(checked.get(row), result));
    for (const group of lineResults.groups) joinGroup(groups, group);
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

interface ReportedLines {
  readonly rows: Map<number, CheckedRow>;
  readonly groups: number[][];
}

async function mapLines(
  map: CheckedMap,
  lines: readonly ReadRow[],
  reading: InputReading,
  table: OpenedInput['table'],
  results: Map<number, StepResult[]>,
): Promise<ReportedLines> {
  return (
    (await mapAs(new AdjacentRows(), map, lines, reading, table, results)) ??
    (await mapAs(new ScatteredRows(map.mapping.columns), map, lines, reading, table, results))!
  );
}

/** Undefined if a group turned out to be scattered. */
async function mapAs(
  groups: RowGroups,
  { job, mapping, joins }: CheckedMap,
  lines: readonly ReadRow[],
  reading: InputReading,
  table: OpenedInput['table'],
  results: Map<number, StepResult[]>,
): Promise<ReportedLines | undefined> {
  // The console checks corrected rows in its main process, which other users' pages wait for.
  const turns = new EventLoopTurns();
  const lineResults: ReportedLines = { rows: new Map(), groups: [] };
  const stepResults = new Map<number, StepResult>();
  const feeder = new RowFeeder(mapping, groups, table, (rows, below) => {
    const mapped = mapping.map(rows, joins, UNASKED) as MappedGroup;
    const numbers = rows.map((row) => row.number);
    addVerdicts(lineResults, below ? maybeIncomplete(mapped, rows, below) : mapped, numbers);
    lineResults.groups.push(numbers);
    for (const row of numbers)
      stepResults.set(row, { kind: 'given', id: `${job.step?.name} ${numbers.join(' ')}` });
  });
  const checking = job.run.onInvalid === 'skip';
  try {
    for (const line of lines) {
      if (turns.isDue) await turns.take();
      const { row } = line;
      const excluded =
        leftOut(line, reading.where, job.source.hiddenRows) ?? leftByStep(mapping, row, results);
      if (excluded) {
        lineResults.rows.set(row.number, outcome(row, excluded));
        lineResults.groups.push([row.number]);
        // Only a condition that was evaluated excludes the row; otherwise later steps get a placeholder.
        stepResults.set(
          row.number,
          excluded.kind === 'skipped' ? { kind: 'left_out' } : { kind: 'given', id: `row ${row.number}` },
        );
        if (!line.nonData) feeder.end();
        continue;
      }
      const progressed = mapping.steps?.withResults(row, results.get(row.number) ?? []) ?? row;
      if (!feeder.add(progressed, checking)) return undefined;
    }
    feeder.end();
    for (const group of groups.rest()) feeder.map(group);
  } finally {
    groups.close();
  }
  for (const [row, result] of stepResults) results.set(row, [...(results.get(row) ?? []), result]);
  return lineResults;
}

/** A row that a step's `when` excludes or cannot be evaluated for. */
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

function outcome({ sheet, number: row }: Row, { kind, message: reason, column }: LeftOut): CheckedRow {
  if (kind === 'skipped') return { row, status: 'skipped', faults: [], message: reason };
  return { row, status: 'invalid', faults: [{ sheet, row, column, message: reason }] };
}

/** Each row has the errors of its own cells first, then those of the other rows of its group. */
function addVerdicts({ rows }: ReportedLines, mapped: MappedGroup, numbers: readonly number[]): void {
  for (const row of numbers) {
    if (mapped.kind === 'items') {
      rows.set(row, { row, status: 'valid', faults: [] });
      continue;
    }
    const ownFaults = mapped.faults.filter((fault) => fault.row === row);
    const otherFaults = mapped.faults.filter((fault) => fault.row !== row);
    rows.set(row, { row, status: 'invalid', faults: [...ownFaults, ...otherFaults] });
  }
}

const RANK = { skipped: 0, valid: 1, invalid: 2 } as const;

/** Combines the results of a row in several steps: invalid if any step finds an error, else valid if any takes it. */
function combineResults(a: CheckedRow | undefined, b: CheckedRow): CheckedRow {
  if (!a) return b;
  if (a.status === 'invalid' && b.status === 'invalid') return { ...a, faults: [...a.faults, ...b.faults] };
  return RANK[b.status] > RANK[a.status] ? b : a;
}

function joinGroup(groups: Map<number, number[]>, rows: readonly number[]): void {
  const all = new Set(rows);
  for (const row of rows) for (const other of groups.get(row) ?? []) all.add(other);
  const joined = [...all].sort((a, b) => a - b);
  for (const row of joined) groups.set(row, joined);
}

/** Rows of the job's sheet as in its file, by sheet row number. */
export interface FileRows {
  /** Undefined if all cells are empty. */
  row(number: number): Promise<Row | undefined>;
  /** The last row with a filled cell. */
  readonly last: number;
}

interface CorrectedFile {
  readonly file: FileRows;
  /** All corrections. */
  readonly overlay: Overlay;
}

/** Limit of rows searched for rows that belong to the same group or provide values. Planning has no such limit. */
export const MAX_ROWS = 20_000;

/** Adds the rows above that the first rows take values from: by merged ranges, and by `fillDown`. */
export async function addRowsAbove(
  job: Job | StepsJob,
  table: Table,
  { file, overlay }: CorrectedFile,
  top: number,
  numbers: Set<number>,
): Promise<void> {
  const { merges, headerRow } = table;
  let first = top;
  // Ranges are ordered by ascending top, so the lower ones are examined first.
  for (let range = merges.count - 1; range >= 0; range -= 1) {
    if (merges.top(range) < first && merges.bottom(range) >= first && merges.top(range) > headerRow)
      first = merges.top(range);
  }
  const columns = new Set(fillDownColumns(job, table));
  for (let row = top - 1; row > headerRow && top - row <= MAX_ROWS; row -= 1) {
    if (row < first && columns.size === 0) return;
    numbers.add(row);
    const inFile = await file.row(row);
    for (const column of columns) {
      const correction = overlay.row(row)?.get(column);
      const isFilled = correction
        ? correction.text.trim() !== ''
        : (inFile?.cell(column)?.text.trim() ?? '') !== '';
      if (isFilled) columns.delete(column);
    }
  }
}

/** The last row that takes a value from a corrected row. */
export async function lastDependentRow(
  job: Job | StepsJob,
  table: Table,
  { file, overlay }: CorrectedFile,
  row: number,
): Promise<number> {
  const { merges } = table;
  let last = row;
  for (let range = 0; range < merges.count && merges.top(range) <= row; range += 1)
    if (merges.bottom(range) > last && merges.top(range) === row) last = merges.bottom(range);
  const corrections = overlay.row(row);
  for (const column of fillDownColumns(job, table)) {
    if (!corrections?.has(column)) continue;
    let below = row + 1;
    for (; below <= file.last && below - row <= MAX_ROWS; below += 1) {
      if (((await file.row(below))?.cell(column)?.text.trim() ?? '') !== '') break;
    }
    last = Math.max(last, below - 1);
  }
  return Math.min(last, row + MAX_ROWS, file.last);
}

function fillDownColumns({ source }: Job | StepsJob, { headers }: Table): readonly number[] {
  const named = (source.fillDown ?? []).map(fold);
  return headers.filter(({ folded }) => named.includes(folded)).map(({ column }) => column);
}
