import type { Position } from '../../model/map.js';

/** A text that problems point into: a file, or one `--set` argument. */
export interface SourceText {
  /** As shown to people. */
  readonly name: string;
  readonly text: string;
  /** Its lines (or those that it is true for, 1-based) may hold a secret, so they are never shown. */
  readonly confidential: boolean | ((line: number) => boolean);
}

/** A stretch of a text; `offset` in UTF-16 units. */
export interface Place {
  readonly text: SourceText;
  readonly offset: number;
}

const lineStarts = new WeakMap<SourceText, readonly number[]>();

function startsOf(text: SourceText): readonly number[] {
  let starts = lineStarts.get(text);
  if (!starts) {
    starts = [0, ...[...text.text.matchAll(/\n/g)].map((match) => match.index + 1)];
    lineStarts.set(text, starts);
  }
  return starts;
}

export function positionOf(place: Place): Position {
  const starts = startsOf(place.text);
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (starts[middle]! <= place.offset) low = middle;
    else high = middle - 1;
  }
  return { line: low + 1, column: place.offset - starts[low]! + 1 };
}

/** One line without its line break; 1-based. */
export function lineOf(text: SourceText, line: number): string {
  const starts = startsOf(text);
  return text.text.slice(starts[line - 1], starts[line]).replace(/\r?\n$/, '');
}
