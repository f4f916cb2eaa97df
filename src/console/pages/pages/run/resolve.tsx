import { useId, useState } from 'preact/hooks';
import { sendJson } from '../../api/client.js';
import type { RowHistoryAnswer, RunDetailAnswer } from '../../api/replies.js';
import { useAction } from '../../api/use-action.js';
import { useResource } from '../../api/use-query.js';
import { ConfirmDialog } from '../../parts/dialog.js';
import { Field } from '../../parts/field.js';
import { announce, Busy, Notice } from '../../parts/notices.js';
import { Facts, Time } from '../../parts/table.js';
import { t } from '../../words/language.js';
import { RequestList } from './history.js';

/** The response to resolving rows. */
export interface ResolvedAnswer {
  readonly settled: readonly { readonly rows?: readonly number[]; readonly evidence?: string }[];
  readonly left: readonly { readonly rows: readonly number[]; readonly reason: string }[];
}

const METHODS = ['ask_platform', 'as_succeeded', 'as_failed'] as const;

/** Resolves a row with unknown outcome: by asking the platform, or manually with evidence. */
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
  const [method, setMethod] = useState<(typeof METHODS)[number]>('ask_platform');
  const [order, setOrder] = useState('');
  const [note, setNote] = useState('');
  const [left, setLeft] = useState<string>();
  const group = useId();
  const base = `/runs/${encodeURIComponent(run.run)}`;
  const { value: history } = useResource<RowHistoryAnswer>(`${base}/rows/${row}`);
  const resolve = useAction(async () => {
    setLeft(undefined);
    const resolution =
      method === 'ask_platform'
        ? { verify: true }
        : {
            as: method === 'as_succeeded' ? 'succeeded' : 'failed',
            note: note.trim(),
            ...(method === 'as_succeeded' && order.trim() !== '' ? { licenseOrderId: order.trim() } : {}),
          };
    const answer = await sendJson<ResolvedAnswer>('POST', `${base}/resolve`, { row, ...resolution });
    changed();
    const reason = answer.left?.find((it) => it.rows.includes(row))?.reason;
    if (reason !== undefined) {
      setLeft(reason);
      return;
    }
    announce(t('run.resolved', { count: answer.settled?.length ?? 1, left: 0 }));
    close();
  });
  const isManual = method !== 'ask_platform';
  return (
    <ConfirmDialog
      title={t('run.resolve_row', { row: String(row) })}
      confirmLabel={t('run.resolve')}
      close={close}
      action={resolve}
      ready={!isManual || note.trim() !== ''}
      wide
    >
      <p>{t('run.resolve_lead')}</p>
      {history?.cells && (
        <>
          <h3>{t('run.look_for')}</h3>
          <Facts
            of={[
              ...history.cells.map((it) => [it.header, it.text] as const),
              [t('run.sent_at'), sentAt(history)],
            ]}
          />
        </>
      )}
      <details open>
        <summary>{t('run.evidence_known')}</summary>
        {history ? (
          <>
            {history.message && <p>{history.message}</p>}
            <RequestList requests={history.requests} />
            {history.steps?.map((it) => (
              <RequestList key={it.name} requests={it.requests} />
            ))}
          </>
        ) : (
          <Busy />
        )}
      </details>
      <fieldset>
        <legend>{t('run.what_happened')}</legend>
        {METHODS.map((it) => (
          <label key={it} class="choice">
            <input
              type="radio"
              name={group}
              value={it}
              checked={method === it}
              onChange={() => setMethod(it)}
            />
            {t(`run.${it}`)}
          </label>
        ))}
      </fieldset>
      {method === 'as_succeeded' && (
        <Field label={t('run.order_id')} hint={t('run.order_id_hint')} value={order} change={setOrder} />
      )}
      {isManual && (
        <Field
          label={t('run.evidence')}
          hint={t('run.evidence_hint')}
          value={note}
          change={setNote}
          long
          required
        />
      )}
      {left !== undefined && (
        <Notice tone="doubt">
          <p role="alert">{t('run.not_resolved', { reason: left })}</p>
        </Notice>
      )}
    </ConfirmDialog>
  );
}

/** When the row was sent, last; for the search in the platform. */
function sentAt({ requests, steps = [] }: RowHistoryAnswer) {
  const attempts = [requests, ...steps.map((it) => it.requests)].flat().flatMap((it) => it.attempts);
  const last = attempts.at(-1);
  return last && <Time at={last.startedAt} zone />;
}
