import { Heading } from '../../parts/heading.js';
import { session } from '../../session.js';
import { t } from '../../words/language.js';

/** The page of the sign-in address if the user is already signed in. */
export function Page() {
  const state = session.value;
  const who = state.kind === 'there' ? state.session.who : '';
  return (
    <>
      <Heading name={t('session.signed_in')} />
      <p>{t('session.signed_in_as', { who })}</p>
    </>
  );
}
