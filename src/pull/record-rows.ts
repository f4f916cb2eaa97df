import type { Comparison } from '../model/comparison.js';
import type { Connection } from '../model/connection.js';
import { type Field, isDateField } from '../model/field.js';
import { type Json, type JsonObject, member } from '../model/json.js';
import type { Cell, Header, Row } from '../model/row.js';
import { columnPaths, recordValues, shownValue } from '../platform/operations/shared/records.js';
import { fold } from '../util/text.js';
import { type Zone, zone } from '../util/zoned-time.js';

type TimeSetting = Pick<Connection, 'timestamps' | 'timezone'>;

/** The years that a date field accepts if the sheet is read as a source (contract section 4). */
const FIRST_LOCAL = Date.UTC(1990, 0, 1);
const AFTER_LOCAL = Date.UTC(2200, 0, 1);
const TIME_FORMAT = 'yyyy-mm-dd hh:mm:ss.000';
const DAY_MS = 86_400_000;
const DIGITS = /^\d{1,15}$/;

/** A column of the pulled sheet. */
interface RecordColumn {
  /** Names from the top of the record. */
  readonly path: readonly string[];
  readonly name: string;
  /** Absent for a list of objects, whose values share a cell. */
  readonly field?: Field;
}

/** Converts records to rows in the form that a job reads: headers are field names, nested ones by path. */
export class RecordRows {
  readonly headers: readonly Header[];
  readonly #columns: readonly RecordColumn[];
  readonly #key: readonly string[];
  readonly #sheet: string;
  readonly #time: TimeSetting;
  readonly #zone: Zone;
  #last = 1;

  constructor({ record, key, name }: Comparison, time: TimeSetting) {
    this.#columns = columnsOf(record);
    const recordNames = new Set(record.map((field) => field.name));
    this.#key = key.map((field) => field.name).filter((name) => recordNames.has(name));
    this.#sheet = name;
    this.#time = time;
    this.#zone = zone(time.timezone) ?? zone('UTC')!;
    this.headers = this.#columns.map((column, index) => ({
      column: index + 1,
      text: column.name,
      folded: fold(column.name),
    }));
  }

  /** Number of rows created. */
  get made(): number {
    return this.#last - 1;
  }

  /** @param request fills the key fields that the record lacks */
  row(reply: JsonObject, request: JsonObject): Row {
    const record = this.#withKey(reply, request);
    const cells: Cell[] = [];
    this.#columns.forEach((column, index) => {
      const cell = this.#cell(record, column, index + 1);
      if (cell) cells.push(cell);
    });
    this.#last += 1;
    const byColumn = new Map(cells.map((cell) => [cell.column, cell]));
    return {
      sheet: this.#sheet,
      number: this.#last,
      hidden: false,
      cell: (column) => byColumn.get(column),
      cells: () => cells,
    };
  }

  #withKey(record: JsonObject, request: JsonObject): JsonObject {
    const missing = this.#key.filter((name) => {
      const value = member(record, name);
      return (value === undefined || value === '') && member(request, name) !== undefined;
    });
    if (missing.length === 0) return record;
    return { ...record, ...Object.fromEntries(missing.map((name) => [name, request[name]!])) };
  }

  #cell(record: JsonObject, { field, name, path }: RecordColumn, column: number): Cell | undefined {
    const value = field ? path.reduce<Json | undefined>(member, record) : undefined;
    if (field && typeof value === 'boolean')
      return { column, kind: 'boolean', ...same(value ? 'TRUE' : 'FALSE') };
    if (field && isDateField(field)) {
      // No date. As a number it would be an error if the sheet is read as a source.
      if (value === 0 || value === '0') return undefined;
      const cell = this.#moment(value, column);
      if (cell) return cell;
    }
    const shown = field ? shownValue(value) : recordValues(record, [name])[0];
    if (shown === undefined) return undefined;
    const isNumber = typeof shown === 'number' && field?.type !== 'String' && field !== undefined;
    return { column, kind: isNumber ? 'number' : 'text', ...same(String(shown)) };
  }

  /** A point in time as a date cell with milliseconds; undefined for a number outside the years of date fields. */
  #moment(value: Json | undefined, column: number): Cell | undefined {
    const count = typeof value === 'string' && DIGITS.test(value) ? Number(value) : value;
    if (typeof count !== 'number' || !Number.isSafeInteger(count)) return undefined;
    const ms = this.#time.timestamps === 'seconds' ? count * 1000 : count;
    if (!(ms > FIRST_LOCAL - DAY_MS && ms < AFTER_LOCAL + DAY_MS)) return undefined;
    const local = this.#zone.local(ms);
    if (local < FIRST_LOCAL || local >= AFTER_LOCAL) return undefined;
    const instant = this.#zone.instant(local);
    // When clocks are set back, this local time occurs twice and the later one is meant: only UTC is unambiguous.
    if (instant.kind === 'gap' || instant.ms !== ms)
      return { column, kind: 'text', ...same(new Date(ms).toISOString()) };
    const text = new Date(local).toISOString().slice(0, -1);
    return { column, kind: 'date', format: TIME_FORMAT, ...same(text) };
  }
}

function same(text: string): { readonly text: string; readonly raw: string } {
  return { text, raw: text };
}

/** The columns of a record in its table's order, with their fields. */
function columnsOf(fields: readonly Field[]): readonly RecordColumn[] {
  const byPath = new Map<string, Field>();
  const walk = (table: readonly Field[], prefix: string): void => {
    for (const field of table) {
      const path = `${prefix}${field.name}`;
      if (field.type === 'object array') continue;
      if (field.fields) walk(field.fields, `${path}.`);
      else byPath.set(path, field);
    }
  };
  walk(fields, '');
  return columnPaths(fields).map((name) => ({ name, path: name.split('.'), field: byPath.get(name) }));
}
