import { execFile } from 'node:child_process';
import { childEnvironment } from './known-secrets.js';

const COMMAND_MS = 30_000;
const MAX_BYTES = 65_536;

/** What a program printed, without white space around it, or why there is nothing. */
type Printed =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'failed'; readonly reason: string };

/** Runs a program that prints a secret. Never rejects; nothing it printed is in a reason. */
export function printedSecret(argv: readonly string[], env: NodeJS.ProcessEnv): Promise<Printed> {
  const [program = '', ...args] = argv;
  return new Promise((resolve) => {
    const fail = (reason: string): void => resolve({ kind: 'failed', reason });
    if (program === '') return fail('ENOENT');
    const options = { timeout: COMMAND_MS, killSignal: 'SIGKILL', maxBuffer: MAX_BYTES } as const;
    const child = execFile(
      program,
      args,
      { ...options, env: childEnvironment(env), windowsHide: true, encoding: 'utf8' },
      (error, stdout) => {
        if (error) {
          const late = error.killed === true && error.signal === 'SIGKILL' && typeof error.code !== 'string';
          return fail(late ? `${COMMAND_MS / 1000} s` : String(error.code ?? error.signal ?? 'error'));
        }
        const text = stdout.trim();
        return text === '' ? fail('empty') : resolve({ kind: 'text', text });
      },
    );
    // One that waits for input gets its end at once, instead of hanging until the time is over.
    child.stdin?.on('error', () => undefined).end();
  });
}
