import type { Wording } from '../../errors/at-page.js';
import { type Message, message, render, renderText } from '../../errors/message.js';
import type { Import } from '../../ledger/contract/imports.js';
import type { Ledger } from '../../ledger/contract/ledger.js';
import { hostOf } from '../../ledger/rules/scopes.js';
import type { Fault } from '../../model/fault.js';
import { type Job, type StepsJob, workOf } from '../../model/job.js';
import type { MapNode } from '../../model/map.js';
import type { CellsRow } from '../../run/cells/cells-file.js';
import type { CellsFacts, CellsKind } from '../../run/cells/format.js';
import { kindsOf } from '../../run/cells/kinds.js';
import { cellAddress, columnLetters } from '../../util/address.js';
import type { AppContext } from '../context.js';
import { unmendableKinds } from './correct-import.js';
import { faultyRows } from './faulty-rows.js';
import { importJob } from './import-job.js';
import { type ImportNow, shownCells } from './import-views.js';
import { connectionOf, importListing } from './imports.js';

/** What a page of an import's sheet shows in a row. */
export interface ImportRow {
  /** As Excel numbers it. */
  readonly row: number;
  readonly status: string;
  /** In the order of the headers. */
  readonly cells: readonly string[];
  readonly faults: readonly { readonly column?: number; readonly text: string; readonly code?: string }[];
  /** Columns whose cells were corrected. */
  readonly corrected: readonly number[];
  readonly hidden?: true;
}

/** What of an import needs no rows: who made it of what, and where it would go. */
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

/** Whether any field of the job's map, or of its steps', is filled by a look-up. */
function looksUp(job: Job | StepsJob): boolean {
  return 'steps' in job ? job.steps.some((it) => hasLookup(it.map)) : hasLookup(job.map);
}

function hasLookup(node: MapNode | undefined): boolean {
  if (!node) return false;
  if (node.kind === 'branch') return [...node.fields.values()].some(hasLookup);
  return node.kind === 'lookup' || (node.kind === 'from' && hasLookup(node.else));
}

/** Problems by their kinds, the most frequent first, with what was corrected since the check. */
export async function faultsTold(now: ImportNow, language: Wording) {
  const { sheet } = now.cells.facts;
  const kinds = new Map<string, { kind: CellsKind; count: number }>();
  for (const kind of now.cells.facts.kinds) kinds.set(kind.id, { kind, count: kind.count });
  for (const [number, { row: _, ...checked }] of now.since) {
    const before = await now.cells.row(number);
    if (before)
      for (const { id } of kindsOf({ ...before, row: number, messages: saidOf(before) }, sheet)) {
        const it = kinds.get(id);
        if (it) it.count -= 1;
      }
    const messages = checked.message ? [{ text: checked.message }] : [];
    for (const { id, first, ...kind } of kindsOf({ ...checked, row: number, messages }, sheet)) {
      const it = kinds.get(id) ?? { kind: { ...kind, id, count: 0, rows: 0, first, at: 0 }, count: 0 };
      it.count += 1;
      kinds.set(id, it);
    }
  }
  const left = [...kinds.values()].filter(({ count }) => count > 0).sort((a, b) => b.count - a.count);
  const unmendable = await unmendableKinds(
    now,
    left.map(({ kind }) => kind),
  );
  return left.map(({ kind: { id, field, text, first }, count }) => {
    const said = renderText(text, language);
    return {
      kind: id,
      ...(typeof text === 'string' ? {} : { code: text.code }),
      text: kindText(now, { field, first, count }, said, language),
      count,
      first: first.row,
      ...(first.column === undefined ? {} : { column: first.column }),
      ...(unmendable.has(id) ? { unmendable: true as const } : {}),
      ...(isOutsideGrid(first, text, sheet) ? { outside: true as const } : {}),
    };
  });
}

/** Whether no cell of the grid is at fault, so that nothing typed there mends it. */
function isOutsideGrid(first: CellsKind['first'], text: CellsKind['text'], sheet: string): boolean {
  const isElsewhere = first.sheet !== undefined && first.sheet !== sheet;
  return isElsewhere || (typeof text !== 'string' && LINES_AT_FAULT.has(text.code));
}

/** Lines of a text file whose cells may stand in the wrong columns: what is right only the file can say. */
const LINES_AT_FAULT: ReadonlySet<string> = new Set(['source.csv_row_long', 'source.csv_row_cut_off']);

