import { timeText } from '../words/language.js';

/** A time in the reader's zone; the zone is said below every page, and with each time to those who point at it. */
export function Time({ at, zone = false }: { readonly at: string; readonly zone?: boolean }) {
  return (
    <time dateTime={at} title={timeText(at, { seconds: true })}>
      {timeText(at, { zone })}
    </time>
  );
}
