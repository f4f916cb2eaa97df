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

/** Whether the field is a formula other than `="001"`, such as `=A2`: text files have no result of it. */
export function isFormula(field: string): boolean {
  const first = field.charCodeAt(0);
  if (first !== EQUALS && (first > 0x20 || !field.trimStart().startsWith('='))) return false;
  return field.trim().length > 1 && formulaText(field) === undefined;
}
