/** Characters with which foreign text could control a terminal or change its reading order. */
const STEERING = /[\p{Cc}\p{Cs}\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** Makes a path safe for one line of a terminal: file names may contain anything. */
export function shownPath(path: string): string {
  return path.replace(STEERING, '\ufffd');
}

/** The same for text of several lines. */
export function shownText(text: string): string {
  return text.replace(STEERING, (it) => (it === '\n' || it === '\t' ? it : '\ufffd'));
}
