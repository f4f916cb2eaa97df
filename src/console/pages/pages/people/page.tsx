import { useState } from 'preact/hooks';
import type { Role } from '../../../../model/console.js';
import type { ListAnswer } from '../../api/replies.js';
import { useResource } from '../../api/use-query.js';
import { Heading } from '../../parts/heading.js';
import { EmptyState, Notice, QueryView } from '../../parts/notices.js';
import { Table, Time } from '../../parts/table.js';
import { hasRole, session } from '../../session.js';
import { listText, t, timeText } from '../../words/language.js';
import { Policies, Sessions } from './access.js';
import { AddPerson, ConfirmPerson, type PersonAnswer, RemovePerson, RenewToken } from './dialogs.js';

type Open =
  | { readonly kind: 'add' }
  | {
      readonly kind: 'remove' | 'renew' | 'confirm';
      readonly name: string;
      readonly roles?: readonly Role[];
    };

/** The users of the ledger with their roles; admins can change them. */
export function Page() {
  const people = useResource<ListAnswer<PersonAnswer>>('/people');
  const [open, setOpen] = useState<Open>();
  const isAdmin = hasRole('admin');
  const close = (): void => setOpen(undefined);
  return (
    <>
      <Heading name={t('common.people')}>
        {isAdmin && (
          <button type="button" class="primary" onClick={() => setOpen({ kind: 'add' })}>
            {t('people.add')}
          </button>
        )}
      </Heading>
      <p class="lead">{t('people.about')}</p>
      {!isAdmin && (
        <Notice>
          <p>{t('people.admins_only')}</p>
        </Notice>
      )}
      <section class="card">
        <QueryView of={people}>
          {({ items }) =>
            items.length === 0 ? (
              <EmptyState title={t('people.empty')}>
                <p>{t('people.empty_detail')}</p>
              </EmptyState>
            ) : (
              <PersonTable people={items} isAdmin={isAdmin} open={setOpen} />
            )
          }
        </QueryView>
      </section>
      <Sessions whose={isAdmin ? 'all' : 'own'} />
      <Policies isAdmin={isAdmin} />
      {open?.kind === 'add' && <AddPerson close={close} changed={people.again} />}
      {open?.kind === 'remove' && <RemovePerson name={open.name} close={close} changed={people.again} />}
      {open?.kind === 'confirm' && <ConfirmPerson name={open.name} close={close} changed={people.again} />}
      {open?.kind === 'renew' && (
        <RenewToken name={open.name} roles={open.roles} close={close} changed={people.again} />
      )}
    </>
  );
}

function PersonTable({
  people,
  isAdmin,
  open,
}: {
  readonly people: readonly PersonAnswer[];
  readonly isAdmin: boolean;
  readonly open: (it: Open) => void;
}) {
  const state = session.value;
  const signedIn = state.kind === 'there' ? state.session.who : undefined;
  const actionsColumn = {
    key: 'actions',
    name: t('common.actions'),
    cell: ({ name, roles, unconfirmed = [] }: PersonAnswer) => (
      <div class="actions">
        {/* Users cannot confirm themselves, nor access that they granted. */}
        {name !== signedIn && unconfirmed.some((it) => it.by !== signedIn) && (
          <button
            type="button"
            aria-label={t('people.confirm_of', { name })}
            onClick={() => open({ kind: 'confirm', name })}
          >
            {t('people.confirm')}
          </button>
        )}
        <button
          type="button"
          aria-label={t('people.change_of', { name })}
          onClick={() => open({ kind: 'renew', name, roles })}
        >
          {t('people.change')}
        </button>
        <button
          type="button"
          aria-label={t('people.renew_of', { name })}
          onClick={() => open({ kind: 'renew', name })}
        >
          {t('people.renew')}
        </button>
        <button
          type="button"
          aria-label={t('people.remove_of', { name })}
          onClick={() => open({ kind: 'remove', name })}
        >
          {t('people.remove')}
        </button>
      </div>
    ),
  };
  return (
    <Table
      caption={t('common.people')}
      rows={people}
      keyOf={(it) => it.name}
      columns={[
        {
          key: 'name',
          name: t('people.name'),
          heads: true,
          wide: true,
          cell: (it) => (
            <>
              {it.name}
              {it.subject !== undefined && <span class="under">{it.subject}</span>}
            </>
          ),
        },
        {
          key: 'roles',
          name: t('people.roles'),
          cell: (it) => listText(it.roles.map((role) => t(`people.${role}`))),
        },
        { key: 'added', name: t('people.added'), cell: (it) => <Time at={it.added} /> },
        {
          key: 'token',
          name: t('common.api_token'),
          cell: (it) =>
            it.tokenExpires === undefined ? t('people.token_unlimited') : <Time at={it.tokenExpires} />,
        },
        {
          key: 'unconfirmed',
          name: t('people.unconfirmed'),
          cell: ({ unconfirmed = [] }) =>
            listText(
              unconfirmed.map(({ by, until }) =>
                t('people.unconfirmed_until', { by, until: timeText(until) }),
              ),
            ),
        },
        ...(isAdmin ? [actionsColumn] : []),
      ]}
    />
  );
}
