import { useState } from 'preact/hooks';
import { act, ask } from '../../api/client.js';
import { useAct } from '../../api/use-act.js';
import { useAsked } from '../../api/use-asked.js';
import { ActDialog } from '../../parts/dialog.js';
import { ProblemNotice } from '../../parts/notices.js';
import { StateBadge } from '../../parts/status.js';
import { Table } from '../../parts/table.js';
import { Time } from '../../parts/time.js';
import { go } from '../../router.js';
import { hasRole } from '../../session.js';
import { IMPORT } from '../../words/import.js';
import { number, say } from '../../words/language.js';
import type { ImportAnswer } from './import-data.js';
import type { ImportDesk } from './import-desk.js';

type OnInvalid = NonNullable<ImportAnswer['onInvalid']>;

interface PlanProps {
  readonly desk: ImportDesk;
  readonly info: ImportAnswer;
}

/**
 * Leads on: the plan is made of the file and its corrections, all of it checked again. While rows are invalid it asks first
 * what becomes of them, so that nobody gets a plan unawares that can't be sent.
 */
export function PlanButton({ desk, info }: PlanProps) {
  const [asks, setAsks] = useState(false);
  const plan = usePlan(desk);
  if (!hasRole('maker')) return undefined;
  const ready = readyRows(info) > 0;
  // What was typed belongs to the plan: it is made when all of it has arrived.
  const waits = desk.queue.waiting.value.length > 0;
  const invalid = info.counts.invalid ?? 0;
  return (
    <>
      {!asks && plan.problem && <ProblemNotice problem={plan.problem} />}
      <button
        type="button"
        class="primary"
        disabled={plan.busy || waits || !ready}
        title={ready ? undefined : say(IMPORT.nothing_ready)}
        onClick={() => (invalid > 0 ? setAsks(true) : void plan.run(undefined))}
      >
        {plan.busy && <span class="spinner" aria-hidden="true" />}
        {say(IMPORT.plan)}
      </button>
      <span class="unseen" role="status">
        {plan.busy ? say(IMPORT.planning) : ''}
      </span>
      {asks && <PlanDialog info={info} plan={plan} close={() => setAsks(false)} />}
    </>
  );
}

/** Absent, the choice is the job's. */
function usePlan(desk: ImportDesk) {
  return useAct(async (onInvalid: OnInvalid | undefined) => {
    const path = `/imports/${encodeURIComponent(desk.id)}/plan`;
    const { run } = await act<{ run: string }>('POST', path, onInvalid ? { onInvalid } : undefined);
    go(`/plans/${encodeURIComponent(run)}`);
  });
}

function readyRows({ counts }: ImportAnswer): number {
  return (counts.valid ?? 0) + (counts.ready ?? 0);
}

/** `--on-invalid` of the command line, as a choice that says what comes of it; what the job says is chosen to begin with. */
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
  const choice = (way: OnInvalid, text: string, hint: string) => (
    <label class="choice">
      <input
        type="radio"
        name="on-invalid"
        checked={onInvalid === way}
        onChange={() => setOnInvalid(way)}
        aria-describedby={`on-invalid-${way}`}
      />
      <span>
        {text}
        <span class="hint" id={`on-invalid-${way}`}>
          {hint}
        </span>
      </span>
    </label>
  );
  return (
    <ActDialog
      title={count === 1 ? say(IMPORT.plan_title_one) : say(IMPORT.plan_title, { count })}
      yes={say(IMPORT.plan)}
      close={close}
      busy={plan.busy}
      problem={plan.problem}
      working={say(IMPORT.planning)}
      carry={() => void plan.run(onInvalid)}
    >
      <fieldset>
        <legend>{say(IMPORT.invalid_rows)}</legend>
        {choice(
          'abort',
          say(IMPORT.on_invalid_abort),
          count === 1 ? say(IMPORT.on_invalid_abort_hint_one) : say(IMPORT.on_invalid_abort_hint, { count }),
        )}
        {choice(
          'skip',
          count === 1 ? say(IMPORT.on_invalid_skip_one) : say(IMPORT.on_invalid_skip, { count }),
          say(IMPORT.on_invalid_skip_hint, { ready: readyRows(info) }),
        )}
      </fieldset>
      <p class="quiet">{say(IMPORT.plan_or_mend)}</p>
    </ActDialog>
  );
}

interface MadePlan {
  readonly run: string;
  readonly sent: boolean;
  readonly state: string;
  readonly by?: string;
  readonly at: string;
  readonly items: number;
  readonly invalid: number;
  readonly onInvalid: OnInvalid;
}

/** Where what was made of the import is found again. @param last its newest plan */
export function PlansMade({ id, last }: { readonly id: string; readonly last: string | undefined }) {
  const path = `/imports/${encodeURIComponent(id)}/plans`;
  const { value, problem, again } = useAsked(`${path} ${last}`, (signal) =>
    ask<{ readonly items: readonly MadePlan[] }>(path, { signal }),
  );
  if (!value) return problem && <ProblemNotice problem={problem} again={again} />;
  if (value.items.length === 0) return undefined;
  return (
    <section class="card" aria-labelledby="plans-made">
      <h2 id="plans-made">{say(IMPORT.plans_made)}</h2>
      <Table
        caption={say(IMPORT.plans_made)}
        rows={value.items}
        keyOf={(it) => it.run}
        columns={[
          {
            key: 'at',
            name: say(IMPORT.when),
            heads: true,
            cell: (it) => (
              <a href={`/${it.sent ? 'runs' : 'plans'}/${encodeURIComponent(it.run)}`}>
                <Time at={it.at} />
              </a>
            ),
          },
          { key: 'who', name: say(IMPORT.who), cell: (it) => it.by },
          { key: 'state', name: say(IMPORT.state), cell: (it) => <StateBadge state={it.state} /> },
          { key: 'items', name: say(IMPORT.items), numeric: true, cell: (it) => number(it.items) },
          {
            key: 'invalid',
            name: say(IMPORT.invalid_rows),
            wide: true,
            cell: (it) => (it.invalid === 0 ? number(0) : leftOutText(it)),
          },
        ]}
      />
    </section>
  );
}

function leftOutText({ invalid: count, onInvalid }: MadePlan): string {
  return say(onInvalid === 'skip' ? IMPORT.invalid_left_out : IMPORT.invalid_hold_back, { count });
}
