import type { Cell } from '../../model/cell.js';
import { isNeeded, isNested, leafFields } from '../../model/field.js';
import { isObject, type Json, member } from '../../model/json.js';
import type { MapBranch, MapNode } from '../../model/map.js';
import { type ItemContent, type Operation, shownPath } from '../../model/operation.js';
import type { Header, Row } from '../../model/row.js';
import { fold } from '../../util/fold.js';
import { rowsText } from '../../util/rows-text.js';

/** A line of the table that a run is reverted by: what takes an item back, or why nothing does. */
export interface RevertLine {
  /** The first of its rows in the reverted run, or a number behind all of these. */
  readonly number: number;
  readonly rows: readonly number[];
  /** Absent for a row that has no item with an effect. */
  readonly item?: number;
  /** What takes it back; beside a reason, what was sent. */
  readonly content?: ItemContent;
  /** Why nothing does, in words. */
  readonly reason?: string;
}

export const SHEET = 'Revert';
export const HEADER_ROW = 1;
/** An item's key cells are never empty: such a row would pass for a note below the table. */
const NONE = '-';
const SPLIT = '\n';
const NOWHERE = { line: 0, column: 0 } as const;

/** The columns beside the fields. `prefix`: of the step that they belong to, with a dot; else empty. */
export function ownHeaders(prefix: string) {
  return {
    run: `${prefix}reverted run`,
    rows: `${prefix}reverted rows`,
    item: `${prefix}reverted item`,
    reason: `${prefix}not reverted`,
  } as const;
}

/**
 * The columns of a run's undoing, with the map that reads them: a row an item, its fields by their paths.
 * @param back the operation that takes items back; undefined where nothing does: then the map reads nothing of use
 */
export class UndoingTable {
  readonly headers: readonly string[];
  readonly map: MapBranch;
  readonly #own: ReturnType<typeof ownHeaders>;
  readonly #run: string;
  readonly #operation: Operation;
  readonly #paths: readonly { readonly header: string; readonly path: readonly string[] }[];

  /** @param run whose items they are */
  constructor(run: string, operation: Operation, undoes: boolean, prefix = '') {
    this.#run = run;
    this.#operation = operation;
    this.#own = ownHeaders(prefix);
    const fields = [...leafFields(operation.shape)].filter(
      ({ field }) => !field.generated && field.default === undefined,
    );
    this.#paths = undoes
      ? fields.map(({ path }) => ({ header: `${prefix}${shownPath(path.join('.'), operation)}`, path }))
      : [];
    this.headers = [...Object.values(this.#own), ...this.#paths.map((it) => it.header)];
    const columns = new Map(this.#paths.map(({ header, path }) => [path.join('.'), header]));
    this.map = branch(
      operation.shape,
      [],
      (path) => columns.get(path) ?? (undoes ? undefined : this.#own.run),
      this.#own.item,
    );
  }

  /** The headers that tell what a row takes back, or why it doesn't. */
  get marks() {
    return { item: this.#own.item, reason: this.#own.reason };
  }

  /** The texts of a row in which nothing of this is taken back, by header. */
  idle(reason: string): ReadonlyMap<string, Json> {
    return this.cells({ number: 0, rows: [], reason });
  }

  /** The texts of a line, by header. */
  cells({ rows, item, content, reason }: RevertLine): ReadonlyMap<string, Json> {
    const { run, rows: of, item: number, reason: why } = this.#own;
    const cells = new Map<string, Json>([
      [run, this.#run],
      [of, rowsText(rows)],
      [number, item ?? NONE],
    ]);
    if (reason !== undefined) cells.set(why, reason);
    const { place } = this.#operation;
    for (const { header, path } of this.#paths) {
      const value = content ? valueAt(content, path, place) : NONE;
      if (value !== undefined && (content || (place.kind !== 'single' && path[0] === place.field))) {
        cells.set(header, value);
      }
    }
    return cells;
  }
}

function branch(
  fields: Operation['shape'],
  above: readonly string[],
  columnOf: (path: string) => string | undefined,
  key: string,
): MapBranch {
  const nodes = new Map<string, MapNode>();
  for (const field of fields) {
    const path = [...above, field.name];
    if (!isNeeded(field) && columnOf(path.join('.')) === undefined && !isNested(field)) continue;
    if (isNested(field)) {
      const below = branch(field.fields ?? [], path, columnOf, key);
      const each = { kind: 'columns', columns: [key], at: NOWHERE } as const;
      if (below.fields.size > 0) nodes.set(field.name, field.type === 'object' ? below : { ...below, each });
      continue;
    }
    const column = columnOf(path.join('.'));
    const split = field.type === 'String array' ? { split: SPLIT } : {};
    if (column !== undefined) nodes.set(field.name, { kind: 'column', column, ...split, at: NOWHERE });
  }
  return { kind: 'branch', fields: nodes, at: NOWHERE };
}

/** A field of an item by its path from the request's top. Arrays of objects have one element in what takes back. */
function valueAt(
  { envelope, body }: ItemContent,
  path: readonly string[],
  place: Operation['place'],
): Json | undefined {
  const [top, ...below] = path;
  if (place.kind !== 'single' && top === place.field)
    return place.kind === 'strings' ? body : follow(body, below);
  return member(envelope, top!) ?? (isObject(body) ? follow(body, path) : undefined);
}

function follow(from: Json, path: readonly string[]): Json | undefined {
  let value: Json | undefined = from;
  for (const name of path) {
    if (Array.isArray(value)) {
      if (value.length > 1) throw new Error(`${path.join('.')} has ${value.length} elements`);
      value = value[0];
    }
    value = member(value, name);
  }
  return Array.isArray(value) ? value.join(SPLIT) : value;
}

/** Header texts in their columns. */
export function headerRow(headers: readonly string[]): readonly Header[] {
  return headers.map((text, index) => ({ column: index + 1, text, folded: fold(text) }));
}

/** A row of stored cells. */
export function storedRow(
  number: number,
  headers: readonly Header[],
  values: ReadonlyMap<string, Json>,
): Row {
  const cells = headers.flatMap(({ column, text }) => {
    const value = values.get(text);
    return value === undefined || value === null || value === '' ? [] : [cellOf(value, column)];
  });
  const byColumn = new Map(cells.map((it) => [it.column, it]));
  return { sheet: SHEET, number, hidden: false, cell: (column) => byColumn.get(column), cells: () => cells };
}

/** A number that isn't a plain whole one, or has more digits than a spreadsheet keeps, is text. */
function cellOf(value: Json, column: number): Cell {
  const cell = (kind: Cell['kind'], text: string): Cell => ({ column, kind, text, raw: text });
  if (typeof value === 'boolean') return cell('boolean', value ? 'TRUE' : 'FALSE');
  const isPlain = typeof value === 'number' && Number.isInteger(value) && Math.abs(value) < 1e15;
  return cell(isPlain ? 'number' : 'text', String(value));
}
