import { type Language, type Message, message, render } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';
import type { Ledger } from '../../ledger/contract/ledger.js';
import type { RowResult } from '../../ledger/contract/report.js';
import type { Run } from '../../ledger/contract/run.js';
import { checkedInputOf } from '../../ledger/inputs.js';
import type { Fault } from '../../model/fault.js';
import type { JsonObject } from '../../model/json.js';
import type { Operation } from '../../model/operation.js';
import type { Row } from '../../model/row.js';
import { NEEDS_NOTHING, STATUSES, type Status } from '../../model/status.js';
import { operationNamed } from '../../platform/operations/index.js';
import { recordValues } from '../../platform/operations/shared/records.js';
import { withOriginalName } from '../../source/original-name.js';
import { crashPoint } from '../../util/crash-point.js';
import { distinctMessages } from '../../util/distinct-messages.js';
import type { ResultLine, ResultTable, ResultValue } from '../../workbook/contract.js';
import { faultText } from '../../workbook/fault-text.js';
import { resultPath } from '../../workbook/result-path.js';
import { writeResult } from '../../workbook/write.js';
import { type RowsAsRead, rowsAsRead } from '../input/input-reading.js';
import { type OpenedInput, openInput } from '../input/opened-input.js';
import { inRanges } from '../input/row-ranges.js';
import type { RunServices } from '../run-context.js';
import type { RunSettings } from '../settings.js';
import { heldByUnknown } from './held-rows.js';
import { ProblemKinds, type RowProblemKind } from './problem-kinds.js';
import { resultMessage } from './result-message.js';

/** Columns of every operation's result, before and after its own (contract section 6). */
const BEFORE = ['row', 'status', 'licenseOrderId', 'code', 'message'] as const;
const AFTER = ['attempts', 'run'] as const;

interface WrittenReport {
  /** Where the result was written. */
  readonly output: string;
  readonly counts: Readonly<Partial<Record<Status, number>>>;
  readonly rows: number;
  /** Rows held back because an earlier run left their items unknown. */
  readonly heldUnknown: number;
  /** What is wrong with its rows, by kind. */
  readonly problems: readonly RowProblemKind[];
}

type ReportServices = Pick<RunServices, 'ledger' | 'language' | 'observer'>;

interface ReportContext extends ReportServices {
  readonly run: Run;
  readonly settings: RunSettings;
  readonly operation: Operation;
}

/**
 * Writes the result from the ledger and the kept copy of the input: one line for each source row, in source order.
 * @param inboxFolder folder within an input folder that the result goes to
 * @throws ProductError internal when ledger and input don't agree row by row; nothing is written then.
 */
export async function writeReport(
  { ledger, language, observer }: ReportServices,
  run: Run,
  settings: RunSettings,
  inboxFolder?: string,
): Promise<WrittenReport> {
  const { job, connection } = settings;
  const operation = operationNamed(job.operation);
  const context: ReportContext = { ledger, language, observer, run, settings, operation };
  const copy = await checkedInputOf(ledger.inputs, run);
  const input = await openInput(job, copy);
  const tally: Tally = {
    counts: {},
    rows: 0,
    heldUnknown: 0,
    marks: new Map(),
    problems: new ProblemKinds(),
  };
  try {
    const rows = await rowsAsRead(job, operation, connection, input);
    const table = resultTable(context, input, rows, await ledger.plan.warnings(run.id), tally);
    const wanted = resultPath(job, run.id, inboxFolder);
    const output = await withOriginalName(copy, job.source.file, () => writeResult(wanted, table));
    if (output !== wanted) observer.warn(message('run.result_renamed', { wanted, written: output }));
    const { counts, heldUnknown } = tally;
    return { output, counts, rows: tally.rows, heldUnknown, problems: tally.problems.list() };
  } finally {
    await input.source.close();
  }
}

/** Counted while the lines are written. */
interface Tally {
  readonly counts: Partial<Record<Status, number>>;
  rows: number;
  heldUnknown: number;
  readonly problems: ProblemKinds;
  /** Faulty cells of joined sheets, by sheet and row. */
  readonly marks: Map<string, Map<number, Map<number, string>>>;
}

function resultTable(
  context: ReportContext,
  input: OpenedInput,
  rows: RowsAsRead,
  warnings: readonly Message[],
  tally: Tally,
): ResultTable {
  const { operation, run, ledger } = context;
  const columns = [...BEFORE, ...operation.resultColumns, ...AFTER];
  const recordColumns = operation.recordColumns;
  return {
    job: run.job,
    run: run.id,
    language: context.language,
    columns,
    headers: input.table.headers,
    setAside: input.table.resultColumns.length,
    lines: lines(context, rows, tally),
    records: recordColumns && {
      columns: ['row', ...recordColumns],
      lines: recordLines(ledger, run.id, recordColumns),
    },
    summary: () => summaryLines(context, tally.counts, warnings),
    copied: [...input.joined].map(([name, table]) => ({
      name: table.sheet.name,
      rows: () => rows.joined(name, table),
      marks: () => tally.marks.get(table.sheet.name) ?? new Map(),
    })),
    sandbox: context.settings.connection.sandbox,
  };
}

