import { execFile } from 'node:child_process';
import { plainText } from './text.js';

const MARK = '[redacted]';

const NAMED_ENTITIES: Readonly<Record<string, string>> = {
  '&': 'amp',
  '<': 'lt',
  '>': 'gt',
  '"': 'quot',
  "'": 'apos',
};

/**
 * Creates a function that replaces every occurrence of the secrets in a text by `[redacted]`: unchanged, and with any
 * of their characters encoded as in a URL, in JSON (also JSON within JSON; some servers write `=` as `\u003d`), or in
 * HTML. The mark is safe inside JSON strings.
 */
export function redactor(secrets: Iterable<string>): (text: string) => string {
  const values = new Set(secrets);
  values.delete('');
  if (values.size === 0) return (text) => text;
  // Longest first, so that no part of a longer secret remains.
  const ordered = [...values].sort((a, b) => b.length - a.length);
  const written = new RegExp(ordered.map(allEncodings).join('|'), 'gu');
  return (text) => {
    const plain = ordered.reduce((rest, value) => rest.replaceAll(value, MARK), text);
    return /[\\%&]/u.test(plain) ? plain.replace(written, MARK) : plain;
  };
}

/** A pattern that matches a secret with each of its characters in any encoding. */
function allEncodings(secret: string): string {
  return Array.from(secret, (character) => `(?:${encodingsOf(character).join('|')})`).join('');
}

function encodingsOf(character: string): string[] {
  const code = character.codePointAt(0) ?? 0;
  const hex = anyCase(code.toString(16));
  const bytes = Array.from(
    Buffer.from(character),
    (byte) => `%${anyCase(byte.toString(16).padStart(2, '0'))}`,
  );
  const units = Array.from({ length: character.length }, (_, at) => character.charCodeAt(at));
  const json = units.map((unit) => `\\\\{1,4}u${anyCase(unit.toString(16).padStart(4, '0'))}`).join('');
  const named = NAMED_ENTITIES[character];
  const literal = character.replace(/[\\^$.*+?()[\]{}|/]/gu, '\\$&');
  return [
    // Bounded, so that a reply full of backslashes or zeros costs no more than any other.
    // A backslash is doubled in JSON, and again in JSON within JSON; a quote or slash has some before it.
    character === '\\' ? '\\\\{1,4}' : /["'/]/u.test(character) ? `\\\\{0,4}${literal}` : literal,
    bytes.join(''),
    json,
    `&#0{0,6}${code};`,
    `&#[xX]0{0,6}${hex};`,
    ...(named === undefined ? [] : [`&${named};`]),
  ];
}

function anyCase(hex: string): string {
  return hex.replace(/[a-f]/gu, (it) => `[${it}${it.toUpperCase()}]`);
}

/** A shorter secret may be part of a number or a field name by chance; replacing it would break that text. */
export const REDACTED_FROM = 8;

const known = new Set<string>();
let redact: (text: string) => string = (text) => text;

/**
 * Remembers a credential until the process exits, so that it is removed from all output, also when the program
 * crashes.
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

/** Withholds these environment variables from programs started from now on. */
export function withholdVariables(names: Iterable<string>): void {
  for (const name of names) withheld.add(name);
}

/**
 * The environment for a child process: without the withheld variables, others with the same values, and all that
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

const COMMAND_MS = 30_000;
const MAX_BYTES = 65_536;

/** The output of a program, without leading and trailing white space, or why there is none. */
type Printed =
  | { readonly kind: 'text'; readonly text: string }
  /** With the last line of standard error; it contains no output and no argument. */
  | { readonly kind: 'failed'; readonly reason: string };

/** Runs a program that prints a secret. Never rejects; no reason contains its standard output. */
export function printedSecret(argv: readonly string[], env: NodeJS.ProcessEnv): Promise<Printed> {
  const [program = '', ...args] = argv;
  return new Promise((resolve) => {
    const fail = (reason: string, errorText = ''): void =>
      resolve({ kind: 'failed', reason: errorText === '' ? reason : `${reason}: ${errorText}` });
    if (program === '') return fail('ENOENT');
    const options = { timeout: COMMAND_MS, killSignal: 'SIGKILL', maxBuffer: MAX_BYTES } as const;
    const child = execFile(
      program,
      args,
      { ...options, env: childEnvironment(env), windowsHide: true, encoding: 'utf8' },
      (error, stdout, stderr) => {
        const errorText = lastErrorLine(stderr, [...args, ...stdout.split(/\s+/)]);
        if (error) {
          const late = error.killed === true && error.signal === 'SIGKILL' && typeof error.code !== 'string';
          return fail(
            late ? `${COMMAND_MS / 1000} s` : String(error.code ?? error.signal ?? 'error'),
            errorText,
          );
        }
        const text = stdout.trim();
        return text === '' ? fail('empty', errorText) : resolve({ kind: 'text', text });
      },
    );
    // A program that reads input gets the end of input at once, instead of waiting until the time limit.
    child.stdin?.on('error', () => undefined).end();
  });
}

const ERROR_CHARACTERS = 300;

/** Danger: a shell repeats its arguments in its errors, and a script may repeat its output. */
function lastErrorLine(stderr: string, secrets: readonly string[]): string {
  let text = stderr;
  for (const secret of secrets.toSorted((a, b) => b.length - a.length))
    if (secret.length >= SECRET_CHARACTERS) text = text.replaceAll(secret, '…');
  const line = plainText(redactKnown(text), stderr.length).replace(/\s+/g, ' ').trim().replace(/\.$/, '');
  return line.length > ERROR_CHARACTERS ? `…${line.slice(-ERROR_CHARACTERS)}` : line;
}

/** Shorter ones occur in ordinary words. */
const SECRET_CHARACTERS = 4;
