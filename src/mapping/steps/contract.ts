import type { Fault } from '../../model/fault.js';
import type { JsonObject } from '../../model/json.js';
import type { Row } from '../../model/row.js';

/** What an earlier step of a job made of a row. */
export type StepResult =
  /** Its `when` left the row out: its results are empty. */
  | { readonly kind: 'left_out' }
  | {
      readonly kind: 'returned';
      readonly columns: Readonly<Record<string, string>>;
      readonly licenseOrderId?: string;
      readonly records?: readonly JsonObject[];
      /** By name, the texts of a row's several items where they differ. */
      readonly several?: ReadonlyMap<string, readonly string[]>;
    }
  /** Still to come: a value of its field's type stands in. Rows with the same id will get the same, others something else. */
  | { readonly kind: 'given'; readonly id: string };

/** What the mapping of a step does beside mapping. */
export interface StepMapping {
  /**
   * The row with what earlier steps made of it, in the order of `StepOfJob.earlier`, as columns that the map reads.
   * @param identities name the row (`RowIdentities`), for the keys of items whose operation has none
   */
  withResults(row: Row, results: readonly StepResult[], identities?: readonly string[]): Row;
  /** 1-based columns of the sheet that `when` reads. */
  readonly columns: readonly number[];
  /**
   * 1-based columns of the sheet that tell whose item of this step a row belongs to: those of the key where all of it comes
   * from the sheet, else all that the map reads.
   */
  readonly naming: readonly number[];
  /**
   * Whether a row with its results takes part; what given values leave open does.
   * @param results as given to `withResults`
   */
  when(row: Row, results: readonly StepResult[]): StepWhen;
}

export type StepWhen =
  | { readonly kind: 'goes' }
  | { readonly kind: 'left_out' }
  /** No step takes the row, and the job says `unmatched: skip`. */
  | { readonly kind: 'unmatched' }
  | { readonly kind: 'fault'; readonly fault: Fault };
