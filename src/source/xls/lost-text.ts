/** Functions that always give a text, by the number that a formula's tokens have for them ([MS-XLS] 2.5.198.17). */
const TEXT_FUNCTIONS: ReadonlySet<number> = new Set([
  13, 14, 30, 31, 48, 111, 112, 113, 114, 115, 116, 118, 119, 120, 162, 336,
]);
const RESULT = 6;
const TOKENS_LENGTH = 20;
const TOKENS = 22;
const CONCATENATION = 0x08;

/**
 * Whether a formula that gives a text has the number 0 for its result: LibreOffice saves it so where it opened a workbook
 * without calculating it. Told by the last token, which is what the formula gives.
 * @param data the formula's record
 */
export function hasLostText(data: Buffer): boolean {
  if (data.length < TOKENS || data.readDoubleLE(RESULT) !== 0) return false;
  const tokens = data.subarray(TOKENS, TOKENS + data.readUInt16LE(TOKENS_LENGTH));
  if (tokens.length < 3) return false;
  if (tokens.at(-1) === CONCATENATION) return true;
  if (!TEXT_FUNCTIONS.has(tokens.readUInt16LE(tokens.length - 2))) return false;
  // Functions of a fixed number of arguments, and of any: the token's kind in five bits, then the class of its value.
  return isToken(tokens.at(-3), 1) || isToken(tokens.at(-4), 2);
}

function isToken(byte: number | undefined, kind: number): boolean {
  return byte !== undefined && (byte & 0x1f) === kind && byte >= 0x20 && byte < 0x80;
}

/** The function SUBTOTAL. */
const SUBTOTAL_FUNCTION = 344;
/** SUBTOTAL and AGGREGATE take a few arguments. */
const MOST_ARGUMENTS = 0x7f;

/** Whether the formula uses SUBTOTAL. AGGREGATE came after this format; Excel saves it as a name that is not looked up. */
export function usesSubtotal(data: Buffer): boolean {
  if (data.length < TOKENS) return false;
  return hasSubtotalToken(data.subarray(TOKENS, TOKENS + data.readUInt16LE(TOKENS_LENGTH)));
}

/** The same of the tokens themselves, which binary workbooks of both kinds write alike. */
export function hasSubtotalToken(tokens: Buffer): boolean {
  for (let at = 0; at + 4 <= tokens.length; at += 1) {
    const isFunction = isToken(tokens[at], 2) && tokens[at + 1]! <= MOST_ARGUMENTS;
    if (isFunction && tokens.readUInt16LE(at + 2) === SUBTOTAL_FUNCTION) return true;
  }
  return false;
}
