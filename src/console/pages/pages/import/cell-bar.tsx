import { useEffect, useState } from 'preact/hooks';
import type { GridModel } from '../../grid/grid-model.js';
import { faultsAt, type GridRow } from '../../grid/positions.js';
import { Sign } from '../../parts/status.js';
import { t } from '../../words/language.js';
import type { ImportController } from './import-controller.js';

/** The proposal is requested when the selection has not changed for this time. */
const DEBOUNCE_MS = 150;

/** Text and error of the focused cell, above the grid as in Excel. */
export function CellBar({
  model,
  controller,
}: {
  readonly model: GridModel;
  readonly controller: ImportController;
}) {
  model.version.value;
  const { focus } = model.selection.value;
  const row = focus.row > 0 ? model.rows.row(focus.row - 1) : undefined;
  const header = model.columns[focus.column - 1];
  const text = row?.cells[focus.column - 1] ?? '';
  const fault = row ? faultsAt(row, header?.column) : '';
  const near = useNearest(
    controller,
    fault !== '' && model.canEdit ? row?.row : undefined,
    header?.column,
    text,
  );
  const corrected = header !== undefined && row?.corrected.includes(header.column);
  return (
    <div class={fault === '' ? 'cell-bar' : 'cell-bar bad'}>
      <span class="cell-name">{row ? `${header?.letter ?? ''}${row.row}` : (header?.letter ?? '')}</span>
      <span class="cell-text">
        {row && header ? text : header?.text}
        {corrected && <span class="badge corrected">{t('import.was_corrected')}</span>}
      </span>
      {fault !== '' && (
        <span class="cell-error" title={fault}>
          <Sign of="!" />
          {fault}
        </span>
      )}
      {model.canEdit && row && (
        <button
          type="button"
          onClick={() => {
            const text = row.excluded ? 'include' : 'exclude';
            controller.edit(selectedRows(model, row).map((it) => ({ row: it.row, column: 0, text })));
            model.focusOn(focus);
          }}
        >
          {t(row.excluded ? 'import.include_row' : 'import.exclude_row', {
            count: selectedRows(model, row).length,
          })}
        </button>
      )}
      {near !== undefined && row && header && (
        <button
          type="button"
          onClick={() => {
            controller.edit([{ row: row.row, column: header.column, text: near, before: text }]);
            model.focusOn(focus);
          }}
        >
          {t('import.use', { text: near })}
        </button>
      )}
    </div>
  );
}

/** The rows of the selection; only the active row if not all of them are loaded. */
function selectedRows(model: GridModel, active: GridRow): readonly GridRow[] {
  const { top, bottom } = model.range();
  const rows: GridRow[] = [];
  for (let row = top; row <= bottom; row += 1) {
    const loaded = model.rows.row(row - 1);
    if (!loaded) return [active];
    rows.push(loaded);
  }
  return rows;
}

/** The allowed text nearest to that of an invalid cell. */
function useNearest(
  controller: ImportController,
  row: number | undefined,
  column: number | undefined,
  text: string,
): string | undefined {
  const [near, setNear] = useState<{ readonly key: string; readonly text: string }>();
  const key = `${row}:${column}:${text}`;
  useEffect(() => {
    if (row === undefined || column === undefined) return;
    let mounted = true;
    const timer = setTimeout(() => {
      controller.nearest(row, column).then(
        (found) => mounted && found !== undefined && found !== text && setNear({ key, text: found }),
        () => undefined,
      );
    }, DEBOUNCE_MS);
    return () => {
      mounted = false;
      clearTimeout(timer);
    };
  }, [controller, row, column, text, key]);
  return near?.key === key ? near.text : undefined;
}
