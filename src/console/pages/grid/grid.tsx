import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { copiedText, pasteText } from './cell-acts.js';
import { CellEditor } from './cell-editor.jsx';
import { columnsToDraw } from './columns.js';
import { canvasHeight, ROW_HEIGHT } from './geometry.js';
import { canvasWidth, type GridModel, NUMBERS_WIDTH } from './grid-model.js';
import { DrawnRow } from './grid-row.jsx';
import { HeaderRow } from './header-row.jsx';
import { HEADER_HEIGHT, useFocus, useScrolling } from './in-view.js';
import { wishOf } from './keys.js';
import { pointing } from './pointing.js';
import { RowKeys } from './row-keys.js';
import './sheet.css';

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
          void pasteText(model, text);
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
