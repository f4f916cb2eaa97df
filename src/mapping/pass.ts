import type { Code, Message } from '../errors/message.js';
import type { Fault } from '../model/fault.js';
import type { Row } from '../model/row.js';
import type { JoinLookup } from './contract.js';
import type { BranchPlan, CellFault } from './plan.js';

/** What one call of `map` gathers while it builds. */
export class Pass {
  readonly lookup: JoinLookup;
  /**
   * Whether rows that agree count once. Not when faults are to be told: each such row has its own cells to mend.
   */
  readonly mergesRows: boolean;
  /** Whether any rows were counted once. */
  merged = false;
  readonly faults: Fault[] = [];
  readonly warnings: Message[] = [];
  /** Rows that gave a node no element because their key of it is empty, with those nodes. */
  readonly keyless = new Map<Row, Set<BranchPlan>>();

  constructor(lookup: JoinLookup, mergesRows = true) {
    this.lookup = lookup;
    this.mergesRows = mergesRows;
  }

  /** A pass of the same kind that nothing was told in. */
  again(): Pass {
    return new Pass(this.lookup, this.mergesRows);
  }

  fault(row: Row, field: string | undefined, { column, message }: CellFault): void {
    this.faults.push({
      sheet: row.sheet,
      row: row.number,
      ...(column === undefined ? {} : { column }),
      ...(field === undefined ? {} : { field }),
      message,
    });
  }

  /** Notes that the row's key of a node is empty. */
  withoutKey(row: Row, plan: BranchPlan): void {
    const nodes = this.keyless.get(row);
    if (nodes) nodes.add(plan);
    else this.keyless.set(row, new Set([plan]));
  }

  /** Takes back a fault that a more exact one stands for. */
  retract(row: Row, field: string, code: Code): void {
    const at = this.faults.findIndex(
      (it) =>
        it.message.code === code && it.field === field && it.row === row.number && it.sheet === row.sheet,
    );
    if (at >= 0) this.faults.splice(at, 1);
  }

  /** Whether a cell has a fault already. */
  hasTold(row: Row, column: number): boolean {
    return this.faults.some((it) => it.column === column && it.row === row.number && it.sheet === row.sheet);
  }
}
