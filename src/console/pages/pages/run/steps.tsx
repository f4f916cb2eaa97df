import { isUnderWay } from '../../../../model/run-outcome.js';
import type { RunDetailAnswer, StepAnswer } from '../../api/replies.js';
import { useResource } from '../../api/use-query.js';
import { Counts, countsNow, StateBadge } from '../../parts/status.js';
import { Table } from '../../parts/table.js';
import { number, operationText, t } from '../../words/language.js';

const POLL_MS = 1500;

/** The steps of a run. They are polled while it is running, because events contain only the totals. */
function useSteps({ run, state, kind, steps = [] }: RunDetailAnswer): readonly StepAnswer[] {
  const path = `/runs/${encodeURIComponent(run)}`;
  const isRunning = steps.length > 0 && isUnderWay(state, kind);
  const { value } = useResource<RunDetailAnswer>(isRunning ? path : undefined, { follow: () => POLL_MS });
  return value?.steps ?? steps;
}

export function RunSteps({ run }: { readonly run: RunDetailAnswer }) {
  return <StepTable steps={useSteps(run)} />;
}

/** The steps of a run; nothing if it has none. */
export function StepTable({ steps }: { readonly steps: readonly StepAnswer[] }) {
  if (steps.length === 0) return undefined;
  return (
    <section class="card" aria-labelledby="parts">
      <h2 id="parts">{t('run.steps')}</h2>
      <Table
        caption={t('run.steps')}
        rows={steps}
        keyOf={(it) => it.name}
        columns={[
          {
            key: 'name',
            name: t('common.step'),
            heads: true,
            cell: (it) => (
              <>
                <strong>{it.name}</strong>
                <code class="under">{operationText(it.operation)}</code>
              </>
            ),
          },
          { key: 'status', name: t('common.status'), cell: (it) => <StepState status={it.status} /> },
          {
            key: 'counts',
            name: t('common.rows'),
            wide: true,
            cell: (it) => <Counts counts={countsNow(it.counts, it.status === 'going')} />,
          },
          { key: 'requests', name: t('common.requests'), numeric: true, cell: (it) => number(it.requests) },
        ]}
      />
    </section>
  );
}

function StepState({ status }: { readonly status: string }) {
  if (status === 'waiting') return <span class="badge">{t('run.waiting')}</span>;
  return <StateBadge state={status === 'going' ? 'executing' : status} />;
}
