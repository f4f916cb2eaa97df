import { effect } from '@preact/signals';
import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { say } from '../words/language.js';
import { CellEditor } from './cell-editor.jsx';
import { columnsToDraw } from './columns.js';
import { canvasHeight, offsetAt, ROW_HEIGHT, scrollTopFor } from './geometry.js';
import { canvasWidth, type GridModel, NUMBERS_WIDTH } from './grid-model.js';
import { DrawnRow } from './grid-row.jsx';
import { wishOf } from './keys.js';
import type { GridPlace } from './places.js';
import { RowKeys } from './row-keys.js';
import './sheet.css';
import { GRID_WORDS } from './words.js';

/** Pixels of the header. */
const HEADER_HEIGHT = 46;

/**
 * A sheet as an ARIA grid, whose rows are drawn where they are seen. The place that has the focus is always drawn, so that
 * neither keyboard nor screen reader loses it when the sheet is scrolled away from it.
 */
export function Grid({
  model,
  label,
  nearest,
}: {
  readonly model: GridModel;
  readonly label: string;
  /** The allowed text nearest to that of a cell; columns and rows are Excel's. */
  readonly nearest: (row: number, column: number) => Promise<string | undefined>;
}) {
  const scroller = useRef<HTMLDivElement>(null);
  const layer = useRef<HTMLDivElement>(null);
  const beside = useRef<HTMLDivElement>(null);
  const id = useMemo(() => `grid-${Math.random().toString(36).slice(2, 8)}`, []);
  // Rows that have come are drawn.
  const version = model.version.value;
  const size = model.size.value;
  const [first, end] = [model.firstRow.value, model.endRow.value];
  const widths = model.widths.value;
  const { anchor, focus } = model.selection.value;
  const range = model.range();
  const span = columnsToDraw(widths, widths.length > 40 ? model.left.value : 0, model.view.value.width);
  const editing = model.editing.value;

  useScrolling(model, scroller, layer, first);
  useFocus(scroller, editing !== undefined);
  useLayoutEffect(() => model.follow(), [model, version, focus]);
  useEffect(() => model.rows.want(first, Math.max(end, first + 1)), [model, first, end]);

  const rows: number[] = [];
  for (let row = first; row < end; row += 1) rows.push(row);
  // Drawn out of sight, because it has the focus.
  const apart =
    focus.row > 0 && (focus.row <= first || focus.row > end) && focus.row <= size.rows
      ? focus.row - 1
      : undefined;
  // In their order, so that none is moved within the document: what has the focus would lose it.
  const order = apart === undefined ? rows : apart < first ? [apart, ...rows] : [...rows, apart];
  const tracks = [
    NUMBERS_WIDTH,
    ...(span.before > 0 ? [span.before] : []),
    ...widths.slice(span.first, span.end),
  ];
  const keys = useMemo(() => new RowKeys(), []).of(order, apart);
  const drawn = (row: number) => (
    <DrawnRow
      key={keys.get(row)}
      id={id}
      index={row}
      // Handed on so that a row that has come is drawn, and others aren't.
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
            place={beside}
          />
        ) : undefined
      }
      readOnly={!model.canEdit}
      apart={row === apart ? Math.max(-2000, Math.min(4000, (row - first) * ROW_HEIGHT)) : undefined}
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
          if (copy(event, model)) void model.do({ kind: 'clear' });
        }}
        onPaste={(event) => {
          const text = event.clipboardData?.getData('text/plain');
          if (model.editing.value || !text) return;
          event.preventDefault();
          void model.paste(text);
        }}
        {...pointing(model)}
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
              <HeaderRow model={model} id={id} span={span} />
            </div>
            <div role="rowgroup" class="sheet-body">
              <div class="sheet-layer" role="presentation" ref={layer}>
                {order.map(drawn)}
              </div>
            </div>
          </div>
        </div>
      </div>
      <div ref={beside} />
    </div>
  );
}

function HeaderRow({
  model,
  id,
  span,
}: {
  readonly model: GridModel;
  readonly id: string;
  readonly span: { readonly first: number; readonly end: number; readonly before: number };
}) {
  const { focus } = model.selection.value;
  const range = model.range();
  const tab = (column: number): 0 | undefined => (focus.row === 0 && focus.column === column ? 0 : undefined);
  return (
    <div role="row" class="sheet-row" aria-rowindex={1}>
      <div role="columnheader" class="sheet-number" aria-colindex={1} tabIndex={tab(0)}>
        {say(GRID_WORDS.row)}
      </div>
      {model.columns.slice(span.first, span.end).map((column, index) => {
        const place = span.first + index + 1;
        return (
          <div
            key={column.column}
            role="columnheader"
            class="sheet-column"
            aria-colindex={place + 1}
            aria-describedby={`${id}-width`}
            data-selected={place >= range.left && place <= range.right ? '' : undefined}
            data-unused={column.field === undefined ? '' : undefined}
            tabIndex={tab(place)}
            style={index === 0 && span.before > 0 ? { gridColumnStart: '3' } : undefined}
          >
            <span class="sheet-letter" aria-hidden="true">
              {column.letter}
              {column.field === undefined ? '' : ` · ${column.field}`}
            </span>
            <span class="sheet-name">{column.text}</span>
            <span class="sheet-edge" aria-hidden="true" data-edge={place} />
          </div>
        );
      })}
      <span id={`${id}-width`} hidden>
        {say(GRID_WORDS.width_keys)}
      </span>
    </div>
  );
}

