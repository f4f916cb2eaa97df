import { ask } from '../../api/client.js';
import type { ListAnswer, RunAnswer } from '../../api/runs.js';
import { useAsked } from '../../api/use-asked.js';
import { Heading } from '../../parts/heading.js';
import { Asked, EmptyState } from '../../parts/notices.js';
import { listFilters, Pager } from '../../parts/pager.js';
import { COMMON } from '../../words/common.js';
import { say } from '../../words/language.js';
import { RUNS } from '../../words/runs.js';
import { RunFilters } from './filters.js';
import { RunTable } from './run-table.js';
import { WaitingPlans } from './waiting.js';
import './runs.css';

const FILTERS = ['job', 'kind', 'status', 'person', 'date', 'until'] as const;
const ON_PAGE = 30;

/** `Runs`: the first page. What is shown is told by the address, so that a list can be sent to somebody. */
export function Page() {
  const { typed, filters, filtered, before } = listFilters(FILTERS);
  const runs = useAsked(JSON.stringify([filters, before]), (signal) =>
    ask<ListAnswer<RunAnswer>>('/runs', { query: { ...asQuery(filters), before, limit: ON_PAGE }, signal }),
  );
  return (
    <>
      <Heading name={say(COMMON.runs)}>
        <a class="button primary" href="/import">
          {say(RUNS.import)}
        </a>
      </Heading>
      {!filtered && before === '' && <WaitingPlans />}
      <RunFilters filters={typed} />
      <section class="card" aria-busy={runs.busy}>
        <Asked of={runs}>
          {({ items }) => (items.length === 0 ? <Nothing filtered={filtered} /> : <RunTable runs={items} />)}
        </Asked>
      </section>
      {runs.value && <Pager by="before" next={runs.value.next} />}
    </>
  );
}

function Nothing({ filtered }: { readonly filtered: boolean }) {
  if (!filtered) {
    return (
      <EmptyState title={say(RUNS.empty)}>
        <p>{say(RUNS.empty_detail)}</p>
      </EmptyState>
    );
  }
  return (
    <EmptyState title={say(RUNS.no_match)}>
      <p>
        <a href="/runs">{say(RUNS.clear)}</a>
      </p>
    </EmptyState>
  );
}

/** A day of the reader's zone as the times it goes from and to; without an end it is that day alone. */
function asQuery({ date = '', until = '', ...others }: Readonly<Record<string, string>>) {
  const last = until || date;
  return { ...others, from: startOf(date, 0), to: startOf(last, 1) };
}

function startOf(day: string, plus: number): string | undefined {
  const [year, month, date] = day.split('-').map(Number);
  if (!year || !month || !date) return undefined;
  return new Date(year, month - 1, date + plus).toISOString();
}
