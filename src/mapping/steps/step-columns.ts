import type { EarlierStep } from '../../model/job.js';
import { isObject, type Json, type JsonObject } from '../../model/json.js';
import type { Operation, OperationName, ReturnedField } from '../../model/operation.js';
import { type Cell, DerivedRow, type Fault, type Row } from '../../model/row.js';

/** The result of an earlier step for a row. */
export type StepResult =
  /** Its `when` excluded the row: its results are empty. */
  | { readonly kind: 'left_out' }
  | {
      readonly kind: 'returned';
      readonly columns: Readonly<Record<string, string>>;
      readonly licenseOrderId?: string;
      readonly records?: readonly JsonObject[];
      /** By name, the texts of the row's items if they differ. */
      readonly several?: ReadonlyMap<string, readonly string[]>;
    }
  /**
   * Not known yet: a placeholder of the field's type. Rows with the same id will get the same value, others a different
   * one.
   */
  | { readonly kind: 'given'; readonly id: string };

/** The part of a mapping that only steps have. */
export interface StepMapping {
  /**
   * The row with the results of earlier steps, in the order of `StepOfJob.earlier`, as columns that the map reads.
   * @param identities identities of the row (`RowIdentities`), for the keys of items whose operation has none
   */
  withResults(row: Row, results: readonly StepResult[], identities?: readonly string[]): Row;
  /** 1-based columns of the sheet that `when` reads. */
  readonly columns: readonly number[];
  /**
   * 1-based columns of the sheet that identify the item of this step: those of the key if all of it comes from the sheet,
   * otherwise all that the map reads.
   */
  readonly naming: readonly number[];
  /**
   * Whether the step includes a row. It does if the result depends on placeholders.
   * @param results as given to `withResults`
   */
  when(row: Row, results: readonly StepResult[]): StepWhen;
}

export type StepWhen =
  | { readonly kind: 'goes' }
  | { readonly kind: 'left_out' }
  /** No step includes the row, and the job has `unmatched: skip`. */
  | { readonly kind: 'unmatched' }
  | { readonly kind: 'fault'; readonly fault: Fault };

/**
 * Results of earlier steps have columns beyond those of any sheet, so that everything that reads columns (groups, rows on disk,
 * equal rows) reads them too. Such columns are never shown to users: see `isSheetColumn`.
 */
const FIRST_RESULT_COLUMN = 2 ** 20;
const IDENTITY_COLUMN = FIRST_RESULT_COLUMN;

/** True for a column of the sheet, which has an address. */
export function isSheetColumn(column: number): boolean {
  return column < FIRST_RESULT_COLUMN;
}

/** A result of an earlier step, and its column. */
export interface StepColumn {
  readonly column: number;
  readonly step: string;
  readonly returned: ReturnedField;
  /** Index of the step among the earlier ones. */
  readonly index: number;
  /** The kind of a placeholder for it: `new` if the operation is not repeatable. */
  readonly given: true | 'new';
}

/** A result of a step for a row. */
export type StepValue =
  /** `when` excluded the row from that step. */
  | { readonly kind: 'left_out' }
  /** No text if the reply didn't contain it; one text for each record if it comes from records. */
  | { readonly kind: 'texts'; readonly texts: readonly string[] }
  /** Not known yet. */
  | { readonly kind: 'given'; readonly id: string };

/** The results of earlier steps, as columns of the job's sheet. */
export class EarlierResults {
  readonly #all: readonly StepColumn[];
  readonly #read = new Map<number, StepColumn>();

