import type { Cell } from '../../model/cell.js';
import type { Row } from '../../model/row.js';

/** One record of a text file. Cells are made when asked for. */
export class CsvRow implements Row {
  readonly sheet: string;
  readonly number: number;
  /** Every field, empty ones too. */
  readonly fields: readonly string[];

  constructor(sheet: string, number: number, fields: readonly string[]) {
    this.sheet = sheet;
    this.number = number;
    this.fields = fields;
  }

  get hidden(): boolean {
    return false;
  }

  cell(column: number): Cell | undefined {
    const text = this.fields[column - 1];
    if (text === undefined || text === '') return undefined;
    return { column, kind: 'text', text, raw: text };
  }

  cells(): readonly Cell[] {
    const cells: Cell[] = [];
    for (let column = 1; column <= this.fields.length; column += 1) {
      const cell = this.cell(column);
      if (cell) cells.push(cell);
    }
    return cells;
  }
}
