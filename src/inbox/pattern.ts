/** The form in which names and patterns are compared: as one system writes a name, another may spell it otherwise. */
function characters(text: string): readonly string[] {
  return [...text.normalize('NFC').toLowerCase()];
}

/** Whether a file's name fits a pattern: `*` stands for any characters, `?` for one; case doesn't matter. */
export function matchesPattern(pattern: string, name: string): boolean {
  const wanted = characters(pattern);
  const found = characters(name);
  let at = 0;
  let next = 0;
  // Where the last star stood, and up to where it was taken to reach.
  let star = -1;
  let reach = 0;
  while (at < found.length) {
    if (wanted[next] === '*') {
      star = next;
      reach = at;
      next += 1;
    } else if (next < wanted.length && (wanted[next] === '?' || wanted[next] === found[at])) {
      at += 1;
      next += 1;
    } else if (star >= 0) {
      reach += 1;
      at = reach;
      next = star + 1;
    } else return false;
  }
  return wanted.slice(next).every((it) => it === '*');
}
