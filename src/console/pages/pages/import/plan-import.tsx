import { useState } from 'preact/hooks';
import { sendJson } from '../../api/client.js';
import type { ListAnswer } from '../../api/replies.js';
import { useAction } from '../../api/use-action.js';
import { useResource } from '../../api/use-query.js';
import { ConfirmDialog } from '../../parts/dialog.js';
import { ProblemNotice } from '../../parts/notices.js';
import { StateBadge } from '../../parts/status.js';
import { Table, Time } from '../../parts/table.js';
import { go } from '../../router.js';
import { hasRole } from '../../session.js';
import { number, t } from '../../words/language.js';
import type { ImportController } from './import-controller.js';
import type { ImportAnswer } from './import-replies.js';

type OnInvalid = NonNullable<ImportAnswer['onInvalid']>;

interface PlanProps {
  readonly controller: ImportController;
  readonly info: ImportAnswer;
}

/**
 * Creates a plan of the file with its corrections, after another full check. If rows are invalid, it asks first how
 * to treat them, because such a plan may not be sendable.
 */
export function PlanButton({ controller, info }: PlanProps) {
  const [isAsking, setIsAsking] = useState(false);
  const plan = usePlan(controller);
  if (!hasRole('maker')) return undefined;
  const ready = readyRows(info) > 0;
  // The plan must include all corrections, so it waits until they are confirmed.
  const hasUnsaved = controller.queue.waiting.value.length > 0;
  const invalid = info.counts.invalid ?? 0;
  return (
    <>
      {!isAsking && plan.problem && <ProblemNotice problem={plan.problem} />}
      <button
        type="button"
        class="primary"
        disabled={plan.busy || hasUnsaved || !ready}
        title={ready ? undefined : t('import.nothing_ready')}
        onClick={() => (invalid > 0 ? setIsAsking(true) : void plan.run(undefined))}
      >
        {plan.busy && <span class="spinner" aria-hidden="true" />}
        {t('import.plan')}
      </button>
      <span class="unseen" role="status">
        {plan.busy ? t('import.planning') : ''}
      </span>
      {isAsking && <PlanDialog info={info} plan={plan} close={() => setIsAsking(false)} />}
    </>
  );
}

/** Without `onInvalid` the job's setting applies. */
function usePlan(controller: ImportController) {
  return useAction(async (onInvalid: OnInvalid | undefined) => {
    const path = `/imports/${encodeURIComponent(controller.id)}/plan`;
    const { run } = await sendJson<{ run: string }>('POST', path, onInvalid ? { onInvalid } : undefined);
    go(`/plans/${encodeURIComponent(run)}`);
  });
}

function readyRows({ counts }: ImportAnswer): number {
  return (counts.valid ?? 0) + (counts.ready ?? 0);
}

/** The choice of `--on-invalid`; the job's setting is the default. */
function PlanDialog({
  info,
  plan,
  close,
}: {
  readonly info: ImportAnswer;
  readonly plan: ReturnType<typeof usePlan>;
  readonly close: () => void;
}) {
  const [onInvalid, setOnInvalid] = useState<OnInvalid>(info.onInvalid ?? 'abort');
  const count = info.counts.invalid ?? 0;
  const choice = (value: OnInvalid, text: string, hint: string) => (
    <label class="choice">
      <input
        type="radio"
        name="on-invalid"
        checked={onInvalid === value}
        onChange={() => setOnInvalid(value)}
        aria-describedby={`on-invalid-${value}`}
      />
      <span>
        {text}
        <span class="hint" id={`on-invalid-${value}`}>
          {hint}
        </span>
      </span>
    </label>
  );
  return (
    <ConfirmDialog
      title={t('import.plan_title', { count })}
      confirmLabel={t('import.plan')}
      close={close}
      action={{ ...plan, run: () => plan.run(onInvalid) }}
      working={t('import.planning')}
    >
      <fieldset>
        <legend>{t('import.invalid_rows')}</legend>
        {choice('abort', t('import.on_invalid_abort'), t('import.on_invalid_abort_hint', { count }))}
        {choice(
          'skip',
          t('import.on_invalid_skip', { count }),
          t('import.on_invalid_skip_hint', { ready: readyRows(info) }),
        )}
      </fieldset>
      <p class="quiet">{t('import.plan_or_correct')}</p>
    </ConfirmDialog>
  );
}

interface ImportPlan {
  readonly run: string;
  readonly sent: boolean;
  readonly state: string;
  readonly by?: string;
  readonly at: string;
  readonly items: number;
  readonly invalid: number;
  readonly onInvalid: OnInvalid;
}

/** The plans created from the import. @param last the newest plan */
export function PlansMade({ id, last }: { readonly id: string; readonly last: string | undefined }) {
  const path = `/imports/${encodeURIComponent(id)}/plans`;
  const { value, problem, again } = useResource<ListAnswer<ImportPlan>>(path, { also: last });
  if (!value) return problem && <ProblemNotice problem={problem} again={again} />;
  if (value.items.length === 0) return undefined;
  return (
    <section class="card" aria-labelledby="plans-made">
      <h2 id="plans-made">{t('import.plans')}</h2>
      <Table
        caption={t('import.plans')}
        rows={value.items}
        keyOf={(it) => it.run}
        columns={[
          {
            key: 'at',
            name: t('import.when'),
            heads: true,
            cell: (it) => (
              <a href={`/${it.sent ? 'runs' : 'plans'}/${encodeURIComponent(it.run)}`}>
                <Time at={it.at} />
              </a>
            ),
          },
          { key: 'who', name: t('import.who'), cell: (it) => it.by },
          { key: 'state', name: t('common.state'), cell: (it) => <StateBadge state={it.state} /> },
          { key: 'items', name: t('common.items'), numeric: true, cell: (it) => number(it.items) },
          {
            key: 'invalid',
            name: t('import.invalid_rows'),
            wide: true,
            cell: (it) => (it.invalid === 0 ? number(0) : invalidText(it)),
          },
        ]}
      />
    </section>
  );
}

function invalidText({ invalid: count, onInvalid }: ImportPlan): string {
  return t(onInvalid === 'skip' ? 'import.invalid_excluded' : 'import.invalid_blocks', { count });
}
