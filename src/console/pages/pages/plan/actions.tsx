import { useState } from 'preact/hooks';
import { sendJson } from '../../api/client.js';
import { RequestProblem } from '../../api/problem.js';
import type { ApprovalLineAnswer, PlanAnswer } from '../../api/replies.js';
import { useAction } from '../../api/use-action.js';
import { ConfirmDialog } from '../../parts/dialog.js';
import { Choice, Field } from '../../parts/field.js';
import { announce, ProblemNotice } from '../../parts/notices.js';
import { Time } from '../../parts/table.js';
import { go } from '../../router.js';
import { t, timeText } from '../../words/language.js';
import { PlanRows } from './contents.js';
import { SendDialog } from './send.js';

export type PlanDialog = 'send' | 'request' | 'approve' | 'reject';

/** In display order: the first available action is the primary button. */
const ACTIONS = ['send', 'approve', 'reject', 'request'] as const;

/** Buttons of the available actions. */
export function PlanActions({
  plan: { run, may },
  open,
}: {
  readonly plan: PlanAnswer;
  readonly open: (dialog: PlanDialog) => void;
}) {
  const available = ACTIONS.filter((it) => may[it] === true);
  const address = `/runs/${encodeURIComponent(run)}`;
  const rehearse = useAction(async () => {
    try {
      await sendJson('POST', `${address}/rehearse`);
    } catch (error) {
      // Another user or tab has just started a rehearsal: the page shows that one.
      if (!(error instanceof RequestProblem) || error.problem.code !== 'rehearse.under_way') throw error;
    }
    go(`${address}/rehearsal`);
  });
  return (
    <>
      {available.map((it, index) => (
        <button key={it} type="button" class={index === 0 ? 'primary' : undefined} onClick={() => open(it)}>
          {t(`plan.${it}`)}
        </button>
      ))}
      {may.rehearse === true && (
        <button type="button" disabled={rehearse.busy} onClick={() => void rehearse.run()}>
          {rehearse.busy && <span class="spinner" aria-hidden="true" />}
          {t('plan.rehearse')}
        </button>
      )}
      {rehearse.problem && <ProblemNotice problem={rehearse.problem} />}
    </>
  );
}

/** Why the other actions are not available. */
export function UnavailableActions({ plan: { may } }: { readonly plan: PlanAnswer }) {
  const unavailable = ACTIONS.flatMap((it) => {
    const why = may[it];
    return typeof why === 'string' ? [{ act: it, why }] : [];
  });
  if (unavailable.length === 0) return undefined;
  return (
    <ul class="refused">
      {unavailable.map(({ act: it, why }) => (
        <li key={it}>
          <span class="name">{t(`plan.${it}`)}:</span> {why}
        </li>
      ))}
    </ul>
  );
}

interface ActionDialogProps {
  readonly plan: PlanAnswer;
  readonly dialog: PlanDialog;
  readonly close: () => void;
  /** Reloads the plan after an action succeeded or was rejected. */
  readonly changed: () => void;
}

export function PlanActionDialog({ dialog, ...props }: ActionDialogProps) {
  return dialog === 'send' ? <SendDialog {...props} /> : <ApprovalDialog action={dialog} {...props} />;
}

/** Validity of an approval; the first is the default, as on the command line. */
const AGES = ['24h', '8h', '3d', '7d'] as const;

interface ApprovalDialogProps extends Omit<ActionDialogProps, 'dialog'> {
  readonly action: 'request' | 'approve' | 'reject';
}

const ANNOUNCEMENTS = {
  request: 'plan.requested',
  approve: 'plan.is_approved',
  reject: 'plan.is_rejected',
} as const;

/** `Request approval`, `Approve`, `Reject`, for exactly this plan. */
function ApprovalDialog({ plan, action, close, changed }: ApprovalDialogProps) {
  const [comment, setComment] = useState('');
  const [maxAge, setMaxAge] = useState<string>(AGES[0]);
  const review = useAction(async () => {
    const details = { comment: comment.trim() || undefined, planHash: plan.hash };
    await sendJson(
      'POST',
      `/plans/${encodeURIComponent(plan.run)}/${action}`,
      action === 'approve' ? { ...details, maxAge } : details,
    );
    announce(t(ANNOUNCEMENTS[action]));
    close();
    changed();
  });
  const name = t(`plan.${action}`);
  // The counts are complete, unlike the reasons of a large plan. After a refused attempt they have no ready rows.
  const { valid: _, ...excluded } = plan.counts;
  const skipped =
    plan.state === 'planned' ? sum(Object.values(excluded)) : sum(plan.skipped.map(({ count }) => count));
  return (
    <ConfirmDialog
      title={name}
      confirmLabel={name}
      close={() => {
        if (review.problem) changed();
        close();
      }}
      action={review}
      ready={action !== 'reject' || comment.trim() !== ''}
      {...(action === 'reject' ? { tone: 'danger' as const } : {})}
    >
      <p>
        {t(`plan.${action}_scope`, {
          items: plan.items,
          connection: plan.connection.name,
          skipped: skipped === 0 ? '' : t('plan.rows_excluded', { count: skipped }),
          hash: (plan.hash ?? '').slice(0, 12),
        })}
      </p>
      <PlanRows plan={plan} />
      <Field
        label={t('plan.comment')}
        value={comment}
        change={setComment}
        long
        first
        required={action === 'reject'}
        {...(action === 'reject' ? { hint: t('plan.comment_hint') } : {})}
      />
      {action === 'approve' && (
        <Choice
          label={t('plan.valid_for')}
          value={maxAge}
          change={setMaxAge}
          options={AGES.map((value) => ({ value, name: ageText(value) }))}
        />
      )}
    </ConfirmDialog>
  );
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, it) => total + it, 0);
}

function ageText(age: string): string {
  const count = Number.parseInt(age, 10);
  return t(age.endsWith('h') ? 'plan.hours' : 'plan.days', { count });
}

/** The state of the approval, and its history. */
export function ApprovalCard({ plan: { approval } }: { readonly plan: PlanAnswer }) {
  const { needed, lines } = approval;
  if (!needed && lines.length === 0) return undefined;
  const state = stateText(approval);
  return (
    <section class="card approval" aria-labelledby="approval">
      <h2 id="approval">{t('plan.approval')}</h2>
      {state === undefined ? <p>{t('plan.needed')}</p> : <p class={`state ${approval.state}`}>{state}</p>}
      {lines.length > 0 && (
        <ol class="said">
          {lines.map((it) => (
            <li key={`${it.at} ${it.act} ${it.by}`}>
              <span>{lineText(it)}</span> <Time at={it.at} />
              {it.comment && <q>{it.comment}</q>}
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}

function stateText({ state, by = '', until }: PlanAnswer['approval']): string | undefined {
  switch (state) {
    case 'waiting':
      return t('common.waiting_for_approval');
    case 'approved':
      return t('plan.approved', { who: by, time: until ? timeText(until) : '' });
    case 'rejected':
      return t('plan.rejected', { who: by });
    case 'expired':
      return t('plan.expired');
    default:
      return undefined;
  }
}

function lineText({ act, by, until }: ApprovalLineAnswer): string {
  switch (act) {
    case 'request':
      return t('plan.did_request', { who: by });
    case 'approve':
      return t('plan.did_approve', { who: by, time: until ? timeText(until) : '' });
    case 'reject':
      return t('plan.did_reject', { who: by });
  }
}
