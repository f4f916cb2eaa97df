const OPEN = '\uFDD2';
const CLOSE = '\uFDD3';

/**
 * Variables of which each is set to its own name in marks that no text may contain: a job read with these shows what is
 * written, never a value that may be secret.
 */
export const MASKED_VARIABLES: NodeJS.ProcessEnv = new Proxy<NodeJS.ProcessEnv>(
  {},
  {
    get: (_, name) => `${OPEN}${String(name)}${CLOSE}`,
    getOwnPropertyDescriptor: (_, name) => ({
      value: `${OPEN}${String(name)}${CLOSE}`,
      configurable: true,
      enumerable: true,
    }),
  },
);

const MARKED = new RegExp(`${OPEN}([^${CLOSE}]*)${CLOSE}`, 'g');

/** The names of the variables that a masked text holds, each once. */
export function variablesIn(text: string): readonly string[] {
  return [...new Set([...text.matchAll(MARKED)].map(([, name]) => name ?? ''))];
}

/** The text as a job file has it: `${NAME}` for a variable, `$${` for `${`. */
export function withVariableNames(text: string): string {
  return text.replaceAll('${', () => '$${').replaceAll(MARKED, (_, name: string) => `\${${name}}`);
}
