import { signal } from '@preact/signals';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { problemFrom } from '../../api/problem.js';
import { Grid } from '../../grid/grid.js';
import { GridModel } from '../../grid/grid-model.js';
import type { GridColumn } from '../../grid/positions.js';
import { useScrollAnchor } from '../../grid/scroll-anchor.js';
import { announce, Busy, Notice, ProblemNotice } from '../../parts/notices.js';
import { address, go, withQuery } from '../../router.js';
import { t } from '../../words/language.js';
import { CellBar } from './cell-bar.js';
import { ArrangementChip, arrangementOf, ColumnDialog } from './column-dialog.js';
import { ConflictDialog } from './conflict-dialog.js';
import type { ImportController } from './import-controller.js';
import type { ColumnsAnswer, ImportAnswer } from './import-replies.js';
import { ReplaceDialog } from './replace-dialog.js';

/** The spreadsheet in a grid, with its filters, undo and redo. */
export function SheetSection({
  controller,
  info,
  canEdit,
}: {
  readonly controller: ImportController;
  readonly info: ImportAnswer;
  readonly canEdit: boolean;
}) {
  const { query } = address.value;
  const kind = query.get('kind') ?? undefined;
  const invalid = query.get('invalid') === '1' || kind !== undefined;
  const filter = query.get('filter') ?? undefined;
  const sort = query.get('sort') ?? undefined;
  useEffect(
    () => controller.filter({ invalid, kind, filter, sort }),
    [controller, invalid, kind, filter, sort],
  );
  const shownKind = info.faults.find((it) => it.kind === kind);
  const columns = controller.columns.value;
  const [isReplacing, setIsReplacing] = useState(false);
  return (
    <section class="sheet-section" aria-label={t('common.rows')}>
      <div class="sheet-tools">
        <label class="check">
          <input
            type="checkbox"
            checked={invalid}
            onChange={(event) =>
              go(withQuery({ invalid: event.currentTarget.checked ? '1' : undefined, kind: undefined }), {
                replace: true,
              })
            }
          />
          {t('import.only_invalid')}
        </label>
        {kind !== undefined && (
          <span class="chip">
            {shownKind ? t('import.only_kind', { fault: shownKind.text }) : kind}
            <button
              type="button"
              class="plain"
              onClick={() => go(withQuery({ kind: undefined, invalid: undefined }), { replace: true })}
            >
              {t('import.all_rows')}
            </button>
          </span>
        )}
        {columns && <ArrangementChip columns={columns.headers} />}
        <SaveState controller={controller} info={info} />
        {canEdit && (
          <span class="actions">
            <button type="button" disabled={!columns} onClick={() => setIsReplacing(true)}>
              {t('import.find_and_replace')}
            </button>
            <button
              type="button"
              disabled={!info.corrections.canUndo}
              onClick={() => controller.undoOrRedo('undo')}
            >
              <span aria-hidden="true">↶</span> {t('import.undo')}
            </button>
            <button
              type="button"
              disabled={!info.corrections.canRedo}
              onClick={() => controller.undoOrRedo('redo')}
            >
              <span aria-hidden="true">↷</span> {t('import.redo')}
            </button>
          </span>
        )}
      </div>
      <QueueNotices controller={controller} />
      {isReplacing && columns && (
        <ReplaceDialog
          controller={controller}
          columns={columns.headers}
          close={() => setIsReplacing(false)}
        />
      )}
      {controller.conflict.value && <ConflictDialog controller={controller} of={controller.conflict.value} />}
      {columns ? (
        <Sheet
          controller={controller}
          name={info.name}
          columns={columns}
          canEdit={canEdit}
          shown={shownKind?.column}
        />
      ) : (
        <Busy />
      )}
      <p class="hint">{t(canEdit ? 'import.keys' : 'import.read_only')}</p>
    </section>
  );
}

