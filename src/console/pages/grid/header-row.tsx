import { say } from '../words/language.js';
import type { GridModel } from './grid-model.js';
import { GRID_WORDS } from './words.js';

/** The headers of the columns that are drawn. */
export function HeaderRow({
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
