import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const PROGRAM = fileURLToPath(new URL('../../bin/license-sync.js', import.meta.url));

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Running {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
}

/** The real program as a process (built by `npm run build`, which the tests' script does first). */
export function start(
  args: readonly string[],
  options: { readonly cwd: string; readonly env?: Record<string, string> },
): Running {
  const { LICENSE_SYNC_LEDGER: _ledger, LANG: _lang, LC_ALL: _all, ...env } = process.env;
  const child = spawn(process.execPath, [PROGRAM, ...args], {
    cwd: options.cwd,
    env: { ...env, ...options.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const ended = new Promise<Ended>((resolve) => {
    child.on('close', (code, signal) => resolve({ code, signal, stdout, stderr }));
  });
  return { child, ended };
}

/** Resolves once a program that was just started says something on stderr, or has ended. */
export function saying({ child, ended }: Running, text: string): Promise<unknown> {
  let said = '';
  const heard = new Promise<void>((resolve) => {
    child.stderr?.on('data', (more: string) => {
      said += more;
      if (said.includes(text)) resolve();
    });
  });
  return Promise.race([heard, ended]);
}

export function licenseSync(
  args: readonly string[],
  options: { readonly cwd: string; readonly env?: Record<string, string> },
): Promise<Ended> {
  return start(args, options).ended;
}
