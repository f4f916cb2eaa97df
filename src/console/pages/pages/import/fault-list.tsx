import { useState } from 'preact/hooks';
import { act } from '../../api/client.js';
import { useAsked } from '../../api/use-asked.js';
import { ActDialog, Dialog } from '../../parts/dialog.js';
import { Busy, ProblemNotice } from '../../parts/notices.js';
import { Table } from '../../parts/table.js';
import { address, go, withQuery } from '../../router.js';
import { COMMON } from '../../words/common.js';
import { IMPORT } from '../../words/import.js';
import { number, say } from '../../words/language.js';
import type { FaultGroup, ProposalsAnswer } from './import-data.js';
import type { ImportDesk } from './import-desk.js';

/** Cells of a proposal that are looked at; the others are counted. */
const MOST_SHOWN = 200;

/** Kinds of faults that are listed before the others are unfolded. */
const FIRST_KINDS = 6;

/** Faults by their kind, each with what filters the grid by it and what mends it as a whole. */
export function FaultList({
  desk,
  faults,
  canEdit,
}: {
  readonly desk: ImportDesk;
  readonly faults: readonly FaultGroup[];
  readonly canEdit: boolean;
}) {
  const [mended, setMended] = useState<FaultGroup>();
  const shown = address.value.query.get('kind');
  const [all, setAll] = useState(false);
  const listed = all ? faults : faults.slice(0, FIRST_KINDS);
  return (
    <section class="card" aria-label={say(IMPORT.faults)}>
      <h2>{say(IMPORT.faults)}</h2>
      <ul class="fault-kinds">
        {listed.map((it) => (
          <li key={it.kind}>
            <span class="n">{number(it.count)}</span>
            <span class="fault-text">{it.text}</span>
            <span class="acts">
              <button
                type="button"
                aria-pressed={shown === it.kind}
                aria-label={say(IMPORT.show_kind_named, { fault: it.text })}
                onClick={() =>
                  go(withQuery({ kind: shown === it.kind ? undefined : it.kind, faulty: undefined }), {
                    replace: true,
                  })
                }
              >
                {say(IMPORT.show_kind)}
              </button>
              {canEdit && (it.outside || it.unmendable) && (
                <span class="quiet">{say(it.outside ? IMPORT.mend_in_file : IMPORT.mend_by_hand)}</span>
              )}
              {canEdit && !it.outside && !it.unmendable && (
                <button
                  type="button"
                  aria-label={say(IMPORT.mend_kind_named, { fault: it.text })}
                  onClick={() => setMended(it)}
                >
                  {say(IMPORT.mend_kind)}
                </button>
              )}
            </span>
          </li>
        ))}
      </ul>
      {faults.length > listed.length && (
        <button type="button" class="plain" onClick={() => setAll(true)}>
          {say(IMPORT.mend_more, { count: faults.length - listed.length })}
        </button>
      )}
      {mended && <MendDialog desk={desk} kind={mended} close={() => setMended(undefined)} />}
    </section>
  );
}

function mendText(count: number): string {
  if (count === 0) return say(IMPORT.mend);
  return count === 1 ? say(IMPORT.mend_yes_one) : say(IMPORT.mend_yes, { count });
}

/** Shows what would change before all cells of a kind are mended in one act. */
function MendDialog({
  desk,
  kind,
  close,
}: {
  readonly desk: ImportDesk;
  readonly kind: FaultGroup;
  readonly close: () => void;
}) {
  const proposed = useAsked(`${desk.id} ${kind.kind}`, (signal) =>
    act<ProposalsAnswer>(
      'POST',
      `/imports/${encodeURIComponent(desk.id)}/proposals`,
      { kind: kind.kind },
      { signal },
    ),
  );
  const { cells = [], faulty = 0, left = 0 } = proposed.value ?? {};
  const unseen = left > 0 && <p>{say(IMPORT.mend_unseen, { count: left })}</p>;
  const headers = desk.columns.value?.headers ?? [];
  const letter = (column: number): string => headers.find((it) => it.column === column)?.letter ?? '';
  if (proposed.value && cells.length === 0) {
    return (
      <Dialog title={say(IMPORT.mend_title)} close={close}>
        <p>{kind.text}</p>
        <p>{say(IMPORT.mend_none)}</p>
        {unseen}
        <div class="acts end">
          <button type="button" class="primary" onClick={close}>
            {say(COMMON.close)}
          </button>
        </div>
      </Dialog>
    );
  }
  return (
    <ActDialog
      title={say(IMPORT.mend_title)}
      yes={mendText(cells.length)}
      close={close}
      busy={proposed.busy}
      ready={cells.length > 0}
      wide
      carry={() => {
        desk.edit(cells.map(({ row, column, text }) => ({ row, column, text })));
        close();
      }}
    >
      <p>{kind.text}</p>
      {proposed.problem && <ProblemNotice problem={proposed.problem} again={proposed.again} />}
      {proposed.busy && <Busy />}
      {faulty > cells.length && <p>{say(IMPORT.mend_some, { count: cells.length, of: faulty })}</p>}
      {unseen}
      {cells.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what is scrolled must be reached by the keyboard
        <section class="mend-table" aria-label={say(IMPORT.mend_caption)} tabIndex={0}>
          <Table
            caption={say(IMPORT.mend_caption)}
            rows={cells.slice(0, MOST_SHOWN)}
            keyOf={(it) => `${it.row}:${it.column}`}
            columns={[
              {
                key: 'cell',
                name: say(IMPORT.cell),
                heads: true,
                cell: (it) => `${letter(it.column)}${it.row}`,
              },
              {
                key: 'before',
                name: say(IMPORT.now),
                cell: (it) => <del>{it.before === '' ? say(IMPORT.emptied) : it.before}</del>,
              },
              {
                key: 'after',
                name: say(IMPORT.becomes),
                wide: true,
                cell: (it) => <ins>{it.text === '' ? say(IMPORT.emptied) : it.text}</ins>,
              },
            ]}
          />
          {cells.length > MOST_SHOWN && <p>{say(IMPORT.mend_more, { count: cells.length - MOST_SHOWN })}</p>}
        </section>
      )}
    </ActDialog>
  );
}
