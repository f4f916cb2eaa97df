import { useEffect, useState } from 'preact/hooks';
import { isUnderWay } from '../../../../model/run-outcome.js';
import { getJson } from '../../api/client.js';
import type { ListAnswer, RowsAnswer, RunDetailAnswer } from '../../api/replies.js';
import { useQuery } from '../../api/use-query.js';
import { Choice, Field } from '../../parts/field.js';
import { Pager } from '../../parts/links.js';
import { EmptyState, QueryView } from '../../parts/notices.js';
import { countsInOrder, type RowCounts, StatusBadge, statusNow, statusWord } from '../../parts/status.js';
import { messageColumn, rowMessage, Table } from '../../parts/table.js';
import { address, go, withQuery } from '../../router.js';
import { t } from '../../words/language.js';
import { RowHistoryDialog } from './history.js';
import { ResolveDialog } from './resolve.js';

interface RowsProps {
  readonly run: RunDetailAnswer;
  /** The rows are reloaded when it changes. */
  readonly actionCount: number;
  readonly counts: RowCounts;
  readonly changed: () => void;
}

const PAGE_ROWS = 50;
const DEBOUNCE_MS = 250;
const POLL_MS = 4000;

/** The outcomes of rows, in pages. Search and filter are in the address. While the run is running the rows are polled. */
export function Rows({ run, actionCount, counts, changed }: RowsProps) {
  const { query } = address.value;
  const [status, after] = [query.get('status') ?? '', query.get('after') ?? ''];
  const [typed, setTyped] = useState(query.get('search') ?? '');
  const [resolving, setResolving] = useState<number>();
  // The history of a row has its own address, so that it can be linked, and `Back` closes it.
  const shown = Number(query.get('row') ?? 0);
  const showRow = (row: number | undefined): void => go(withQuery({ row: row?.toString() }));
  const search = useDebounced(typed.trim());
  useEffect(() => {
    if ((address.value.query.get('search') ?? '') !== search) {
      go(withQuery({ search, after: undefined }), { replace: true });
    }
  }, [search]);
  const path = `/runs/${encodeURIComponent(run.run)}/rows`;
  const rowsQuery = useQuery(JSON.stringify([path, status, search, after]), (signal) =>
    rowsFrom<RowsAnswer>(path, { status, search, after, limit: PAGE_ROWS }, signal),
  );
  const { value, busy, again } = rowsQuery;
  useRefresh(again, actionCount, isUnderWay(run.state, run.kind));
  const statuses = countsInOrder(counts);
  return (
    <section class="card rows" aria-labelledby="rows" aria-busy={busy}>
      <h2 id="rows">{t('common.rows')}</h2>
      <search class="filters" aria-label={t('common.filter')}>
        <Field label={t('run.search')} type="search" value={typed} change={setTyped} />
        <Choice
          label={t('common.status')}
          value={status}
          change={(it) => go(withQuery({ status: it, after: undefined }), { replace: true })}
          options={[
            { value: '', name: t('common.all') },
            ...statuses.map(([value]) => ({
              value,
              name: statusWord(statusNow(value, isUnderWay(run.state, run.kind))),
            })),
            ...(status === '' || statuses.some(([it]) => it === status)
              ? []
              : [{ value: status, name: statusWord(status) }]),
          ]}
        />
        {value?.total !== undefined && (
          <p class="quiet" role="status">
            {t('run.found', { total: value.total })}
          </p>
        )}
      </search>
      <QueryView of={rowsQuery}>
        {({ items }) =>
          items.length === 0 ? (
            <EmptyState title={t('common.no_rows')} />
          ) : (
            <RowTable run={run} rows={items} resolve={setResolving} />
          )
        }
      </QueryView>
      {value && <Pager by="after" next={value.next} />}
      {shown > 0 && resolving === undefined && (
        <RowHistoryDialog
          run={run}
          row={shown}
          resolve={() => setResolving(shown)}
          close={() => showRow(undefined)}
        />
      )}
      {resolving !== undefined && (
        <ResolveDialog run={run} row={resolving} close={() => setResolving(undefined)} changed={changed} />
      )}
    </section>
  );
}

function RowTable({
  run,
  rows,
  resolve,
}: {
  readonly run: RunDetailAnswer;
  readonly rows: RowsAnswer['items'];
  readonly resolve: (row: number) => void;
}) {
  return (
    <Table
      caption={t('common.rows')}
      rows={rows}
      keyOf={(it) => it.row}
      columns={[
        {
          key: 'row',
          name: t('common.row'),
          heads: true,
          cell: (it) => (
            <a class="row" href={withQuery({ row: String(it.row) })}>
              {t('common.row_n', { row: String(it.row) })}
            </a>
          ),
        },
        { key: 'about', name: t('run.row_about'), cell: (it) => it.about.slice(0, 3).join(' · ') },
        {
          key: 'status',
          name: t('common.status'),
          cell: (it) => (
            <span class="status-cell">
              <StatusBadge status={statusNow(it.status, isUnderWay(run.state, run.kind))} />
              {it.status === 'unknown' && run.may.resolve === true && (
                <button type="button" class="small" onClick={() => resolve(it.row)}>
                  {t('run.resolve')}
                  <span class="unseen"> {t('common.row_n', { row: String(it.row) })}</span>
                </button>
              )}
            </span>
          ),
        },
        {
          key: 'order',
          name: t('run.order'),
          cell: (it) => (it.licenseOrderId ? <code>{it.licenseOrderId}</code> : undefined),
        },
        messageColumn(rowMessage),
      ]}
    />
  );
}

/** Loads a page of rows. A search returns its results in parts; empty parts are skipped. */
export async function rowsFrom<Page extends ListAnswer<unknown>>(
  path: string,
  query: Readonly<Record<string, string | number>>,
  signal: AbortSignal,
): Promise<Page> {
  let page = await getJson<Page>(path, { query, signal });
  while (page.items.length === 0 && page.next !== undefined) {
    page = await getJson<Page>(path, { query: { ...query, after: page.next }, signal });
  }
  return page;
}

/** The text after it has not changed for a moment. */
function useDebounced(text: string): string {
  const [debounced, setDebounced] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(text), DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return debounced;
}

/** Reloads after actions, and periodically while the run is running and the page is visible. */
function useRefresh(again: () => void, actionCount: number, underWay: boolean): void {
  useEffect(() => {
    if (actionCount > 0) again();
  }, [again, actionCount]);
  useEffect(() => {
    if (!underWay) return;
    const timer = setInterval(() => {
      if (!document.hidden) again();
    }, POLL_MS);
    return () => clearInterval(timer);
  }, [again, underWay]);
}
