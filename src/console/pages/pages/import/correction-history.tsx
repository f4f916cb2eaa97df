import { useState } from 'preact/hooks';
import type { ListAnswer } from '../../api/replies.js';
import { useResource } from '../../api/use-query.js';
import { QueryView } from '../../parts/notices.js';
import { Table, Time } from '../../parts/table.js';
import { t } from '../../words/language.js';
import type { ImportController } from './import-controller.js';
import type { CorrectionEntry } from './import-replies.js';

/** The history of corrections, loaded when it is unfolded. */
export function CorrectionHistory({ controller }: { readonly controller: ImportController }) {
  const [open, setOpen] = useState(false);
  return (
    <details class="card history" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{t('import.history')}</summary>
      {open && <Lines controller={controller} />}
    </details>
  );
}

function Lines({ controller }: { readonly controller: ImportController }) {
  const history = useResource<ListAnswer<CorrectionEntry>>(
    `/imports/${encodeURIComponent(controller.id)}/corrections`,
    { also: controller.history.value },
  );
  const headers = controller.columns.value?.headers ?? [];
  const shown = ({ column }: CorrectionEntry, text: string) => {
    if (column === 0)
      return text && t(text === 'exclude' ? 'import.exclude_row' : 'import.include_row', { count: 1 });
    return text === '' ? <span class="quiet">{t('import.empty_text')}</span> : text;
  };
  const table = (items: readonly CorrectionEntry[]) => (
    <Table
      caption={t('import.history')}
      rows={items}
      keyOf={(it) => it.n}
      columns={[
        { key: 'at', name: t('import.when'), cell: (it) => <Time at={it.at} /> },
        { key: 'who', name: t('import.who'), cell: (it) => it.who },
        {
          key: 'cell',
          name: t('import.cell'),
          heads: true,
          cell: (it) =>
            it.column === 0
              ? t('common.row_n', { row: String(it.row) })
              : `${headers.find(({ column }) => column === it.column)?.letter ?? ''}${it.row}`,
        },
        { key: 'before', name: t('import.before'), cell: (it) => shown(it, it.before) },
        {
          key: 'after',
          name: t('import.after'),
          wide: true,
          cell: (it) => (
            <>
              {it.undone ? <del>{shown(it, it.text)}</del> : shown(it, it.text)}
              {it.undone && <span class="quiet"> {t('import.undone_by', { who: it.undone.by })}</span>}
            </>
          ),
        },
      ]}
    />
  );
  return (
    <QueryView of={history}>
      {({ items }) => (items.length === 0 ? <p class="quiet">{t('import.no_history')}</p> : table(items))}
    </QueryView>
  );
}
