const PART = /^(?:yyyy|y|MM?|dd?|HH?|mm?|ss?|SSS)$/;

/**
 * What is wrong with a date pattern (`yyyy/MM/dd HH:mm`), by the letters of Unicode's date patterns; text in single
 * quotes and anything but ASCII letters stands for itself. Undefined when it is right.
 */
export function faultOfDatePattern(
  pattern: string,
): { readonly kind: 'letters'; readonly letters: string } | { readonly kind: 'no_day' } | undefined {
  const bare = pattern.replace(/'(?:[^']|'')*'/g, ' ');
  if (bare.includes("'")) return { kind: 'letters', letters: "'" };
  const runs: readonly string[] = bare.match(/([A-Za-z])\1*/g) ?? [];
  const wrong = runs.find((run, index) => !PART.test(run) || runs.indexOf(run) !== index);
  if (wrong !== undefined) return { kind: 'letters', letters: wrong };
  const has = (letter: string) => runs.some((run) => run[0] === letter);
  return has('y') && has('M') && has('d') ? undefined : { kind: 'no_day' };
}
