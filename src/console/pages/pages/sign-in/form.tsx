import { useState } from 'preact/hooks';
import type { z } from 'zod';
import type { signInSchema } from '../../../routes/schemas.js';
import { ask } from '../../api/client.js';
import { useAct } from '../../api/use-act.js';
import { useAsked } from '../../api/use-asked.js';
import { Field } from '../../parts/field.js';
import { Heading } from '../../parts/heading.js';
import { Busy, Notice, ProblemNotice } from '../../parts/notices.js';
import { address, go } from '../../router.js';
import { signIn } from '../../session.js';
import { say } from '../../words/language.js';
import { STATES } from '../../words/states.js';

/** How one signs in at this console. */
type SignInWays = z.infer<typeof signInSchema>;

/** Shown at whatever address nobody is signed in; afterwards the page of that address follows. */
export function SignIn() {
  const { path, query } = address.value;
  const wrong = query.get('problem') ?? '';
  const {
    value: ways,
    problem,
    again,
  } = useAsked(`sign-in ${wrong}`, (signal) =>
    ask<SignInWays>('/sign-in', { query: { problem: wrong }, signal }),
  );
  return (
    <div class="sign-in">
      <Heading name={say(STATES.sign_in)} />
      {problem && <ProblemNotice problem={problem} again={again} />}
      {ways?.problem && <ProblemNotice problem={{ title: '', status: 0, detail: ways.problem.text }} />}
      {!ways && !problem && <Busy />}
      {ways?.oidc !== undefined && (
        <a class="button primary" href={ways.oidc} data-document>
          {say(STATES.by_company)}
        </a>
      )}
      {ways?.token && (
        <TokenForm primary={ways.oidc === undefined} done={() => path === '/sign-in' && go('/')} />
      )}
      {ways?.link && (
        <Notice>
          <p>{say(STATES.alone)}</p>
        </Notice>
      )}
    </div>
  );
}

function TokenForm({ primary, done }: { readonly primary: boolean; readonly done: () => void }) {
  const [token, setToken] = useState('');
  const { busy, problem, run } = useAct(async () => {
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
        label={say(STATES.api_token)}
        type="password"
        autocomplete="current-password"
        value={token}
        change={setToken}
        hint={say(STATES.token_hint)}
        required
        first={primary}
      />
      {problem && <ProblemNotice problem={problem} />}
      <div class="acts">
        <button type="submit" class={primary ? 'primary' : undefined} disabled={busy}>
          {busy && <span class="spinner" aria-hidden="true" />}
          {say(STATES.sign_in)}
        </button>
      </div>
    </form>
  );
}
