import { useState } from 'preact/hooks';
import type { z } from 'zod';
import { ROLES, type Role } from '../../../../model/person.js';
import type { personSchema, tokenSchema } from '../../../routes/schemas.js';
import { act, ask } from '../../api/client.js';
import { useAct } from '../../api/use-act.js';
import { ActDialog, Dialog } from '../../parts/dialog.js';
import { Field } from '../../parts/field.js';
import { announce } from '../../parts/live.js';
import { COMMON } from '../../words/common.js';
import { say } from '../../words/language.js';
import { PEOPLE } from '../../words/people.js';

/** A person as the console tells it. */
export type PersonAnswer = z.infer<typeof personSchema>;

/** With an API token, which nobody is told again. */
type TokenAnswer = z.infer<typeof tokenSchema>;

interface PersonDialogProps {
  readonly close: () => void;
  /** People are others now. */
  readonly changed: () => void;
}

export function AddPerson({ close, changed }: PersonDialogProps) {
  const [name, setName] = useState('');
  const [roles, setRoles] = useState<readonly Role[]>(['maker']);
  const [subject, setSubject] = useState('');
  const [expires, setExpires] = useState('');
  const [made, setMade] = useState<TokenAnswer>();
  const add = useAct(async () => {
    const body = {
      name: name.trim(),
      roles,
      subject: subject.trim() || undefined,
      expires: expires.trim() || undefined,
    };
    setMade(await act<TokenAnswer>('POST', '/people', body));
    changed();
  });
  if (made) return <TokenTold made={made} close={close} />;
  return (
    <ActDialog
      title={say(PEOPLE.add)}
      yes={say(PEOPLE.add_yes)}
      close={close}
      busy={add.busy}
      problem={add.problem}
      ready={name.trim() !== '' && roles.length > 0}
      carry={() => void add.run()}
    >
      <Field label={say(PEOPLE.name)} value={name} change={setName} required first />
      <fieldset>
        <legend>{say(PEOPLE.roles)}</legend>
        {ROLES.map((role) => (
          <label key={role} class="choice">
            <input
              type="checkbox"
              checked={roles.includes(role)}
              onChange={(event) =>
                setRoles(
                  event.currentTarget.checked ? [...roles, role] : roles.filter((other) => other !== role),
                )
              }
            />
            <span>
              {say(PEOPLE[role])}
              <span class="under">{say(PEOPLE[`${role}_may`])}</span>
            </span>
          </label>
        ))}
      </fieldset>
      <Field
        label={say(PEOPLE.subject)}
        hint={say(PEOPLE.subject_hint)}
        value={subject}
        change={setSubject}
      />
      <Field
        label={say(PEOPLE.expires)}
        hint={say(PEOPLE.expires_hint)}
        value={expires}
        change={setExpires}
      />
    </ActDialog>
  );
}

export function RenewToken({ name, close, changed }: PersonDialogProps & { readonly name: string }) {
  const [expires, setExpires] = useState('90d');
  const [made, setMade] = useState<TokenAnswer>();
  const renew = useAct(async () => {
    const body = { expires: expires.trim() || undefined };
    setMade(await act<TokenAnswer>('POST', `/people/${encodeURIComponent(name)}/token`, body));
    changed();
  });
  if (made) return <TokenTold made={made} close={close} />;
  return (
    <ActDialog
      title={say(PEOPLE.renew_of, { name })}
      yes={say(PEOPLE.renew)}
      close={close}
      busy={renew.busy}
      problem={renew.problem}
      carry={() => void renew.run()}
    >
      <p>{say(PEOPLE.renew_told, { name })}</p>
      <Field
        label={say(PEOPLE.expires)}
        hint={say(PEOPLE.expires_hint)}
        value={expires}
        change={setExpires}
      />
    </ActDialog>
  );
}

export function RemovePerson({ name, close, changed }: PersonDialogProps & { readonly name: string }) {
  const remove = useAct(
    async () => {
      await act('DELETE', `/people/${encodeURIComponent(name)}`);
      changed();
      close();
    },
    async () => {
      const { items } = await ask<{ readonly items: readonly PersonAnswer[] }>('/people');
      const isGone = !items.some((it) => it.name === name);
      if (isGone) {
        changed();
        close();
      }
      return isGone;
    },
  );
  return (
    <ActDialog
      title={say(PEOPLE.remove_of, { name })}
      yes={say(PEOPLE.remove)}
      tone="danger"
      close={close}
      busy={remove.busy}
      problem={remove.problem}
      carry={() => void remove.run()}
    >
      <p>{say(PEOPLE.remove_told, { name })}</p>
    </ActDialog>
  );
}

/** The token is in this answer only: once the dialog is closed nobody can be told it again. */
function TokenTold({ made, close }: { readonly made: TokenAnswer; readonly close: () => void }) {
  const { name } = made.person;
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(made.token);
    announce(say(PEOPLE.copied));
  };
  return (
    <Dialog title={say(PEOPLE.token)} close={close}>
      <p>{say(PEOPLE.told_once, { name })}</p>
      <pre class="token">{made.token}</pre>
      <div class="acts end">
        <button type="button" onClick={() => void copy()}>
          {say(PEOPLE.copy)}
        </button>
        <button type="button" class="primary" onClick={close}>
          {say(COMMON.close)}
        </button>
      </div>
    </Dialog>
  );
}
