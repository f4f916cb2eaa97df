import type { Message } from '../errors/message.js';
import type { Fault } from '../model/fault.js';
import type { Row } from '../model/row.js';
import type { JoinLookup } from './contract.js';
import type { CellFault } from './plan.js';

/** What one call of `map` gathers while it builds. */
export class Pass {
  readonly lookup: JoinLookup;
  readonly faults: Fault[] = [];
  readonly warnings: Message[] = [];

  constructor(lookup: JoinLookup) {
    this.lookup = lookup;
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

  /** Whether a cell has a fault already. */
  hasTold(row: Row, column: number): boolean {
    return this.faults.some((it) => it.column === column && it.row === row.number && it.sheet === row.sheet);
  }
}
