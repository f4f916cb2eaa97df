import type { z } from 'zod';
import type { cameSchema, rehearsedRowsSchema } from '../../../routes/schemas.js';
import { ask } from '../../api/client.js';
import { useAsked } from '../../api/use-asked.js';
import { Choice } from '../../parts/field.js';
import { Asked, EmptyState } from '../../parts/notices.js';
import { Pager } from '../../parts/pager.js';
import { messageColumn, rowColumn, saidOf } from '../../parts/row-columns.js';
import { countsInOrder, type RowCounts, StatusBadge, statusWord } from '../../parts/status.js';
import { Table } from '../../parts/table.js';
import { address, go, withQuery } from '../../router.js';
import { COMMON } from '../../words/common.js';
import { say } from '../../words/language.js';
import { REHEARSAL } from '../../words/rehearsal.js';

/** What would come of a row, or came of it. */
export type RowCameAnswer = z.infer<typeof cameSchema>;

type RowsAnswer = z.infer<typeof rehearsedRowsSchema>;

const ON_PAGE = 25;

/** What would come of each row, a page at a time; the filter stands in the address. */
export function RehearsedRows({ path, counts }: { readonly path: string; readonly counts: RowCounts }) {
  const { query } = address.value;
  const [status, after] = [query.get('status') ?? '', query.get('after') ?? ''];
  const rows = `${path}/rows`;
  const wanted = { status, after, limit: ON_PAGE };
  const found = useAsked(JSON.stringify([rows, wanted]), async (signal) => {
    let page = await ask<RowsAnswer>(rows, { query: wanted, signal });
    while (page.items.length === 0 && page.next !== undefined)
      page = await ask<RowsAnswer>(rows, { query: { ...wanted, after: page.next }, signal });
    return page;
  });
  return (
    <section class="card rows" aria-labelledby="rows" aria-busy={found.busy}>
      <h2 id="rows">{say(REHEARSAL.rows)}</h2>
      <search class="filters" aria-label={say(COMMON.filter)}>
        <Choice
          label={say(REHEARSAL.status)}
          value={status}
          change={(it) => go(withQuery({ status: it, after: undefined }), { replace: true })}
          options={[
            { value: '', name: say(COMMON.all) },
            ...countsInOrder(counts).map(([value]) => ({ value, name: statusWord(value) })),
          ]}
        />
      </search>
      <Asked of={found}>
        {({ items, next }) => (
          <>
            {items.length === 0 ? (
              <EmptyState title={say(REHEARSAL.no_rows)} />
            ) : (
              <Table
                caption={say(REHEARSAL.rows)}
                rows={items}
                keyOf={(it) => it.row}
                columns={[
                  rowColumn(),
                  {
                    key: 'status',
                    name: say(REHEARSAL.status),
                    cell: (it) => <StatusBadge status={it.status} />,
                  },
                  messageColumn(saidOf),
                ]}
              />
            )}
            <Pager by="after" next={next} />
          </>
        )}
      </Asked>
    </section>
  );
}
