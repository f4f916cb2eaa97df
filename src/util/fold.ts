/** The form in which headers and allowed words are compared: trimmed, NFKC, lower case, inner spaces joined. */
export function fold(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/[\s\u200b\ufeff]+/gu, ' ')
    .trim()
    .toLowerCase();
}

/** Converts full-width letters, digits and signs, as Chinese input methods type them, to ASCII. */
export function narrow(text: string): string {
  if (!/[\uff01-\uff5e\u3000]/.test(text)) return text;
  return text
    .replace(/[\uff01-\uff5e]/g, (wide) => String.fromCharCode(wide.charCodeAt(0) - 0xfee0))
    .replaceAll('\u3000', ' ');
}
