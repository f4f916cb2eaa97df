import { useId, useState } from 'preact/hooks';
import { act, ask } from '../../api/client.js';
import type { RowStoryAnswer, RunDetailAnswer } from '../../api/runs.js';
import { useAct } from '../../api/use-act.js';
import { useAsked } from '../../api/use-asked.js';
import { ActDialog } from '../../parts/dialog.js';
import { Field } from '../../parts/field.js';
import { announce } from '../../parts/live.js';
import { Busy, Notice } from '../../parts/notices.js';
import { say } from '../../words/language.js';
import { RUN } from '../../words/run.js';
import { RequestList } from './story.js';

/** What came of settling rows. */
export interface ResolvedAnswer {
  readonly settled: readonly { readonly rows?: readonly number[]; readonly evidence?: string }[];
  readonly left: readonly { readonly rows: readonly number[]; readonly reason: string }[];
}

const WAYS = ['ask_platform', 'as_succeeded', 'as_failed'] as const;

/** Settles a row of which nobody knows whether it was carried out: by the platform, or by a person's word with its reason. */
export function ResolveDialog({
  run,
  row,
  close,
  changed,
}: {
  readonly run: RunDetailAnswer;
  readonly row: number;
  readonly close: () => void;
  readonly changed: () => void;
}) {
  const [way, setWay] = useState<(typeof WAYS)[number]>('ask_platform');
  const [order, setOrder] = useState('');
  const [note, setNote] = useState('');
  const [left, setLeft] = useState<string>();
  const group = useId();
  const base = `/runs/${encodeURIComponent(run.run)}`;
  const { value: story } = useAsked(`${base}/rows/${row}`, (signal) =>
    ask<RowStoryAnswer>(`${base}/rows/${row}`, { signal }),
  );
  const resolve = useAct(async () => {
    setLeft(undefined);
    const known =
      way === 'ask_platform'
        ? { verify: true }
        : {
            as: way === 'as_succeeded' ? 'succeeded' : 'failed',
            note: note.trim(),
            ...(way === 'as_succeeded' && order.trim() !== '' ? { licenseOrderId: order.trim() } : {}),
          };
    const answer = await act<ResolvedAnswer>('POST', `${base}/resolve`, { row, ...known });
    changed();
    const reason = answer.left?.find((it) => it.rows.includes(row))?.reason;
    if (reason !== undefined) {
      setLeft(reason);
      return;
    }
    announce(say(RUN.settled, { count: answer.settled?.length ?? 1, left: 0 }));
    close();
  });
  const ownWord = way !== 'ask_platform';
  return (
    <ActDialog
      title={say(RUN.resolve_row, { row: String(row) })}
      yes={say(RUN.resolve)}
      close={close}
      busy={resolve.busy}
      problem={resolve.problem}
      ready={!ownWord || note.trim() !== ''}
      carry={() => void resolve.run()}
      wide
    >
      <p>{say(RUN.resolve_lead)}</p>
      <details open>
        <summary>{say(RUN.evidence_known)}</summary>
        {story ? (
          <>
            {story.message && <p>{story.message}</p>}
            <RequestList requests={story.requests} />
            {story.steps?.map((it) => (
              <RequestList key={it.name} requests={it.requests} />
            ))}
          </>
        ) : (
          <Busy />
        )}
      </details>
      <fieldset>
        <legend>{say(RUN.what_happened)}</legend>
        {WAYS.map((it) => (
          <label key={it} class="choice">
            <input type="radio" name={group} value={it} checked={way === it} onChange={() => setWay(it)} />
            {say(RUN[it])}
          </label>
        ))}
      </fieldset>
      {way === 'as_succeeded' && (
        <Field label={say(RUN.order_id)} hint={say(RUN.order_id_hint)} value={order} change={setOrder} />
      )}
      {ownWord && (
        <Field
          label={say(RUN.evidence)}
          hint={say(RUN.evidence_hint)}
          value={note}
          change={setNote}
          long
          required
        />
      )}
      {left !== undefined && (
        <Notice tone="doubt">
          <p role="alert">{say(RUN.not_settled, { reason: left })}</p>
        </Notice>
      )}
    </ActDialog>
  );
}
