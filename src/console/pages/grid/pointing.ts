import type { GridModel } from './grid-model.js';
import type { GridPlace } from './places.js';

/** What the mouse does: selects, edits by a double click, and draws the edges of columns. */
export function pointing(model: GridModel) {
  let dragged: { column: number; from: number; width: number } | undefined;
  let selecting = false;
  const widthTo = (event: PointerEvent): void => {
    if (dragged) model.setWidth(dragged.column, dragged.width + event.clientX - dragged.from);
  };
  return {
    onPointerDown: (event: PointerEvent): void => {
      if (event.button !== 0) return;
      const target = event.target as HTMLElement;
      const edge = target.dataset.edge;
      if (edge !== undefined) {
        const column = Number(edge) - 1;
        dragged = { column, from: event.clientX, width: model.widths.value[column] ?? 0 };
        const done = (): void => {
          dragged = undefined;
          removeEventListener('pointermove', widthTo);
        };
        addEventListener('pointermove', widthTo);
        addEventListener('pointerup', done, { once: true });
        addEventListener('pointercancel', done, { once: true });
        event.preventDefault();
        return;
      }
      const place = placeOf(target);
      if (!place || isWriting(target)) return;
      // The cell that is edited gives its text away before another one has the focus.
      if (model.editing.value && document.activeElement instanceof HTMLElement) document.activeElement.blur();
      model.moveTo(place, event.shiftKey);
      if (event.pointerType !== 'mouse') return;
      selecting = true;
      addEventListener('pointerup', () => (selecting = false), { once: true });
    },
    // The focus is given by the model, to the cell that has it there.
    onMouseDown: (event: MouseEvent): void => {
      const target = event.target as HTMLElement;
      if (event.button === 0 && placeOf(target) && !isWriting(target)) event.preventDefault();
    },
    onPointerOver: (event: PointerEvent): void => {
      const place = selecting && event.buttons === 1 ? placeOf(event.target as HTMLElement) : undefined;
      if (place) model.moveTo(place, true);
    },
    onDblClick: (event: MouseEvent): void => {
      const target = event.target as HTMLElement;
      const place = placeOf(target);
      if (target.dataset.edge !== undefined) model.fitColumn(Number(target.dataset.edge) - 1);
      else if (place && !isWriting(target)) model.edit(place);
    },
  };
}

function placeOf(target: HTMLElement): GridPlace | undefined {
  const cell = target.closest('[aria-colindex]');
  const [row, column] = [cell?.parentElement?.ariaRowIndex, cell?.ariaColIndex];
  return row && column ? { row: Number(row) - 1, column: Number(column) - 1 } : undefined;
}

/** Within the field of the cell that is edited the mouse is the field's. */
function isWriting(target: HTMLElement): boolean {
  return target.closest('input') !== null;
}
