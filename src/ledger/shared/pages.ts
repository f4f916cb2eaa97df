import { setImmediate } from 'node:timers/promises';

/** Lets signals, timers and other work have their turn in the middle of long reading or writing. */
export function pause(): Promise<void> {
  return setImmediate();
}

/** A page as it is read; a server takes its time. */
export type Lines<Line> = readonly Line[] | Promise<readonly Line[]>;

/**
 * Reads a long result page by page, so that memory stays flat and others have their turn; what was read may be changed
 * between two pages.
 * @param first where the first page begins
 * @param read the page after a place; empty after the last
 * @param placeOf where the page ends that has this as its last line
 */
export async function* pagesOf<Line, Place>(
  first: Place,
  read: (after: Place) => Lines<Line>,
  placeOf: (last: Line) => Place,
): AsyncGenerator<readonly Line[], void> {
  let after = first;
  for (;;) {
    const lines = await read(after);
    const last = lines.at(-1);
    if (last === undefined) return;
    yield lines;
    after = placeOf(last);
    await pause();
  }
}
