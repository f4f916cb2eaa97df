import { isNeeded, isNested, leafFields } from '../../model/field.js';
import { isObject, type Json, member } from '../../model/json.js';
import type { MapBranch, MapNode } from '../../model/map.js';
import { type ItemContent, type Operation, shownPath } from '../../model/operation.js';
import type { Cell, Header, Row } from '../../model/row.js';
import { fold, rowsText } from '../../util/text.js';

/** A line of the table that a run is reverted by: the item that reverts another one, or why there is none. */
export interface RevertLine {
  /** The first of its rows in the reverted run, or a number after all of these. */
  readonly number: number;
  readonly rows: readonly number[];
  /** Absent for a row without an effect. */
  readonly item?: number;
  /** The reverting content; with a reason, the content that was sent. */
  readonly content?: ItemContent;
  /** For an order: index of the line's asset and product, from 0. */
  readonly place?: { readonly asset: number; readonly product: number };
  /** Why the item is not reverted, as text. */
  readonly reason?: string;
}

export const SHEET = 'Revert';
export const HEADER_ROW = 1;
/** Key cells of an item are never empty, because such a row would be read as a note below the table. */
const NONE = '-';
const SPLIT = '\n';
const NOWHERE = { line: 0, column: 0 } as const;

/**
 * The columns in addition to the fields.
 * @param prefix name of their step with a dot, or empty
 */
export function ownHeaders(prefix: string) {
  return {
    run: `${prefix}reverted run`,
    rows: `${prefix}reverted rows`,
    item: `${prefix}reverted item`,
    reason: `${prefix}not reverted`,
    asset: `${prefix}reverted asset`,
    product: `${prefix}reverted product`,
  } as const;
}

/** The columns of a run's revert, with the map that reads them: one row per item, its fields by their paths. */
export class ReversalTable {
  readonly headers: readonly string[];
  readonly map: MapBranch;
  readonly #headers: ReturnType<typeof ownHeaders>;
  readonly #run: string;
  readonly #operation: Operation;
  /** An order may have several rows: one for each product of each asset. */
  readonly #hasProducts: boolean;
  readonly #paths: readonly { readonly header: string; readonly path: readonly string[] }[];

  /**
   * @param run the reverted run
   * @param undoes false if nothing is reverted; the map then reads no useful column
   */
  constructor(run: string, operation: Operation, isReversible: boolean, prefix = '') {
    this.#run = run;
    this.#operation = operation;
    this.#headers = ownHeaders(prefix);
    const fields = [...leafFields(operation.shape)].filter(
      ({ field }) => !field.generated && field.default === undefined,
    );
    this.#paths = isReversible
      ? fields.map(({ path }) => ({ header: `${prefix}${shownPath(path.join('.'), operation)}`, path }))
      : [];
    const { asset, product, ...others } = this.#headers;
    this.#hasProducts = this.#paths.some(({ path }) => path.includes('products'));
    const keys = this.#hasProducts ? { assets: asset, products: product } : {};
    this.headers = [
      ...Object.values(others),
      ...Object.values(keys),
      ...this.#paths.map(({ header }) => header),
    ];
    const columns = new Map(this.#paths.map(({ header, path }) => [path.join('.'), header]));
    this.map = branch(
      operation.shape,
      [],
      (path) => columns.get(path) ?? (isReversible ? undefined : this.#headers.run),
      (name) => (keys as Readonly<Record<string, string>>)[name] ?? this.#headers.item,
    );
  }

  /** The headers of the columns that mark what a row reverts, or why it does not. */
  get marks() {
    return { item: this.#headers.item, reason: this.#headers.reason };
  }

  /** The texts of a row without a reversal, by header. */
  idle(reason: string): ReadonlyMap<string, Json> {
    return this.cells({ number: 0, rows: [], reason });
  }

  /** The texts of a line, by header. */
  cells({ rows, item, content, reason, place: position }: RevertLine): ReadonlyMap<string, Json> {
    const { run, rows: rowsHeader, item: itemHeader, reason: reasonHeader, asset, product } = this.#headers;
    const cells = new Map<string, Json>([
      [run, this.#run],
      [rowsHeader, rowsText(rows)],
      [itemHeader, item ?? NONE],
    ]);
    if (reason !== undefined) cells.set(reasonHeader, reason);
    if (this.#hasProducts) {
      cells.set(asset, position ? position.asset + 1 : NONE);
      cells.set(product, position ? position.product + 1 : NONE);
    }
    const { place } = this.#operation;
    for (const { header, path } of this.#paths) {
      const value = content ? valueAt(content, path, place) : NONE;
      if (value !== undefined && (content || (place.kind !== 'single' && path[0] === place.field)))
        cells.set(header, value);
    }
    return cells;
  }
}

function branch(
  fields: Operation['shape'],
  above: readonly string[],
  columnOf: (path: string) => string | undefined,
  keyOf: (name: string) => string,
): MapBranch {
  const nodes = new Map<string, MapNode>();
  for (const field of fields) {
    const path = [...above, field.name];
    if (!isNeeded(field) && columnOf(path.join('.')) === undefined && !isNested(field)) continue;
    if (isNested(field)) {
      const below = branch(field.fields ?? [], path, columnOf, keyOf);
      const each = { kind: 'columns', columns: [keyOf(field.name)], at: NOWHERE } as const;
      if (below.fields.size > 0) nodes.set(field.name, field.type === 'object' ? below : { ...below, each });
      continue;
    }
    const column = columnOf(path.join('.'));
    const split = field.type === 'String array' ? { split: SPLIT } : {};
    if (column !== undefined) nodes.set(field.name, { kind: 'column', column, ...split, at: NOWHERE });
  }
  return { kind: 'branch', fields: nodes, at: NOWHERE };
}

/** A field of an item by its path from the request's top. Arrays of objects have one element in a reversal. */
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
  const byColumn = new Map(cells.map((cell) => [cell.column, cell]));
  return { sheet: SHEET, number, hidden: false, cell: (column) => byColumn.get(column), cells: () => cells };
}

/** A number that is not a plain integer, or has more digits than a spreadsheet stores, is text. */
function cellOf(value: Json, column: number): Cell {
  const cell = (kind: Cell['kind'], text: string): Cell => ({ column, kind, text, raw: text });
  if (typeof value === 'boolean') return cell('boolean', value ? 'TRUE' : 'FALSE');
  const isPlain = typeof value === 'number' && Number.isInteger(value) && Math.abs(value) < 1e15;
  return cell(isPlain ? 'number' : 'text', String(value));
}
