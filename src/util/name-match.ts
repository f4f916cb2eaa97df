/** Edit distance with transpositions (optimal string alignment). */
function distance(a: string, b: string): number {
  let older: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const current = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const same = a[i - 1] === b[j - 1];
      let best = Math.min(previous[j]! + 1, current[j - 1]! + 1, previous[j - 1]! + (same ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        best = Math.min(best, older[j - 2]! + 1);
      current.push(best);
    }
    older = previous;
    previous = current;
  }
  return previous[b.length]!;
}

/**
 * The most similar candidate; undefined if more than 40 % of the letters differ. Also undefined if several begin with the word:
 * a third one may be more similar, and its proposal a wrong value (`网络锁` is not `网络身份锁`).
 */
export function nearest(word: string, candidates: Iterable<string>): string | undefined {
  const folded = word.normalize('NFKC').toLowerCase();
  let best: string | undefined;
  let least = Number.POSITIVE_INFINITY;
  let begun = 0;
  for (const candidate of candidates) {
    const name = candidate.normalize('NFKC').toLowerCase();
    if (name !== folded && name.startsWith(folded)) begun += 1;
    const steps = distance(folded, name);
    const length = Math.max(folded.length, candidate.length);
    const limit = Math.max(1, Math.floor(length * 0.4));
    // Two different single letters are not similar.
    if (steps < least && steps <= limit && steps * 2 <= length) {
      least = steps;
      best = candidate;
    }
  }
  return begun > 1 && least > 0 ? undefined : best;
}

/** As `nearest`; also finds a name by its last part: `new_buy` finds `order.new_buy`. */
export function nearestName(word: string, known: readonly string[]): string | undefined {
  const tail = `.${word.toLowerCase()}`;
  return known.find((name) => name.toLowerCase().endsWith(tail)) ?? nearest(word, known);
}

/** The characters used to compare names and patterns; systems may write the same name differently. */
function characters(text: string): readonly string[] {
  return [...text.normalize('NFC').toLowerCase()];
}

/** True when a name matches a pattern: `*` is any characters, `?` one; case is ignored. */
export function matchesPattern(pattern: string, name: string): boolean {
  const expected = characters(pattern);
  const found = characters(name);
  let at = 0;
  let next = 0;
  // Position of the last star, and the end of the text that it matches so far.
  let star = -1;
  let reach = 0;
  while (at < found.length) {
    if (expected[next] === '*') {
      star = next;
      reach = at;
      next += 1;
    } else if (next < expected.length && (expected[next] === '?' || expected[next] === found[at])) {
      at += 1;
      next += 1;
    } else if (star >= 0) {
      reach += 1;
      at = reach;
      next = star + 1;
    } else return false;
  }
  return expected.slice(next).every((it) => it === '*');
}
