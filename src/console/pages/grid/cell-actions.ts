import type { GridModel } from './grid-model.js';
import type { KeyAction } from './keys.js';
import { type CellEdit, cellsIn, type GridRow, type PlaceRange } from './positions.js';

/** Maximum number of cells changed by one action (paste, clear or fill down). */
const MAX_EDITED = 10_000;

/** Maximum number of copied cells. */
const MAX_COPIED = 200_000;

/** Executes the action of a key. */
export async function execute(model: GridModel, action: KeyAction): Promise<void> {
  const { focus } = model.selection.value;
  switch (action.kind) {
    case 'move':
      return model.moveTo(action.to, action.extend);
    case 'edit':
      return model.edit(focus, action.text);
    case 'select': {
      // The focus stays, so that the view does not move.
      const anchor = {
        row: action.what === 'row' ? focus.row : 0,
        column: action.what === 'column' ? focus.column : 0,
      };
      const row = action.what === 'column' ? Math.min(focus.row, model.size.value.rows) : focus.row;
      model.selection.value = { anchor, focus: { ...focus, row } };
      return;
    }
    case 'width':
      return model.setWidth(focus.column - 1, (model.widths.value[focus.column - 1] ?? 0) + action.by);
    case 'arrange': {
      const column = model.columns[focus.column - 1];
      return column && model.actions.arrange(column);
    }
    case 'undo':
    case 'redo':
      return model.canEdit ? model.actions[action.kind]() : undefined;
    case 'clear':
      return putTexts(model, model.range(), () => '');
    case 'fill-down':
      return fillDown(model);
  }
}

/** The selected cells as text for the clipboard; a promise if rows have to be loaded first. */
export function copiedText(model: GridModel): string | Promise<string | undefined> | undefined {
  const range = model.range();
  if (cellsIn(range) > MAX_COPIED) {
    model.actions.tooMany('copy', MAX_COPIED);
    return undefined;
  }
  const text = (rows: readonly GridRow[]): string =>
    writeTsv(rows.map((it) => it.cells.slice(range.left - 1, range.right)));
  const loaded: GridRow[] = [];
  for (let row = range.top; row <= range.bottom; row += 1) {
    const found = model.rows.row(row - 1);
    if (!found) return model.rows.range(range.top - 1, range.bottom).then(text);
    loaded.push(found);
  }
  return text(loaded);
}

/** Pastes a table of texts at the start of the selection; a single text into all selected cells. */
export async function pasteText(model: GridModel, text: string): Promise<void> {
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
  // At once: the user may select another cell while rows are loaded.
  model.selection.value = {
    anchor: { row: top, column: left },
    focus: { row: target.bottom, column: target.right },
  };
  await putTexts(model, target, (row, column) => table[row - top]?.[column - left]);
}

/** Copies the first selected row into the rows below. */
async function fillDown(model: GridModel): Promise<void> {
  const selected = model.range();
  // A single selected row is filled from the row above, as in Excel.
  const range =
    selected.top === selected.bottom && selected.top > 1 ? { ...selected, top: selected.top - 1 } : selected;
  const [source] = await model.rows.range(range.top - 1, range.top);
  if (source)
    await putTexts(model, { ...range, top: range.top + 1 }, (_row, column) => source.cells[column - 1]);
}

/** Changes the cells of a range. Rows and columns are positions in the grid. */
async function putTexts(
  model: GridModel,
  range: PlaceRange,
  textAt: (row: number, column: number) => string | undefined,
): Promise<void> {
  if (!model.canEdit || cellsIn(range) === 0) return;
  if (cellsIn(range) > MAX_EDITED) return model.actions.tooMany('edit', MAX_EDITED);
  const rows = await model.rows.range(range.top - 1, range.bottom);
  const edits: CellEdit[] = [];
  rows.forEach((row, index) => {
    for (let column = range.left; column <= range.right; column += 1) {
      const text = textAt(range.top + index, column);
      const header = model.columns[column - 1];
      if (text === undefined || !header) continue;
      const before = row.cells[column - 1];
      if (before === text && !model.actions.isUndoing()) continue;
      edits.push({ row: row.row, column: header.column, text, before });
    }
  });
  if (edits.length > 0) model.actions.edit(edits);
}

/** Tab-separated text, as spreadsheets use it in the clipboard; texts are quoted if needed. */
export function writeTsv(rows: readonly (readonly string[])[]): string {
  return rows.map((row) => row.map(quoted).join('\t')).join('\n');
}

function quoted(text: string): string {
  return /[\t\n\r"]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Parses clipboard text. The line break that Excel adds at the end does not create a row. */
export function readTsv(text: string): string[][] {
  const rows: string[][] = [[]];
  // A quote without a closing quote is part of the text: the second alternative matches it.
  const cells = text.matchAll(/(?:"((?:[^"]|"")*)"|([^\t\r\n]*))(\t|\r\n|\r|\n|$)/gy);
  for (const [match, inQuotes, plain = '', end] of cells) {
    if (match === '' && rows.length > 1 && rows.at(-1)?.length === 0) break;
    rows.at(-1)?.push(inQuotes?.replaceAll('""', '"') ?? plain);
    if (end === '') break;
    if (end !== '\t') rows.push([]);
  }
  return rows.at(-1)?.length === 0 ? rows.slice(0, -1) : rows;
}
