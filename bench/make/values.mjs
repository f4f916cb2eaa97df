// A cell's value is a text, a number, or a day.

const FIRST_DAY = 25_569;

export class Day {
  /** Days since 1970-01-01. */
  constructor(days) {
    this.serial = FIRST_DAY + days;
    this.iso = new Date(days * 86_400_000).toISOString().slice(0, 10);
  }
}

const made = new Map();

/** Days since 1970-01-01; the same one for the same day. */
export function day(days) {
  let found = made.get(days);
  if (!found) {
    found = new Day(days);
    made.set(days, found);
  }
  return found;
}

/** What every reader should read from the cell. */
export function textOf(value) {
  return value instanceof Day ? value.iso : String(value);
}
