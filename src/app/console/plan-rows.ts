import { message } from '../../errors/message.js';
import { languageOf } from '../../errors/message-surface.js';
import { ProductError } from '../../errors/product-error.js';
import { shownGiven } from '../../mapping/given-value.js';
import { FieldNames } from '../../mapping/map-from-headers.js';
import type { Connection } from '../../model/connection.js';
import { type Field, isDateField, leafFields, namedValue } from '../../model/field.js';
import type { Json } from '../../model/json.js';
import type { MapNode } from '../../model/map.js';
import { type Operation, shownPath } from '../../model/operation.js';
import { STATUSES } from '../../model/status.js';
import type { CellsFile } from '../../run/cells/cells-file.js';
import type { OpenCells } from '../../run/cells/cells-folder.js';
import { keptOverlay, Overlay } from '../../run/corrections/overlay.js';
import { leaves } from '../../run/report/approval-diff.js';
import { unpackAny } from '../../run/settings.js';
import { exactStringify } from '../../util/exact-json.js';
import { groupedBy } from '../../util/grouped-by.js';
import { fold } from '../../util/text.js';
import { zonedText } from '../../util/zoned-time.js';
import { type AppContext, wordsOf } from '../context.js';
import { shownCells } from '../imports/import-views.js';
import { runNamed, withLedger } from '../with-ledger.js';
import { EXCLUDED_STATUSES, headersOf } from './excluded-rows.js';
import { partsOf } from './plan-data.js';
import { type RowsQuery, rowsPageData } from './rows-page.js';

const SENT_STATUSES = STATUSES.filter((it) => !EXCLUDED_STATUSES.has(it));

export interface SentField {
  readonly name: string;
  readonly text: string;
}

type PageQuery = Pick<RowsQuery, 'after' | 'limit'>;

/**
 * A page of the rows that a plan sends: the cells of the sheet, and the fields that the cells do not show.
 * @param make writes the cells of the run, if they are not on this machine
 */
export async function planRowsData(
  context: AppContext,
  id: string,
  query: PageQuery,
  { cells, make }: { readonly cells: OpenCells; readonly make: () => Promise<void> },
) {
  const page = () => cells.with(id, async (file) => file && pageOf(context, id, query, file));
  const first = await page();
  if (first) return first;
  await make();
  const made = await page();
  if (!made) throw new ProductError('usage', message('imports.not_checked'));
  return made;
}

async function pageOf(context: AppContext, id: string, query: PageQuery, cells: CellsFile) {
  const { items, ...page } = await rowsPageData(context, id, { ...query, statuses: SENT_STATUSES });
  return withLedger(context, async ({ ledger }) => {
    const run = await runNamed(ledger, id);
    const { job, connection, corrections } = unpackAny(run.settings);
    const overlay = corrections ? await keptOverlay(ledger.inputs, corrections) : Overlay.NONE;
    const { headers } = cells.facts;
    const names = headers.map((it) => it.text);
    const language = languageOf(wordsOf(context));
    const rows = new Map<number, { before: Cells; after: Cells; fields: SentField[] }>();
    for (const { row } of items) {
      const source = (await cells.row(row))?.row;
      const before = shownCells(source, headers, undefined);
      rows.set(row, { before, after: shownCells(source, headers, overlay.row(row)), fields: [] });
    }
    for (const { operation, step, run: part } of await partsOf(ledger, run)) {
      if (!part) continue;
      const map = 'steps' in job ? job.steps.find((it) => it.name === step)?.map : job.map;
      const fieldsOf = fieldReader(operation, columnsOf(operation, map, names), connection, language);
      const bodies = await ledger.report.bodiesOf(part.id, [...rows.keys()]);
      // An item of several rows is shown at each of them. What any of their cells shows is not repeated.
      for (const same of groupedBy(bodies, ({ sent }) => exactStringify(sent)).values()) {
        const shown = same.map(({ row }) => rows.get(row)!);
        const cellsOf = shown.map((it) => it.after);
        const fields = fieldsOf(same[0]!.sent, cellsOf);
        const named =
          step === undefined ? fields : fields.map((it) => ({ ...it, name: `${step}: ${it.name}` }));
        for (const row of new Set(shown)) row.fields.push(...named);
      }
    }
    return {
      ...page,
      headers: names,
      items: [...rows].map(([row, { before, after, fields }]) => ({
        row,
        cells: after.map((text, at) => (text === before[at] ? { text } : { text, before: before[at] })),
        fields,
      })),
    };
  });
}

type Cells = readonly string[];

/** Gives the fields of an item as texts, except those that are shown by the cells that they are read from. */
function fieldReader(
  operation: Operation,
  columns: ReadonlyMap<string, number>,
  { timestamps, timezone }: Pick<Connection, 'timestamps' | 'timezone'>,
  language: 'en' | 'zh',
) {
  const fields = new Map([...leafFields(operation.shape)].map((it) => [it.path.join('.'), it.field]));
  const top = operation.place.kind === 'single' ? '' : operation.place.field;
  const textOf = (field: Field | undefined, value: string): string => {
    const allowed = field?.values?.find((it) => String(it.value) === value);
    if (allowed) return namedValue(allowed, language);
    if (!field || !isDateField(field) || !/^[1-9]\d*$/.test(value)) return value;
    return zonedText(Number(value) * (timestamps === 'seconds' ? 1000 : 1), timezone);
  };
  return ([envelope, body]: readonly [Json, Json], rows: readonly Cells[]): readonly SentField[] => {
    const all = [...leaves('', shownGiven(envelope)), ...leaves(top, shownGiven(body))];
    const times = groupedBy(all, ([path]) => path.split('.').at(-1)!);
    return all.flatMap(([path, value]) => {
      const at = path.replace(/\[\d+\]/g, '');
      const text = textOf(fields.get(at), value);
      const column = columns.get(at) ?? -1;
      // A cell with several values shows each element of an array.
      const isShown = (cell = ''): boolean =>
        cell.trim() === text || (path.endsWith(']') && cell.includes(text));
      if (rows.some((it) => isShown(it[column]))) return [];
      const name = path.split('.').at(-1)!;
      return [{ name: times.get(name)?.length === 1 ? name : shownPath(path, operation), text }];
    });
  };
}

/** Positions of the columns that fields are read from, by path from the request's top. */
function columnsOf(
  operation: Operation,
  map: MapNode | undefined,
  headers: Cells,
): ReadonlyMap<string, number> {
  const folded = headers.map(fold);
  if (map) return new Map([...headersOf(map)].map(([path, header]) => [path, folded.indexOf(fold(header))]));
  // Without a map the headers name the fields.
  const meanings = headers.map((it) => new FieldNames(operation).meaning(it));
  return new Map(meanings.flatMap((it, at) => (it.kind === 'field' ? [[it.path.join('.'), at]] : [])));
}