/** A kind of fault by what the sheet calls it: the header of its column, and the cell where there is one only. */
function kindText(
  { cells: { facts } }: ImportNow,
  { field, first, count }: Pick<CellsKind, 'field' | 'first' | 'count'>,
  fault: string,
  language: Wording,
): string {
  const { row, column, sheet = facts.sheet } = first;
  const header = column === undefined ? undefined : headerOf(facts, sheet, column);
  if (column === undefined || header === undefined) return field === undefined ? fault : `${field}: ${fault}`;
  const told =
    count === 1
      ? message('imports.fault_cell', { header, cell: cellAddress(column, row), fault })
      : message('imports.fault_column', { header, column: columnLetters(column), fault });
  return render(told, language);
}

/** A column of the import's sheet, as the sheet calls it; of another sheet's nothing is known here. */
function headerOf({ sheet, headers }: CellsFacts, of: string, column: number): string | undefined {
  return of === sheet ? headers.find((it) => it.column === column)?.text : undefined;
}

/** A fault by header and cell; by the field where no column of this sheet feeds it. */
function textOfFault(fault: Fault, facts: CellsFacts, language: Wording): string {
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

function saidOf({ messages }: CellsRow) {
  return messages.map((text) => ({ text }));
}

/** A row as it is now: of the check, or as it would be checked since it was corrected. */
export async function rowTold(now: ImportNow, number: number, language: Wording): Promise<ImportRow> {
  return told(now, number, await now.cells.row(number), language);
}

function told(now: ImportNow, number: number, row: CellsRow | undefined, language: Wording): ImportRow {
  const { facts } = now.cells;
  const since = now.since.get(number);
  const corrections = now.overlay.row(number);
  const faults = since?.faults ?? row?.faults ?? [];
  const said: readonly (Message | string)[] = since
    ? since.message && since.faults.length === 0
      ? [since.message]
      : []
    : (row?.messages ?? []);
  return {
    row: number,
    status: since?.status ?? row?.status ?? 'skipped',
    cells: shownCells(row?.row, facts.headers, corrections),
    faults: [
      ...faults.map((fault) => {
        const own = fault.row === number && fault.sheet === facts.sheet;
        return {
          ...(own && fault.column !== undefined ? { column: fault.column } : {}),
          text: textOfFault(fault, facts, language),
          code: fault.message.code,
        };
      }),
      ...(faults.length > 0 ? [] : said).map((it) => ({
        text: renderText(it, language),
        ...(typeof it === 'string' ? {} : { code: it.code }),
      })),
    ],
    corrected: [...(corrections?.keys() ?? [])],
    ...(row?.row.hidden ? { hidden: true as const } : {}),
  };
}

export interface RowsWish {
  readonly from: number;
  readonly count: number;
  readonly faulty?: boolean | undefined;
  readonly kind?: string | undefined;
  /** Of those in these places of the sheet, and of no others. */
  readonly at?: readonly number[] | undefined;
}

/** A page of rows, by their places among all of them, or among those with problems as they are now; or those of some places. */
export async function rowsTold(
  now: ImportNow,
  { from, count, faulty, kind, at }: RowsWish,
  language: Wording,
): Promise<{ readonly items: readonly ImportRow[]; readonly total: number }> {
  const { cells } = now;
  const { rows: all } = cells.facts;
  const { rows, total } = at
    ? { rows: await cells.at(at.filter((it) => it < all)), total: all }
    : kind !== undefined || faulty
      ? await faultyRows(now, { from, count, kind })
      : { rows: await cells.slice(from, count), total: all };
  return { items: rows.map((it) => told(now, it.row.number, it, language)), total };
}

/** The columns of the sheet, each with the field that it goes to. */
export function columnsTold({ cells, checks }: ImportNow) {
  const fields = new Map(checks.columns().map((it) => [it.column, it]));
  return {
    headers: cells.facts.headers.map(({ column, text }) => {
      const { field, type, allowed } = fields.get(column) ?? {};
      return {
        column,
        letter: columnLetters(column),
        text,
        ...(field === undefined ? {} : { field }),
        ...(type === undefined ? {} : { type }),
        ...(allowed === undefined ? {} : { allowed: allowed.map(String) }),
      };
    }),
    headerRow: cells.facts.headerRow,
    rowCount: cells.facts.rows,
  };
}
