import { type Message, message, render, renderText } from '../errors/message.js';
import { columnsWithFormFaults } from '../mapping/given-value.js';
import { DRIFT_STATUSES } from '../model/comparison.js';
import type { ReconcileJob } from '../model/job.js';
import type { JsonObject } from '../model/json.js';
import { columnsReadBy, type MapBranch, type MapLeaf } from '../model/map.js';
import type { Cell, Header, Row } from '../model/row.js';
import type { ActionRun, RunCounts } from '../model/run-outcome.js';
import { isResultFile } from '../source/result-file.js';
import { distinctMessages } from '../util/error-detail.js';
import { isPostgresUrl } from '../util/ledger-address.js';
import { fold } from '../util/text.js';
import { faultText } from '../workbook/cell-locations.js';
import type { ResultLine, ResultTable } from '../workbook/result-line.js';
import { writeResult } from '../workbook/write.js';
import { cellOf, recordPaths, rowOf, valueAt } from './action-rows.js';
import { differenceText } from './compare.js';
import type { ActionNote, DriftRows } from './drift-store.js';
import { RECONCILE_COLUMNS, type Reconciliation } from './input.js';
import type { Drift, DriftVerdict } from './services.js';

/** The source's columns (1-based) that fill each field. */
interface FieldColumns {
  /** By the path of an expected field. */
  readonly expected: ReadonlyMap<string, readonly number[]>;
  readonly key: readonly number[];
  /** By field of the record, if a column contains its value unchanged. */
  readonly plain: ReadonlyMap<string, readonly number[]>;
}

function fieldColumns(job: ReconcileJob, headers: readonly Header[]): FieldColumns {
  const expected = new Map<string, readonly number[]>();
  const plain = new Map<string, number[]>();
  const key = new Set<number>();
  for (const [path, leaf] of leavesOf(job.expect)) expected.set(path, columnsOf(leaf, headers));
  for (const [, leaf] of leavesOf(job.key)) for (const column of columnsOf(leaf, headers)) key.add(column);
  for (const [path, leaf] of [...leavesOf(job.key), ...leavesOf(job.expect)]) {
    // A table of values would have to be reversed, and a date formatted.
    if (leaf.kind !== 'column' || leaf.values || leaf.end || leaf.format !== undefined) continue;
    plain.set(path, [...(plain.get(path) ?? []), ...columnsOf(leaf, headers)]);
  }
  return { expected, key: [...key], plain };
}

function leavesOf(branch: MapBranch, prefix = ''): readonly (readonly [string, MapLeaf])[] {
  return [...branch.fields].flatMap(([name, node]): readonly (readonly [string, MapLeaf])[] => {
    const path = `${prefix}${name}`;
    return node.kind === 'branch' ? leavesOf(node, `${path}.`) : [[path, node]];
  });
}

function columnsOf(leaf: MapLeaf, headers: readonly Header[]): readonly number[] {
  return columnsReadBy(leaf).flatMap((name) =>
    headers.filter((header) => header.folded === fold(name)).map((header) => header.column),
  );
}

interface LineParts extends Reconciliation {
  readonly columns: FieldColumns;
}

/** One line for each row of the source, in order, then one for each extra record. */
async function* reconcileLines(reconciliation: Reconciliation): AsyncGenerator<readonly ResultLine[]> {
  const { input, store } = reconciliation;
  const parts = { ...reconciliation, columns: fieldColumns(reconciliation.job, input.table.headers) };
  for await (const chunk of input.reader.plain()) {
    yield chunk.map((row) => lineOf(parts, row, row.number, row.number));
  }
  for (const extras of store.extras()) {
    yield extras.map(({ line, record }) => lineOf(parts, extraRow(parts, line, record), line, undefined));
  }
}

function lineOf(parts: LineParts, row: Row, line: number, shownRow: number | undefined): ResultLine {
  const verdict = parts.store.verdict(line) ?? NOT_READ;
  const notes = parts.store.notes(line);
  const differences = verdict.differences.map(driftText).join('; ');
  const text = messageText(parts, verdict, notes);
  return {
    status: verdict.status,
    values: [
      shownRow,
      verdict.status,
      differences || undefined,
      notes.map((note) => note.operation).join('; ') || undefined,
      notes.map((note) => note.status).join('; ') || undefined,
      text || undefined,
    ],
    row,
    marks: marksOf(parts, verdict, row),
    wrongKind: columnsWithFormFaults(verdict.faults ?? [], row),
    problem: NEEDS_NOTHING.has(verdict.status) ? undefined : [differences, text].filter(Boolean).join('; '),
  };
}

const NEEDS_NOTHING: ReadonlySet<DriftVerdict['status']> = new Set(['in_sync', 'skipped']);

const NOT_READ: DriftVerdict = { status: 'error', differences: [], message: message('reconcile.not_asked') };

function driftText(drift: Drift): string {
  return drift.label === undefined ? differenceText(drift) : `${drift.label} ${differenceText(drift)}`;
}

