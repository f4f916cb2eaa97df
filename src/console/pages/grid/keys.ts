import type { GridPlace, GridSize } from './positions.js';

/** The part of a KeyboardEvent that is used here. */
export interface PressedKey {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly shiftKey: boolean;
  readonly altKey: boolean;
  readonly isComposing?: boolean;
}

/** The action of a key while no cell is edited. */
export type KeyAction =
  | { readonly kind: 'move'; readonly to: GridPlace; readonly extend: boolean }
  | { readonly kind: 'edit' /** Typed over the cell's text. */; readonly text?: string }
  | { readonly kind: 'select'; readonly what: 'all' | 'row' | 'column' }
  | { readonly kind: 'width'; readonly by: number }
  | { readonly kind: 'arrange' | 'fill-down' | 'undo' | 'redo' | 'clear' };

/** Copy, cut and paste are handled as clipboard events. */
const LETTERS: Readonly<Record<string, 'fill-down' | 'undo' | 'redo'>> = {
  d: 'fill-down',
  z: 'undo',
  y: 'redo',
};

/** Pixels by which + and - change the width of a column at its header. */
const WIDTH_STEP = 16;

/** @param page number of visible rows */
export function keyAction(
  press: PressedKey,
  from: GridPlace,
  size: GridSize,
  page: number,
): KeyAction | undefined {
  const { key, shiftKey, altKey } = press;
  const ctrl = press.ctrlKey || press.metaKey;
  // An input method has started; its text goes into the cell.
  if (key === 'Process' && from.row > 0 && from.column > 0) return { kind: 'edit', text: '' };
  if (altKey || press.isComposing) return undefined;
  const to = target(key, ctrl, from, size, Math.max(1, page));
  if (to) return { kind: 'move', to: within(to, size), extend: shiftKey };
  if (ctrl) {
    if (key.toLowerCase() === 'z' && shiftKey) return { kind: 'redo' };
    if (key.toLowerCase() === 'a') return { kind: 'select', what: 'all' };
    if (key === ' ') return { kind: 'select', what: 'column' };
    const kind = LETTERS[key.toLowerCase()];
    return kind && !shiftKey ? { kind } : undefined;
  }
  if (from.row === 0) {
    if (from.column === 0) return undefined;
    if (key === 'Enter') return { kind: 'arrange' };
    return key === '+' || key === '='
      ? { kind: 'width', by: WIDTH_STEP }
      : key === '-'
        ? { kind: 'width', by: -WIDTH_STEP }
        : undefined;
  }
  if (key === ' ' && shiftKey) return { kind: 'select', what: 'row' };
  if (from.column === 0) return undefined;
  if (key === 'Enter' || key === 'F2') return { kind: 'edit' };
  if (key === 'Delete' || key === 'Backspace') return { kind: 'clear' };
  // Only printable keys have a name of one character.
  return [...key].length === 1 ? { kind: 'edit', text: key } : undefined;
}

function target(
  key: string,
  ctrl: boolean,
  { row, column }: GridPlace,
  size: GridSize,
  page: number,
): GridPlace | undefined {
  switch (key) {
    case 'ArrowUp':
      return { row: ctrl ? Math.min(row, 1) : row - 1, column };
    case 'ArrowDown':
      return { row: ctrl ? size.rows : row + 1, column };
    case 'ArrowLeft':
      return { row, column: ctrl ? Math.min(column, 1) : column - 1 };
    case 'ArrowRight':
      return { row, column: ctrl ? size.columns : column + 1 };
    case 'PageUp':
      return { row: row <= 1 ? row : Math.max(1, row - page), column };
    case 'PageDown':
      return { row: row + page, column };
    case 'Home':
      return ctrl ? { row: 1, column: 1 } : { row, column: Math.min(column, 1) };
    case 'End':
      return ctrl ? { row: size.rows, column: size.columns } : { row, column: size.columns };
    default:
      return undefined;
  }
}

function within({ row, column }: GridPlace, size: GridSize): GridPlace {
  return {
    row: Math.min(Math.max(row, 0), size.rows),
    column: Math.min(Math.max(column, 0), size.columns),
  };
}
