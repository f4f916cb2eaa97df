import { isUnderWay } from '../../../../model/run-outcome.js';
import type { ListAnswer, RunAnswer } from '../../api/replies.js';
import { useResource } from '../../api/use-query.js';
import { Choice, Field } from '../../parts/field.js';
import { Heading } from '../../parts/heading.js';
import { changeFilter, fileName, listFilters, Pager } from '../../parts/links.js';
import { EmptyState, QueryView } from '../../parts/notices.js';
import { Attention, Counts, countsNow, StateBadge, stateWord } from '../../parts/status.js';
import { FoldedText, Table, Time } from '../../parts/table.js';
import { t, timeText } from '../../words/language.js';
import { ImportList, LatestImports } from './imports.js';

const FILTERS = ['job', 'kind', 'status', 'person', 'date', 'until'] as const;
const PAGE_ROWS = 30;

/** The list of runs. Filters are in the address, so that a filtered list can be shared. */
export function Page() {
  const { typed, filters, filtered, before } = listFilters(FILTERS);
  return (
    <>
      <Heading name={t('common.runs')}>
        <a class="button primary" href="/import">
          {t('runs.import')}
        </a>
      </Heading>
      {!filtered && before === '' && (
        <>
          <WaitingPlans />
          <LatestImports />
        </>
      )}
      <RunFilters filters={typed} />
      {filters.kind === 'import' ? (
        <ImportList before={before} />
      ) : (
        <Runs filters={filters} filtered={filtered} before={before} />
      )}
    </>
  );
}

function Runs({ filters, filtered, before }: Omit<ReturnType<typeof listFilters>, 'typed'>) {
  const runs = useResource<ListAnswer<RunAnswer>>('/runs', {
    query: { ...asQuery(filters), before, limit: PAGE_ROWS },
  });
  return (
    <>
      <section class="card" aria-busy={runs.busy}>
        <QueryView of={runs}>
          {({ items }) => (items.length === 0 ? <NoRuns filtered={filtered} /> : <RunTable runs={items} />)}
        </QueryView>
      </section>
      {runs.value && <Pager by="before" next={runs.value.next} />}
    </>
  );
}

function NoRuns({ filtered }: { readonly filtered: boolean }) {
  if (!filtered) {
    return (
      <EmptyState title={t('runs.empty')}>
        <p>{t('runs.empty_detail')}</p>
      </EmptyState>
    );
  }
  return (
    <EmptyState title={t('runs.no_match')}>
      <p>
        <a href="/runs">{t('common.clear_filters')}</a>
      </p>
    </EmptyState>
  );
}

/**
 * Converts days in the user's time zone to the query's `from` and `to`. Without an end day, only the first day is included.
 */
function asQuery({ date = '', until = '', ...others }: Readonly<Record<string, string>>) {
  const last = until || date;
  return { ...others, from: startOf(date, 0), to: startOf(last, 1) };
}

function startOf(day: string, plus: number): string | undefined {
  const [year, month, date] = day.split('-').map(Number);
  if (!year || !month || !date) return undefined;
  return new Date(year, month - 1, date + plus).toISOString();
}

/** Plans that wait for the user: for their approval, or as their maker. Nothing if there are none. */
function WaitingPlans() {
  const { value } = useResource<ListAnswer<RunAnswer>>('/runs', {
    query: { approval: 'mine', limit: 20 },
  });
  if (!value || value.items.length === 0) return undefined;
  return (
    <section class="card waiting-plans" aria-labelledby="waiting">
      <h2 id="waiting">{t('common.waiting_for_approval')}</h2>
      <ul>
        {value.items.map((it) => (
          <li key={it.run}>
            <a class="strong" href={`/plans/${encodeURIComponent(it.run)}`}>
              {it.job}
            </a>
            {it.approval?.state === 'rejected' && <StateBadge state="rejected" />}
            <span class="under">
              {waitingText(it)} <Time at={it.started} />
            </span>
            <Counts counts={it.counts} />
            {it.approval?.comment && <q>{it.approval.comment}</q>}
          </li>
        ))}
      </ul>
    </section>
  );
}

function waitingText({ by, approval }: RunAnswer) {
  const { state, by: who = '', until = '' } = approval ?? {};
  if (state === 'rejected') return t('plan.rejected', { who });
  if (state === 'approved') return t('plan.approved', { who, time: timeText(until) });
  return by !== undefined && t('runs.waiting_of', { who: by });
}

/** States in the filter; `stopped` includes interrupted runs. */
const STATES = ['executing', 'queued', 'planned', 'stopped', 'cut off', 'invalid', 'completed'] as const;

