import { useEffect, useState } from 'preact/hooks';
import { isUnderWay } from '../../../../model/under-way.js';
import { ask } from '../../api/client.js';
import type { RowsAnswer, RunDetailAnswer } from '../../api/runs.js';
import { useAsked } from '../../api/use-asked.js';
import { Choice, Field } from '../../parts/field.js';
import { Asked, EmptyState } from '../../parts/notices.js';
import { Pager } from '../../parts/pager.js';
import { messageColumn, saidOf } from '../../parts/row-columns.js';
import { countsInOrder, type RowCounts, StatusBadge, statusNow, statusWord } from '../../parts/status.js';
import { Table } from '../../parts/table.js';
import { address, go, withQuery } from '../../router.js';
import { COMMON } from '../../words/common.js';
import { say } from '../../words/language.js';
import { RUN } from '../../words/run.js';
import { ResolveDialog } from './resolve.js';
import { StoryDialog } from './story.js';

interface RowsProps {
  readonly run: RunDetailAnswer;
  /** Another number: they are read again. */
  readonly turn: number;
  readonly counts: RowCounts;
  readonly changed: () => void;
}

const ON_PAGE = 50;
const TYPING_MS = 250;
const BETWEEN_LOOKS_MS = 4000;

interface RowDialog {
  readonly kind: 'story' | 'resolve';
  readonly row: number;
}

/** What became of each row, a page at a time. Search and filter stand in the address; while the run goes on they are looked at again. */
export function Rows({ run, turn, counts, changed }: RowsProps) {
  const { query } = address.value;
  const [status, after] = [query.get('status') ?? '', query.get('after') ?? ''];
  const [typed, setTyped] = useState(query.get('search') ?? '');
  const [dialog, setDialog] = useState<RowDialog>();
  const search = useLate(typed.trim());
  useEffect(() => {
    if ((address.value.query.get('search') ?? '') !== search) {
      go(withQuery({ search, after: undefined }), { replace: true });
    }
  }, [search]);
  const path = `/runs/${encodeURIComponent(run.run)}/rows`;
  const found = useAsked(JSON.stringify([path, status, search, after]), (signal) =>
    rowsFrom(path, { status, search, after, limit: ON_PAGE }, signal),
  );
  const { value, busy, again } = found;
  useAgain(again, turn, isUnderWay(run.state, run.kind));
  const statuses = countsInOrder(counts);
  return (
    <section class="card rows" aria-labelledby="rows" aria-busy={busy}>
      <h2 id="rows">{say(RUN.rows)}</h2>
      <search class="filters" aria-label={say(COMMON.filter)}>
        <Field label={say(RUN.search)} type="search" value={typed} change={setTyped} />
        <Choice
          label={say(RUN.status)}
          value={status}
          change={(it) => go(withQuery({ status: it, after: undefined }), { replace: true })}
          options={[
            { value: '', name: say(COMMON.all) },
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
            {say(RUN.found, { total: value.total })}
          </p>
        )}
      </search>
      <Asked of={found}>
        {({ items }) =>
          items.length === 0 ? (
            <EmptyState title={say(RUN.no_rows)} />
          ) : (
            <RowTable run={run} rows={items} open={setDialog} />
          )
        }
      </Asked>
      {value && <Pager by="after" next={value.next} />}
      {dialog?.kind === 'story' && (
        <StoryDialog
          run={run}
          row={dialog.row}
          resolve={() => setDialog({ kind: 'resolve', row: dialog.row })}
          close={() => setDialog(undefined)}
        />
      )}
      {dialog?.kind === 'resolve' && (
        <ResolveDialog run={run} row={dialog.row} close={() => setDialog(undefined)} changed={changed} />
      )}
    </section>
  );
}

function RowTable({
  run,
  rows,
  open,
}: {
  readonly run: RunDetailAnswer;
  readonly rows: RowsAnswer['items'];
  readonly open: (dialog: RowDialog) => void;
}) {
  return (
    <Table
      caption={say(RUN.rows)}
      rows={rows}
      keyOf={(it) => it.row}
      columns={[
        {
          key: 'row',
          name: say(COMMON.row),
          heads: true,
          cell: (it) => (
            <button type="button" class="plain row" onClick={() => open({ kind: 'story', row: it.row })}>
              {say(RUN.row_n, { row: String(it.row) })}
            </button>
          ),
        },
        {
          key: 'status',
          name: say(RUN.status),
          cell: (it) => (
            <span class="status-cell">
              <StatusBadge status={statusNow(it.status, isUnderWay(run.state, run.kind))} />
              {it.status === 'unknown' && run.may.resolve === true && (
                <button type="button" class="small" onClick={() => open({ kind: 'resolve', row: it.row })}>
                  {say(RUN.resolve)}
                  <span class="unseen"> {say(RUN.row_n, { row: String(it.row) })}</span>
                </button>
              )}
            </span>
          ),
        },
        {
          key: 'order',
          name: say(RUN.order),
          cell: (it) => (it.licenseOrderId ? <code>{it.licenseOrderId}</code> : undefined),
        },
        messageColumn(saidOf),
      ]}
    />
  );
}

/** A page of rows. A search of many rows is answered part by part: parts without a row are passed over. */
async function rowsFrom(
  path: string,
  query: Readonly<Record<string, string | number>>,
  signal: AbortSignal,
): Promise<RowsAnswer> {
  let page = await ask<RowsAnswer>(path, { query, signal });
  while (page.items.length === 0 && page.next !== undefined) {
    page = await ask<RowsAnswer>(path, { query: { ...query, after: page.next }, signal });
  }
  return page;
}

/** A text when it has stood for a moment. */
function useLate(text: string): string {
  const [late, setLate] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setLate(text), TYPING_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return late;
}

/** Asks again after acts, and from time to time while the run goes on and somebody looks. */
function useAgain(again: () => void, turn: number, underWay: boolean): void {
  useEffect(() => {
    if (turn > 0) again();
  }, [again, turn]);
  useEffect(() => {
    if (!underWay) return;
    const timer = setInterval(() => {
      if (!document.hidden) again();
    }, BETWEEN_LOOKS_MS);
    return () => clearInterval(timer);
  }, [again, underWay]);
}
