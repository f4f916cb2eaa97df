/** Characters by which foreign text could steer a terminal, or turn its own reading order. */
const STEERING = /[\p{Cc}\p{Cs}\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** A path fit to be shown on one line of a terminal: names of files come from anywhere and may hold anything. */
export function shownPath(path: string): string {
  return path.replace(STEERING, '\ufffd');
}

/** Text of several lines, the same way. */
export function shownText(text: string): string {
  return text.replace(STEERING, (it) => (it === '\n' || it === '\t' ? it : '\ufffd'));
}
