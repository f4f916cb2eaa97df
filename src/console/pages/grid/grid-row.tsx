import { Component, type ComponentChildren } from 'preact';
import { say } from '../words/language.js';
import { faultsAt, type GridColumn, type GridRow } from './grid-data.js';
import { GRID_WORDS } from './words.js';

interface DrawnRowProps {
  readonly id: string;
  /** Counted from 0. */
  readonly index: number;
  /** None while it is loaded. */
  readonly row: GridRow | undefined;
  readonly columns: readonly GridColumn[];
  readonly firstColumn: number;
  readonly endColumn: number;
  /** Pixels before the first column that is drawn. */
  readonly before: number;
  /** Columns by their place: 0 is that of the row numbers. */
  readonly focused: number | undefined;
  readonly selectedFrom: number;
  readonly selectedTo: number;
  readonly numberSelected: boolean;
  readonly editing: number | undefined;
  readonly editor: ComponentChildren;
  readonly readOnly: boolean;
  /** Drawn outside of the rows in view, so many pixels below the first. */
  readonly apart: number | undefined;
}

/** One row. Drawn again only when what it shows has changed: hundreds of cells stand in the rows of a window. */
export class DrawnRow extends Component<DrawnRowProps> {
  override shouldComponentUpdate(next: DrawnRowProps): boolean {
    // An editor keeps its own state; that it is there at all is told by `editing`.
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
    apart,
    ...rest
  }: DrawnRowProps) {
    const whole = row ? faultsAt(row, undefined) : '';
    const cells = [];
    for (let at = firstColumn; at < endColumn; at += 1) cells.push(this.#cell(at));
    const place = focused === undefined ? undefined : focused - 1;
    if (place !== undefined && place >= 0 && (place < firstColumn || place >= endColumn))
      cells.push(this.#cell(place));
    return (
      <div
        role="row"
        class={apart === undefined ? 'sheet-row' : 'sheet-row sheet-apart'}
        style={apart === undefined ? undefined : { top: `${apart}px` }}
        aria-rowindex={index + 2}
        aria-busy={row === undefined ? 'true' : undefined}
        data-status={row?.status}
      >
        <div
          role="rowheader"
          class="sheet-number"
          aria-colindex={1}
          aria-describedby={whole === '' ? undefined : `${id}-${index}-row`}
          // A fault without a cell of this row, such as one of its order. `aria-invalid` is for cells that are at fault themselves.
          data-told={whole === '' || row?.status !== 'invalid' ? undefined : ''}
          data-selected={rest.numberSelected ? '' : undefined}
          tabIndex={focused === 0 ? 0 : undefined}
          title={whole === '' ? undefined : whole}
        >
          {row?.row ?? '…'}
        </div>
        {cells}
        {whole === '' ? undefined : (
          <span id={`${id}-${index}-row`} hidden>
            {whole}
          </span>
        )}
        {row ? this.#faults(row) : undefined}
      </div>
    );
  }

  /** @param at the column, counted from 0 */
  #cell(at: number) {
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
    const column = columns[at];
    const fault = row && column ? faultsAt(row, column.column) : '';
    const corrected = column !== undefined && row?.corrected.includes(column.column);
    const pending = column !== undefined && row?.pending?.includes(column.column);
    const told = fault !== '' || corrected;
    const edited = editing === at + 1;
    const text = row?.cells[at] ?? '';
    return (
      <div
        key={at}
        role="gridcell"
        class={at < firstColumn || at >= endColumn ? 'sheet-cell sheet-aside' : 'sheet-cell'}
        // Behind a track that stands for the columns which aren't drawn.
        style={at === firstColumn && before > 0 ? { gridColumnStart: '3' } : undefined}
        aria-colindex={at + 2}
        aria-selected={at + 1 >= selectedFrom && at + 1 <= selectedTo ? 'true' : undefined}
        aria-invalid={fault === '' ? undefined : 'true'}
        aria-describedby={told ? `${id}-${index}-${at}` : undefined}
        aria-readonly={readOnly ? 'true' : undefined}
        aria-busy={pending ? 'true' : undefined}
        data-corrected={corrected ? '' : undefined}
        data-editing={edited ? '' : undefined}
        tabIndex={focused === at + 1 && !edited ? 0 : undefined}
        title={fault === '' || edited ? undefined : fault}
      >
        {edited ? editor : text}
      </div>
    );
  }

  /** What is read out of faulty and corrected cells. Stands outside of them, so that a cell's text is the sheet's alone. */
  #faults(row: GridRow) {
    const { id, index, columns } = this.props;
    const columnsTold = new Set([...row.faults.flatMap((it) => it.column ?? []), ...row.corrected]);
    return [...columnsTold].map((number) => {
      const at = columns.findIndex((it) => it.column === number);
      const texts = [faultsAt(row, number), row.corrected.includes(number) ? say(GRID_WORDS.corrected) : ''];
      return (
        <span key={`told-${number}`} id={`${id}-${index}-${at}`} hidden>
          {texts.filter((it) => it !== '').join(' ')}
        </span>
      );
    });
  }
}
