import { useState } from 'preact/hooks';
import { act } from '../../api/client.js';
import type { PlanAnswer } from '../../api/plans.js';
import { RequestProblem } from '../../api/problem.js';
import { useAct } from '../../api/use-act.js';
import { ActDialog } from '../../parts/dialog.js';
import { Choice, Field } from '../../parts/field.js';
import { announce } from '../../parts/live.js';
import { ProblemNotice } from '../../parts/notices.js';
import { go } from '../../router.js';
import { say } from '../../words/language.js';
import { PLAN } from '../../words/plan.js';
import { LeftOutAgain } from './invalid-rows.js';
import { SendDialog } from './send.js';

export type PlanDialog = 'send' | 'request' | 'approve' | 'reject';

/** In the order in which they are offered: the first that can be done is the page's primary act. */
const ACTS = ['send', 'approve', 'reject', 'request'] as const;

/** The buttons of what may be done. */
export function PlanActs({
  plan: { run, may },
  open,
}: {
  readonly plan: PlanAnswer;
  readonly open: (dialog: PlanDialog) => void;
}) {
  const offered = ACTS.filter((it) => may[it] === true);
  const address = `/runs/${encodeURIComponent(run)}`;
  const rehearse = useAct(async () => {
    try {
      await act('POST', `${address}/rehearse`);
    } catch (error) {
      // Somebody, or another tab, began it a moment ago: that one is looked at.
      if (!(error instanceof RequestProblem) || error.problem.code !== 'rehearse.under_way') throw error;
    }
    go(`${address}/rehearsal`);
  });
  return (
    <>
      {offered.map((it, index) => (
        <button key={it} type="button" class={index === 0 ? 'primary' : undefined} onClick={() => open(it)}>
          {say(PLAN[it])}
        </button>
      ))}
      {may.rehearse === true && (
        <button type="button" disabled={rehearse.busy} onClick={() => void rehearse.run()}>
          {rehearse.busy && <span class="spinner" aria-hidden="true" />}
          {say(PLAN.rehearse)}
        </button>
      )}
      {rehearse.problem && <ProblemNotice problem={rehearse.problem} />}
    </>
  );
}

/** Why the other acts can't be done now. */
export function Refusals({ plan: { may } }: { readonly plan: PlanAnswer }) {
  const refused = ACTS.flatMap((it) => {
    const why = may[it];
    return typeof why === 'string' ? [{ act: it, why }] : [];
  });
  if (refused.length === 0) return undefined;
  return (
    <ul class="refused">
      {refused.map(({ act: it, why }) => (
        <li key={it}>
          <span class="name">{say(PLAN[it])}:</span> {why}
        </li>
      ))}
    </ul>
  );
}

interface ActsDialogProps {
  readonly plan: PlanAnswer;
  readonly dialog: PlanDialog;
  readonly close: () => void;
  /** Something was done, or refused: the plan is looked at again. */
  readonly changed: () => void;
}

export function ActsDialog({ dialog, ...props }: ActsDialogProps) {
  return dialog === 'send' ? <SendDialog {...props} /> : <WordDialog word={dialog} {...props} />;
}

/** `approve` for so long; the first is what the command line takes. */
const AGES = ['24h', '8h', '3d', '7d'] as const;

interface WordDialogProps extends Omit<ActsDialogProps, 'dialog'> {
  readonly word: 'request' | 'approve' | 'reject';
}

/** `Request approval`, `Approve`, `Reject`: a person's word on exactly this plan. */
function WordDialog({ plan, word, close, changed }: WordDialogProps) {
  const [comment, setComment] = useState('');
  const [maxAge, setMaxAge] = useState<string>(AGES[0]);
  const { busy, problem, run } = useAct(async () => {
    const said = { comment: comment.trim() || undefined, planHash: plan.hash };
    await act(
      'POST',
      `/plans/${encodeURIComponent(plan.run)}/${word}`,
      word === 'approve' ? { ...said, maxAge } : said,
    );
    announce(say({ request: PLAN.asked, approve: PLAN.is_approved, reject: PLAN.is_rejected }[word]));
    close();
    changed();
  });
  const name = say(PLAN[word]);
  const skipped = plan.skipped.reduce((sum, it) => sum + it.count, 0);
  return (
    <ActDialog
      title={name}
      yes={name}
      close={() => {
        if (problem) changed();
        close();
      }}
      busy={busy}
      problem={problem}
      ready={word !== 'reject' || comment.trim() !== ''}
      carry={() => void run()}
      {...(word === 'reject' ? { tone: 'danger' as const } : {})}
    >
      <p>
        {say(PLAN[`${word}_what`], {
          items: plan.items,
          connection: plan.connection.name,
          skipped: skipped === 0 ? '' : say(PLAN.left_out, { count: skipped }),
          hash: (plan.hash ?? '').slice(0, 12),
        })}
      </p>
      <LeftOutAgain plan={plan} />
      <Field
        label={say(PLAN.comment)}
        value={comment}
        change={setComment}
        long
        first
        required={word === 'reject'}
        {...(word === 'reject' ? { hint: say(PLAN.comment_wanted) } : {})}
      />
      {word === 'approve' && (
        <Choice
          label={say(PLAN.holds)}
          value={maxAge}
          change={setMaxAge}
          options={AGES.map((value) => ({ value, name: ageText(value) }))}
        />
      )}
    </ActDialog>
  );
}

function ageText(age: string): string {
  const count = Number.parseInt(age, 10);
  return say(age.endsWith('h') ? PLAN.hours : PLAN.days, { count });
}
