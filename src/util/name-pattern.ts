/** The characters that names and patterns are compared by; systems may write the same name differently. */
function characters(text: string): readonly string[] {
  return [...text.normalize('NFC').toLowerCase()];
}

/** True when a name matches a pattern: `*` is any characters, `?` one; case is ignored. */
export function matchesPattern(pattern: string, name: string): boolean {
  const wanted = characters(pattern);
  const found = characters(name);
  let at = 0;
  let next = 0;
  // The last star's place, and how far it has been taken to reach.
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