function messageText({ language }: LineParts, verdict: DriftVerdict, notes: readonly ActionNote[]): string {
  const renderIn = (text: Message | string): string => renderText(text, language);
  return [
    ...(verdict.faults ?? []).map((fault) => faultText(fault, language)),
    ...(verdict.message === undefined ? [] : [renderIn(verdict.message)]),
    ...(verdict.missing
      ? [renderIn(message('reconcile.missing_some', { names: verdict.missing.join(', ') }))]
      : []),
    ...(verdict.before && changed(verdict.before, verdict) ? [renderIn(beforeText(verdict.before))] : []),
    ...notes.filter((note) => note.message !== '').map((note) => `${note.operation}: ${note.message}`),
  ].join('; ');
}

/** True when a row's verdict changed after it was read again. */
function changed(before: DriftVerdict, after: DriftVerdict): boolean {
  const texts = ({ differences }: DriftVerdict): string => differences.map(driftText).join('; ');
  return before.status !== after.status || texts(before) !== texts(after);
}

function beforeText({ status, differences }: DriftVerdict): Message {
  if (differences.length === 0) return message('reconcile.before', { status });
  const text = differences.map(driftText).join('; ');
  return message('reconcile.before_differing', { status, differences: text });
}

/** Marks invalid cells, and cells whose expectation is not met, with the actual value. */
function marksOf(
  { columns, language }: LineParts,
  { status, differences, faults }: DriftVerdict,
  row: Row,
): ReadonlyMap<number, string> {
  const marks = new Map<number, string>();
  const mark = (column: number, text: string): void => {
    const before = marks.get(column);
    marks.set(column, before === undefined ? text : `${before}\n${text}`);
  };
  for (const fault of faults ?? []) {
    if (fault.column !== undefined && fault.row === row.number)
      mark(fault.column, faultText(fault, language));
  }
  for (const drift of differences) {
    for (const column of columns.expected.get(drift.field) ?? []) mark(column, driftText(drift));
  }
  if (status === 'missing') for (const column of columns.key) mark(column, status);
  return marks;
}

/** An extra record as a row, in the columns that its fields are compared with. */
function extraRow({ input, comparison, columns }: LineParts, line: number, record: JsonObject): Row {
  const cells = new Map<number, Cell>();
  for (const path of recordPaths(comparison.record)) {
    const value = valueAt(record, path);
    if (value === undefined) continue;
    for (const column of columns.plain.get(path) ?? []) {
      const cell = cellOf(value, column);
      if (cell) cells.set(column, cell);
    }
  }
  const ordered = [...cells.values()].sort((a, b) => a.column - b.column);
  return rowOf(input.table.sheet.name, line, ordered);
}

interface ReconciliationEnd {
  readonly endedAt: number;
  readonly counts: RunCounts;
  readonly requests: number;
  readonly retries: number;
  readonly reason?: Message;
  readonly actions: readonly ActionRun[];
}

/**
 * Writes a reconciliation's result.
 * @returns the path written
 */
export function writeReconciliation(
  reconciliation: Reconciliation,
  end: ReconciliationEnd,
  drift: DriftRows,
): Promise<string> {
  const table: ResultTable = {
    job: reconciliation.job.name,
    run: reconciliation.run,
    language: reconciliation.language,
    columns: RECONCILE_COLUMNS,
    headers: reconciliation.input.table.headers,
    lines: drift.listen(reconcileLines(reconciliation)),
    summary: () => summaryLines(reconciliation, end),
    copied: [],
    sandbox: reconciliation.connection.sandbox,
  };
  return writeResult(reconciliation.output, table, {
    stateFolder: reconciliation.stateFolder,
    isOfServer: isPostgresUrl(reconciliation.ledger.location),
    by: reconciliation.apply ? 'run' : 'check',
    isResult: isResultFile,
    warn: (warning) => reconciliation.observer.warn(warning),
  });
}

function summaryLines(
  { job, connection, apply, ...reconciliation }: Reconciliation,
  { counts, ...end }: ReconciliationEnd,
): readonly (readonly [string, string | number])[] {
  return [
    ['job', job.name],
    ['run', reconciliation.run],
    ['operation', `reconcile.${job.reconcile}`],
    ['connection', connection.sandbox ? `${connection.name} (SANDBOX)` : connection.name],
    ['mode', apply ? 'reconcile --apply' : 'reconcile'],
    ['input file', job.source.file],
    ['input SHA-256', reconciliation.inputSha256],
    ['start', new Date(reconciliation.startedAt).toISOString()],
    ['end', new Date(end.endedAt).toISOString()],
    ['rows', Object.values(counts).reduce((sum, count) => sum + count, 0)],
    ...DRIFT_STATUSES.filter((status) => counts[status] !== undefined).map(
      (status) => [status, counts[status] ?? 0] as const,
    ),
    ['requests', end.requests],
    ['retries', end.retries],
    ...end.actions.map(
      ({ operation, run, counts: rows }) =>
        ['action', `${operation}: run ${run}, ${countsText(rows)}`] as const,
    ),
    ...(end.reason ? [['stopped because', render(end.reason, reconciliation.language)] as const] : []),
    ...distinctMessages(reconciliation.warned).map(
      (it) => ['warning', render(it, reconciliation.language)] as const,
    ),
  ];
}

function countsText(counts: RunCounts): string {
  return Object.entries(counts)
    .map(([status, n]) => `${status} ${n}`)
    .join(', ');
}
