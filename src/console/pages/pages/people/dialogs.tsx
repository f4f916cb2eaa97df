import { useState } from 'preact/hooks';
import type { z } from 'zod';
import { ROLES, type Role } from '../../../../model/console.js';
import type { personSchema, tokenSchema } from '../../../routes/schemas.js';
import { getJson, sendJson } from '../../api/client.js';
import { useAction } from '../../api/use-action.js';
import { ConfirmDialog, Dialog } from '../../parts/dialog.js';
import { Choice, Field } from '../../parts/field.js';
import { announce } from '../../parts/notices.js';
import { t } from '../../words/language.js';

/** A user. */
export type PersonAnswer = z.infer<typeof personSchema>;

/** A user with a new API token, which is returned only once. */
type TokenAnswer = z.infer<typeof tokenSchema>;

interface PersonDialogProps {
  readonly close: () => void;
  /** Called after the list of users has changed. */
  readonly changed: () => void;
}

export function AddPerson({ close, changed }: PersonDialogProps) {
  const [name, setName] = useState('');
  const [roles, setRoles] = useState<readonly Role[]>(['maker']);
  const [subject, setSubject] = useState('');
  const [expires, setExpires] = useState(EXPIRES_DEFAULT);
  const [created, setCreated] = useState<TokenAnswer>();
  const add = useAction(async () => {
    const body = {
      name: name.trim(),
      roles,
      subject: subject.trim() || undefined,
      expires: expires || undefined,
    };
    setCreated(await sendJson<TokenAnswer>('POST', '/people', body));
    changed();
  });
  if (created) return <TokenDialog created={created} close={close} />;
  return (
    <ConfirmDialog
      title={t('people.add')}
      confirmLabel={t('people.add_button')}
      close={close}
      action={add}
      ready={name.trim() !== '' && roles.length > 0}
    >
      <Field label={t('people.name')} value={name} change={setName} required first />
      <RoleFields roles={roles} change={setRoles} />
      <Field
        label={t('people.subject')}
        hint={t('people.subject_hint')}
        value={subject}
        change={setSubject}
      />
      <Expiry change={setExpires} />
    </ConfirmDialog>
  );
}

function RoleFields({
  roles,
  change,
}: {
  readonly roles: readonly Role[];
  readonly change: (roles: readonly Role[]) => void;
}) {
  return (
    <fieldset>
      <legend>{t('people.roles')}</legend>
      {ROLES.map((role) => (
        <label key={role} class="choice">
          <input
            type="checkbox"
            checked={roles.includes(role)}
            onChange={(event) =>
              change(event.currentTarget.checked ? [...roles, role] : roles.filter((it) => it !== role))
            }
          />
          <span>
            {t(`people.${role}`)}
            <span class="under">{t(`people.${role}_may`)}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}

const EXPIRES_DEFAULT = '90d';

/** The lifetime of a token as a number and its unit; empty: unlimited. */
function Expiry({ change }: { readonly change: (age: string) => void }) {
  const [count, setCount] = useState(EXPIRES_DEFAULT.slice(0, -1));
  const [unit, setUnit] = useState(EXPIRES_DEFAULT.slice(-1));
  const set = (typed: string, chosen: string): void => {
    setCount(typed);
    setUnit(chosen);
    change(typed.trim() === '' ? '' : `${typed.trim()}${chosen}`);
  };
  return (
    <div class="filters">
      <Field
        label={t('people.expires')}
        hint={t('people.expires_hint')}
        type="number"
        min={1}
        max={999_999}
        value={count}
        change={(typed) => set(typed, unit)}
      />
      <Choice
        label={t('people.expires_unit')}
        value={unit}
        change={(chosen) => set(count, chosen)}
        options={[
          { value: 'd', name: t('people.days') },
          { value: 'h', name: t('people.hours') },
        ]}
      />
    </div>
  );
}

/** A new token for a user, with other roles if `roles` has the present ones. */
export function RenewToken({
  name,
  roles: before,
  close,
  changed,
}: PersonDialogProps & { readonly name: string; readonly roles?: readonly Role[] | undefined }) {
  const [expires, setExpires] = useState(EXPIRES_DEFAULT);
  const [roles, setRoles] = useState(before);
  const [created, setCreated] = useState<TokenAnswer>();
  const renew = useAction(async () => {
    const body = { expires: expires || undefined, roles };
    setCreated(await sendJson<TokenAnswer>('POST', `/people/${encodeURIComponent(name)}/token`, body));
    changed();
  });
  if (created) return <TokenDialog created={created} close={close} />;
  return (
    <ConfirmDialog
      title={t(before ? 'people.change_of' : 'people.renew_of', { name })}
      confirmLabel={t(before ? 'people.change' : 'people.renew')}
      close={close}
      action={renew}
      ready={roles?.length !== 0}
    >
      <p>{t('people.renew_detail', { name })}</p>
      {roles && <RoleFields roles={roles} change={setRoles} />}
      <Expiry change={setExpires} />
    </ConfirmDialog>
  );
}

export function RemovePerson({ name, close, changed }: PersonDialogProps & { readonly name: string }) {
  const remove = useAction(
    async () => {
      await sendJson('DELETE', `/people/${encodeURIComponent(name)}`);
      changed();
      close();
    },
    async () => {
      const { items } = await getJson<{ readonly items: readonly PersonAnswer[] }>('/people');
      const isGone = !items.some((it) => it.name === name);
      if (isGone) {
        changed();
        close();
      }
      return isGone;
    },
  );
  return (
    <ConfirmDialog
      title={t('people.remove_of', { name })}
      confirmLabel={t('people.remove')}
      tone="danger"
      close={close}
      action={remove}
    >
      <p>{t('people.remove_detail', { name })}</p>
    </ConfirmDialog>
  );
}

export function ConfirmPerson({ name, close, changed }: PersonDialogProps & { readonly name: string }) {
  const confirm = useAction(async () => {
    await sendJson('POST', `/people/${encodeURIComponent(name)}/confirm`);
    announce(t('people.confirmed', { name }));
    changed();
    close();
  });
  return (
    <ConfirmDialog
      title={t('people.confirm_of', { name })}
      confirmLabel={t('people.confirm')}
      close={close}
      action={confirm}
    >
      <p>{t('people.confirm_detail', { name })}</p>
    </ConfirmDialog>
  );
}

/** Shows the token. It is only in this response and cannot be shown again. */
function TokenDialog({ created, close }: { readonly created: TokenAnswer; readonly close: () => void }) {
  const { name } = created.person;
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(created.token);
    announce(t('people.copied'));
  };
  return (
    <Dialog title={t('common.api_token')} close={close}>
      <p>{t('people.token_shown_once', { name })}</p>
      <pre class="token">{created.token}</pre>
      <div class="actions end">
        <button type="button" onClick={() => void copy()}>
          {t('people.copy')}
        </button>
        <button type="button" class="primary" onClick={close}>
          {t('common.close')}
        </button>
      </div>
    </Dialog>
  );
}
