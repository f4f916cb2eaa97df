import { isUnderWay } from '../../../../model/under-way.js';
import { ask } from '../../api/client.js';
import type { RunDetailAnswer, StepAnswer } from '../../api/runs.js';
import { useAsked } from '../../api/use-asked.js';
import { Counts, countsNow, StateBadge } from '../../parts/status.js';
import { Table } from '../../parts/table.js';
import { number, say } from '../../words/language.js';
import { RUN } from '../../words/run.js';

const BETWEEN_LOOKS_MS = 1500;

/** The parts of a run; while it goes on they are looked at again, because its news tell of the whole alone. */
function useParts({ run, state, kind, steps = [] }: RunDetailAnswer): readonly StepAnswer[] {
  const path = `/runs/${encodeURIComponent(run)}`;
  const wanted = steps.length > 0 && isUnderWay(state, kind);
  const { value } = useAsked(
    wanted ? path : undefined,
    (signal) => ask<RunDetailAnswer>(path, { signal }),
    () => BETWEEN_LOOKS_MS,
  );
  return value?.steps ?? steps;
}

/** A run of several steps is one run with its parts: what each came to, in order. */
export function RunParts({ run }: { readonly run: RunDetailAnswer }) {
  return <Parts steps={useParts(run)} />;
}

/** What each part came to, in order; nothing for what has none. */
export function Parts({ steps }: { readonly steps: readonly StepAnswer[] }) {
  if (steps.length === 0) return undefined;
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
