/** The form in which headers and allowed words are compared: trimmed, NFKC, lower case, inner spaces joined. */
export function fold(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/[\s\u200b\ufeff]+/gu, ' ')
    .trim()
    .toLowerCase();
}