const KINDS = ['run', 'plan', 'reconcile', 'dry_run', 'import'] as const;

/** The filters of the list of runs. */
export function RunFilters({ filters }: { readonly filters: Readonly<Record<string, string>> }) {
  const { value } = useResource<ListAnswer<{ readonly name: string }>>('/jobs');
  const filterValue = (name: string): string => filters[name] ?? '';
  return (
    <search class="filters" aria-label={t('common.filter')}>
      <Field
        label={t('common.job')}
        type="search"
        value={filterValue('job')}
        change={changeFilter('job')}
        suggestions={[...new Set(value?.items.map((it) => it.name))]}
      />
      <Choice
        label={t('runs.kind')}
        value={filterValue('kind')}
        change={changeFilter('kind')}
        options={[
          { value: '', name: t('runs.all_kinds') },
          ...KINDS.map((it) => ({ value: it, name: t(`kind.${it}`) })),
        ]}
      />
      <Choice
        label={t('common.status')}
        value={filterValue('status')}
        change={changeFilter('status')}
        options={[
          { value: '', name: t('common.all') },
          ...STATES.map((it) => ({ value: it, name: stateWord(it) })),
        ]}
      />
      <Field
        label={t('common.person')}
        type="search"
        value={filterValue('person')}
        change={changeFilter('person')}
      />
      <Field label={t('runs.date')} type="date" value={filterValue('date')} change={changeFilter('date')} />
      <Field
        label={t('runs.until')}
        type="date"
        value={filterValue('until')}
        change={changeFilter('until')}
      />
      {Object.values(filters).some((it) => it !== '') && (
        <a class="button" href="/runs">
          {t('common.clear_filters')}
        </a>
      )}
    </search>
  );
}

/** Plan states that are shown on the plan's page; other states are shown on the run's page. */
const PLAN_STATES: ReadonlySet<string> = new Set(['planning', 'planned', 'invalid']);

/** The address of a run: its plan page until it was sent, also if it is blocked by invalid rows. */
export function runAddress({
  kind,
  run,
  state,
  refused,
}: Pick<RunAnswer, 'kind' | 'run' | 'state' | 'refused'>): string {
  const isPlan = refused || (kind === 'plan' && PLAN_STATES.has(state));
  return `/${isPlan ? 'plans' : 'runs'}/${encodeURIComponent(run)}`;
}

/** The state of a run or plan, why it stopped or who rejected it, and whether rows need a person. */
function RunState({ run: { state, kind, counts, approval, reason } }: { readonly run: RunAnswer }) {
  if (approval?.state === 'rejected') {
    const { by: who = '', at = '', comment } = approval;
    return (
      <>
        <StateBadge state="rejected" />
        <span class="under">
          {who} <Time at={at} />
        </span>
        {comment && <q>{comment}</q>}
      </>
    );
  }
  return (
    <>
      <StateBadge state={state} />
      {!isUnderWay(state, kind) && <Attention counts={counts} />}
      {reason !== undefined && (
        <span class="under">
          <FoldedText text={reason} />
        </span>
      )}
    </>
  );
}

export function RunTable({ runs }: { readonly runs: readonly RunAnswer[] }) {
  return (
    <Table
      caption={`${t('common.runs')}: ${t('runs.newest')}`}
      rows={runs}
      keyOf={(it) => it.run}
      columns={[
        {
          key: 'job',
          name: t('common.job'),
          heads: true,
          cell: (it) => (
            <>
              <a class="strong" href={runAddress(it)}>
                {it.job}
              </a>
              <span class="under">{fileName(it.input)}</span>
              <span class="under">
                <span>{t(`kind.${it.kind}`)}</span> <code>{it.run}</code>
              </span>
            </>
          ),
        },
        { key: 'status', name: t('common.status'), cell: (it) => <RunState run={it} /> },
        {
          key: 'rows',
          name: t('common.rows'),
          wide: true,
          cell: (it) => <Counts counts={countsNow(it.counts, isUnderWay(it.state, it.kind))} />,
        },
        {
          key: 'connection',
          name: t('common.connection'),
          cell: (it) => (
            <>
              {it.connection} {it.sandbox && <span class="badge sandbox">{t('common.sandbox')}</span>}
            </>
          ),
        },
        { key: 'by', name: t('common.by'), cell: (it) => it.by },
        { key: 'started', name: t('common.started'), cell: (it) => <Time at={it.started} /> },
      ]}
    />
  );
}
