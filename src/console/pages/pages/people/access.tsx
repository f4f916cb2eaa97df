import { useState } from 'preact/hooks';
import type { z } from 'zod';
import type { consoleSessionSchema, policySchema } from '../../../routes/schemas.js';
import { sendJson } from '../../api/client.js';
import type { ListAnswer } from '../../api/replies.js';
import { useAction } from '../../api/use-action.js';
import { useResource } from '../../api/use-query.js';
import { ConfirmDialog } from '../../parts/dialog.js';
import { announce, ProblemNotice, QueryView } from '../../parts/notices.js';
import { Table, Time } from '../../parts/table.js';
import { t, timeText } from '../../words/language.js';

type ConsoleSessionAnswer = z.infer<typeof consoleSessionSchema>;

type PolicyAnswer = z.infer<typeof policySchema>;

/** Who is signed in: the user's own sessions, or all. Each can be ended. */
export function Sessions({ whose }: { readonly whose: 'own' | 'all' }) {
  const sessions = useResource<ListAnswer<ConsoleSessionAnswer>>('/sessions', { query: { whose } });
  const end = useAction(async ({ id, who }: ConsoleSessionAnswer) => {
    await sendJson('DELETE', `/sessions/${encodeURIComponent(id)}`);
    announce(t('people.session_ended', { who }));
    sessions.again();
  });
  return (
    <section class="card" aria-labelledby="sessions">
      <h2 id="sessions">{t('people.sessions')}</h2>
      {end.problem && <ProblemNotice problem={end.problem} />}
      <QueryView of={sessions}>
        {({ items }) => (
          <Table
            caption={t('people.sessions')}
            rows={items}
            keyOf={(it) => it.id}
            columns={[
              { key: 'who', name: t('common.person'), heads: true, wide: true, cell: (it) => it.who },
              { key: 'by', name: t('people.signed_in_by'), cell: (it) => t(`people.by_${it.by}`) },
              { key: 'since', name: t('people.since'), cell: (it) => <Time at={it.since} /> },
              { key: 'seen', name: t('people.seen'), cell: (it) => <Time at={it.seen} /> },
              { key: 'expires', name: t('people.session_expires'), cell: (it) => <Time at={it.expires} /> },
              {
                key: 'actions',
                name: t('common.actions'),
                cell: (it) => (
                  <button
                    type="button"
                    disabled={end.busy}
                    aria-label={t('people.end_of', {
                      who: it.who,
                      since: timeText(it.since, { seconds: true }),
                    })}
                    onClick={() => void end.run(it)}
                  >
                    {t('people.end')}
                  </button>
                ),
              },
            ]}
          />
        )}
      </QueryView>
    </section>
  );
}

/** Hosts that require approvals according to the ledger. */
export function Policies({ isAdmin }: { readonly isAdmin: boolean }) {
  const policies = useResource<ListAnswer<PolicyAnswer>>('/policies');
  const [lifting, setLifting] = useState<string>();
  const actionsColumn = {
    key: 'actions',
    name: t('common.actions'),
    cell: ({ host }: PolicyAnswer) => (
      <button type="button" aria-label={t('people.lift_of', { host })} onClick={() => setLifting(host)}>
        {t('people.remove')}
      </button>
    ),
  };
  return (
    <section class="card" aria-labelledby="policies">
      <h2 id="policies">{t('people.policies')}</h2>
      <QueryView of={policies}>
        {({ items }) =>
          items.length === 0 ? (
            <p>{t('people.no_policies')}</p>
          ) : (
            <Table
              caption={t('people.policies')}
              rows={items}
              keyOf={(it) => `${it.host} ${it.since} ${it.words}`}
              columns={[
                { key: 'host', name: t('common.host'), heads: true, cell: (it) => it.host },
                { key: 'words', name: t('people.policy'), wide: true, cell: (it) => it.words },
                { key: 'by', name: t('common.by'), cell: (it) => it.by },
                { key: 'since', name: t('people.since'), cell: (it) => <Time at={it.since} /> },
                ...(isAdmin ? [actionsColumn] : []),
              ]}
            />
          )
        }
      </QueryView>
      {lifting !== undefined && (
        <LiftPolicy host={lifting} close={() => setLifting(undefined)} changed={policies.again} />
      )}
    </section>
  );
}

function LiftPolicy(props: {
  readonly host: string;
  readonly close: () => void;
  readonly changed: () => void;
}) {
  const { host, close, changed } = props;
  const lift = useAction(async () => {
    await sendJson('DELETE', `/policies/${encodeURIComponent(host)}`);
    changed();
    close();
  });
  return (
    <ConfirmDialog
      title={t('people.lift_of', { host })}
      confirmLabel={t('people.remove')}
      tone="danger"
      close={close}
      action={lift}
    >
      <p>{t('people.lift_detail', { host })}</p>
    </ConfirmDialog>
  );
}
