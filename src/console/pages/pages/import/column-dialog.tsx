import { useState } from 'preact/hooks';
import type { Arrangement, GridColumn } from '../../grid/positions.js';
import { ConfirmDialog } from '../../parts/dialog.js';
import { address, go, withQuery } from '../../router.js';
import { t } from '../../words/language.js';

/** Order and column filters of the grid, as in the page's address. */
export function arrangementOf(query: URLSearchParams): Arrangement {
  const filters = new Map<number, string>();
  try {
    const texts = JSON.parse(query.get('filter') ?? '{}') as Record<string, string>;
    for (const [column, text] of Object.entries(texts)) filters.set(Number(column), text);
  } catch {
    // An address that a user changed: the console rejects it with a message.
  }
  const sort = Number(query.get('sort') ?? 0);
  return { sort: Number.isInteger(sort) ? sort : 0, filters };
}

/** Sorts and filters the grid by a column. */
export function ColumnDialog({
  column: { column, text: header },
  close,
}: {
  readonly column: GridColumn;
  readonly close: () => void;
}) {
  const { sort, filters } = arrangementOf(address.value.query);
  const [order, setOrder] = useState(Math.abs(sort) === column ? sort : 0);
  const [contained, setContained] = useState(filters.get(column) ?? '');
  const run = (): void => {
    filters.delete(column);
    if (contained !== '') filters.set(column, contained);
    const kept = Math.abs(sort) === column ? 0 : sort;
    close();
    go(
      withQuery({
        sort: String(order || kept || ''),
        filter: filters.size === 0 ? undefined : JSON.stringify(Object.fromEntries(filters)),
      }),
      { replace: true },
    );
  };
  return (
    <ConfirmDialog
      title={t('grid.arrange', { header })}
      confirmLabel={t('grid.apply')}
      action={{ busy: false, run }}
      close={close}
    >
      <label class="field">
        <span>{t('grid.order')}</span>
        <select value={order} onChange={(event) => setOrder(Number(event.currentTarget.value))}>
          <option value={0}>{t('grid.sheet_order')}</option>
          <option value={column}>{t('grid.ascending')}</option>
          <option value={-column}>{t('grid.descending')}</option>
        </select>
      </label>
      <label class="field">
        <span>{t('grid.contains')}</span>
        <input
          type="text"
          maxLength={400}
          value={contained}
          onInput={(event) => setContained(event.currentTarget.value)}
        />
      </label>
    </ConfirmDialog>
  );
}

/** The current order and filters by column, with a button that removes them. */
export function ArrangementChip({ columns }: { readonly columns: readonly GridColumn[] }) {
  const { sort, filters } = arrangementOf(address.value.query);
  if (sort === 0 && filters.size === 0) return undefined;
  const headerOf = (number: number): string => columns.find((it) => it.column === number)?.text ?? '';
  const order = t(sort < 0 ? 'grid.descending' : 'grid.ascending');
  const parts = [...filters].map(([column, text]) =>
    t('grid.filtered_by', { header: headerOf(column), text }),
  );
  if (sort !== 0) parts.push(t('grid.sorted_by', { header: headerOf(Math.abs(sort)), order }));
  return (
    <span class="chip">
      {parts.join(' · ')}
      <button
        type="button"
        class="plain"
        onClick={() => go(withQuery({ sort: undefined, filter: undefined }), { replace: true })}
      >
        {t('grid.clear_arrangement')}
      </button>
    </span>
  );
}
