import { type Message, message, render, renderText } from '../../errors/message.js';
import { languageOf, type MessageSurface } from '../../errors/message-surface.js';
import type { Import } from '../../ledger/contract/imports.js';
import type { Ledger } from '../../ledger/contract/ledger.js';
import { hostOf } from '../../ledger/rules/scopes.js';
import { namedValue } from '../../model/field.js';
import { type Job, type StepsJob, workOf } from '../../model/job.js';
import type { MapNode } from '../../model/map.js';
import type { Fault } from '../../model/row.js';
import type { CellsFacts, CellsKind, CellsRow } from '../../run/cells/cells-file.js';
import { kindsOf } from '../../run/cells/cells-kinds.js';
import { WHOLE_ROW } from '../../run/corrections/overlay.js';
import { cellAddress, columnLetters } from '../../util/spreadsheet-text.js';
import { LIMITS } from '../console/permissions.js';
import type { AppContext } from '../context.js';
import { importJob } from './import-job.js';
import { type ImportNow, type ImportViews, shownCells } from './import-views.js';
import { connectionOf, importListing } from './imports.js';
import { invalidRows } from './row-positions.js';

/** A row of an import's sheet as a page shows it. */
export interface ImportRow {
  /** As Excel numbers it. */
  readonly row: number;
  /** From 0, among the rows of the sheet. */
  readonly position: number | undefined;
  readonly status: string;
  /** In the order of the headers. */
  readonly cells: readonly string[];
  readonly faults: readonly { readonly column?: number; readonly text: string; readonly code?: string }[];
  /** Columns whose cells were corrected. */
  readonly corrected: readonly number[];
  /** A user excluded it. */
  readonly excluded?: true;
  readonly hidden?: true;
}

/** Facts about an import that need no rows: who created it, from which file, and for which connection. */
export async function importAbout(context: AppContext, ledger: Ledger, it: Import) {
  const { id, by, at, name, job, check, plan } = importListing(context, it);
  const about = {
    import: id,
    by,
    at,
    name,
    job: job.file,
    guessed: job.guessed,
    check,
    plan,
    sheet: it.sheet,
  };
  const { corrections } = ledger;
  const loaded = await importJob(context, ledger, it).catch(() => undefined);
  const connection = loaded && (await connectionOf(context, it, loaded.job).catch(() => undefined));
  return {
    ...about,
    ...(loaded ? { operation: workOf(loaded.job), onInvalid: loaded.job.run.onInvalid } : {}),
    ...(connection
      ? {
          connection: {
            name: connection.name,
            host: hostOf(connection),
            sandbox: connection.sandbox,
          },
        }
      : {}),
    hasLookups: loaded !== undefined && looksUp(loaded.job),
    lookups: it.lookups ? ('asked' as const) : ('given' as const),
    correctedBy: [...new Set((await corrections.current(id, '')).cells.map(({ who }) => who))],
  };
}

/** Whether any field of the maps of the job or its steps is filled by a lookup. */
function looksUp(job: Job | StepsJob): boolean {
  return 'steps' in job ? job.steps.some((it) => hasLookup(it.map)) : hasLookup(job.map);
}

function hasLookup(node: MapNode | undefined): boolean {
  if (!node) return false;
  if (node.kind === 'branch') return [...node.fields.values()].some(hasLookup);
  return node.kind === 'lookup' || (node.kind === 'from' && hasLookup(node.else));
}

