import { useState } from 'preact/hooks';
import { useAct } from '../../api/use-act.js';
import { Field } from '../../parts/field.js';
import { Heading } from '../../parts/heading.js';
import { ProblemNotice } from '../../parts/notices.js';
import { signIn } from '../../session.js';
import { say } from '../../words/language.js';
import { STATES } from '../../words/states.js';

/** Shown at whatever address nobody is signed in; afterwards the page of that address follows. */
export function SignIn() {
  const [token, setToken] = useState('');
  const { busy, problem, run } = useAct(async () => {
    await signIn(token.trim());
  });
  return (
    <div class="sign-in">
      <Heading name={say(STATES.sign_in)} />
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
          first
        />
        {problem && <ProblemNotice problem={problem} />}
        <div class="acts">
          <button type="submit" class="primary" disabled={busy}>
            {busy && <span class="spinner" aria-hidden="true" />}
            {say(STATES.sign_in)}
          </button>
        </div>
      </form>
      <p class="quiet">{say(STATES.alone)}</p>
    </div>
  );
}
