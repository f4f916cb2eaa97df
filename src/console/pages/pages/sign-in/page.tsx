import { Heading } from '../../parts/heading.js';
import { session } from '../../session.js';
import { say } from '../../words/language.js';
import { STATES } from '../../words/states.js';

/** The address of the form, for somebody who is signed in already. */
export function Page() {
  const now = session.value;
  const who = now.kind === 'there' ? now.session.who : '';
  return (
    <>
      <Heading name={say(STATES.signed_in)} />
      <p>{say(STATES.signed_in_as, { who })}</p>
    </>
  );
}
