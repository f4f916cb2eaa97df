/** The system's or undici's code of an error; if several addresses were tried, the first code. */
export function errorCode(error: unknown): string {
  if (typeof error !== 'object' || error === null) return '';
  const { code } = error as { code?: unknown };
  if (typeof code === 'string' && code !== '') return code;
  if (error instanceof AggregateError) {
    for (const one of error.errors) {
      const found = errorCode(one);
      if (found !== '') return found;
    }
  }
  return 'cause' in error && error.cause !== error ? errorCode(error.cause) : '';
}

/** One line for people, without a stack. */
export function errorDetail(error: unknown): string {
  const text = textOf(error);
  const code = errorCode(error);
  const line = text.replace(/\s+/gu, ' ').trim();
  if (line === '') return code === '' ? 'no detail' : code;
  return code === '' || line.includes(code) ? line : `${code}: ${line}`;
}

/** The errors inside: a name with several addresses fails once for each of them. */
function textOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.message !== '' || !(error instanceof AggregateError)) return error.message;
  return [...new Set(error.errors.map(textOf))].join('; ');
}
