import { useEffect, useState } from 'preact/hooks';
import type { z } from 'zod';
import type { signInSchema } from '../../../routes/schemas.js';
import { useAction } from '../../api/use-action.js';
import { useResource } from '../../api/use-query.js';
import { Dialog } from '../../parts/dialog.js';
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
  return (
    <div class="sign-in">
      <Heading name={t('session.sign_in')} />
      <SignInChoices />
    </div>
  );
}

/** Keys are ignored until none was pressed for this time. */
const QUIET_MS = 1000;

/**
 * Asks for sign-in over the page when the session has ended. It can open while the user types: the keys that were meant
 * for the page must not get into a field of the dialog or press its buttons.
 */
export function SignInDialog({ who }: { readonly who: string }) {
  useEffect(() => {
    let quietAt = performance.now() + QUIET_MS;
    const press = (event: KeyboardEvent): void => {
      const now = performance.now();
      if (now < quietAt) quietAt = now + QUIET_MS;
      else if (event.key !== 'Escape') return;
      event.preventDefault();
      event.stopPropagation();
    };
    const point = (): void => {
      quietAt = 0;
    };
    addEventListener('keydown', press, true);
    addEventListener('pointerdown', point, true);
    return () => {
      removeEventListener('keydown', press, true);
      removeEventListener('pointerdown', point, true);
    };
  }, []);
  return (
    <Dialog title={t('session.sign_in')} close={() => {}} busy>
      <p>{t('session.over', { who })}</p>
      <SignInChoices inDialog />
    </Dialog>
  );
}

function SignInChoices({ inDialog = false }: { readonly inDialog?: boolean }) {
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
    <>
      {problem && <ProblemNotice problem={problem} again={again} />}
      {methods?.problem && <ProblemNotice problem={{ title: '', status: 0, detail: methods.problem.text }} />}
      {!methods && !problem && <Busy />}
      {methods?.oidc !== undefined && (
        <a
          class="button primary"
          href={methods.oidc}
          data-document
          target={inDialog ? '_blank' : undefined}
          rel="noopener"
        >
          {t(inDialog ? 'session.by_company_elsewhere' : 'session.by_company')}
        </a>
      )}
      {methods?.token && (
        <TokenForm
          primary={methods.oidc === undefined}
          first={methods.oidc === undefined && !inDialog}
          done={() => path === '/sign-in' && go('/')}
        />
      )}
      {methods?.link && (
        <Notice>
          <p>{t('session.local_start')}</p>
        </Notice>
      )}
    </>
  );
}

function TokenForm({
  primary,
  first,
  done,
}: {
  readonly primary: boolean;
  readonly first: boolean;
  readonly done: () => void;
}) {
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
        first={first}
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
