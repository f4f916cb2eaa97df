/** A text as one word of this machine's shell, quoted only where it has to be. */
export function shellWord(text: string): string {
  if (process.platform !== 'win32') return posixWord(text);
  return /^[\w.:\\/=-]+$/.test(text) ? text : `"${text.replaceAll('"', '')}"`;
}

/** The same for a POSIX shell. */
export function posixWord(text: string): string {
  return /^[\w@+,:./=-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
