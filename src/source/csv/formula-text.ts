const EQUALS = 0x3d;
const TEXT = /^\s*="((?:[^"]|"")*)"\s*$/;

/**
 * The text in a formula that is only a text, such as `="001"`; undefined for any other field. Programs write identifiers
 * like this so that a spreadsheet doesn't turn them into numbers.
 */
export function formulaText(field: string): string | undefined {
  const first = field.charCodeAt(0);
  if (first !== EQUALS && first > 0x20) return undefined;
  return TEXT.exec(field)?.[1]?.replaceAll('""', '"');
}
