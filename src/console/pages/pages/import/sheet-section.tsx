import { signal } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { problemFrom } from '../../api/problem.js';
import { Grid } from '../../grid/grid.js';
import { GridModel } from '../../grid/grid-model.js';
import { useHands } from '../../grid/in-hands.js';
import { announce } from '../../parts/live.js';
import { Busy, Notice, ProblemNotice } from '../../parts/notices.js';
import { address, go, withQuery } from '../../router.js';
import { IMPORT } from '../../words/import.js';
import { number, say } from '../../words/language.js';
import { CellBar } from './cell-bar.js';
import type { ColumnsAnswer, ImportAnswer } from './import-data.js';
import type { ImportDesk } from './import-desk.js';

/** The spreadsheet in a grid, with what filters it and what takes corrections back. */
export function SheetSection({
  desk,
  info,
  canEdit,
}: {
  readonly desk: ImportDesk;
  readonly info: ImportAnswer;
  readonly canEdit: boolean;
}) {
  const { query } = address.value;
  const kind = query.get('kind') ?? undefined;
  const faulty = query.get('faulty') === '1' || kind !== undefined;
  useEffect(() => desk.filter({ faulty, kind }), [desk, faulty, kind]);
  const named = info.faults.find((it) => it.kind === kind);
  const columns = desk.columns.value;
  return (
    <section class="sheet-section" aria-label={say(IMPORT.rows)}>
      <div class="sheet-tools">
        <label class="check">
          <input
            type="checkbox"
            checked={faulty}
            onChange={(event) =>
              go(withQuery({ faulty: event.currentTarget.checked ? '1' : undefined, kind: undefined }), {
                replace: true,
              })
            }
          />
          {say(IMPORT.only_faulty)}
        </label>
        {kind !== undefined && (
          <span class="chip">
            {named ? say(IMPORT.only_kind, { fault: named.text }) : kind}
            <button
              type="button"
              class="plain"
              onClick={() => go(withQuery({ kind: undefined, faulty: undefined }), { replace: true })}
            >
              {say(IMPORT.all_rows)}
            </button>
          </span>
        )}
        <Saved desk={desk} info={info} />
        {canEdit && (
          <span class="acts">
            <button type="button" disabled={!info.corrections.canUndo} onClick={() => desk.again('undo')}>
              <span aria-hidden="true">↶</span> {say(IMPORT.undo)}
            </button>
            <button type="button" disabled={!info.corrections.canRedo} onClick={() => desk.again('redo')}>
              <span aria-hidden="true">↷</span> {say(IMPORT.redo)}
            </button>
          </span>
        )}
      </div>
      <Waiting desk={desk} />
      {columns ? (
        <Sheet desk={desk} name={info.name} columns={columns} canEdit={canEdit} shown={named?.column} />
      ) : (
        <Busy />
      )}
      <p class="hint">{say(canEdit ? IMPORT.keys : IMPORT.read_only)}</p>
    </section>
  );
}

function Sheet({
  desk,
  name,
  columns,
  canEdit,
  shown,
}: {
  readonly desk: ImportDesk;
  readonly name: string;
  readonly columns: ColumnsAnswer;
  readonly canEdit: boolean;
  /** Excel's column of the kind of fault that is shown: its first cell is gone to. */
  readonly shown: number | undefined;
}) {
  const rows = desk.rows.value;
  const widths = useMemo(() => signal<readonly number[]>([]), []);
  const model = useMemo(
    () =>
      new GridModel(columns.headers, rows, {
        version: desk.version,
        widths,
        canEdit,
        acts: {
          edit: (cells) => desk.edit(cells),
          undo: () => desk.again('undo'),
          redo: () => desk.again('redo'),
          tooMany: (act, most) =>
            announce(say(act === 'edit' ? IMPORT.too_many_edited : IMPORT.too_many_copied, { most }), {
              loud: true,
            }),
        },
      }),
    [desk, rows, columns, canEdit, widths],
  );
  // Drawn again when rows have come.
  desk.version.value;
  useEffect(() => rows.want(0, 1), [rows]);
  const index = columns.headers.findIndex((it) => it.column === shown);
  const isThere = rows.total !== undefined && rows.total > 0;
  useEffect(() => {
    if (index >= 0 && isThere) model.moveTo({ row: 1, column: index + 1 });
  }, [model, index, isThere]);
  const zone = useRef<HTMLDivElement>(null);
  useHands(zone, rows, isThere);
  const failure = rows.failure;
  if (rows.total === undefined) {
    return failure === undefined ? (
      <Busy />
    ) : (
      <ProblemNotice problem={problemFrom(failure)} again={() => rows.refresh()} />
    );
  }
  if (widths.peek().length === 0) model.fit();
  return (
    <>
      {failure !== undefined && <ProblemNotice problem={problemFrom(failure)} again={() => rows.refresh()} />}
      {rows.total === 0 ? (
        <Notice tone="good">
          <p>{say(IMPORT.none_faulty)}</p>
        </Notice>
      ) : (
        <div class="sheet-zone" ref={zone}>
          <CellBar model={model} desk={desk} />
          <Grid model={model} label={say(IMPORT.grid, { name })} nearest={desk.nearest} />
        </div>
      )}
    </>
  );
}

/** Whether what was typed has arrived. */
function Saved({ desk, info }: { readonly desk: ImportDesk; readonly info: ImportAnswer }) {
  const { cells } = info.corrections;
  const shown = shownRows(desk);
  const saving = desk.queue.waiting.value.length > 0 && !desk.queue.offline.value;
  return (
    <span class="saved quiet">
      {saving && <span>{say(IMPORT.saving)}</span>}
      {!saving && cells > 0 && (
        <span>
          {cells === 1 ? say(IMPORT.corrected_cell) : say(IMPORT.corrected_cells, { count: cells })}
        </span>
      )}
      <span>{shown === 1 ? say(IMPORT.row_shown) : say(IMPORT.rows_shown, { count: number(shown) })}</span>
    </span>
  );
}

function shownRows(desk: ImportDesk): number {
  return desk.version.value >= 0 ? (desk.rows.value.total ?? 0) : 0;
}

function Waiting({ desk }: { readonly desk: ImportDesk }) {
  const count = desk.queue.waiting.value.length;
  const refusal = desk.refusal.value;
  return (
    <>
      {desk.queue.offline.value && count > 0 && (
        <div class="notice doubt" role="alert">
          <p>{count === 1 ? say(IMPORT.waits_one) : say(IMPORT.waits, { count })}</p>
        </div>
      )}
      {refusal && (
        <ProblemNotice problem={{ ...refusal, title: say(IMPORT.refused) }}>
          <p class="quiet">{say(IMPORT.refused)}</p>
        </ProblemNotice>
      )}
    </>
  );
}
