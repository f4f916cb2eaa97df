import { useState } from 'preact/hooks';
import { ask } from '../../api/client.js';
import { useAsked } from '../../api/use-asked.js';
import { Heading } from '../../parts/heading.js';
import { Asked, EmptyState, Notice } from '../../parts/notices.js';
import { Table } from '../../parts/table.js';
import { Time } from '../../parts/time.js';
import { hasRole } from '../../session.js';
import { COMMON } from '../../words/common.js';
import { say } from '../../words/language.js';
import { PEOPLE } from '../../words/people.js';
import { AddPerson, type PersonAnswer, RemovePerson, RenewToken } from './dialogs.js';

type Open = { readonly kind: 'add' } | { readonly kind: 'remove' | 'renew'; readonly name: string };

/** `People`: whom the ledger knows, and what each may do; admins change it. */
export function Page() {
  const people = useAsked('people', (signal) =>
    ask<{ readonly items: readonly PersonAnswer[] }>('/people', { signal }),
  );
  const [open, setOpen] = useState<Open>();
  const manages = hasRole('admin');
  const close = (): void => setOpen(undefined);
  return (
    <>
      <Heading name={say(COMMON.people)}>
        {manages && (
          <button type="button" class="primary" onClick={() => setOpen({ kind: 'add' })}>
            {say(PEOPLE.add)}
          </button>
        )}
      </Heading>
      <p class="lead">{say(PEOPLE.about)}</p>
      {!manages && (
        <Notice>
          <p>{say(PEOPLE.admins_only)}</p>
        </Notice>
      )}
      <section class="card">
        <Asked of={people}>
          {({ items }) =>
            items.length === 0 ? (
              <EmptyState title={say(PEOPLE.nobody)}>
                <p>{say(PEOPLE.nobody_told)}</p>
              </EmptyState>
            ) : (
              <PersonTable people={items} manages={manages} open={setOpen} />
            )
          }
        </Asked>
      </section>
      {open?.kind === 'add' && <AddPerson close={close} changed={people.again} />}
      {open?.kind === 'remove' && <RemovePerson name={open.name} close={close} changed={people.again} />}
      {open?.kind === 'renew' && <RenewToken name={open.name} close={close} changed={people.again} />}
    </>
  );
}

function PersonTable({
  people,
  manages,
  open,
}: {
  readonly people: readonly PersonAnswer[];
  readonly manages: boolean;
  readonly open: (it: Open) => void;
}) {
  const acts = {
    key: 'acts',
    name: say(PEOPLE.acts),
    cell: ({ name }: PersonAnswer) => (
      <div class="acts">
        <button
          type="button"
          aria-label={say(PEOPLE.renew_of, { name })}
          onClick={() => open({ kind: 'renew', name })}
        >
          {say(PEOPLE.renew)}
        </button>
        <button
          type="button"
          aria-label={say(PEOPLE.remove_of, { name })}
          onClick={() => open({ kind: 'remove', name })}
        >
          {say(PEOPLE.remove)}
        </button>
      </div>
    ),
  };
  return (
    <Table
      caption={say(COMMON.people)}
      rows={people}
      keyOf={(it) => it.name}
      columns={[
        {
          key: 'name',
          name: say(PEOPLE.name),
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
          name: say(PEOPLE.roles),
          cell: (it) => it.roles.map((role) => say(PEOPLE[role])).join(', '),
        },
        { key: 'added', name: say(PEOPLE.added), cell: (it) => <Time at={it.added} /> },
        {
          key: 'token',
          name: say(PEOPLE.token),
          cell: (it) =>
            it.tokenExpires === undefined ? say(PEOPLE.token_forever) : <Time at={it.tokenExpires} />,
        },
        ...(manages ? [acts] : []),
      ]}
    />
  );
}
