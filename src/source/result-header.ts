/** First columns of every result file (contract section 6), in order. */
const LEADING = ['row', 'status', 'licenseOrderId', 'code', 'message'];
/** Last of the result columns. */
const CLOSING = ['attempts', 'run'];

/**
 * How many columns of a header row are result columns; 0 if the file is no result of this program. A source column with
 * the name of a result column comes after them and remains a source column.
 * @param texts by column, from the first
 * @param extra names that operations may add after `message`
 */
export function resultColumnCount(texts: readonly string[], extra: readonly string[]): number {
  if (!LEADING.every((name, index) => texts[index] === name)) return 0;
  const known = new Set(extra);
  for (let index = LEADING.length; index < texts.length; index += 1) {
    if (texts[index] === CLOSING[0] && texts[index + 1] === CLOSING[1]) return index + CLOSING.length;
    if (!known.has(texts[index]!)) return 0;
  }
  return 0;
}
