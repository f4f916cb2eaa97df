import { type ChildProcess, spawn } from 'node:child_process';
import { message } from '../errors/message.js';
import type { CommandTarget } from '../model/connection.js';
import { LONGEST_TIMER_MS } from '../util/clock.js';
import { childEnvironment, redactKnown, withholdVariables } from '../util/secrets.js';
import { eachLine } from '../util/streams.js';
import type { AfterRunOptions, CommandEnd, Delivery } from './notification-types.js';

/** Between SIGTERM and SIGKILL. */
const GRACE_MS = 2_000;
/** Characters of a command's output that are passed on. A longer output must not fill the disk of our stderr. */
const FORWARDED_CHARACTERS = 64 * 1024;
/** How long the output may stay open after the exit: a background process may keep it open. */
const AFTER_EXIT_MS = 300;

/**
 * Notifies a command of a run: the summary as JSON on its stdin, the main values in its environment, which has no
 * credentials. No shell is involved. The first 64 KiB of its output are passed on. On timeout or when the program stops, it is
 * ended with all processes that it started. Never rejects for what the command does.
 */
export async function notifyCommand(
  { argv, timeoutMs }: CommandTarget,
  over: CommandEnd,
  summary: CommandEnd['summary'],
  parts: AfterRunOptions,
): Promise<Delivery> {
  const [program = '', ...args] = argv;
  let child: ChildProcess;
  try {
    child = spawn(program, args, {
      stdio: ['pipe', 'pipe', 'pipe'],
      env: environment(over, parts),
      // Its own process group, so that its children can be ended with it. (On Windows, its own console.)
      detached: process.platform !== 'win32',
      windowsHide: true,
    });
  } catch (error) {
    return missing(program, error);
  }
  forwardOutput(child, parts);
  // A command need not read its input.
  child.stdin?.on('error', () => {}).end(`${redactKnown(JSON.stringify(summary))}\n`);
  const end = await exitOrTimeout(child, Math.min(timeoutMs, LONGEST_TIMER_MS), parts.signal);
  switch (end.kind) {
    case 'missing':
      return missing(program, end.error);
    case 'stopped':
      return { kind: 'failed', why: message('notify.given_up', { to: program }) };
    case 'timeout':
      return {
        kind: 'failed',
        why: message('notify.command_timeout', { program, seconds: timeoutMs / 1000 }),
      };
    case 'killed':
      return { kind: 'failed', why: message('notify.command_killed', { program, signal: end.signal }) };
    case 'ended':
      if (end.code === 0) return { kind: 'delivered', to: program, attempts: 1 };
      return { kind: 'failed', why: message('notify.command_failed', { program, code: end.code }) };
  }
}

/** Passes on its output by lines, in order, without known secrets. */
function forwardOutput({ stdout, stderr }: ChildProcess, { printed }: AfterRunOptions): void {
  let left = FORWARDED_CHARACTERS;
  for (const stream of [stdout, stderr]) {
    if (!stream) continue;
    eachLine(stream, FORWARDED_CHARACTERS, (line) => {
      if (left <= 0) return;
      left -= line.length + 1;
      printed?.(left > 0 ? redactKnown(line) : '…');
    });
  }
}

/** Names only the program, because its arguments may contain secrets. */
function missing(program: string, error: unknown): Delivery {
  const reason = (error as NodeJS.ErrnoException).code ?? 'error';
  return { kind: 'failed', why: message('notify.command_missing', { program, reason }) };
}

/** The environment without variables that contain credentials, or have the same value as one. */
function environment(over: CommandEnd, { env, withheld }: AfterRunOptions): NodeJS.ProcessEnv {
  withholdVariables(withheld);
  const { status, output } = over.summary;
  return {
    ...childEnvironment(env),
    LICENSE_SYNC_RUN: over.run ?? '',
    LICENSE_SYNC_JOB: over.job,
    LICENSE_SYNC_STATUS: String(status ?? ''),
    LICENSE_SYNC_EXIT_CODE: String(over.exitCode),
    LICENSE_SYNC_OUTPUT: String(output ?? ''),
  };
}

type CommandExit =
  | { readonly kind: 'ended'; readonly code: number }
  | { readonly kind: 'killed'; readonly signal: string }
  | { readonly kind: 'timeout' | 'stopped' }
  | { readonly kind: 'missing'; readonly error: unknown };

function exitOrTimeout(child: ChildProcess, timeoutMs: number, signal: AbortSignal): Promise<CommandExit> {
  return new Promise((resolve) => {
    let cut: 'timeout' | 'stopped' | undefined;
    let grace: NodeJS.Timeout | undefined;
    const finish = (end: CommandExit): void => {
      clearTimeout(timer);
      clearTimeout(grace);
      signal.removeEventListener('abort', onAbort);
      for (const stream of [child.stdin, child.stdout, child.stderr]) stream?.destroy();
      resolve(end);
    };
    const stop = (why: 'timeout' | 'stopped'): void => {
      if (cut) return;
      cut = why;
      endGroup(child, 'SIGTERM');
      grace = setTimeout(() => {
        endGroup(child, 'SIGKILL');
        child.unref();
        finish({ kind: why });
      }, GRACE_MS);
    };
    const onAbort = (): void => stop('stopped');
    const timer = setTimeout(() => stop('timeout'), timeoutMs);
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) onAbort();
    child.once('error', (error) => finish({ kind: 'missing', error }));
    child.once('exit', (code, killedBy) => {
      if (cut) endGroup(child, 'SIGKILL');
      const end: CommandExit = cut
        ? { kind: cut }
        : code === null
          ? { kind: 'killed', signal: killedBy ?? '' }
          : { kind: 'ended', code };
      clearTimeout(timer);
      clearTimeout(grace);
      signal.removeEventListener('abort', onAbort);
      const late = setTimeout(() => finish(end), AFTER_EXIT_MS);
      child.once('close', () => {
        clearTimeout(late);
        finish(end);
      });
    });
  });
}

/** Ends the process group, which may have ended already. */
function endGroup(child: ChildProcess, signal: 'SIGTERM' | 'SIGKILL'): void {
  if (child.pid === undefined) return;
  try {
    if (process.platform === 'win32') child.kill(signal);
    else process.kill(-child.pid, signal);
  } catch {
    child.kill(signal);
  }
}