/** Problems by kind, the most frequent first, including the corrections since the check. */
export async function faultsView(now: ImportNow, language: MessageSurface) {
  const { sheet } = now.cells.facts;
  const kinds = new Map<string, { kind: CellsKind; count: number }>();
  for (const kind of now.cells.facts.kinds) kinds.set(kind.id, { kind, count: kind.count });
  for (const [number, { row: _, ...checked }] of now.since) {
    const before = await now.cells.row(number);
    if (before)
      for (const { id } of kindsOf(
        { ...before, row: number, messages: before.messages.map((text) => ({ text })) },
        sheet,
      )) {
        const total = kinds.get(id);
        if (total) total.count -= 1;
      }
    const messages = checked.message ? [{ text: checked.message }] : [];
    for (const { id, first, ...kind } of kindsOf({ ...checked, row: number, messages }, sheet)) {
      const total = kinds.get(id) ?? { kind: { ...kind, id, count: 0, rows: 0, first, at: 0 }, count: 0 };
      total.count += 1;
      kinds.set(id, total);
    }
  }
  const left = [...kinds.values()].filter(({ count }) => count > 0).sort((a, b) => b.count - a.count);
  return left.map(({ kind: { id, field, text, first }, count }) => {
    const errorText = renderText(text, language);
    return {
      kind: id,
      ...(typeof text === 'string' ? {} : { code: text.code }),
      text: kindText(now, { field, first, count }, errorText, language),
      count,
      first: first.row,
      column: first.column,
      ...(isOutsideGrid(first, text, sheet) ? { outside: true as const } : {}),
    };
  });
}

/** Whether the error is in no cell of the grid, so that it cannot be corrected there. */
function isOutsideGrid(first: CellsKind['first'], text: CellsKind['text'], sheet: string): boolean {
  const isElsewhere = first.sheet !== undefined && first.sheet !== sheet;
  return isElsewhere || (typeof text !== 'string' && TEXT_LINE_ERRORS.has(text.code));
}

/** Errors of text lines whose cells may be in the wrong columns: only the file can be corrected. */
const TEXT_LINE_ERRORS: ReadonlySet<string> = new Set(['source.csv_row_long', 'source.csv_row_cut_off']);

/** The text of a kind of error with the header of its column, and the cell if only one is invalid. */
function kindText(
  { cells: { facts } }: ImportNow,
  { field, first, count }: Pick<CellsKind, 'field' | 'first' | 'count'>,
  fault: string,
  language: MessageSurface,
): string {
  const { row, column, sheet = facts.sheet } = first;
  const header = column === undefined ? undefined : headerOf(facts, sheet, column);
  if (column === undefined || header === undefined) return field === undefined ? fault : `${field}: ${fault}`;
  const text =
    count === 1
      ? message('imports.fault_cell', { header, cell: cellAddress(column, row), fault })
      : message('imports.fault_column', { header, column: columnLetters(column), fault });
  return render(text, language);
}

type SheetFacts = Pick<CellsFacts, 'sheet' | 'headers'>;

/** The header of a column of the import's sheet; undefined for other sheets. */
function headerOf({ sheet, headers }: SheetFacts, of: string, column: number): string | undefined {
  return of === sheet ? headers.find((it) => it.column === column)?.text : undefined;
}

/** An error with header and cell, or with the field if no column of this sheet is its source. */
function textOfFault(fault: Fault, facts: SheetFacts, language: MessageSurface): string {
  const { sheet, row, column } = fault;
  const text = render(fault.message, language);
  const header = column === undefined ? undefined : headerOf(facts, sheet, column);
  if (column !== undefined && header !== undefined)
    return render(
      message('imports.fault_cell', { header, cell: cellAddress(column, row), fault: text }),
      language,
    );
  const place = column === undefined ? '' : `${sheet}!${cellAddress(column, row)} `;
  const field = fault.field?.split('.').at(-1);
  return place + (field === undefined ? text : `${field}: ${text}`);
}

/** A row with its current result: of the check, or checked again after a correction. */
export async function rowView(now: ImportNow, number: number, language: MessageSurface): Promise<ImportRow> {
  return importRow({ ...now, facts: now.cells.facts }, number, await now.cells.row(number), language);
}

/** The columns and first rows while the whole import is being checked. */
export function firstRowsView(
  { rows, ...now }: Awaited<ReturnType<ImportViews['first']>>,
  language: MessageSurface,
) {
  const items = rows.map((row, index) =>
    importRow(now, row.number, { index, row, status: 'valid', faults: [], messages: [] }, language),
  );
  return { headers: now.facts.headers.map((it) => it.text), items };
}

