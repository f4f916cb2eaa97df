import { Heading } from '../../parts/heading.js';
import { EmptyState } from '../../parts/notices.js';
import { say } from '../../words/language.js';
import { STATES } from '../../words/states.js';

/** An address that no page has. */
export function NotFound() {
  return (
    <>
      <Heading name={say(STATES.not_found)} />
      <EmptyState title={say(STATES.not_found_detail)} />
    </>
  );
}
