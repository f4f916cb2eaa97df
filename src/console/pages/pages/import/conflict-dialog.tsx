import { Dialog } from '../../parts/dialog.js';
import { Table, Time } from '../../parts/table.js';
import { t } from '../../words/language.js';
import type { CorrectionConflict, ImportController } from './import-controller.js';

/** Maximum number of listed cells. */
const MAX_SHOWN = 200;

/** Shows cells that other users have changed since the user saw them, before they are replaced. */
export function ConflictDialog({
  controller,
  of,
}: {
  readonly controller: ImportController;
  readonly of: CorrectionConflict;
}) {
  const { typed, now } = of;
  const headers = controller.columns.value?.headers ?? [];
  const shown = (text: string) => (text === '' ? <span class="quiet">{t('import.empty_text')}</span> : text);
  const keep = (): void => controller.resolveConflict(of, false);
  return (
    <Dialog title={t('import.changed_meanwhile')} close={keep} wide>
      {typed.length > now.length && (
        <p>{t('import.others_corrected', { count: typed.length - now.length })}</p>
      )}
      <Table
        caption={t('import.changed_meanwhile')}
        rows={now.slice(0, MAX_SHOWN)}
        keyOf={(it) => `${it.row} ${it.column}`}
        columns={[
          {
            key: 'cell',
            name: t('import.cell'),
            heads: true,
            cell: (it) => `${headers.find(({ column }) => column === it.column)?.letter ?? ''}${it.row}`,
          },
          { key: 'now', name: t('import.now'), cell: (it) => shown(it.text) },
          {
            key: 'who',
            name: t('import.who'),
            cell: (it) => (
              <>
                {it.who} <Time at={it.at} />
              </>
            ),
          },
          {
            key: 'yours',
            name: t('import.yours'),
            cell: (it) =>
              shown(typed.find(({ row, column }) => row === it.row && column === it.column)?.text ?? ''),
          },
        ]}
      />
      {now.length > MAX_SHOWN && <p>{t('import.more', { count: now.length - MAX_SHOWN })}</p>}
      <div class="actions end">
        <button type="button" onClick={keep}>
          {t('import.keep_theirs')}
        </button>
        <button type="button" onClick={() => controller.resolveConflict(of, true)}>
          {t('import.replace_theirs')}
        </button>
      </div>
    </Dialog>
  );
}
