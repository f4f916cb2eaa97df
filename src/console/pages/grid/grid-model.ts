import { computed, type ReadonlySignal, signal } from '@preact/signals';
import {
  clampWidth,
  columnOffsetShowing,
  fittingWidth,
  offsetShowing,
  rowsToDraw,
  totalWidth,
} from './layout.js';
import type { CellEdit, GridColumn, GridRow } from './positions.js';
import {
  at,
  type GridPlace,
  type GridSelection,
  type GridSize,
  type PlaceRange,
  rangeOf,
  START,
} from './positions.js';
import type { RowPages } from './row-pages.js';

/** Callbacks of the grid. */
export interface GridActions {
  readonly edit: (cells: readonly CellEdit[]) => void;
  /** Asks how to sort and filter by a column. */
  readonly arrange: (column: GridColumn) => void;
  readonly undo: () => void;
  readonly redo: () => void;
  /** An undo or redo is not confirmed yet: the texts shown may be older than those that it restores. */
  readonly isUndoing: () => boolean;
  /** More cells than one action may change or copy. */
  readonly tooMany: (act: 'edit' | 'copy', max: number) => void;
}

/** Width of the row number column in pixels. */
export const NUMBERS_WIDTH = 72;

/** The state of the cell that is being edited. */
export interface CellEditing {
  readonly place: GridPlace;
  /** The row when editing started. The text goes into this row, even if its position has changed. */
  readonly of: GridRow;
  readonly text: string;
  /** Whether the text is selected, so that typing replaces it; otherwise typing appends to it. */
  readonly selected: boolean;
}

/** The grid's state: selection, view and editing. It does not render. */
export class GridModel {
  readonly columns: readonly GridColumn[];
  readonly rows: RowPages<GridRow>;
  /** Whether cells can be edited. */
  readonly canEdit: boolean;
  readonly selection = signal<GridSelection>(START);
  readonly editing = signal<CellEditing | undefined>(undefined);
  /** Pixels by which rows are moved up. */
  readonly offset = signal(0);
  readonly left = signal(0);
  /** Size of the view in pixels, without header and row numbers. */
  readonly view = signal({ width: 0, height: 0 });
  readonly size: ReadonlySignal<GridSize>;
  readonly firstRow: ReadonlySignal<number>;
  readonly endRow: ReadonlySignal<number>;
  readonly widths: { value: readonly number[] };
  /** Changes when rows were loaded or changed. */
  readonly version: ReadonlySignal<number>;
  readonly actions: GridActions;
  /** The active cell takes the keyboard when it is rendered next, wherever the focus is. */
  takesFocus = false;
  /** Excel's number and the position of the focused row. */
  #tracked: { readonly at: number; readonly row: number } | undefined;

  /**
   * @param version changes when rows were loaded or changed
   * @param widths stored by the page, so that they survive a change of the filter
   */
  constructor(
    columns: readonly GridColumn[],
    rows: RowPages<GridRow>,
    {
      version,
      widths,
      actions,
      canEdit,
    }: {
      readonly version: ReadonlySignal<number>;
      readonly widths: { value: readonly number[] };
      readonly actions: GridActions;
      readonly canEdit: boolean;
    },
  ) {
    this.columns = columns;
    this.rows = rows;
    this.canEdit = canEdit;
    this.widths = widths;
    this.version = version;
    this.actions = actions;
    const count = computed(() => (version.value >= 0 ? (rows.total ?? 0) : 0));
    this.size = computed(() => ({ rows: count.value, columns: columns.length }));
    const span = computed(() =>
      rowsToDraw(this.offset.value, { rows: count.value, view: this.view.value.height }),
    );
    this.firstRow = computed(() => span.value.first);
    this.endRow = computed(() => span.value.end);
  }

