import type { StepAnswer } from '../../api/runs.js';
import { Counts, countsNow, StateBadge } from '../../parts/status.js';
import { Table } from '../../parts/table.js';
import { number, say } from '../../words/language.js';
import { RUN } from '../../words/run.js';

/** A run of several steps is one run with its parts: what each came to, in order. */
export function RunParts({ steps }: { readonly steps: readonly StepAnswer[] }) {
  return (
    <section class="card" aria-labelledby="parts">
      <h2 id="parts">{say(RUN.parts)}</h2>
      <Table
        caption={say(RUN.parts)}
        rows={steps}
        keyOf={(it) => it.name}
        columns={[
          {
            key: 'name',
            name: say(RUN.part),
            heads: true,
            cell: (it) => (
              <>
                <strong>{it.name}</strong>
                <code class="under">{it.operation}</code>
              </>
            ),
          },
          { key: 'status', name: say(RUN.status), cell: (it) => <StepState status={it.status} /> },
          {
            key: 'counts',
            name: say(RUN.rows),
            wide: true,
            cell: (it) => <Counts counts={countsNow(it.counts, it.status === 'going')} />,
          },
          { key: 'requests', name: say(RUN.requests), numeric: true, cell: (it) => number(it.requests) },
        ]}
      />
    </section>
  );
}

function StepState({ status }: { readonly status: string }) {
  if (status === 'waiting') return <span class="badge">{say(RUN.waiting)}</span>;
  return <StateBadge state={status === 'going' ? 'executing' : status} />;
}
