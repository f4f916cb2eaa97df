import { redactor } from './redactor.js';

/** A shorter secret may be part of a number or a field name by chance; replacing it would break that text. */
export const REDACTED_FROM = 8;

const known = new Set<string>();
let redact: (text: string) => string = (text) => text;

/**
 * Remembers a credential as long as the process lives, so that it can be removed from everything that is printed, also when
 * the program crashes.
 */
export function rememberSecret(value: string): void {
  if (value.length < REDACTED_FROM || known.has(value)) return;
  known.add(value);
  redact = redactor(known);
}

/** The text without any credential that this process has fetched. */
export function redactKnown(text: string): string {
  return redact(text);
}

const withheld = new Set<string>();

/** Withholds these environment variables from programs that are started from now on. */
export function withholdVariables(names: Iterable<string>): void {
  for (const name of names) withheld.add(name);
}

/**
 * The environment for a program that is started: without the withheld variables, others with the same values, and all that
 * contain a known secret.
 */
export function childEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const values = new Set(
    [...withheld].map((name) => env[name]).filter((it) => it !== undefined && it !== ''),
  );
  return Object.fromEntries(
    Object.entries(env).filter(
      ([name, value = '']) => !withheld.has(name) && !values.has(value) && redactKnown(value) === value,
    ),
  );
}
