import path from 'node:path';
import { type Language, type Message, message, render } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';
import type { LookupCounts } from '../../ledger/contract/plan.js';
import type { RowResult } from '../../ledger/contract/report.js';
import type { Run } from '../../ledger/contract/runs.js';
import { timezoneOf } from '../../ledger/stored-settings.js';
import { columnsWithFormFaults } from '../../mapping/given-value.js';
import type { Fault, Row } from '../../model/row.js';
import { NEEDS_NOTHING, type Status } from '../../model/status.js';
import { operationNamed } from '../../platform/operations/catalogue.js';
import { isResultFile } from '../../source/result-file.js';
import { withOriginalName } from '../../source/source.js';
import { crashPoint } from '../../util/crash-point.js';
import { isPostgresUrl } from '../../util/ledger-address.js';
import { faultText } from '../../workbook/cell-locations.js';
import { type ResultPlace, resultPath } from '../../workbook/result-files.js';
import type { JoinedProblem, ResultLine, ResultTable } from '../../workbook/result-line.js';
import { writeResult } from '../../workbook/write.js';
import { exactNumberColumns, type RowsAsRead, rowsAsRead } from '../input/input-reading.js';
import { isAboutOrphan } from '../input/joins.js';
import { type OpenedInput, openKeptInput } from '../input/opened-input.js';
import { inRanges } from '../input/row-ranges.js';
import type { RunServices, WrittenReport } from '../run-context.js';
import type { RunSettings, StepsSettings } from '../settings.js';
import { lookupCounts, stepEnds, stepRunsOf } from '../step-runs.js';
import { type CorrectionView, CorrectionViews, correctedNote, withCorrections } from './corrected-cells.js';
import { ProblemKinds } from './problem-kinds.js';
import { plainForm, type ResultForm, summaryLines } from './result-form.js';
import { resultMessage } from './result-message.js';
import { Cursor, heldByUnknown } from './row-results.js';
import { stepsForm } from './steps-form.js';

type ReportServices = Pick<RunServices, 'ledger' | 'language' | 'observer' | 'env' | 'resultNotes'>;

interface ReportContext extends ReportServices {
  readonly run: Run;
  readonly settings: RunSettings | StepsSettings;
  readonly form: ResultForm;
  readonly lookups: LookupCounts;
  readonly corrected: CorrectionViews;
  readonly onlyAttention: boolean;
}

/**
 * Writes the result from the ledger and the stored copy of the input: one line for each source row, in source order.
 * @param inboxFolder subfolder of an input folder for the result
 * @param onlyAttention whether rows that need nothing are omitted; the totals include them
 * @throws ProductError internal if ledger and input do not match row by row; nothing is written then
 */
