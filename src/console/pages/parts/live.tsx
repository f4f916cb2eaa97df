import { signal } from '@preact/signals';

const polite = signal('');
const urgent = signal('');

/** Says something to screen readers; the same text again is said again. @param loud interrupts: for refusals */
export function announce(text: string, { loud = false } = {}): void {
  const region = loud ? urgent : polite;
  // A region that holds the text already says nothing: the no-break space makes it another one.
  region.value = region.value === text ? `${text}\u00a0` : text;
}

/** Where announcements are read from. They stand in the frame from the start: a region that comes with its text isn't read. */
export function LiveRegions() {
  return (
    <>
      <div class="unseen" role="status" aria-live="polite">
        {polite}
      </div>
      <div class="unseen" role="alert" aria-live="assertive">
        {urgent}
      </div>
    </>
  );
}
