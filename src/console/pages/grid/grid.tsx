import './sheet.css';
import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { copiedText, execute, pasteText } from './cell-actions.js';
import { CellEditor } from './cell-editor.js';
import { canvasWidth, type GridModel, NUMBERS_WIDTH } from './grid-model.js';
import { DrawnRow, HeaderRow } from './grid-rows.js';
import { keyAction } from './keys.js';
import { canvasHeight, columnsToDraw, ROW_HEIGHT, RowKeys } from './layout.js';
import { type Arrangement, type GridPlace, isWithin } from './positions.js';
import { HEADER_HEIGHT, useFocus, useScrolling } from './scrolling.js';

/**
 * A sheet as an ARIA grid with virtual rows. The focused cell is always rendered, so that keyboard and screen reader
 * keep it when the sheet is scrolled.
 */
export function Grid({
  model,
  label,
  nearest,
  arrangement,
}: {
  readonly model: GridModel;
  readonly label: string;
  /** The allowed text nearest to a cell's text; columns and rows are numbered as in Excel. */
  readonly nearest: (row: number, column: number) => Promise<string | undefined>;
  readonly arrangement: Arrangement;
}) {
  const scroller = useRef<HTMLDivElement>(null);
  const layer = useRef<HTMLDivElement>(null);
  const listContainer = useRef<HTMLDivElement>(null);
  const id = useMemo(() => `grid-${Math.random().toString(36).slice(2, 8)}`, []);
  // Renders again when rows were loaded.
  const version = model.version.value;
  const size = model.size.value;
  const [first, end] = [model.firstRow.value, model.endRow.value];
  const widths = model.widths.value;
  const { anchor, focus } = model.selection.value;
  const range = model.range();
  const span = columnsToDraw(widths, widths.length > 40 ? model.left.value : 0, model.view.value.width);
  const editing = model.editing.value;

  useScrolling(model, scroller, layer, first);
  useFocus(model, scroller, editing !== undefined);
  useLayoutEffect(() => model.follow(), [model, version, focus]);
  useEffect(() => model.rows.want(first, Math.max(end, first + 1)), [model, first, end]);

  const rows: number[] = [];
  for (let row = first; row < end; row += 1) rows.push(row);
  // Rendered outside the view, because it has the focus.
  const offscreen =
    focus.row > 0 && (focus.row <= first || focus.row > end) && focus.row <= size.rows
      ? focus.row - 1
      : undefined;
  // In order, so that no element is moved within the document: a moved element loses the focus.
  const order =
    offscreen === undefined ? rows : offscreen < first ? [offscreen, ...rows] : [...rows, offscreen];
  const tracks = [
    NUMBERS_WIDTH,
    ...(span.before > 0 ? [span.before] : []),
    ...widths.slice(span.first, span.end),
  ];
  const keys = useMemo(() => new RowKeys(), []).of(order, offscreen);
  const drawn = (row: number) => (
    <DrawnRow
      key={keys.get(row)}
      id={id}
      index={row}
      // A prop, so that only rows that were loaded are rendered again.
      row={model.rows.row(row)}
      columns={model.columns}
      firstColumn={span.first}
      endColumn={span.end}
      before={span.before}
      focused={focus.row === row + 1 ? focus.column : undefined}
      selectedFrom={row + 1 >= range.top && row + 1 <= range.bottom ? range.left : 0}
      selectedTo={row + 1 >= range.top && row + 1 <= range.bottom ? range.right : -1}
      numberSelected={
        row + 1 >= range.top && row + 1 <= range.bottom && (anchor.column === 0 || anchor.row === 0)
      }
      editing={editing?.place.row === row + 1 ? editing.place.column : undefined}
      editor={
        editing?.place.row === row + 1 ? (
          <CellEditor
            key={`${editing.place.row}:${editing.place.column}`}
            editing={editing}
            model={model}
            row={model.rows.row(row)}
            nearest={nearest}
            listContainer={listContainer}
          />
        ) : undefined
      }
      readOnly={!model.canEdit}
      offscreenTop={
        row === offscreen ? Math.max(-2000, Math.min(4000, (row - first) * ROW_HEIGHT)) : undefined
      }
    />
  );

  return (
    <div class="sheet-frame">
      <div
        role="grid"
        class="sheet"
        ref={scroller}
        aria-label={label}
        aria-rowcount={size.rows + 1}
        aria-colcount={size.columns + 1}
        aria-multiselectable="true"
        aria-readonly={!model.canEdit}
        onKeyDown={(event) => press(event, model)}
        onCopy={(event) => copy(event, model)}
        onCut={(event) => {
          if (copy(event, model)) void execute(model, { kind: 'clear' });
        }}
        onPaste={(event) => {
          const text = event.clipboardData?.getData('text/plain');
          if (model.editing.value || !text) return;
          event.preventDefault();
          void pasteText(model, text);
        }}
        {...pointerHandlers(model)}
      >
        <div
          class="sheet-canvas"
          role="presentation"
          style={{ width: px(canvasWidth(widths)), height: px(HEADER_HEIGHT + canvasHeight(size.rows)) }}
        >
          <div
            class="sheet-window"
            role="presentation"
            style={{
              width: px(
                NUMBERS_WIDTH + Math.min(model.view.value.width, canvasWidth(widths) - NUMBERS_WIDTH),
              ),
              '--sheet-width': px(canvasWidth(widths)),
              height: px(HEADER_HEIGHT + Math.min(model.view.value.height, size.rows * ROW_HEIGHT)),
              '--sheet-columns': tracks.map(px).join(' '),
              '--sheet-row': px(ROW_HEIGHT),
              '--sheet-header': px(HEADER_HEIGHT),
            }}
          >
            <div role="rowgroup" class="sheet-head">
              <HeaderRow model={model} id={id} span={span} arrangement={arrangement} />
            </div>
            <div role="rowgroup" class="sheet-body">
              <div class="sheet-layer" role="presentation" ref={layer}>
                {order.map(drawn)}
              </div>
            </div>
          </div>
        </div>
      </div>
      <div ref={listContainer} />
    </div>
  );
}