async function* lines(
  context: ReportContext,
  rows: RowsAsRead,
  tally: Tally,
): AsyncGenerator<readonly ResultLine[]> {
  const { operation, run, language } = context;
  const { retry } = context.settings;
  const only = retry && inRanges(retry.rows);
  const results = context.ledger.report
    .rows(run.id, run.kind === 'run' ? 'not_sent' : 'valid')
    [Symbol.asyncIterator]();
  let known: readonly RowResult[] = [];
  let next = 0;
  const unaccounted = (row: number): ProductError =>
    new ProductError(
      'internal',
      message('run.row_unaccounted', { row, file: context.settings.job.source.file }),
    );
  for await (const chunk of rows.main()) {
    const page: ResultLine[] = [];
    for (const row of chunk) {
      crashPoint('report');
      if (only && !only(row.number)) continue;
      // Awaited once a page, not for every row.
      if (next === known.length) {
        known = await pageAfter(results);
        next = 0;
      }
      const result = known[next];
      if (result?.row !== row.number) throw unaccounted(row.number);
      next += 1;
      tally.rows += 1;
      tally.problems.add(result);
      tally.counts[result.status] = (tally.counts[result.status] ?? 0) + 1;
      if (heldByUnknown(result)) tally.heldUnknown += 1;
      page.push({
        status: result.status,
        values: resultValues(result, operation, run.id, language),
        row,
        marks: marks(result, row, language),
        problem: problemOf(result, run, language),
      });
      markJoined(tally.marks, result, row, language);
    }
    context.observer.progress({ stage: 'report', done: tally.rows, total: run.rows });
    yield page;
  }
  const rest = known[next] ?? (await pageAfter(results))[0];
  if (rest) throw unaccounted(rest.row);
}

/** The next page; empty after the last. */
async function pageAfter<T>(pages: AsyncIterator<readonly T[]>): Promise<readonly T[]> {
  const page = await pages.next();
  return page.done ? [] : page.value;
}

function resultValues(
  result: RowResult,
  operation: Operation,
  run: string,
  language: Language,
): ResultValue[] {
  return [
    result.row,
    result.status,
    result.licenseOrderId,
    result.code,
    resultMessage(result, language) || undefined,
    ...operation.resultColumns.map((name) => result.columns[name]),
    result.attempts,
    run,
  ];
}

/** Why a person has to look at the row; undefined when nobody has to. */
function problemOf(result: RowResult, run: Run, language: Language): string | undefined {
  if (NEEDS_NOTHING.has(result.status) && !heldByUnknown(result)) return undefined;
  const said = resultMessage(result, language);
  if (said !== '') return said;
  const why = run.state === 'invalid' ? message('workbook.held_by_invalid') : run.reason;
  return why ? render(why, language) : '';
}

const NO_MARKS: ReadonlyMap<number, string> = new Map();

/** The faults of the row's own cells, by column. */
function marks(result: RowResult, row: Row, language: Language): ReadonlyMap<number, string> {
  if (result.faults.length === 0) return NO_MARKS;
  const found = new Map<number, string>();
  for (const fault of result.faults) {
    if (fault.row === row.number && fault.sheet === row.sheet) mark(found, fault, language);
  }
  return found;
}

/** Marks faults of cells in joined sheets, once each: all rows of an order have the same ones. */
function markJoined(all: Tally['marks'], result: RowResult, row: Row, language: Language): void {
  for (const fault of result.faults) {
    if (fault.column === undefined || fault.sheet === row.sheet) continue;
    const sheet = all.get(fault.sheet) ?? new Map<number, Map<number, string>>();
    const cells = sheet.get(fault.row) ?? new Map<number, string>();
    all.set(fault.sheet, sheet.set(fault.row, cells));
    mark(cells, fault, language);
  }
}

function mark(cells: Map<number, string>, fault: Fault, language: Language): void {
  if (fault.column === undefined) return;
  const text = faultText(fault, language);
  const before = cells.get(fault.column);
  if (before === undefined) cells.set(fault.column, text);
  else if (!before.split('\n').includes(text)) cells.set(fault.column, `${before}\n${text}`);
}

async function* recordLines(
  ledger: Ledger,
  run: string,
  columns: readonly string[],
): AsyncGenerator<readonly (readonly ResultValue[])[]> {
  for await (const page of ledger.report.records(run)) {
    yield page.map(({ row, record }) => [row, ...recordValues(record as JsonObject, columns)]);
  }
}

/** Words of the sheet `Summary`. Programs read them, so they are the same in every language. */
const MODE: Readonly<Record<Run['kind'], string>> = {
  run: 'run',
  dry_run: 'dry run',
  plan: 'plan',
  reconcile: 'reconcile',
};

function summaryLines(
  context: ReportContext,
  counts: Readonly<Partial<Record<Status, number>>>,
  warnings: readonly Message[],
): (readonly [string, string | number])[] {
  const { run, settings, language } = context;
  const iso = (time: number | undefined): string => (time === undefined ? '' : new Date(time).toISOString());
  return [
    ['job', run.job],
    ['run', run.id],
    ['operation', run.operation],
    ['connection', settings.connection.sandbox ? `${run.connection} (SANDBOX)` : run.connection],
    ...(run.parent === undefined ? [] : [[settings.retry ? 'retry of' : 'action of', run.parent] as const]),
    ['mode', MODE[run.kind]],
    ['input file', run.inputFile],
    ['input SHA-256', run.inputSha256],
    ['start', iso(run.startedAt)],
    ['end', iso(run.endedAt)],
    ['rows', Object.values(counts).reduce((sum, it) => sum + it, 0)],
    ...STATUSES.filter((it) => counts[it] !== undefined).map((it) => [it, counts[it] ?? 0] as const),
    ['requests', run.requests],
    ['retries', run.retries],
    ...(run.reason ? [['stopped because', render(run.reason, language)] as const] : []),
    ...distinctMessages(warnings).map((it) => ['warning', render(it, language)] as const),
  ];
}
