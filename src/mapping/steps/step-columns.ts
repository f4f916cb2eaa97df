import type { Cell } from '../../model/cell.js';
import type { EarlierStep } from '../../model/job.js';
import { isObject, type Json, type JsonObject } from '../../model/json.js';
import type { Operation, OperationName, ReturnedField } from '../../model/operation.js';
import type { Row } from '../../model/row.js';
import type { StepResult } from './contract.js';

/**
 * Results of earlier steps stand in columns beyond those of any sheet, so that all that reads columns (groups, rows on
 * disk, equal rows) reads them too. Nothing shows such a column to people: see `isSheetColumn`.
 */
const FIRST_RESULT_COLUMN = 2 ** 20;
const IDENTITY_COLUMN = FIRST_RESULT_COLUMN;

/** Whether the column is one of the sheet, which has an address. */
export function isSheetColumn(column: number): boolean {
  return column < FIRST_RESULT_COLUMN;
}

/** A result of an earlier step, and the column that holds it. */
export interface StepColumn {
  readonly column: number;
  readonly step: string;
  readonly returned: ReturnedField;
  /** Index of the step among the earlier ones. */
  readonly index: number;
  /** What a stand-in for it is: `new` where the operation isn't repeatable. */
  readonly given: true | 'new';
}

/** What a step returned for a row under one name. */
export type StepValue =
  /** `when` left the row out of that step. */
  | { readonly kind: 'left_out' }
  /** None where the reply didn't have it; one text for each record where it comes from records. */
  | { readonly kind: 'texts'; readonly texts: readonly string[] }
  /** It isn't known yet. */
  | { readonly kind: 'given'; readonly id: string };

/** The results of the steps before one, as columns of the job's sheet. */
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

  /** The column of a result, which from now on counts as read. */
  find(step: string, field: string): StepColumn {
    const found = this.#all.find((it) => it.step === step && it.returned.name === field);
    // Loading the job has checked it.
    if (!found) throw new Error(`no earlier step returns ${step}.${field}`);
    this.#read.set(found.column, found);
    return found;
  }

  /** Columns that are read, ascending. */
  get read(): readonly number[] {
    return [...this.#read.keys()].sort((a, b) => a - b);
  }

  /** The row with those results that are read, and with what names it. */
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

/** What names the row among all rows, as `withResults` was given it; undefined outside of steps. */
export function rowIdentities(row: Row): readonly string[] | undefined {
  return row.cell(IDENTITY_COLUMN)?.text.split(',');
}

function resultCell(column: number, text: string): Cell {
  return { column, kind: 'text', text, raw: text };
}

/** What a result's cell holds. */
export function stepValue(cell: Cell | undefined): StepValue {
  if (!cell) return { kind: 'left_out' };
  const held = JSON.parse(cell.text) as readonly string[] | { readonly id: string };
  return 'id' in held ? { kind: 'given', ...held } : { kind: 'texts', texts: held };
}

/** A result's cell as people are shown it. */
export function shownResult(cell: Cell | undefined): string {
  const value = stepValue(cell);
  if (value.kind === 'left_out') return '';
  return value.kind === 'given' ? '<given>' : value.texts.join(', ');
}

/** The cell's text: a list of texts, or what names a value that isn't known yet; undefined where the row was left out. */
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

/** The values of a record's member; of several where a list lies on its path. */
function textsAt(value: Json | undefined, [name, ...rest]: readonly string[]): readonly string[] {
  if (Array.isArray(value))
    return value.flatMap((it: Json) => textsAt(it, name === undefined ? [] : [name, ...rest]));
  if (name !== undefined) return isObject(value) ? textsAt(ownMember(value, name), rest) : [];
  if (value === undefined || value === null || value === '' || typeof value === 'object') return [];
  // As result columns show them.
  return [typeof value === 'boolean' ? (value ? 'TRUE' : 'FALSE') : String(value)];
}

function ownMember(owner: JsonObject, name: string): Json | undefined {
  return Object.hasOwn(owner, name) ? owner[name] : undefined;
}

class RowWithResults implements Row {
  readonly #row: Row;
  readonly #results: ReadonlyMap<number, Cell>;

  constructor(row: Row, results: ReadonlyMap<number, Cell>) {
    this.#row = row;
    this.#results = results;
  }

  get sheet(): string {
    return this.#row.sheet;
  }

  get number(): number {
    return this.#row.number;
  }

  get hidden(): boolean {
    return this.#row.hidden;
  }

  get faults(): Row['faults'] {
    return this.#row.faults;
  }

  cell(column: number): Cell | undefined {
    return isSheetColumn(column) ? this.#row.cell(column) : this.#results.get(column);
  }

  cells(): readonly Cell[] {
    return [...this.#row.cells(), ...this.#results.values()];
  }
}
