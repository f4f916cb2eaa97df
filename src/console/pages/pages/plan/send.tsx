import { useState } from 'preact/hooks';
import { getJson, sendJson } from '../../api/client.js';
import { RequestProblem } from '../../api/problem.js';
import type { PlanAnswer, PlannedOperation } from '../../api/replies.js';
import { useAction } from '../../api/use-action.js';
import { ConfirmDialog } from '../../parts/dialog.js';
import { Field } from '../../parts/field.js';
import { Notice } from '../../parts/notices.js';
import { go } from '../../router.js';
import { session } from '../../session.js';
import { listText, operationText, t } from '../../words/language.js';
import { itemsText, PlanRows } from './contents.js';

interface SendProps {
  readonly plan: PlanAnswer;
  readonly close: () => void;
  readonly changed: () => void;
}

/**
 * Confirms sending: number of items, connection, and what cannot be reverted. The displayed number and connection are
 * sent along, so that the console rejects the request if the plan has changed. If there is no response, the button
 * stays disabled until it is known whether the plan was sent.
 */
export function SendDialog({ plan, close, changed }: SendProps) {
  const { items } = plan;
  const { connection, operations } = plan;
  const deletes = operations.some((it) => it.deletes);
  const [typed, setTyped] = useState('');
  const [testsFirst, setTestsFirst] = useState(false);
  const [canary, setCanary] = useState('');
  const path = `/plans/${encodeURIComponent(plan.run)}`;
  const toRun = (): void => go(`/runs/${encodeURIComponent(plan.run)}`);
  const { busy, checkingOutcome, problem, run } = useAction(
    async () => {
      try {
        await sendJson('POST', `${path}/send`, {
          items,
          connection: connection.name,
          ...(deletes ? { confirmNumber: Number(digits(typed)) } : {}),
          ...(plan.changed ? { changed: plan.changed.latest } : {}),
          ...(testsFirst ? { canary: Number(digits(canary)) } : {}),
        });
      } catch (error) {
        // Browsers repeat a request whose connection broke. The response may be to the repetition, which is rejected.
        if (!(await sentByUser(path, error))) throw error;
      }
      toRun();
    },
    async () => {
      const { sent } = await getJson<PlanAnswer>(path);
      if (sent) toRun();
      return sent !== undefined;
    },
  );
  const shownProblem = problem?.status === 0 ? { ...problem, detail: t('plan.was_not_sent') } : problem;
  const numberIsValid = Number(digits(typed)) === items && typed.trim() !== '';
  const canaryIsValid = !testsFirst || /^[1-9]\d*$/.test(digits(canary));
  return (
    <ConfirmDialog
      title={itemsText('send_title', plan)}
      confirmLabel={itemsText('send_button', plan)}
      close={() => {
        if (problem) changed();
        close();
      }}
      action={{ busy, run, problem: checkingOutcome ? undefined : shownProblem }}
      ready={(!deletes || numberIsValid) && canaryIsValid}
      working={checkingOutcome ? '' : t('plan.sending')}
      {...(deletes ? { tone: 'danger' as const } : {})}
    >
      {connection.sandbox ? (
        <p>
          <span class="badge sandbox">{t('common.sandbox')}</span> {t('plan.send_sandbox')}
        </p>
      ) : (
        connection.host && <p>{t('plan.send_host', { items, host: connection.host })}</p>
      )}
      <Consequences operations={operations} />
      <PlanRows plan={plan} />
      <ChangedSince plan={plan} />
      {deletes && (
        <Field
          label={t('plan.number')}
          hint={t('plan.number_hint', { items })}
          value={typed}
          change={setTyped}
          numeric
          required
          first
          fault={typed.trim() === '' || numberIsValid ? undefined : t('plan.number_wrong', { items })}
        />
      )}
      <label class="check">
        <input
          type="checkbox"
          checked={testsFirst}
          onChange={(event) => setTestsFirst(event.currentTarget.checked)}
        />
        {t('plan.canary')}
      </label>
      <Field
        label={t('plan.canary_size')}
        hint={t('plan.canary_hint')}
        value={canary}
        change={(text) => {
          setCanary(text);
          setTestsFirst(text.trim() !== '');
        }}
        required={testsFirst}
        numeric
      />
      {checkingOutcome && (
        <Notice tone="doubt">
          <p role="status">{t('plan.checking_sent')}</p>
        </Notice>
      )}
    </ConfirmDialog>
  );
}

/** Rows that were sent before and changed since: sending them needs a confirmation that lists them. */
export function ChangedSince({ plan: { changed } }: { readonly plan: PlanAnswer }) {
  if (!changed) return undefined;
  const { count, rows, runs } = changed;
  return (
    <Notice tone="doubt">
      <p>{t('plan.changed_since', { count, rows, runs })}</p>
    </Notice>
  );
}

/** True if the plan was sent by this user. */
async function sentByUser(path: string, error: unknown): Promise<boolean> {
  if (!(error instanceof RequestProblem) || error.problem.status !== 409) return false;
  const { sent } = await getJson<PlanAnswer>(path);
  return sent !== undefined && session.value.kind === 'there' && sent.by === session.value.session.who;
}

function Consequences({ operations }: { readonly operations: readonly PlannedOperation[] }) {
  const itemsOf = (irreversible: boolean): string =>
    listText(
      operations
        .filter((it) => it.items > 0 && Boolean(it.irreversible) === irreversible)
        .map((it) => t('plan.items_of', { items: it.items, operation: operationText(it.operation) })),
    );
  const [irreversible, reversible] = [itemsOf(true), itemsOf(false)];
  return (
    <ul>
      {irreversible !== '' && (
        <li>
          <strong class="warn">{t('plan.send_irreversible', { what: irreversible })}</strong>
        </li>
      )}
      {reversible !== '' && <li>{t('plan.send_reversible', { what: reversible })}</li>}
    </ul>
  );
}

/** A number as users type it: `1,200` and `1 200` are 1200; `12.5` is not a number. */
function digits(text: string): string {
  const typed = text.trim();
  return /^\d{1,3}(?:[\s,.'’]\d{3})+$/.test(typed) ? typed.replaceAll(/\D/g, '') : typed;
}