function importRow(
  { facts, since: changed, overlay }: Pick<ImportNow, 'since' | 'overlay'> & { readonly facts: SheetFacts },
  number: number,
  row: (Omit<CellsRow, 'index'> & Partial<CellsRow>) | undefined,
  language: MessageSurface,
): ImportRow {
  const since = changed.get(number);
  const corrections = overlay.row(number);
  const faults = since?.faults ?? row?.faults ?? [];
  const messages: readonly (Message | string)[] = since
    ? since.message && since.faults.length === 0
      ? [since.message]
      : []
    : (row?.messages ?? []);
  const shown: ImportRow['faults'] = [
    ...faults.map((fault) => {
      const isInRow = fault.row === number && fault.sheet === facts.sheet;
      return {
        ...(isInRow && fault.column !== undefined ? { column: fault.column } : {}),
        text: textOfFault(fault, facts, language),
        code: fault.message.code,
      };
    }),
    ...(faults.length > 0 ? [] : messages).map((it) => ({
      text: renderText(it, language),
      ...(typeof it === 'string' ? {} : { code: it.code }),
    })),
  ];
  return {
    row: number,
    position: row?.index,
    status: since?.status ?? row?.status ?? 'skipped',
    cells: shownCells(row?.row, facts.headers, corrections),
    faults: shown.filter(
      // A cell that fills two fields has one error.
      ({ column, text }, index) =>
        shown.findIndex((it) => it.column === column && it.text === text) === index,
    ),
    corrected: [...(corrections?.keys() ?? [])].filter((column) => column !== WHOLE_ROW),
    ...(shown.some(({ code }) => code === 'run.row_excluded') ? { excluded: true as const } : {}),
    ...(row?.row.hidden ? { hidden: true as const } : {}),
  };
}

export interface ImportRowsQuery {
  readonly from: number;
  readonly count: number;
  readonly invalid?: boolean | undefined;
  readonly kind?: string | undefined;
  /** Only rows at these positions of the sheet. */
  readonly at?: readonly number[] | undefined;
}

/** A page of all rows, of the rows that currently have problems, or of the rows at given positions. */
export async function rowsView(
  now: ImportNow,
  { from, count, invalid, kind, at }: ImportRowsQuery,
  language: MessageSurface,
): Promise<{ readonly items: readonly ImportRow[]; readonly total: number }> {
  const { cells } = now;
  const { rows: all } = cells.facts;
  const { rows, total } = at
    ? { rows: await cells.at(at.filter((it) => it < all)), total: all }
    : kind !== undefined || invalid
      ? await invalidRows(now, { from, count, kind })
      : { rows: await cells.slice(from, count), total: all };
  return {
    items: rows.map((it) => importRow({ ...now, facts: cells.facts }, it.row.number, it, language)),
    total,
  };
}

/** The columns of the sheet, each with the field that it is mapped to. */
export function columnsView({ cells, checks }: ImportNow, language: MessageSurface) {
  const fields = new Map(checks.columns().map((it) => [it.column, it]));
  return {
    headers: cells.facts.headers.map(({ column, text }) => {
      const { field, type, allowed, named = [] } = fields.get(column) ?? {};
      const names = named.map((it) => [String(it.value), namedValue(it, languageOf(language))]);
      return {
        column,
        letter: columnLetters(column),
        text,
        field,
        type,
        allowed,
        ...(names.length === 0 ? {} : { names: Object.fromEntries(names) }),
      };
    }),
    headerRow: cells.facts.headerRow,
    rowCount: cells.facts.rows,
  };
}

/** The warnings of a check; `limits`: what would prevent sending. */
export async function warningsView(ledger: Ledger, run: string, language: MessageSurface) {
  const warnings = await ledger.plan.warnings(run);
  const reason = (await ledger.runs.get(run))?.reason;
  const isLimit = ({ code }: Message): boolean => LIMITS.has(code) || code === 'plan.needs_approval';
  const all = [...(reason ? [reason] : []), ...warnings];
  const text = (it: Message): string => render(it, language);
  return { limits: all.filter(isLimit).map(text), warnings: all.filter((it) => !isLimit(it)).map(text) };
}
