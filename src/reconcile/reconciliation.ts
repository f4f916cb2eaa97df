import type { Message } from '../errors/message.js';
import type { Comparison } from '../model/comparison.js';
import type { Row } from '../model/row.js';
import type { BoundCondition } from '../source/condition.js';
import type { FileSource } from '../source/contract.js';
import type { Table } from '../source/table.js';
import type { TableReader } from '../source/table-reader.js';
import type { BoundKeys } from './bind.js';
import type { ReconcileOptions, ReconcileServices } from './contract.js';
import type { DriftStore } from './drift-store.js';

/** The job's sheet, opened from the kept copy of the input and bound to the job. */
export interface ComparedInput {
  readonly source: FileSource;
  readonly table: Table;
  readonly keys: BoundKeys;
  readonly where: BoundCondition | undefined;
  /** Every read of the table's rows goes through it. */
  readonly reader: TableReader;
  /** True for an extra record in an earlier reconciliation's result: it is no row of the source. */
  readonly wasExtra: (row: Row) => boolean;
}

/** A reconciliation that has begun: what all its steps share. */
export interface BegunReconciliation extends ReconcileServices, ReconcileOptions {
  readonly run: string;
  readonly comparison: Comparison;
  /** Path of the result; results of actions are written beside it. */
  readonly output: string;
  /** The kept copy of the input. */
  readonly copy: string;
  readonly inputSha256: string;
  readonly startedAt: number;
  readonly store: DriftStore;
  /** Warnings so far. */
  readonly warned: readonly Message[];
}

/** The same with its source opened. */
export interface Reconciliation extends BegunReconciliation {
  readonly input: ComparedInput;
}