  constructor(earlier: readonly EarlierStep[], operationOf: (name: OperationName) => Operation) {
    let column = FIRST_RESULT_COLUMN;
    this.#all = earlier.flatMap(({ name: step, operation }, index) =>
      operationOf(operation).returns.map((returned): StepColumn => {
        column += 1;
        const given = operationOf(operation).repeatable ? true : 'new';
        return { column, step, returned, index, given };
      }),
    );
  }

  /** The column of a result; marks it as read. */
  find(step: string, field: string): StepColumn {
    const found = this.#all.find((it) => it.step === step && it.returned.name === field);
    // Loading the job has already checked it.
    if (!found) throw new Error(`no earlier step returns ${step}.${field}`);
    this.#read.set(found.column, found);
    return found;
  }

  /** Columns that are read, ascending. */
  get read(): readonly number[] {
    return [...this.#read.keys()].sort((a, b) => a - b);
  }

  /** The row with the results that are read, and with its identities. */
  withResults(row: Row, results: readonly StepResult[], identities?: readonly string[]): Row {
    const cells = new Map<number, Cell>();
    if (identities) cells.set(IDENTITY_COLUMN, resultCell(IDENTITY_COLUMN, identities.join(',')));
    for (const column of this.read) {
      const { returned, index } = this.#read.get(column)!;
      const text = textOf(results[index], returned);
      if (text !== undefined) cells.set(column, resultCell(column, text));
    }
    return cells.size === 0 ? row : new RowWithResults(row, cells);
  }
}

/** The identities of the row from `withResults`; undefined outside of steps. */
export function rowIdentities(row: Row): readonly string[] | undefined {
  return row.cell(IDENTITY_COLUMN)?.text.split(',');
}

function resultCell(column: number, text: string): Cell {
  return { column, kind: 'text', text, raw: text };
}

/** The value in a result's cell. */
export function stepValue(cell: Cell | undefined): StepValue {
  if (!cell) return { kind: 'left_out' };
  const stored = JSON.parse(cell.text) as readonly string[] | { readonly id: string };
  return 'id' in stored ? { kind: 'given', ...stored } : { kind: 'texts', texts: stored };
}

/** A result's cell as shown to users. */
export function shownResult(cell: Cell | undefined): string {
  const value = stepValue(cell);
  if (value.kind === 'left_out') return '';
  return value.kind === 'given' ? '<given>' : value.texts.join(', ');
}

/** The cell's text: a list of texts, or the id of an unknown value; undefined if the row was excluded from the step. */
function textOf(result: StepResult | undefined, { name, many }: ReturnedField): string | undefined {
  if (!result || result.kind === 'left_out') return undefined;
  if (result.kind === 'given') return JSON.stringify({ id: result.id });
  if (many && result.records)
    return JSON.stringify(result.records.flatMap((it) => textsAt(it, name.split('.'))));
  const several = result.several?.get(name);
  if (several) return JSON.stringify(several);
  const text = name === 'licenseOrderId' ? result.licenseOrderId : result.columns[name];
  return JSON.stringify(text === undefined || text === '' ? [] : [text]);
}

/** The values of a record's member; several if a list is on its path. */
function textsAt(value: Json | undefined, [name, ...rest]: readonly string[]): readonly string[] {
  if (Array.isArray(value))
    return value.flatMap((it: Json) => textsAt(it, name === undefined ? [] : [name, ...rest]));
  if (name !== undefined) return isObject(value) ? textsAt(ownMember(value, name), rest) : [];
  if (value === undefined || value === null || value === '' || typeof value === 'object') return [];
  // In the form of result columns.
  return [typeof value === 'boolean' ? (value ? 'TRUE' : 'FALSE') : String(value)];
}

function ownMember(owner: JsonObject, name: string): Json | undefined {
  return Object.hasOwn(owner, name) ? owner[name] : undefined;
}

class RowWithResults extends DerivedRow {
  readonly #results: ReadonlyMap<number, Cell>;

  constructor(row: Row, results: ReadonlyMap<number, Cell>) {
    super(row);
    this.#results = results;
  }

  override cell(column: number): Cell | undefined {
    return isSheetColumn(column) ? super.cell(column) : this.#results.get(column);
  }

  override cells(): readonly Cell[] {
    return [...super.cells(), ...this.#results.values()];
  }
}