export async function writeReport(
  { ledger, language, observer, env, resultNotes }: ReportServices,
  run: Run,
  settings: RunSettings | StepsSettings,
  {
    inboxFolder,
    onlyAttention = false,
  }: { readonly inboxFolder?: string | undefined; readonly onlyAttention?: boolean } = {},
): Promise<WrittenReport> {
  const { job, connection } = settings;
  const lookups = await lookupCounts(ledger, run);
  const resultFile = resultPath(job, run.id, inboxFolder);
  const form =
    'steps' in job
      ? stepsForm(
          ledger,
          run,
          job,
          await stepRunsOf(ledger, run),
          await stepEnds(ledger, run),
          resultFile,
          language,
        )
      : plainForm(ledger, run, operationNamed(job.operation), resultFile, language);
  const context = { ledger, language, observer, run, settings, form, lookups, onlyAttention };
  const input = await openKeptInput(ledger.inputs, run, settings, env);
  const tally: Tally = {
    counts: {},
    rows: 0,
    heldUnknown: 0,
    marks: new Map(),
    problems: new ProblemKinds(),
  };
  try {
    const rows = await rowsAsRead(job, connection, input);
    const corrected = await CorrectionViews.of(ledger.inputs, settings, input);
    const warnings = await ledger.plan.warnings(run.id);
    const numbers =
      path.extname(resultFile).toLowerCase() === '.csv'
        ? await exactNumberColumns(job, connection, input)
        : undefined;
    const table = {
      ...resultTable({ ...context, corrected }, input, rows, warnings, tally),
      exactNumbers: numbers,
    };
    const location: ResultPlace = {
      stateFolder: resultNotes ?? ledger.stateFolder,
      isOfServer: isPostgresUrl(ledger.location),
      by: run.kind === 'run' && !table.rehearsal ? 'run' : 'check',
      isResult: isResultFile,
      warn: (warning) => observer.warn(warning),
    };
    const output = await withOriginalName(input.source.file, job.source.file, () =>
      writeResult(resultFile, table, location),
    );
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
  /** Invalid cells of joined sheets, by sheet and row. */
  readonly marks: Map<string, Map<number, Map<number, string>>>;
}

function resultTable(
  context: ReportContext,
  input: OpenedInput,
  rows: RowsAsRead,
  warnings: readonly Message[],
  tally: Tally,
): ResultTable {
  const { form, run } = context;
  // Orphans are errors if they prevented the run from being sent; otherwise only warnings.
  const orphans = run.state === 'invalid' ? warnings.filter(isAboutOrphan) : [];
  return {
    job: run.job,
    run: run.id,
    language: context.language,
    columns: form.columns,
    headers: input.table.headers,
    skippedColumns: input.table.resultColumns.length,
    lines: lines(context, rows, tally, orphans),
    records: form.records,
    joinedProblems: () => orphans.map((orphan) => joinedProblem(orphan, context.language)),
    summary: () => summaryLines({ ...context, counts: tally.counts, warnings }),
    copied: [...input.joined].map(([name, table]) => ({
      name: table.sheet.name,
      rows: () => rows.joined(name, table),
      marks: () => tally.marks.get(table.sheet.name) ?? new Map(),
    })),
    sandbox: context.settings.connection.sandbox,
    rehearsal: context.settings.rehearsal === true,
  };
}

async function* lines(
  context: ReportContext,
  rows: RowsAsRead,
  tally: Tally,
  orphans: readonly Message[],
): AsyncGenerator<readonly ResultLine[]> {
  const { form, run, language } = context;
  const { retry } = context.settings;
  const only = retry && inRanges(retry.rows);
  const results = new Cursor(form.rows());
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
      // Awaited once per page, not for every row.
      if (results.isSpent) await results.fill();
      if (results.next?.row !== row.number) throw unaccounted(row.number);
      const result = results.take();
      tally.rows += 1;
      tally.problems.add(result);
      tally.counts[result.status] = (tally.counts[result.status] ?? 0) + 1;
      if (heldByUnknown(result)) tally.heldUnknown += 1;
      const problem = problemOf(result, run, language);
      if (context.onlyAttention && problem === undefined) continue;
      const correctedCells = context.corrected.of(row.number);
      page.push({
        status: result.status,
        values: form.values(withCorrections(result, correctedCells)),
        row,
        marks: marks(result, row, language),
        wrongKind: columnsWithFormFaults(result.faults, row),
        problem,
        corrected:
          correctedCells.length > 0 ? correctedNotes(correctedCells, language, timezoneOf(run)) : undefined,
      });
      markJoined(tally.marks, result, row, language);
    }
    context.observer.progress({ stage: 'report', done: tally.rows, total: run.rows });
    yield page;
  }
  if (results.isSpent) await results.fill();
  if (results.next) throw unaccounted(results.next.row);
  for (const orphan of orphans) {
    const { sheet, row, cell, message: text } = joinedProblem(orphan, language);
    tally.problems.addJoined(orphan, `${sheet}!${cell}`);
    const { column } = orphan.params as { readonly column: number };
    const cells = tally.marks.get(sheet) ?? new Map<number, Map<number, string>>();
    tally.marks.set(sheet, cells.set(row, new Map([...(cells.get(row) ?? []), [column, text]])));
  }
}

/** The line of the sheet `Problems` for a row of a joined sheet. */
function joinedProblem(orphan: Message, language: Language): JoinedProblem {
  const { sheet, row, cell } = orphan.params as Pick<JoinedProblem, 'sheet' | 'row' | 'cell'>;
  return { sheet, row, cell, message: render(orphan, language) };
}

/** Why a user has to look at the row; undefined if that is not necessary. */
function problemOf(result: RowResult, run: Run, language: Language): string | undefined {
  if (NEEDS_NOTHING.has(result.status) && !heldByUnknown(result)) return undefined;
  const ownText = resultMessage(result, language);
  if (ownText !== '') return ownText;
  const why = run.state === 'invalid' ? message('workbook.held_by_invalid') : run.reason;
  return why ? render(why, language) : '';
}

function correctedNotes(
  correctedCells: readonly CorrectionView[],
  language: Language,
  zone: string,
): ReadonlyMap<number, string> {
  return new Map(correctedCells.map((cell) => [cell.column, correctedNote(cell, language, zone)]));
}

const NO_MARKS: ReadonlyMap<number, string> = new Map();

/** The errors of the row's own cells, by column. */
function marks(result: RowResult, row: Row, language: Language): ReadonlyMap<number, string> {
  if (result.faults.length === 0) return NO_MARKS;
  const found = new Map<number, string>();
  for (const fault of result.faults) {
    if (fault.row === row.number && fault.sheet === row.sheet) mark(found, fault, language);
  }
  return found;
}

/** Marks invalid cells of joined sheets. All rows of an order have the same errors, so duplicates are ignored. */
function markJoined(sheets: Tally['marks'], result: RowResult, row: Row, language: Language): void {
  for (const fault of result.faults) {
    if (fault.column === undefined || fault.sheet === row.sheet) continue;
    const sheet = sheets.get(fault.sheet) ?? new Map<number, Map<number, string>>();
    const cells = sheet.get(fault.row) ?? new Map<number, string>();
    sheets.set(fault.sheet, sheet.set(fault.row, cells));
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
