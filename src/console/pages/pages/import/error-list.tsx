import { useState } from 'preact/hooks';
import { sendJson } from '../../api/client.js';
import { useQuery } from '../../api/use-query.js';
import { ConfirmDialog, Dialog } from '../../parts/dialog.js';
import { Busy, ProblemNotice } from '../../parts/notices.js';
import { Table } from '../../parts/table.js';
import { address, go, withQuery } from '../../router.js';
import { number, t } from '../../words/language.js';
import type { ImportController } from './import-controller.js';
import type { FaultGroup, ProposalsAnswer } from './import-replies.js';

/** Maximum number of listed proposals. */
const MAX_SHOWN = 200;

/** Number of kinds listed unfolded. */
const FIRST_KINDS = 6;

/** Errors by kind, each with a filter for the grid and a fix for all its cells. */
export function FaultList({
  controller,
  faults,
  canEdit,
}: {
  readonly controller: ImportController;
  readonly faults: readonly FaultGroup[];
  readonly canEdit: boolean;
}) {
  const [fixing, setFixing] = useState<FaultGroup>();
  const shownKind = address.value.query.get('kind');
  const [showAll, setShowAll] = useState(false);
  const listed = showAll ? faults : faults.slice(0, FIRST_KINDS);
  return (
    <section class="card" aria-label={t('import.errors')}>
      <h2>{t('import.errors')}</h2>
      <ul class="fault-kinds">
        {listed.map((it) => (
          <li key={it.kind}>
            <span class="n">{number(it.count)}</span>
            <span class="fault-text">{it.text}</span>
            <span class="acts">
              <button
                type="button"
                aria-pressed={shownKind === it.kind}
                aria-label={t('import.show_kind_named', { fault: it.text })}
                onClick={() =>
                  go(withQuery({ kind: shownKind === it.kind ? undefined : it.kind, faulty: undefined }), {
                    replace: true,
                  })
                }
              >
                {t('import.show_kind')}
              </button>
              {canEdit && (it.outside || it.unmendable) && (
                <span class="quiet">{t(it.outside ? 'import.fix_in_file' : 'import.fix_in_grid')}</span>
              )}
              {canEdit && !it.outside && !it.unmendable && (
                <button
                  type="button"
                  aria-label={t('import.fix_kind_named', { fault: it.text })}
                  onClick={() => setFixing(it)}
                >
                  {t('import.fix_kind')}
                </button>
              )}
            </span>
          </li>
        ))}
      </ul>
      {faults.length > listed.length && (
        <button type="button" class="plain" onClick={() => setShowAll(true)}>
          {t('import.more', { count: faults.length - listed.length })}
        </button>
      )}
      {fixing && <FixDialog controller={controller} kind={fixing} close={() => setFixing(undefined)} />}
    </section>
  );
}

function fixText(count: number): string {
  if (count === 0) return t('import.fix');
  return t('import.fix_cells', { count });
}

/** Shows the proposed values before all cells of a kind are corrected in one action. */
function FixDialog({
  controller,
  kind,
  close,
}: {
  readonly controller: ImportController;
  readonly kind: FaultGroup;
  readonly close: () => void;
}) {
  const proposals = useQuery(`${controller.id} ${kind.kind}`, (signal) =>
    sendJson<ProposalsAnswer>(
      'POST',
      `/imports/${encodeURIComponent(controller.id)}/proposals`,
      { kind: kind.kind },
      { signal },
    ),
  );
  const { cells = [], faulty = 0, left = 0 } = proposals.value ?? {};
  const notExamined = left > 0 && <p>{t('import.not_examined', { count: left })}</p>;
  const headers = controller.columns.value?.headers ?? [];
  const letter = (column: number): string => headers.find((it) => it.column === column)?.letter ?? '';
  if (proposals.value && cells.length === 0) {
    return (
      <Dialog title={t('import.fix_title')} close={close}>
        <p>{kind.text}</p>
        <p>{t('import.no_proposals')}</p>
        {notExamined}
        <div class="acts end">
          <button type="button" class="primary" onClick={close}>
            {t('common.close')}
          </button>
        </div>
      </Dialog>
    );
  }
  return (
    <ConfirmDialog
      title={t('import.fix_title')}
      confirmLabel={fixText(cells.length)}
      close={close}
      action={{
        busy: proposals.busy,
        run: () => {
          controller.edit(cells.map(({ row, column, text }) => ({ row, column, text })));
          close();
        },
      }}
      ready={cells.length > 0}
      wide
    >
      <p>{kind.text}</p>
      {proposals.problem && <ProblemNotice problem={proposals.problem} again={proposals.again} />}
      {proposals.busy && <Busy />}
      {faulty > cells.length && <p>{t('import.some_proposals', { count: cells.length, of: faulty })}</p>}
      {notExamined}
      {cells.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what is scrolled must be reached by the keyboard
        <section class="proposal-table" aria-label={t('import.proposals')} tabIndex={0}>
          <Table
            caption={t('import.proposals')}
            rows={cells.slice(0, MAX_SHOWN)}
            keyOf={(it) => `${it.row}:${it.column}`}
            columns={[
              {
                key: 'cell',
                name: t('import.cell'),
                heads: true,
                cell: (it) => `${letter(it.column)}${it.row}`,
              },
              {
                key: 'before',
                name: t('import.now'),
                cell: (it) => <del>{it.before === '' ? t('import.empty_text') : it.before}</del>,
              },
              {
                key: 'after',
                name: t('import.becomes'),
                wide: true,
                cell: (it) => <ins>{it.text === '' ? t('import.empty_text') : it.text}</ins>,
              },
            ]}
          />
          {cells.length > MAX_SHOWN && <p>{t('import.more', { count: cells.length - MAX_SHOWN })}</p>}
        </section>
      )}
    </ConfirmDialog>
  );
}
