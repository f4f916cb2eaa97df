/** Stands in place of what differs. */
export const DIFFERS = '…';

const LONGEST = 300;

/** A text without what differs from row to row: what is quoted, and words with digits. */
export function pattern(text: string): string {
  return text
    .slice(0, LONGEST)
    .replace(/"[^"]*"/g, `"${DIFFERS}"`)
    .replace(/“[^”]*”/g, `“${DIFFERS}”`)
    .replace(/[A-Za-z_@/-]*\d(?:[A-Za-z0-9_@/.:-]*[A-Za-z0-9_@/-])?/g, DIFFERS);
}

/** What two texts that are told as one have in common: never the first's own values for both. */
export function commonText(a: string, b: string): string {
  if (a === b) return a;
  const [one, other] = [pattern(a), pattern(b)];
  return one === other ? one : DIFFERS;
}
