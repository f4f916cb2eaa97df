/**
 * Which lines of a YAML text (1-based) belong to a top-level key whose values may be secret. Told from the text, as
 * it may be no valid YAML; rather a line too many than one too few.
 */
export function confidentialLines(text: string, key: string): (line: number) => boolean {
  const named = new RegExp(`(?:^|[\\s{,?"'])${key}["']?\\s*(?::|$)`);
  const hidden = new Set<number>();
  let within = false;
  for (const [index, line] of text.split('\n').entries()) {
    const begins = /^[^\s#\-\]}]/.test(line);
    if (named.test(line)) within = true;
    else if (begins) within = false;
    if (within) hidden.add(index + 1);
  }
  return (line) => hidden.has(line);
}
