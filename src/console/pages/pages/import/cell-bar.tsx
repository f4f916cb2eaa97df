import { useEffect, useState } from 'preact/hooks';
import { faultsAt } from '../../grid/grid-data.js';
import type { GridModel } from '../../grid/grid-model.js';
import { IMPORT } from '../../words/import.js';
import { say } from '../../words/language.js';
import type { ImportDesk } from './import-desk.js';

/** Asked for only when the selection rests. */
const REST_MS = 150;

/** What the cell with the focus holds, as Excel shows it above its grid, and what is wrong with it. */
export function CellBar({ model, desk }: { readonly model: GridModel; readonly desk: ImportDesk }) {
  model.version.value;
  const { focus } = model.selection.value;
  const row = focus.row > 0 ? model.rows.row(focus.row - 1) : undefined;
  const header = model.columns[focus.column - 1];
  const text = row?.cells[focus.column - 1] ?? '';
  const fault = row ? faultsAt(row, header?.column) : '';
  const near = useNearest(desk, fault !== '' && model.canEdit ? row?.row : undefined, header?.column, text);
  const corrected = header !== undefined && row?.corrected.includes(header.column);
  return (
    <div class={fault === '' ? 'cell-bar' : 'cell-bar bad'}>
      <span class="cell-name">{row ? `${header?.letter ?? ''}${row.row}` : (header?.letter ?? '')}</span>
      <span class="cell-text">
        {row && header ? text : header?.text}
        {corrected && <span class="badge corrected">{say(IMPORT.was_corrected)}</span>}
      </span>
      {fault !== '' && (
        <span class="cell-fault" title={fault}>
          <span class="sign" aria-hidden="true">
            !
          </span>
          {fault}
        </span>
      )}
      {near !== undefined && row && header && (
        <button
          type="button"
          onClick={() => desk.edit([{ row: row.row, column: header.column, text: near }])}
        >
          {say(IMPORT.use, { text: near })}
        </button>
      )}
    </div>
  );
}

/** The right text nearest to that of a faulty cell. */
function useNearest(
  desk: ImportDesk,
  row: number | undefined,
  column: number | undefined,
  text: string,
): string | undefined {
  const [near, setNear] = useState<{ readonly of: string; readonly text: string }>();
  const of = `${row}:${column}:${text}`;
  useEffect(() => {
    if (row === undefined || column === undefined) return;
    let there = true;
    const timer = setTimeout(() => {
      desk.nearest(row, column).then(
        (found) => there && found !== undefined && found !== text && setNear({ of, text: found }),
        () => undefined,
      );
    }, REST_MS);
    return () => {
      there = false;
      clearTimeout(timer);
    };
  }, [desk, row, column, text, of]);
  return near?.of === of ? near.text : undefined;
}
