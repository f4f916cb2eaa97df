import { useState } from 'preact/hooks';
import type { z } from 'zod';
import type { signInSchema } from '../../../routes/schemas.js';
import { useAction } from '../../api/use-action.js';
import { useResource } from '../../api/use-query.js';
import { Field } from '../../parts/field.js';
import { Heading } from '../../parts/heading.js';
import { Busy, Notice, ProblemNotice } from '../../parts/notices.js';
import { address, go } from '../../router.js';
import { signIn } from '../../session.js';
import { t } from '../../words/language.js';

/** The available kinds of sign-in. */
type SignInMethods = z.infer<typeof signInSchema>;

/** Shown at every address until the user is signed in; then the page of that address is shown. */
export function SignIn() {
  const { path, query } = address.value;
  const problemCode = query.get('problem') ?? '';
  const {
    value: methods,
    problem,
    again,
  } = useResource<SignInMethods>('/sign-in', {
    query: { problem: problemCode },
  });
  return (
    <div class="sign-in">
      <Heading name={t('session.sign_in')} />
      {problem && <ProblemNotice problem={problem} again={again} />}
      {methods?.problem && <ProblemNotice problem={{ title: '', status: 0, detail: methods.problem.text }} />}
      {!methods && !problem && <Busy />}
      {methods?.oidc !== undefined && (
        <a class="button primary" href={methods.oidc} data-document>
          {t('session.by_company')}
        </a>
      )}
      {methods?.token && (
        <TokenForm primary={methods.oidc === undefined} done={() => path === '/sign-in' && go('/')} />
      )}
      {methods?.link && (
        <Notice>
          <p>{t('session.local_start')}</p>
        </Notice>
      )}
    </div>
  );
}

function TokenForm({ primary, done }: { readonly primary: boolean; readonly done: () => void }) {
  const [token, setToken] = useState('');
  const { busy, problem, run } = useAction(async () => {
    await signIn(token.trim());
    done();
  });
  return (
    <form
      class="card"
      onSubmit={(event) => {
        event.preventDefault();
        if (token.trim() !== '') void run();
      }}
    >
      <Field
        label={t('common.api_token')}
        type="password"
        autocomplete="current-password"
        value={token}
        change={setToken}
        hint={t('session.token_hint')}
        required
        first={primary}
      />
      {problem && <ProblemNotice problem={problem} />}
      <div class="actions">
        <button type="submit" class={primary ? 'primary' : undefined} disabled={busy}>
          {busy && <span class="spinner" aria-hidden="true" />}
          {t('session.sign_in')}
        </button>
      </div>
    </form>
  );
}