  /** Sets initial widths, by the header and the first rows. */
  fit(): void {
    if (this.widths.value.length === this.columns.length) return;
    this.widths.value = this.columns.map((column, index) =>
      fittingWidth(column.text, this.#firstTexts(index)),
    );
  }

  /** @param column counted from 0 */
  setWidth(column: number, width: number): void {
    this.widths.value = this.widths.value.map((it, index) => (index === column ? clampWidth(width) : it));
  }

  /** Fits a column to the texts of the rendered rows. */
  fitColumn(column: number): void {
    const drawn = Array.from({ length: this.endRow.value - this.firstRow.value }, (_, index) =>
      this.rows.row(this.firstRow.value + index),
    ).map((it) => it?.cells[column] ?? '');
    this.setWidth(column, fittingWidth(this.columns[column]?.text ?? '', drawn, 640));
  }

  range(): PlaceRange {
    return rangeOf(this.selection.value, this.size.value);
  }

  moveTo(place: GridPlace, extend = false): void {
    const { anchor } = this.selection.value;
    this.selection.value = extend ? { anchor, focus: place } : at(place);
    this.show(place);
  }

  /** Makes a cell active for the selection and the keyboard alike. */
  focusOn(place: GridPlace, extend = false): void {
    this.takesFocus = true;
    this.moveTo(place, extend);
  }

  /** Scrolls as little as necessary to make a position visible. */
  show({ row, column }: GridPlace): void {
    const { width, height } = this.view.value;
    if (row > 0)
      this.offset.value = offsetShowing(row - 1, this.offset.value, {
        rows: this.size.value.rows,
        view: height,
      });
    if (column > 0)
      this.left.value = columnOffsetShowing(column - 1, this.left.value, this.widths.value, width);
  }

  /** Opens a cell for editing. @param typed replaces the cell's text, if editing was started by typing */
  edit(place: GridPlace, typed?: string): void {
    const row = this.rows.row(place.row - 1);
    if (!this.canEdit || !row || place.row < 1 || place.column < 1) return;
    this.moveTo(place);
    this.rows.hold('editor', true);
    this.editing.value = {
      place,
      of: row,
      text: typed ?? row.cells[place.column - 1] ?? '',
      selected: typed === undefined,
    };
  }

  /** Ends editing and accepts the text. @param move number of columns by which the selection moves */
  take(text: string, move = 0): void {
    const editing = this.editing.value;
    if (!editing) return;
    this.leave();
    const { row, column } = editing.place;
    const current = this.rows.find((it) => it.row === editing.of.row) ?? editing.of;
    const header = this.columns[column - 1];
    const typed = editing.text !== text || !editing.selected;
    if (header && typed && (current.cells[column - 1] !== text || this.actions.isUndoing())) {
      const before = editing.of.cells[column - 1];
      this.actions.edit([{ row: current.row, column: header.column, text, before }]);
    }
    const to = Math.min(Math.max(column + move, 1), this.columns.length);
    if (to !== column) this.moveTo({ row, column: to });
  }

  leave(): void {
    this.editing.value = undefined;
    this.rows.hold('editor', false);
  }

  /**
   * Moves the selection and the view along with the focused row if it changes position, as when corrected rows leave
   * a filtered sheet. Called when rows or the selection have changed.
   */
  follow(): void {
    const { anchor, focus } = this.selection.peek();
    const previous = this.#tracked;
    const currentRow = this.rows.row(focus.row - 1)?.row;
    const to =
      previous?.at === focus.row && currentRow !== previous.row
        ? this.rows.indexOf((it) => it.row === previous.row)
        : undefined;
    if (previous === undefined || to === undefined) {
      this.#tracked = currentRow === undefined ? previous : { at: focus.row, row: currentRow };
      // There is no row behind the last one that could have the focus.
      const { rows } = this.size.peek();
      if (rows > 0 && focus.row > rows) this.moveTo({ ...focus, row: rows });
      return;
    }
    const by = to + 1 - focus.row;
    this.#tracked = { at: to + 1, row: previous.row };
    this.selection.value = {
      anchor: anchor.row > 0 ? { ...anchor, row: Math.max(1, anchor.row + by) } : anchor,
      focus: { ...focus, row: to + 1 },
    };
    this.show({ ...focus, row: to + 1 });
  }

  #firstTexts(column: number): string[] {
    const texts: string[] = [];
    for (let row = 0; row < 40; row += 1) texts.push(this.rows.row(row)?.cells[column] ?? '');
    return texts;
  }
}

/** Width of the canvas, including row numbers. */
export function canvasWidth(widths: readonly number[]): number {
  return NUMBERS_WIDTH + totalWidth(widths);
}
