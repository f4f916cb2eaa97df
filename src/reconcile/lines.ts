import { type Message, message, renderText } from '../errors/message.js';
import { unfitColumns } from '../mapping/stored-form.js';
import type { Cell } from '../model/cell.js';
import type { JsonObject } from '../model/json.js';
import type { Row } from '../model/row.js';
import type { ResultLine } from '../workbook/contract.js';
import { faultText } from '../workbook/fault-text.js';
import { cellOf, recordPaths, rowOf, valueAt } from './action-rows.js';
import { differenceText } from './compare.js';
import type { Drift, DriftVerdict } from './contract.js';
import type { ActionNote } from './drift-store.js';
import { type FieldColumns, fieldColumns } from './field-columns.js';
import type { Reconciliation } from './reconciliation.js';

interface LineParts extends Reconciliation {
  readonly columns: FieldColumns;
}

/** One line for each row of the source, in order, and one for each extra record after them. */
export async function* reconcileLines(it: Reconciliation): AsyncGenerator<readonly ResultLine[]> {
  const { input, store } = it;
  const parts = { ...it, columns: fieldColumns(it.job, input.table.headers) };
  for await (const chunk of input.reader.plain()) {
    yield chunk.map((row) => lineOf(parts, row, row.number, row.number));
  }
  for (const extras of store.extras()) {
    yield extras.map(({ line, record }) => lineOf(parts, extraRow(parts, line, record), line, undefined));
  }
}

function lineOf(parts: LineParts, row: Row, line: number, shown: number | undefined): ResultLine {
  const verdict = parts.store.verdict(line) ?? UNTOLD;
  const notes = parts.store.notes(line);
  const differences = verdict.differences.map(driftText).join('; ');
  const said = messageText(parts, verdict, notes);
  return {
    status: verdict.status,
    values: [
      shown,
      verdict.status,
      differences || undefined,
      notes.map((it) => it.operation).join('; ') || undefined,
      notes.map((it) => it.status).join('; ') || undefined,
      said || undefined,
    ],
    row,
    marks: marksOf(parts, verdict, row),
    unfit: unfitColumns(verdict.faults ?? [], row),
    problem: FINE.has(verdict.status) ? undefined : [differences, said].filter(Boolean).join('; '),
  };
}

const FINE: ReadonlySet<DriftVerdict['status']> = new Set(['in_sync', 'skipped']);

const UNTOLD: DriftVerdict = { status: 'error', differences: [], message: message('reconcile.not_asked') };

function driftText(drift: Drift): string {
  return drift.label === undefined ? differenceText(drift) : `${drift.label} ${differenceText(drift)}`;
}

function messageText({ language }: LineParts, verdict: DriftVerdict, notes: readonly ActionNote[]): string {
  const say = (it: Message | string): string => renderText(it, language);
  return [
    ...(verdict.faults ?? []).map((fault) => faultText(fault, language)),
    ...(verdict.message === undefined ? [] : [say(verdict.message)]),
    ...(verdict.missing
      ? [say(message('reconcile.missing_some', { names: verdict.missing.join(', ') }))]
      : []),
    ...(verdict.before && changed(verdict.before, verdict) ? [say(beforeText(verdict.before))] : []),
    ...notes.filter((it) => it.message !== '').map((it) => `${it.operation}: ${it.message}`),
  ].join('; ');
}

/** True when a row's verdict changed after it was read again. */
function changed(before: DriftVerdict, now: DriftVerdict): boolean {
  const texts = ({ differences }: DriftVerdict): string => differences.map(driftText).join('; ');
  return before.status !== now.status || texts(before) !== texts(now);
}

function beforeText({ status, differences }: DriftVerdict): Message {
  if (differences.length === 0) return message('reconcile.before', { status });
  const said = differences.map(driftText).join('; ');
  return message('reconcile.before_differing', { status, differences: said });
}

/** Marks faulty cells, and cells whose expectation isn't met, with what was found instead. */
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

/** An extra record as a row, under the columns that its fields are compared with. */
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