/** Keeps the browser's scrollbars and the model together, and the layer of rows where they say. */
function useScrolling(
  model: GridModel,
  scroller: { readonly current: HTMLDivElement | null },
  layer: { readonly current: HTMLDivElement | null },
  first: number,
): void {
  const drawnFirst = useRef(first);
  useLayoutEffect(() => {
    drawnFirst.current = first;
    if (layer.current) layer.current.style.transform = moved(model, first);
  }, [model, first, layer]);

  useLayoutEffect(() => {
    const box = scroller.current;
    if (!box) return undefined;
    const extent = () => ({ rows: model.size.peek().rows, view: model.view.peek().height });
    const scrolled = (): void => {
      // The scrollbar stands where the model has put it: the model's own offset is the more exact one.
      if (Math.abs(box.scrollTop - scrollTopFor(model.offset.peek(), extent())) > 1) {
        model.offset.value = offsetAt(box.scrollTop, extent());
      }
      model.left.value = box.scrollLeft;
    };
    const measured = new ResizeObserver(() => {
      model.view.value = {
        width: Math.max(0, box.clientWidth - NUMBERS_WIDTH),
        height: Math.max(0, box.clientHeight - HEADER_HEIGHT),
      };
      scrolled();
    });
    measured.observe(box);
    box.addEventListener('scroll', scrolled, { passive: true });
    const followed = effect(() => {
      const top = scrollTopFor(model.offset.value, {
        rows: model.size.value.rows,
        view: model.view.value.height,
      });
      if (layer.current) {
        layer.current.style.transform = moved(model, drawnFirst.current);
      }
      if (Math.abs(box.scrollTop - top) > 1) box.scrollTop = top;
    });
    const aside = effect(() => {
      box.style.setProperty('--sheet-left', px(model.left.value));
      if (Math.abs(box.scrollLeft - model.left.value) > 1) box.scrollLeft = model.left.value;
    });
    return () => {
      measured.disconnect();
      box.removeEventListener('scroll', scrolled);
      followed();
      aside();
    };
  }, [model, scroller, layer]);
}

/** Where the layer of rows stands, whose first row is `first`. */
function moved(model: GridModel, first: number): string {
  return `translate(${-model.left.value}px, ${first * ROW_HEIGHT - model.offset.value}px)`;
}

/** Gives the focus to the place that has it in the model, as long as it is within the grid at all. */
function useFocus(scroller: { readonly current: HTMLDivElement | null }, editing: boolean): void {
  const wasEditing = useRef(false);
  // Whether the focus was last seen in the grid: what had it may have been taken out of the document since.
  const inside = useRef(false);
  useEffect(() => {
    const box = scroller.current;
    const came = (): void => {
      inside.current = true;
    };
    const went = ({ relatedTarget }: FocusEvent): void => {
      if (relatedTarget instanceof Node && !box?.contains(relatedTarget)) inside.current = false;
    };
    box?.addEventListener('focusin', came);
    // Before the grid's own listener, after which it is drawn at once.
    box?.addEventListener('pointerdown', came, true);
    box?.addEventListener('focusout', went);
    return () => {
      box?.removeEventListener('focusin', came);
      box?.removeEventListener('pointerdown', came, true);
      box?.removeEventListener('focusout', went);
    };
  }, [scroller]);
  useLayoutEffect(() => {
    const box = scroller.current;
    const back = wasEditing.current && !editing;
    wasEditing.current = editing;
    const active = document.activeElement;
    const isFree = active === null || active === document.body || box?.contains(active);
    if (!box || editing || !isFree || !(back || inside.current)) return;
    const cell = box.querySelector<HTMLElement>('[tabindex="0"]');
    if (cell && cell !== active) cell.focus({ preventScroll: true });
  });
}

function press(event: KeyboardEvent, model: GridModel): void {
  if (model.editing.value) return;
  const page = Math.floor(model.view.value.height / ROW_HEIGHT) - 1;
  const wish = wishOf(event, model.selection.value.focus, model.size.value, page);
  if (!wish) return;
  // What an input method begins to write must reach the cell's field.
  if (event.key !== 'Process') event.preventDefault();
  void model.do(wish);
}

/** @returns whether something was, or will be, copied */
function copy(event: ClipboardEvent, model: GridModel): boolean {
  if (model.editing.value) return false;
  const copied = model.copied();
  if (copied === undefined) return false;
  event.preventDefault();
  if (typeof copied === 'string') event.clipboardData?.setData('text/plain', copied);
  else void copied.then((text) => (text === undefined ? undefined : navigator.clipboard.writeText(text)));
  return true;
}

/** What the mouse does: selects, edits by a double click, and draws the edges of columns. */
function pointing(model: GridModel) {
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

function px(length: number): string {
  return `${length}px`;
}
