import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { carryOut } from './host.js';

const PROGRAM = fileURLToPath(new URL('../../bin/license-sync.js', import.meta.url));

interface Options {
  readonly cwd: string;
  readonly env?: Record<string, string>;
}

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
export function start(args: readonly string[], options: Options): Running {
  const child = spawn(process.execPath, [PROGRAM, ...args], {
    cwd: options.cwd,
    env: environment(options.env),
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

/** A command of the built program, in a process that executes others, too: {@link carryOut} says what of it is real. */
export function licenseSync(args: readonly string[], options: Options): Promise<Ended> {
  // Read when the program is loaded, and when Node begins.
  const { LICENSE_SYNC_CRASH_AT, NODE_OPTIONS } = options.env ?? {};
  if (LICENSE_SYNC_CRASH_AT ?? NODE_OPTIONS) return licenseSyncAlone(args, options);
  return carryOut({ args, cwd: options.cwd, env: environment(options.env) });
}

/** A command of the built program in a process of its own: where it matters how that begins, or what it has learnt before. */
export function licenseSyncAlone(args: readonly string[], options: Options): Promise<Ended> {
  return start(args, options).ended;
}

/** The tester's, without what would change what the program says or where it keeps things. */
function environment(more: Record<string, string> = {}): NodeJS.ProcessEnv {
  const { LICENSE_SYNC_LEDGER: _ledger, LANG: _lang, LC_ALL: _all, ...env } = process.env;
  return { ...env, ...more };
}
