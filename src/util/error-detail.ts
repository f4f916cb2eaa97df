import type { Message } from '../errors/message.js';

/** The code of an error from the system or undici; if several addresses were tried, the first code. */
export function errorCode(error: unknown): string {
  if (typeof error !== 'object' || error === null) return '';
  const { code } = error as { code?: unknown };
  if (typeof code === 'string' && code !== '') return code;
  if (error instanceof AggregateError) {
    for (const inner of error.errors) {
      const found = errorCode(inner);
      if (found !== '') return found;
    }
  }
  return 'cause' in error && error.cause !== error ? errorCode(error.cause) : '';
}

/** One line without a stack. */
export function errorDetail(error: unknown): string {
  const text = textOf(error);
  const code = errorCode(error);
  const line = text.replace(/\s+/gu, ' ').trim();
  if (line === '') return code === '' ? 'no detail' : code;
  return code === '' || line.includes(code) ? line : `${code}: ${line}`;
}

/** The inner errors: a name with several addresses fails once for each of them. */
function textOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.message !== '' || !(error instanceof AggregateError)) return error.message;
  return [...new Set(error.errors.map(textOf))].join('; ');
}

/** The distinct messages, in order. */
export function distinctMessages(all: readonly Message[]): readonly Message[] {
  return [...new Map(all.map((it) => [JSON.stringify(it), it])).values()];
}
