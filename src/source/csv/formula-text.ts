const EQUALS = 0x3d;
const TEXT = /^\s*="((?:[^"]|"")*)"\s*$/;

/**
 * The text of a formula that is nothing but a text, `="001"`: so programs keep a spreadsheet from taking it for a number.
 * Undefined for all else.
 */
export function formulaText(field: string): string | undefined {
  const first = field.charCodeAt(0);
  if (first !== EQUALS && first > 0x20) return undefined;
  return TEXT.exec(field)?.[1]?.replaceAll('""', '"');
}
