import { useState } from 'preact/hooks';
import type { z } from 'zod';
import type {
  rehearsalDifferencesSchema,
  rehearsalSchema,
  rehearsedRowSchema,
  rehearsedRowsSchema,
} from '../../../routes/schemas.js';
import { apiAddress, getJson, sendJson } from '../../api/client.js';
import { useAction } from '../../api/use-action.js';
import { useQuery, useResource } from '../../api/use-query.js';
import { Choice } from '../../parts/field.js';
import { Heading } from '../../parts/heading.js';
import { Pager } from '../../parts/links.js';
import {
  Busy,
  EmptyState,
  Notice,
  NotLoaded,
  ProblemNotice,
  Progress,
  QueryView,
  Warnings,
} from '../../parts/notices.js';
import { Counts, countsInOrder, type RowCounts, StatusBadge, statusWord } from '../../parts/status.js';
import { Facts, messageColumn, rowColumn, rowMessage, Table, Time } from '../../parts/table.js';
import { address, go, type PageProps, withQuery } from '../../router.js';
import { t } from '../../words/language.js';
import { StepTable } from '../run/steps.js';

type RehearsalAnswer = z.infer<typeof rehearsalSchema>;

const POLL_MS = 700;

/** A plan's rehearsal: its progress, the expected outcomes, and a comparison with the actual ones after the plan was sent. */
export function Page({ params }: PageProps) {
  const [id = ''] = params;
  const path = `/runs/${encodeURIComponent(id)}/rehearsal`;
  const query = useResource<RehearsalAnswer>(path, {
    follow: ({ state }) => (state === 'running' ? POLL_MS : undefined),
  });
  const { value: rehearsal, problem, again } = query;
  const isRunning = rehearsal?.state === 'running';
  const stop = useAction(async () => {
    await sendJson('POST', `${path}/stop`);
    again();
  });
  if (!rehearsal) return <NotLoaded name={t('rehearsal.name')} of={query} />;
  const encodedRun = encodeURIComponent(rehearsal.run);
  return (
    <>
      <Heading name={t('rehearsal.name')} title={t('rehearsal.title', { job: rehearsal.job })}>
        {isRunning && (
          <button type="button" disabled={stop.busy} onClick={() => void stop.run()}>
            {t('run.stop')}
          </button>
        )}
        {rehearsal.result && (
          <a class="button" href={apiAddress(`${path}/result`)} download>
            {t('common.download_result')}
          </a>
        )}
        <a class="button" href={rehearsal.sent ? `/runs/${encodedRun}` : `/plans/${encodedRun}`}>
          {t(rehearsal.sent ? 'rehearsal.to_run' : 'rehearsal.to_plan')}
        </a>
      </Heading>
      <p class="lead">
        <strong>{rehearsal.job}</strong> <span class="badge sandbox">{t('rehearsal.mark')}</span>
      </p>
      <Notice tone="doubt">
        <p>{t('rehearsal.no_effect')}</p>
      </Notice>
      {(problem ?? stop.problem) && <ProblemNotice problem={(problem ?? stop.problem)!} again={again} />}
      {rehearsal.state === 'none' && (
        <EmptyState title={t('rehearsal.none')}>
          <p>{t('rehearsal.none_detail')}</p>
        </EmptyState>
      )}
      {isRunning && (
        <section class="card">
          <Busy text={t('rehearsal.running')} />
          {rehearsal.progress && (
            <Progress done={rehearsal.progress.done} total={rehearsal.progress.total ?? 0} />
          )}
        </section>
      )}
      {rehearsal.state === 'failed' && (
        <Notice tone="doubt">
          <p class="first">{t('rehearsal.failed')}</p>
          <p>{rehearsal.failure}</p>
        </Notice>
      )}
      {rehearsal.state === 'over' && <Outcome rehearsal={rehearsal} path={path} />}
    </>
  );
}

function Outcome({ rehearsal, path }: { readonly rehearsal: RehearsalAnswer; readonly path: string }) {
  const { counts = {}, steps = [] } = rehearsal;
  return (
    <>
      <Warnings of={rehearsal.warnings} />
      <section class="card" aria-labelledby="counts">
        <h2 id="counts">{t('rehearsal.counts')}</h2>
        <Counts counts={counts} big />
        <Facts
          of={[
            [t('rehearsal.by'), rehearsal.by],
            [t('rehearsal.at'), rehearsal.ended && <Time at={rehearsal.ended} zone />],
          ]}
        />
      </section>
      <StepTable steps={steps} />
      {rehearsal.comparable && <Comparison path={path} />}
      <RehearsedRows path={path} counts={counts} />
    </>
  );
}

/** The expected or actual outcome of a row. */
export type RowOutcomeAnswer = z.infer<typeof rehearsedRowSchema>;

type RowsAnswer = z.infer<typeof rehearsedRowsSchema>;

const PAGE_ROWS = 25;

