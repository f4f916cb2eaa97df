import { redactor } from './redactor.js';

/** A shorter "secret" may be part of a number or a field name, and replacing it would break what it stands in. */
export const REDACTED_FROM = 8;

const known = new Set<string>();
let redact: (text: string) => string = (text) => text;

/**
 * Remembers a credential for as long as the process lives, so that the last words of a crash can be freed of it too,
 * wherever it came from and whoever prints them.
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

/** From now on no program that is started gets these variables of the environment. */
export function withholdVariables(names: Iterable<string>): void {
  for (const name of names) withheld.add(name);
}

/**
 * The environment for a program that is started: without variables that are withheld, others that hold the same values,
 * and those that any secret stands in that is known.
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