function Sheet({
  controller,
  name,
  columns,
  canEdit,
  shown,
}: {
  readonly controller: ImportController;
  readonly name: string;
  readonly columns: ColumnsAnswer;
  readonly canEdit: boolean;
  /** Column (as in Excel) of the filtered kind of error: the grid moves to its first cell. */
  readonly shown: number | undefined;
}) {
  const rows = controller.rows.value;
  const [arranged, setArranged] = useState<GridColumn>();
  const widths = useMemo(() => signal<readonly number[]>([]), []);
  const model = useMemo(
    () =>
      new GridModel(columns.headers, rows, {
        version: controller.version,
        widths,
        canEdit,
        actions: {
          edit: (cells) => controller.edit(cells),
          arrange: setArranged,
          undo: () => controller.undoOrRedo('undo'),
          redo: () => controller.undoOrRedo('redo'),
          isUndoing: () => controller.queue.waiting.value.some(({ kind }) => kind !== 'corrections'),
          tooMany: (act, max) =>
            announce(t(act === 'edit' ? 'import.too_many_edited' : 'import.too_many_copied', { most: max }), {
              assertive: true,
            }),
        },
      }),
    [controller, rows, columns, canEdit, widths],
  );
  // Renders again when rows were loaded.
  controller.version.value;
  useEffect(() => rows.want(0, 1), [rows]);
  const index = columns.headers.findIndex((it) => it.column === shown);
  const hasRows = rows.total !== undefined && rows.total > 0;
  // Once: a kind that is fixed and comes back must not move the active cell while the user types.
  const moved = useRef<GridModel | undefined>(undefined);
  useEffect(() => {
    if (!hasRows || moved.current === model) return;
    moved.current = model;
    if (index >= 0) model.moveTo({ row: 1, column: index + 1 });
  }, [model, index, hasRows]);
  useEffect(() => {
    controller.activeCell = () => {
      const { row, column } = model.selection.peek().focus;
      const position = model.rows.row(row - 1)?.position;
      const isKnown = row === 0 || position !== undefined;
      return isKnown ? { position, column: columns.headers[column - 1]?.column } : undefined;
    };
  }, [controller, model, columns]);
  const zone = useRef<HTMLDivElement>(null);
  const target = controller.target.value;
  const hasView = model.view.value.height > 0;
  useEffect(() => {
    if (!target || !hasRows || !hasView) return;
    const column = columns.headers.findIndex((it) => it.column === target.column) + 1;
    controller.target.value = undefined;
    const index = target.position === undefined ? -1 : controller.indexOf(target.position);
    // A row that is not listed any more: the first one becomes active.
    const row = target.position !== undefined && index < 0 ? 1 : index + 1;
    if (!target.takesFocus) return model.moveTo({ row, column });
    model.focusOn({ row, column });
    zone.current?.scrollIntoView({ block: 'nearest' });
  }, [controller, target, hasRows, hasView, model, columns]);
  useScrollAnchor(zone, rows, hasRows);
  const failure = rows.failure;
  if (rows.total === undefined) {
    return failure === undefined ? (
      <Busy />
    ) : (
      <ProblemNotice problem={problemFrom(failure)} again={() => rows.refresh()} />
    );
  }
  if (widths.peek().length === 0) model.fit();
  const arrangement = arrangementOf(address.value.query);
  return (
    <>
      {failure !== undefined && <ProblemNotice problem={problemFrom(failure)} again={() => rows.refresh()} />}
      {arranged && <ColumnDialog column={arranged} close={() => setArranged(undefined)} />}
      {rows.total === 0 ? (
        <Notice tone="good">
          <p>{t(arrangement.filters.size > 0 ? 'import.no_matching_rows' : 'import.no_invalid_rows')}</p>
        </Notice>
      ) : (
        <div class="sheet-zone" ref={zone}>
          <CellBar model={model} controller={controller} />
          <Grid
            model={model}
            label={t('import.grid', { name })}
            nearest={controller.nearest}
            arrangement={arrangement}
          />
        </div>
      )}
    </>
  );
}

/** Whether all corrections are confirmed. */
function SaveState({
  controller,
  info,
}: {
  readonly controller: ImportController;
  readonly info: ImportAnswer;
}) {
  const { cells } = info.corrections;
  const shown = shownRows(controller);
  const saving = controller.queue.waiting.value.length > 0 && !controller.queue.offline.value;
  return (
    <span class="saved quiet">
      {saving && <span>{t('import.saving')}</span>}
      {!saving && cells > 0 && <span>{t('import.corrected_cells', { count: cells })}</span>}
      <span>{t('import.rows_shown', { count: shown })}</span>
    </span>
  );
}

function shownRows(controller: ImportController): number {
  return controller.version.value >= 0 ? (controller.rows.value.total ?? 0) : 0;
}

function QueueNotices({ controller }: { readonly controller: ImportController }) {
  const count = controller.queue.waiting.value.length;
  const refusal = controller.refusal.value;
  return (
    <>
      {controller.queue.offline.value && count > 0 && (
        <div class="notice doubt" role="alert">
          <p>{t('import.queued_corrections', { count })}</p>
        </div>
      )}
      {refusal && (
        <ProblemNotice problem={{ ...refusal, title: t('import.refused') }}>
          <p class="quiet">{t('import.refused')}</p>
        </ProblemNotice>
      )}
    </>
  );
}
