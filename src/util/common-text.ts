/** Stands in place of what differs. */
export const DIFFERS = '…';

const LONGEST = 300;

/** A text without the parts that differ from row to row: quoted text, and words with digits. */
export function pattern(text: string): string {
  return text
    .slice(0, LONGEST)
    .replace(/"[^"]*"/g, `"${DIFFERS}"`)
    .replace(/“[^”]*”/g, `“${DIFFERS}”`)
    .replace(/[A-Za-z_@/-]*\d(?:[A-Za-z0-9_@/.:-]*[A-Za-z0-9_@/-])?/g, DIFFERS);
}

/** The common part of two texts that are shown as one. Values of only one of them are left out. */
export function commonText(a: string, b: string): string {
  if (a === b) return a;
  const [one, other] = [pattern(a), pattern(b)];
  return one === other ? one : DIFFERS;
}
