import { signal } from '@preact/signals';
import { describe, expect, it } from 'vitest';
import { GridModel } from '../../../../src/console/pages/grid/grid-model.js';
import type { CellEdit, GridRow } from '../../../../src/console/pages/grid/positions.js';
import { type LoadedRows, RowPages } from '../../../../src/console/pages/grid/row-pages.js';

const COLUMNS = [{ column: 1, letter: 'A', text: 'Nodes', field: 'nodes' }];

/** A sheet of which only invalid rows are shown; the server has `shown` at any time. */
class FilteredSheet {
  shown = [7, 11, 20, 31];
  readonly edits: CellEdit[] = [];
  readonly model: GridModel;
  readonly #version = signal(0);

  constructor() {
    const rows = new RowPages<GridRow>({
      open: () => {
        const { shown } = this;
        return async () => ({ items: shown.map(invalid), total: shown.length }) as LoadedRows<GridRow>;
      },
      isSame: (one, other) => one.row === other.row,
      changed: () => {
        this.#version.value += 1;
      },
    });
    this.model = new GridModel(COLUMNS, rows, {
      version: this.#version,
      widths: signal<readonly number[]>([100]),
      canEdit: true,
      actions: {
        edit: (cells) => this.edits.push(...cells),
        arrange() {},
        undo() {},
        redo() {},
        isUndoing: () => false,
        tooMany() {},
      },
    });
  }

  async come(): Promise<void> {
    this.model.rows.renew();
    await new Promise((resolve) => setImmediate(resolve));
    this.model.follow();
  }

  atFocus(): number | undefined {
    return this.model.rows.row(this.model.selection.value.focus.row - 1)?.row;
  }
}

function invalid(row: number): GridRow {
  return { row, status: 'invalid', cells: ['many'], faults: [], corrected: [] };
}

describe('a filtered sheet whose rows leave it when they are fixed', () => {
  it('puts what is typed into the row that was opened, and moves none while it is written', async () => {
    const sheet = new FilteredSheet();
    await sheet.come();
    sheet.model.edit({ row: 2, column: 1 });
    sheet.shown = [11, 20, 31];
    await sheet.come();
    expect(sheet.model.rows.row(1)?.row).toBe(11);
    sheet.model.take('11');
    expect(sheet.edits).toEqual([{ row: 11, column: 1, text: '11', before: 'many' }]);
    await sheet.come();
    expect(sheet.model.rows.row(0)?.row).toBe(11);
  });

  it('keeps the focus at its row', async () => {
    const sheet = new FilteredSheet();
    await sheet.come();
    sheet.model.moveTo({ row: 3, column: 1 });
    sheet.model.follow();
    expect(sheet.atFocus()).toBe(20);
    sheet.shown = [20, 31];
    await sheet.come();
    expect(sheet.atFocus()).toBe(20);
    sheet.model.edit(sheet.model.selection.value.focus, '5');
    sheet.model.take('5');
    expect(sheet.edits).toEqual([{ row: 20, column: 1, text: '5', before: 'many' }]);
  });

  it('leaves the focus where it is when its own row has gone: at the one that has moved up', async () => {
    const sheet = new FilteredSheet();
    await sheet.come();
    sheet.model.moveTo({ row: 2, column: 1 });
    sheet.model.follow();
    sheet.shown = [7, 20, 31];
    await sheet.come();
    expect(sheet.atFocus()).toBe(20);
  });

  it('has a row with the focus when all from that one on have gone', async () => {
    const sheet = new FilteredSheet();
    await sheet.come();
    sheet.model.moveTo({ row: 4, column: 1 });
    sheet.model.follow();
    sheet.shown = [7, 11];
    await sheet.come();
    expect(sheet.atFocus()).toBe(11);
  });
});
