import { computed, type ReadonlySignal, signal } from '@preact/signals';
import { fillDown, type GridActs, putTexts } from './cell-acts.js';
import { clampWidth, columnOffsetShowing, fittingWidth, totalWidth } from './columns.js';
import { offsetShowing, rowsToDraw } from './geometry.js';
import type { GridColumn, GridRow } from './grid-data.js';
import type { KeyWish } from './keys.js';
import {
  at,
  type GridPlace,
  type GridSelection,
  type GridSize,
  type PlaceRange,
  rangeOf,
  START,
} from './places.js';
import type { RowPages } from './row-pages.js';

/** Pixels of the column of row numbers. */
export const NUMBERS_WIDTH = 72;

/** The cell that is edited. */
export interface CellEditing {
  readonly place: GridPlace;
  /** The row as it was when it was opened: what is typed goes into this one, wherever it stands by then. */
  readonly of: GridRow;
  readonly text: string;
  /** The text stands selected, so that typing replaces it; else what is typed goes on behind it. */
  readonly selected: boolean;
}

/** What stands where in a grid: its selection, what is in view, what is edited. Draws nothing. */
export class GridModel {
  readonly columns: readonly GridColumn[];
  readonly rows: RowPages<GridRow>;
  /** Excel's cells can be changed. */
  readonly canEdit: boolean;
  readonly selection = signal<GridSelection>(START);
  readonly editing = signal<CellEditing | undefined>(undefined);
  /** Pixels by which rows are moved up. */
  readonly offset = signal(0);
  readonly left = signal(0);
  /** Pixels in which rows and columns are seen, without header and row numbers. */
  readonly view = signal({ width: 0, height: 0 });
  readonly size: ReadonlySignal<GridSize>;
  readonly firstRow: ReadonlySignal<number>;
  readonly endRow: ReadonlySignal<number>;
  readonly widths: { value: readonly number[] };
  /** Changes whenever rows have come or changed. */
  readonly version: ReadonlySignal<number>;
  readonly acts: GridActs;
  /** Excel's number of the row that has the focus, and where it stood. */
  #focused: { readonly at: number; readonly row: number } | undefined;

  /**
   * @param version changes whenever rows have come or changed
   * @param widths kept by the page, so that they outlive a filter
   */
  constructor(
    columns: readonly GridColumn[],
    rows: RowPages<GridRow>,
    {
      version,
      widths,
      acts,
      canEdit,
    }: {
      readonly version: ReadonlySignal<number>;
      readonly widths: { value: readonly number[] };
      readonly acts: GridActs;
      readonly canEdit: boolean;
    },
  ) {
    this.columns = columns;
    this.rows = rows;
    this.canEdit = canEdit;
    this.widths = widths;
    this.version = version;
    this.acts = acts;
    const count = computed(() => (version.value >= 0 ? (rows.total ?? 0) : 0));
    this.size = computed(() => ({ rows: count.value, columns: columns.length }));
    const span = computed(() =>
      rowsToDraw(this.offset.value, { rows: count.value, view: this.view.value.height }),
    );
    this.firstRow = computed(() => span.value.first);
    this.endRow = computed(() => span.value.end);
  }

  /** Widths to begin with, by the header and the first rows. */
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

  /** As wide as its texts, wherever the grid stands. */
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

  /** Moves the view as little as is needed for a place to be seen. */
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

  /** Does what a key asked for. */
  async do(wish: KeyWish): Promise<void> {
    const { focus } = this.selection.value;
    switch (wish.kind) {
      case 'move':
        return this.moveTo(wish.to, wish.extend);
      case 'edit':
        return this.edit(focus, wish.text);
      case 'select':
        return this.#select(wish.what, focus);
      case 'width':
        return this.setWidth(focus.column - 1, (this.widths.value[focus.column - 1] ?? 0) + wish.by);
      case 'undo':
        return this.canEdit ? this.acts.undo() : undefined;
      case 'redo':
        return this.canEdit ? this.acts.redo() : undefined;
      case 'clear':
        return putTexts(this, this.range(), () => '');
      case 'fill-down':
        return fillDown(this);
    }
  }

  /** Opens a cell for editing. @param typed stands for the cell's text, as a key was typed over it */
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

  /** Ends editing and takes the text. @param move by how many columns the selection moves on */
  take(text: string, move = 0): void {
    const editing = this.editing.value;
    if (!editing) return;
    this.leave();
    const { row, column } = editing.place;
    const there = this.rows.find((it) => it.row === editing.of.row) ?? editing.of;
    const header = this.columns[column - 1];
    if (header && there.cells[column - 1] !== text) {
      this.acts.edit([{ row: there.row, column: header.column, text }]);
    }
    const to = Math.min(Math.max(column + move, 1), this.columns.length);
    if (to !== column) this.moveTo({ row, column: to });
  }

  leave(): void {
    this.editing.value = undefined;
    this.rows.hold('editor', false);
  }

  /**
   * Rows that were mended leave a filtered sheet when nobody uses it: the selection goes along with the row that had the focus,
   * and what is seen with it, so that whoever comes back finds it. Called when rows or the selection have changed.
   */
  follow(): void {
    const { anchor, focus } = this.selection.peek();
    const was = this.#focused;
    const now = this.rows.row(focus.row - 1)?.row;
    const to =
      was?.at === focus.row && now !== was.row ? this.rows.indexOf((it) => it.row === was.row) : undefined;
    if (was === undefined || to === undefined) {
      this.#focused = now === undefined ? was : { at: focus.row, row: now };
      // Behind the last row nothing is drawn that could have the focus.
      const { rows } = this.size.peek();
      if (rows > 0 && focus.row > rows) this.moveTo({ ...focus, row: rows });
      return;
    }
    const by = to + 1 - focus.row;
    this.#focused = { at: to + 1, row: was.row };
    this.selection.value = {
      anchor: anchor.row > 0 ? { ...anchor, row: Math.max(1, anchor.row + by) } : anchor,
      focus: { ...focus, row: to + 1 },
    };
    this.show({ ...focus, row: to + 1 });
  }

  #select(what: 'all' | 'row' | 'column', focus: GridPlace): void {
    const { rows, columns } = this.size.value;
    const whole = { row: rows, column: columns };
    // The focus stays where it is: a selection of a million rows moves nothing out of sight.
    if (what === 'all') this.selection.value = { anchor: { row: 0, column: 0 }, focus };
    else if (what === 'row') this.selection.value = { anchor: { row: focus.row, column: 0 }, focus };
    else
      this.selection.value = {
        anchor: { row: 0, column: focus.column },
        focus: { ...focus, row: Math.min(focus.row, whole.row) },
      };
  }

  #firstTexts(column: number): string[] {
    const texts: string[] = [];
    for (let row = 0; row < 40; row += 1) texts.push(this.rows.row(row)?.cells[column] ?? '');
    return texts;
  }
}

/** Width of what is scrolled, row numbers included. */
export function canvasWidth(widths: readonly number[]): number {
  return NUMBERS_WIDTH + totalWidth(widths);
}
