import type { RunAnswer } from '../../api/runs.js';
import { Counts, StateBadge } from '../../parts/status.js';
import { Table } from '../../parts/table.js';
import { Time } from '../../parts/time.js';
import { COMMON } from '../../words/common.js';
import { say } from '../../words/language.js';
import { RUNS } from '../../words/runs.js';
import { KIND_WORDS } from '../../words/status.js';

/** States in which a plan's own page says what is to be done: how it ended otherwise is told as a run. */
const PLAN_STATES: ReadonlySet<string> = new Set(['planning', 'planned', 'invalid']);

/** Where a run is looked at: as a plan until it is sent, also where invalid rows hold it back. */
export function runAddress({
  kind,
  run,
  state,
  refused,
}: Pick<RunAnswer, 'kind' | 'run' | 'state' | 'refused'>): string {
  const isPlan = refused || (kind === 'plan' && PLAN_STATES.has(state));
  return `/${isPlan ? 'plans' : 'runs'}/${encodeURIComponent(run)}`;
}

export function RunTable({ runs }: { readonly runs: readonly RunAnswer[] }) {
  return (
    <Table
      caption={`${say(COMMON.runs)}: ${say(RUNS.newest)}`}
      rows={runs}
      keyOf={(it) => it.run}
      columns={[
        {
          key: 'job',
          name: say(RUNS.job),
          heads: true,
          cell: (it) => (
            <>
              <a class="strong" href={runAddress(it)}>
                {it.job}
              </a>
              <span class="under">
                <span>{say(KIND_WORDS[it.kind])}</span> <code>{it.run}</code>
              </span>
            </>
          ),
        },
        { key: 'status', name: say(RUNS.status), cell: (it) => <StateBadge state={it.state} /> },
        { key: 'rows', name: say(RUNS.rows), wide: true, cell: (it) => <Counts counts={it.counts} /> },
        {
          key: 'connection',
          name: say(RUNS.connection),
          cell: (it) => (
            <>
              {it.connection} {it.sandbox && <span class="badge sandbox">{say(COMMON.sandbox)}</span>}
            </>
          ),
        },
        { key: 'by', name: say(RUNS.by), cell: (it) => it.by },
        { key: 'started', name: say(RUNS.started), cell: (it) => <Time at={it.started} /> },
      ]}
    />
  );
}
