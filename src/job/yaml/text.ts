import type { Position } from '../../model/map.js';

/** A text that problems point into: a file, or one `--set` argument. */
export interface SourceText {
  /** As shown to people. */
  readonly name: string;
  readonly text: string;
  /** Its lines (or those that it is true for, 1-based) may hold a secret, so they are never shown. */
  readonly confidential: boolean | ((line: number) => boolean);
  /** It holds parts that jobs share, so a position within names the file. */
  readonly shared?: true;
}

/** A stretch of a text; `offset` in UTF-16 units. */
export interface Place {
  readonly text: SourceText;
  readonly offset: number;
  /** Where a shared part is used. */
  readonly usedAt?: Place;
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
  const { line, column } = lineAndColumn(place);
  if (!place.text.shared) return { line, column };
  const usedAt = place.usedAt && shownUses(place.usedAt);
  return { line, column, file: place.text.name, ...(usedAt === undefined ? {} : { usedAt }) };
}

/** `jobs/orders.yaml:9:5`. */
export function shownPosition(place: Place): string {
  const { line, column } = lineAndColumn(place);
  return `${place.text.name}:${line}:${column}`;
}

/** Where a part is used; where that stands in a part itself, where this one is used, and so on. */
function shownUses(place: Place): string {
  const own = shownPosition(place);
  return place.usedAt ? `${own} < ${shownUses(place.usedAt)}` : own;
}

function lineAndColumn(place: Place): Pick<Position, 'line' | 'column'> {
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