function press(event: KeyboardEvent, model: GridModel): void {
  if (model.editing.value) return;
  const page = Math.floor(model.view.value.height / ROW_HEIGHT) - 1;
  const action = keyAction(event, model.selection.value.focus, model.size.value, page);
  if (!action) return;
  // The first key of an input method must reach the cell's field.
  if (event.key !== 'Process') event.preventDefault();
  void execute(model, action);
}

/** @returns whether something is copied */
function copy(event: ClipboardEvent, model: GridModel): boolean {
  if (model.editing.value) return false;
  const copied = copiedText(model);
  if (copied === undefined) return false;
  event.preventDefault();
  if (typeof copied === 'string') event.clipboardData?.setData('text/plain', copied);
  else void copied.then((text) => (text === undefined ? undefined : navigator.clipboard.writeText(text)));
  return true;
}

function px(length: number): string {
  return `${length}px`;
}

/** Pointer events: selection, editing by double click, and resizing of columns. */
function pointerHandlers(model: GridModel) {
  let dragged: { column: number; from: number; width: number } | undefined;
  let selecting = false;
  const widthTo = (event: PointerEvent): void => {
    if (dragged) model.setWidth(dragged.column, dragged.width + event.clientX - dragged.from);
  };
  const point = (place: GridPlace, extend = false): void => {
    // Ends editing before another cell gets the focus.
    if (model.editing.value && document.activeElement instanceof HTMLElement) document.activeElement.blur();
    model.focusOn(place, extend);
  };
  return {
    onPointerDown: (event: PointerEvent): void => {
      const target = event.target as HTMLElement;
      // A button of a header leaves the active cell as it is.
      if (target.closest('button')) return;
      const pointed = isEditorField(target) ? undefined : placeOf(target);
      // The context menu acts on the selection, so it must contain the cell of the menu.
      if (event.button === 2 && pointed && !isWithin(pointed, model.range())) point(pointed);
      if (event.button !== 0) return;
      const edge = target.dataset.edge;
      if (edge !== undefined) {
        const column = Number(edge) - 1;
        dragged = { column, from: event.clientX, width: model.widths.value[column] ?? 0 };
        const endDrag = (): void => {
          dragged = undefined;
          removeEventListener('pointermove', widthTo);
        };
        addEventListener('pointermove', widthTo);
        addEventListener('pointerup', endDrag, { once: true });
        addEventListener('pointercancel', endDrag, { once: true });
        event.preventDefault();
        return;
      }
      if (!pointed) return;
      point(pointed, event.shiftKey);
      if (event.pointerType !== 'mouse') return;
      selecting = true;
      addEventListener('pointerup', () => (selecting = false), { once: true });
    },
    // The model sets the focus, not the browser.
    onMouseDown: (event: MouseEvent): void => {
      const target = event.target as HTMLElement;
      if (placeOf(target) && !isEditorField(target)) event.preventDefault();
    },
    onPointerOver: (event: PointerEvent): void => {
      const place = selecting && event.buttons === 1 ? placeOf(event.target as HTMLElement) : undefined;
      if (place) model.moveTo(place, true);
    },
    onDblClick: (event: MouseEvent): void => {
      const target = event.target as HTMLElement;
      const place = placeOf(target);
      if (target.dataset.edge !== undefined) model.fitColumn(Number(target.dataset.edge) - 1);
      else if (place && !isEditorField(target)) model.edit(place);
    },
  };
}

function placeOf(target: HTMLElement): GridPlace | undefined {
  const cell = target.closest('[aria-colindex]');
  const [row, column] = [cell?.parentElement?.ariaRowIndex, cell?.ariaColIndex];
  return row && column ? { row: Number(row) - 1, column: Number(column) - 1 } : undefined;
}

/** Within the field of the edited cell, pointer events are the field's. */
function isEditorField(target: HTMLElement): boolean {
  return target.closest('input') !== null;
}
