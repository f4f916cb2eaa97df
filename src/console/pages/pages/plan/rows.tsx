import type { PlanRowsAnswer } from '../../api/replies.js';
import { useQuery } from '../../api/use-query.js';
import { Pager } from '../../parts/links.js';
import { EmptyState, QueryView } from '../../parts/notices.js';
import { rowColumn, Table } from '../../parts/table.js';
import { address } from '../../router.js';
import { t } from '../../words/language.js';
import { rowsFrom } from '../run/rows.js';

const PAGE_ROWS = 50;

type PlanRow = PlanRowsAnswer['items'][number];

/** The rows that the plan sends, with the columns of the sheet and the fields that they do not show. */
export function PlanRowTable({ run }: { readonly run: string }) {
  const after = address.value.query.get('after') ?? '';
  const path = `/plans/${encodeURIComponent(run)}/rows`;
  const query = useQuery(JSON.stringify([path, after]), (signal) =>
    rowsFrom<PlanRowsAnswer>(path, { after, limit: PAGE_ROWS }, signal),
  );
  const title = t('plan.rows');
  return (
    <section class="card" aria-labelledby="plan-rows" aria-busy={query.busy}>
      <h2 id="plan-rows">{title}</h2>
      <QueryView of={query}>
        {({ headers, items }) =>
          items.length === 0 ? (
            <EmptyState title={t('common.no_rows')} />
          ) : (
            // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard
            <section class="sheet-rows" aria-label={t('common.rows')} tabIndex={0}>
              <Table
                caption={title}
                rows={items}
                keyOf={(it) => it.row}
                columns={[
                  rowColumn(),
                  ...headers.map((name, at) => ({
                    key: `column ${at}`,
                    name,
                    cell: ({ cells }: PlanRow) => <SheetCell of={cells[at]} />,
                  })),
                  { key: 'fields', name: t('plan.fields'), wide: true, cell: fieldList },
                ]}
              />
            </section>
          )
        }
      </QueryView>
      {query.value && <Pager by="after" next={query.value.next} />}
    </section>
  );
}

/** The text of a cell; of a corrected cell before and after. */
function SheetCell({ of: cell }: { readonly of: PlanRow['cells'][number] | undefined }) {
  if (cell?.before === undefined) return <>{cell?.text}</>;
  return (
    <>
      <del>{cell.before || '–'}</del> → <ins>{cell.text || '–'}</ins>
    </>
  );
}

function fieldList({ fields }: PlanRow) {
  return fields.map(({ name, text }) => (
    <span class="under" key={`${name} ${text}`}>
      {name}: {text}
    </span>
  ));
}