/** The expected outcomes of rows, in pages; the filter is in the address. */
export function RehearsedRows({ path, counts }: { readonly path: string; readonly counts: RowCounts }) {
  const { query } = address.value;
  const [status, after] = [query.get('status') ?? '', query.get('after') ?? ''];
  const rows = `${path}/rows`;
  const filter = { status, after, limit: PAGE_ROWS };
  const rowsQuery = useQuery(JSON.stringify([rows, filter]), async (signal) => {
    let page = await getJson<RowsAnswer>(rows, { query: filter, signal });
    while (page.items.length === 0 && page.next !== undefined)
      page = await getJson<RowsAnswer>(rows, { query: { ...filter, after: page.next }, signal });
    return page;
  });
  return (
    <section class="card rows" aria-labelledby="rows" aria-busy={rowsQuery.busy}>
      <h2 id="rows">{t('common.rows')}</h2>
      <search class="filters" aria-label={t('common.filter')}>
        <Choice
          label={t('common.status')}
          value={status}
          change={(it) => go(withQuery({ status: it, after: undefined }), { replace: true })}
          options={[
            { value: '', name: t('common.all') },
            ...countsInOrder(counts).map(([value]) => ({ value, name: statusWord(value) })),
          ]}
        />
      </search>
      <QueryView of={rowsQuery}>
        {({ items, next }) => (
          <>
            {items.length === 0 ? (
              <EmptyState title={t('common.no_rows')} />
            ) : (
              <Table
                caption={t('common.rows')}
                rows={items}
                keyOf={(it) => it.row}
                columns={[
                  rowColumn(),
                  {
                    key: 'status',
                    name: t('common.status'),
                    cell: (it) => <StatusBadge status={it.status} />,
                  },
                  messageColumn(rowMessage),
                ]}
              />
            )}
            <Pager by="after" next={next} />
          </>
        )}
      </QueryView>
    </section>
  );
}

type DifferenceAnswer = DifferencesAnswer['items'][number];

type DifferencesAnswer = z.infer<typeof rehearsalDifferencesSchema>;

/** Maximum number of listed differences; all are counted. */
const MAX_SHOWN = 200;
const SHOWN_STEP = 25;

interface ComparedSoFar {
  readonly first: readonly DifferenceAnswer[];
  readonly differing: number;
  readonly compared: number;
  readonly over: boolean;
}

/** Compares expected with actual outcomes, page by page, on request. */
export function Comparison({ path }: { readonly path: string }) {
  const [result, setResult] = useState<ComparedSoFar>();
  const [shown, setShown] = useState(SHOWN_STEP);
  const { busy, problem, run } = useAction(async () => {
    let progress: ComparedSoFar = { first: [], differing: 0, compared: 0, over: false };
    for (let after: number | undefined = 0; after !== undefined; ) {
      const page: DifferencesAnswer = await getJson(`${path}/differences`, { query: { after, limit: 500 } });
      after = page.next;
      progress = {
        first: [...progress.first, ...page.items].slice(0, MAX_SHOWN),
        differing: progress.differing + page.items.length,
        compared: progress.compared + page.compared,
        over: after === undefined,
      };
      setResult(progress);
    }
  });
  return (
    <section class="card" aria-labelledby="compare" aria-busy={busy}>
      <h2 id="compare">{t('rehearsal.compare')}</h2>
      {!result?.over && (
        <p>
          <button type="button" disabled={busy} onClick={() => void run()}>
            {busy && <span class="spinner" aria-hidden="true" />}
            {t('rehearsal.compare')}
          </button>
        </p>
      )}
      {problem && <ProblemNotice problem={problem} />}
      {result && (
        <p role="status">
          {result.over
            ? t('rehearsal.compared', { count: result.compared, differing: result.differing })
            : t('rehearsal.comparing', { count: result.compared })}
          {result.differing > MAX_SHOWN && ` ${t('rehearsal.first_only', { count: MAX_SHOWN })}`}
        </p>
      )}
      {result && result.first.length > 0 && (
        <Table
          caption={t('rehearsal.compare')}
          rows={result.first.slice(0, shown)}
          keyOf={(it) => it.row}
          columns={[
            rowColumn(),
            { key: 'rehearsed', name: t('run.rehearsed'), cell: (it) => <OutcomeStatus it={it.rehearsed} /> },
            {
              key: 'happened',
              name: t('rehearsal.actual'),
              cell: (it) => <OutcomeStatus it={it.happened} />,
            },
            messageColumn(differenceMessage),
          ]}
        />
      )}
      {result && result.first.length > shown && (
        <button type="button" class="plain" onClick={() => setShown(shown + SHOWN_STEP)}>
          {t('rehearsal.more')}
        </button>
      )}
    </section>
  );
}

function OutcomeStatus({ it }: { readonly it: RowOutcomeAnswer | undefined }) {
  return it ? <StatusBadge status={it.status} /> : <span>{t('rehearsal.no_such_row')}</span>;
}

/** The message of the actual outcome, and the columns that differ. */
function differenceMessage({ happened, columns }: DifferenceAnswer) {
  return [happened && rowMessage(happened), columns.join(', ')].filter(Boolean).join(' · ');
}
