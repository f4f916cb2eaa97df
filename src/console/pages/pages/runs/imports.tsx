import type { ListAnswer, ListedImport } from '../../api/replies.js';
import { useResource } from '../../api/use-query.js';
import { fileName, ImportOf, Pager } from '../../parts/links.js';
import { QueryView } from '../../parts/notices.js';
import { Table, Time } from '../../parts/table.js';
import { t } from '../../words/language.js';

const PAGE_ROWS = 30;

/** The newest imports, which are continued at their grid. Nothing if there are none. */
export function LatestImports() {
  const { value } = useResource<ListAnswer<ListedImport>>('/imports', { query: { limit: 3 } });
  if (!value || value.items.length === 0) return undefined;
  return (
    <section class="card" aria-labelledby="imports">
      <h2 id="imports">{t('runs.imports')}</h2>
      <ImportTable imports={value.items} />
      {value.next !== undefined && (
        <p>
          <a href="/runs?kind=import">{t('runs.all_imports')}</a>
        </p>
      )}
    </section>
  );
}

/** All imports, page by page. */
export function ImportList({ before }: { readonly before: string }) {
  const imports = useResource<ListAnswer<ListedImport>>('/imports', { query: { before, limit: PAGE_ROWS } });
  return (
    <>
      <section class="card" aria-busy={imports.busy}>
        <QueryView of={imports}>{({ items }) => <ImportTable imports={items} />}</QueryView>
      </section>
      {imports.value && <Pager by="before" next={imports.value.next} />}
    </>
  );
}

function ImportTable({ imports }: { readonly imports: readonly ListedImport[] }) {
  return (
    <Table
      caption={t('runs.imports')}
      rows={imports}
      keyOf={(it) => it.id}
      columns={[
        {
          key: 'name',
          name: t('common.spreadsheet'),
          heads: true,
          wide: true,
          cell: (it) => <ImportOf of={it} />,
        },
        { key: 'job', name: t('common.job'), cell: (it) => fileName(it.job.file) },
        {
          key: 'status',
          name: t('common.status'),
          cell: ({ state, plan }) =>
            plan === undefined ? (
              t(`runs.import_${state}`)
            ) : (
              <a href={`/plans/${encodeURIComponent(plan)}`}>{t('state.planned')}</a>
            ),
        },
        { key: 'by', name: t('common.by'), cell: (it) => it.by },
        { key: 'at', name: t('common.started'), cell: (it) => <Time at={it.at} /> },
      ]}
    />
  );
}
