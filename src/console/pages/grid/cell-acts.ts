import type { CellEdit, GridColumn, GridRow } from './grid-data.js';
import { cellsIn, type GridSelection, type GridSize, type PlaceRange } from './places.js';
import type { RowPages } from './row-pages.js';
import { readTsv, writeTsv } from './tsv.js';

/** What the grid asks of the page around it. */
export interface GridActs {
  readonly edit: (cells: readonly CellEdit[]) => void;
  readonly undo: () => void;
  readonly redo: () => void;
  /** More cells than one act may have. */
  readonly tooMany: (act: 'edit' | 'copy', most: number) => void;
}

/** What is known of a grid where its cells are copied and changed. */
interface CellGrid {
  readonly columns: readonly GridColumn[];
  readonly rows: RowPages<GridRow>;
  readonly size: { readonly value: GridSize };
  readonly selection: { value: GridSelection };
  readonly canEdit: boolean;
  readonly acts: GridActs;
  range(): PlaceRange;
}

/** Cells that one act changes at most: what is pasted, cleared or filled down. */
const MOST_EDITED = 10_000;

/** Cells that are copied at most. */
const MOST_COPIED = 200_000;

/** The selected cells for the clipboard: at once if their rows are there, else when they are. */
export function copiedText(model: CellGrid): string | Promise<string | undefined> | undefined {
  const range = model.range();
  if (cellsIn(range) > MOST_COPIED) {
    model.acts.tooMany('copy', MOST_COPIED);
    return undefined;
  }
  const text = (rows: readonly GridRow[]): string =>
    writeTsv(rows.map((it) => it.cells.slice(range.left - 1, range.right)));
  const there: GridRow[] = [];
  for (let row = range.top; row <= range.bottom; row += 1) {
    const found = model.rows.row(row - 1);
    if (!found) return model.rows.range(range.top - 1, range.bottom).then(text);
    there.push(found);
  }
  return text(there);
}

/** Puts a table of texts where the selection begins; a single text into all that is selected. */
export async function pasteText(model: CellGrid, text: string): Promise<void> {
  const table = readTsv(text);
  const range = model.range();
  const [top, left] = [range.top, range.left];
  if (table.length === 1 && table[0]?.length === 1) return putTexts(model, range, () => table[0]?.[0]);
  const target = {
    top,
    left,
    bottom: Math.min(model.size.value.rows, top + table.length - 1),
    right: Math.min(model.columns.length, left + Math.max(...table.map((it) => it.length)) - 1),
  };
  await putTexts(model, target, (row, column) => table[row - top]?.[column - left]);
  model.selection.value = {
    anchor: { row: top, column: left },
    focus: { row: target.bottom, column: target.right },
  };
}

/** Puts the texts of the first selected row into those below. */
export async function fillDown(model: CellGrid): Promise<void> {
  const chosen = model.range();
  // One row alone takes what stands above it, as in Excel.
  const range = chosen.top === chosen.bottom && chosen.top > 1 ? { ...chosen, top: chosen.top - 1 } : chosen;
  const [source] = await model.rows.range(range.top - 1, range.top);
  if (source)
    await putTexts(model, { ...range, top: range.top + 1 }, (_row, column) => source.cells[column - 1]);
}

/** Changes the cells of a range to what is given for them; rows and columns of the grid. */
export async function putTexts(
  model: CellGrid,
  range: PlaceRange,
  textAt: (row: number, column: number) => string | undefined,
): Promise<void> {
  if (!model.canEdit || cellsIn(range) === 0) return;
  if (cellsIn(range) > MOST_EDITED) return model.acts.tooMany('edit', MOST_EDITED);
  const rows = await model.rows.range(range.top - 1, range.bottom);
  const edits: CellEdit[] = [];
  rows.forEach((row, index) => {
    for (let column = range.left; column <= range.right; column += 1) {
      const text = textAt(range.top + index, column);
      const header = model.columns[column - 1];
      if (text === undefined || !header || row.cells[column - 1] === text) continue;
      edits.push({ row: row.row, column: header.column, text });
    }
  });
  if (edits.length > 0) model.acts.edit(edits);
}
