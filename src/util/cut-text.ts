/** Cuts a text to `bytes` of UTF-8, with a `…` at the end and without splitting a character. */
export function cutText(text: string, bytes: number): string {
  // UTF-8 takes at most three bytes for each unit of a JavaScript string.
  if (text.length * 3 <= bytes || Buffer.byteLength(text) <= bytes) return text;
  const kept = Buffer.from(text).subarray(0, bytes - Buffer.byteLength('…'));
  return `${new TextDecoder().decode(kept, { stream: true })}…`;
}
