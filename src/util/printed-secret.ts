import { execFile } from 'node:child_process';
import { childEnvironment, redactKnown } from './known-secrets.js';
import { plainText } from './plain-text.js';

const COMMAND_MS = 30_000;
const MAX_BYTES = 65_536;

/** What a program printed, without white space around it, or why there is nothing. */
type Printed =
  | { readonly kind: 'text'; readonly text: string }
  /** With the end of what it wrote to standard error, in one line; no output and no argument is in it. */
  | { readonly kind: 'failed'; readonly reason: string };

/** Runs a program that prints a secret. Never rejects; nothing it printed on standard output is in a reason. */
export function printedSecret(argv: readonly string[], env: NodeJS.ProcessEnv): Promise<Printed> {
  const [program = '', ...args] = argv;
  return new Promise((resolve) => {
    const fail = (reason: string, said = ''): void =>
      resolve({ kind: 'failed', reason: said === '' ? reason : `${reason}: ${said}` });
    if (program === '') return fail('ENOENT');
    const options = { timeout: COMMAND_MS, killSignal: 'SIGKILL', maxBuffer: MAX_BYTES } as const;
    const child = execFile(
      program,
      args,
      { ...options, env: childEnvironment(env), windowsHide: true, encoding: 'utf8' },
      (error, stdout, stderr) => {
        const said = complaint(stderr, [...args, ...stdout.split(/\s+/)]);
        if (error) {
          const late = error.killed === true && error.signal === 'SIGKILL' && typeof error.code !== 'string';
          return fail(late ? `${COMMAND_MS / 1000} s` : String(error.code ?? error.signal ?? 'error'), said);
        }
        const text = stdout.trim();
        return text === '' ? fail('empty', said) : resolve({ kind: 'text', text });
      },
    );
    // One that waits for input gets its end at once, instead of hanging until the time is over.
    child.stdin?.on('error', () => undefined).end();
  });
}

const SAID_CHARACTERS = 300;

/** Danger: a shell repeats its arguments in its errors, and a script may repeat what it printed. */
function complaint(stderr: string, secrets: readonly string[]): string {
  let text = stderr;
  for (const it of secrets.toSorted((a, b) => b.length - a.length))
    if (it.length >= SECRET_CHARACTERS) text = text.replaceAll(it, '…');
  const line = plainText(redactKnown(text), stderr.length).replace(/\s+/g, ' ').trim().replace(/\.$/, '');
  return line.length > SAID_CHARACTERS ? `…${line.slice(-SAID_CHARACTERS)}` : line;
}

/** Shorter ones are found in ordinary words. */
const SECRET_CHARACTERS = 4;
