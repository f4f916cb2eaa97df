import { useState } from 'preact/hooks';
import { act, ask } from '../../api/client.js';
import type { PlanAnswer, PlannedOperation } from '../../api/plans.js';
import { RequestProblem } from '../../api/problem.js';
import { useAct } from '../../api/use-act.js';
import { ActDialog } from '../../parts/dialog.js';
import { Field } from '../../parts/field.js';
import { Notice } from '../../parts/notices.js';
import { go } from '../../router.js';
import { session } from '../../session.js';
import { COMMON } from '../../words/common.js';
import { say } from '../../words/language.js';
import { PLAN } from '../../words/plan.js';
import { LeftOutAgain } from './invalid-rows.js';
import { itemsText } from './items.js';

interface SendProps {
  readonly plan: PlanAnswer;
  readonly close: () => void;
  readonly changed: () => void;
}

/**
 * Asks before anything is sent: how many, where, and what can't be taken back. The number and the connection that were
 * shown go along, so that the console refuses when they aren't what it has. Where no answer comes, the button stays off
 * until it is known whether the plan was sent.
 */
export function SendDialog({ plan, close, changed }: SendProps) {
  const { items } = plan;
  const { connection, operations } = plan;
  const deletes = operations.some((it) => it.deletes);
  const [typed, setTyped] = useState('');
  const [canary, setCanary] = useState('');
  const path = `/plans/${encodeURIComponent(plan.run)}`;
  const toRun = (): void => go(`/runs/${encodeURIComponent(plan.run)}`);
  const { busy, looking, problem, run } = useAct(
    async () => {
      try {
        await act('POST', `${path}/send`, {
          items,
          connection: connection.name,
          ...(deletes ? { confirmNumber: Number(digits(typed)) } : {}),
          ...(canary.trim() === '' ? {} : { canary: Number(digits(canary)) }),
        });
      } catch (error) {
        // Browsers repeat a request whose connection broke: the answer may be to the second, which is refused.
        if (!(await sentByReader(path, error))) throw error;
      }
      toRun();
    },
    async () => {
      const { sent } = await ask<PlanAnswer>(path);
      if (sent) toRun();
      return sent !== undefined;
    },
  );
  const isNumber = Number(digits(typed)) === items && typed.trim() !== '';
  const isCanary = canary.trim() === '' || /^[1-9]\d*$/.test(digits(canary));
  return (
    <ActDialog
      title={itemsText('send_title', plan)}
      yes={itemsText('send_yes', plan)}
      close={() => {
        if (problem) changed();
        close();
      }}
      busy={busy}
      ready={(!deletes || isNumber) && isCanary}
      problem={
        looking
          ? undefined
          : problem && problem.status === 0
            ? { ...problem, detail: say(PLAN.was_not_sent) }
            : problem
      }
      working={looking ? '' : say(PLAN.sending)}
      carry={() => void run()}
      {...(deletes ? { tone: 'danger' as const } : {})}
    >
      {connection.sandbox ? (
        <p>
          <span class="badge sandbox">{say(COMMON.sandbox)}</span> {say(PLAN.send_sandbox)}
        </p>
      ) : (
        connection.host && <p>{say(PLAN.send_host, { host: connection.host })}</p>
      )}
      <Consequences operations={operations} />
      <LeftOutAgain plan={plan} />
      {deletes && (
        <Field
          label={say(PLAN.number)}
          hint={say(PLAN.number_hint, { items })}
          value={typed}
          change={setTyped}
          numeric
          required
          first
          fault={typed.trim() === '' || isNumber ? undefined : say(PLAN.number_wrong, { items })}
        />
      )}
      <Field
        label={say(PLAN.canary)}
        hint={say(PLAN.canary_hint)}
        value={canary}
        change={setCanary}
        numeric
      />
      {looking && (
        <Notice tone="doubt">
          <p role="status">{say(PLAN.looking)}</p>
        </Notice>
      )}
    </ActDialog>
  );
}

/** True where the plan was sent after all, by who sits here. */
async function sentByReader(path: string, error: unknown): Promise<boolean> {
  if (!(error instanceof RequestProblem) || error.problem.status !== 409) return false;
  const { sent } = await ask<PlanAnswer>(path);
  return sent !== undefined && session.value.kind === 'there' && sent.by === session.value.session.who;
}

function Consequences({ operations }: { readonly operations: readonly PlannedOperation[] }) {
  const told = (final: boolean): string =>
    operations
      .filter((it) => it.items > 0 && Boolean(it.irreversible) === final)
      .map((it) => say(PLAN.items_of, { items: it.items, operation: it.operation }))
      .join(', ');
  const [final, back] = [told(true), told(false)];
  return (
    <ul>
      {final !== '' && (
        <li>
          <strong class="warn">{say(PLAN.send_final, { what: final })}</strong>
        </li>
      )}
      {back !== '' && <li>{say(PLAN.send_back, { what: back })}</li>}
    </ul>
  );
}

/** A number as people type it: `1,200` and `1 200` are 1200, `12.5` is none. */
function digits(text: string): string {
  const typed = text.trim();
  return /^\d{1,3}(?:[\s,.'’]\d{3})+$/.test(typed) ? typed.replaceAll(/\D/g, '') : typed;
}
