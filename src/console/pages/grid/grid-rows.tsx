import { Component, type ComponentChildren } from 'preact';
import { t } from '../words/language.js';
import type { GridModel } from './grid-model.js';
import { type Arrangement, faultsAt, type GridColumn, type GridRow } from './positions.js';

interface DrawnRowProps {
  readonly id: string;
  /** Counted from 0. */
  readonly index: number;
  /** Undefined while it is loading. */
  readonly row: GridRow | undefined;
  readonly columns: readonly GridColumn[];
  readonly firstColumn: number;
  readonly endColumn: number;
  /** Pixels before the first rendered column. */
  readonly before: number;
  /** Position of the focused column; 0 is the row number. */
  readonly focused: number | undefined;
  readonly selectedFrom: number;
  readonly selectedTo: number;
  readonly numberSelected: boolean;
  readonly editing: number | undefined;
  readonly editor: ComponentChildren;
  readonly readOnly: boolean;
  /** Set if the row is rendered outside the view: pixels below the first row. */
  readonly offscreenTop: number | undefined;
}

/** A row. It is rendered only if its props have changed, because the view contains hundreds of cells. */
export class DrawnRow extends Component<DrawnRowProps> {
  override shouldComponentUpdate(next: DrawnRowProps): boolean {
    // The editor has its own state; `editing` says whether there is one.
    const names = Object.keys(next) as (keyof DrawnRowProps)[];
    return names.some((it) => it !== 'editor' && next[it] !== this.props[it]);
  }

  override render({
    id,
    index,
    row,
    firstColumn,
    endColumn,
    columns,
    focused,
    offscreenTop,
    ...rest
  }: DrawnRowProps) {
    const rowErrors = row ? faultsAt(row, undefined) : '';
    const cells = [];
    for (let column = firstColumn; column < endColumn; column += 1) cells.push(this.#cell(column));
    const place = focused === undefined ? undefined : focused - 1;
    if (place !== undefined && place >= 0 && (place < firstColumn || place >= endColumn))
      cells.push(this.#cell(place));
    return (
      <div
        role="row"
        class={offscreenTop === undefined ? 'sheet-row' : 'sheet-row sheet-apart'}
        style={offscreenTop === undefined ? undefined : { top: `${offscreenTop}px` }}
        aria-rowindex={index + 2}
        aria-busy={row === undefined ? 'true' : undefined}
        data-status={row?.status}
      >
        <div
          role="rowheader"
          class="sheet-number"
          aria-colindex={1}
          aria-describedby={rowErrors === '' ? undefined : `${id}-${index}-row`}
          // Marks an error of the whole row, such as its order. `aria-invalid` is only for cells with an error.
          data-invalid={rowErrors === '' || row?.status !== 'invalid' ? undefined : ''}
          data-selected={rest.numberSelected ? '' : undefined}
          tabIndex={focused === 0 ? 0 : undefined}
          title={rowErrors === '' ? undefined : rowErrors}
        >
          {row?.row ?? '…'}
        </div>
        {cells}
        {rowErrors === '' ? undefined : (
          <span id={`${id}-${index}-row`} hidden>
            {rowErrors}
          </span>
        )}
        {row ? this.#faults(row) : undefined}
      </div>
    );
  }

  /** @param position the column, counted from 0 */
  #cell(position: number) {
    const {
      id,
      index,
      row,
      columns,
      firstColumn,
      endColumn,
      before,
      focused,
      selectedFrom,
      selectedTo,
      editing,
      editor,
      readOnly,
    } = this.props;
    const column = columns[position];
    const fault = row && column ? faultsAt(row, column.column) : '';
    const corrected = column !== undefined && row?.corrected.includes(column.column);
    const pending = column !== undefined && row?.pending?.includes(column.column);
    const described = fault !== '' || corrected;
    const edited = editing === position + 1;
    const text = row?.cells[position] ?? '';
    return (
      <div
        key={position}
        role="gridcell"
        class={position < firstColumn || position >= endColumn ? 'sheet-cell sheet-aside' : 'sheet-cell'}
        // Placed after the track that replaces the columns not rendered.
        style={position === firstColumn && before > 0 ? { gridColumnStart: '3' } : undefined}
        aria-colindex={position + 2}
        aria-selected={position + 1 >= selectedFrom && position + 1 <= selectedTo ? 'true' : undefined}
        aria-invalid={fault === '' ? undefined : 'true'}
        aria-describedby={described ? `${id}-${index}-${position}` : undefined}
        aria-readonly={readOnly ? 'true' : undefined}
        aria-busy={pending ? 'true' : undefined}
        data-corrected={corrected ? '' : undefined}
        data-editing={edited ? '' : undefined}
        tabIndex={focused === position + 1 && !edited ? 0 : undefined}
        title={fault === '' || edited ? undefined : fault}
      >
        {edited ? editor : text}
      </div>
    );
  }

  /**
   * Descriptions of invalid and corrected cells for screen readers. They are outside the cells, whose text is that of
   * the sheet.
   */
  #faults(row: GridRow) {
    const { id, index, columns } = this.props;
    const describedColumns = new Set([...row.faults.flatMap((it) => it.column ?? []), ...row.corrected]);
    return [...describedColumns].map((number) => {
      const position = columns.findIndex((it) => it.column === number);
      const texts = [faultsAt(row, number), row.corrected.includes(number) ? t('grid.corrected') : ''];
      return (
        <span key={`error-${number}`} id={`${id}-${index}-${position}`} hidden>
          {texts.filter((it) => it !== '').join(' ')}
        </span>
      );
    });
  }
}

/** The headers of the rendered columns. */
export function HeaderRow({
  model,
  id,
  span,
  arrangement: { sort, filters },
}: {
  readonly model: GridModel;
  readonly id: string;
  readonly span: { readonly first: number; readonly end: number; readonly before: number };
  readonly arrangement: Arrangement;
}) {
  const { focus } = model.selection.value;
  const range = model.range();
  const tab = (column: number): 0 | undefined => (focus.row === 0 && focus.column === column ? 0 : undefined);
  return (
    <div role="row" class="sheet-row" aria-rowindex={1}>
      <div role="columnheader" class="sheet-number" aria-colindex={1} tabIndex={tab(0)}>
        {t('grid.row')}
      </div>
      {model.columns.slice(span.first, span.end).map((column, index) => {
        const place = span.first + index + 1;
        const isSorted = Math.abs(sort) === column.column;
        const filter = filters.get(column.column);
        return (
          <div
            key={column.column}
            role="columnheader"
            class="sheet-column"
            aria-label={column.text || column.letter}
            aria-colindex={place + 1}
            aria-describedby={`${id}-width`}
            aria-sort={isSorted ? (sort < 0 ? 'descending' : 'ascending') : undefined}
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
            <button
              type="button"
              class="sheet-arrange"
              tabIndex={-1}
              aria-haspopup="dialog"
              aria-label={[
                t('grid.arrange', { header: column.text }),
                ...(filter === undefined
                  ? []
                  : [t('grid.filtered_by', { header: column.text, text: filter })]),
              ].join('. ')}
              aria-pressed={isSorted || filter !== undefined}
              onClick={() => model.actions.arrange(column)}
            >
              <span aria-hidden="true">{isSorted ? (sort < 0 ? '↓' : '↑') : '▾'}</span>
            </button>
            <span class="sheet-edge" aria-hidden="true" data-edge={place} />
          </div>
        );
      })}
      <span id={`${id}-width`} hidden>
        {t('grid.width_keys')}
      </span>
    </div>
  );
}
