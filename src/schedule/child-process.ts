import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { EXIT } from '../model/exit-code.js';
import { eachLine } from '../util/each-line.js';
import { type Child, type ChildEnd, type RunSummary, readSummary, type StartChild } from './child.js';

/** A longer line can't be a summary; it is not kept. */
const LONGEST_LINE = 1024 * 1024;
const LONGEST_TOLD = 2000;
const LINES_TOLD = 500;
/** A process that the run started may keep the run's output open; it isn't waited for longer than this. */
const AFTER_EXIT_MS = 1000;

/**
 * Starts runs as processes of their own.
 * @param command the program and the arguments that come before all others
 */
export function childProcesses(
  command: readonly string[],
  options: { readonly cwd: string; readonly env: NodeJS.ProcessEnv },
): StartChild {
  const [program = '', ...first] = command;
  return (args, onLine) => {
    // In its own process group: a Ctrl-C on the terminal reaches only the scheduler, which passes it on once.
    const child = spawn(program, [...first, ...args], {
      ...options,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      windowsHide: true,
    });
    let summary: RunSummary | undefined;
    eachLine(child.stdout, LONGEST_LINE, (line) => {
      summary = readSummary(line) ?? summary;
    });
    let told = 0;
    eachLine(child.stderr, LONGEST_LINE, (line) => {
      told += 1;
      if (told <= LINES_TOLD) onLine(line.slice(0, LONGEST_TOLD));
      else if (told === LINES_TOLD + 1) onLine('…');
    });
    const ended = new Promise<ChildEnd>((resolve) => {
      const end = (code: number | null, signal: NodeJS.Signals | null): void =>
        resolve({
          exitCode: code ?? (signal ? 128 + (constants.signals[signal] ?? 0) : EXIT.internal),
          signal: signal ?? undefined,
          summary,
        });
      child.on('error', (error) => {
        onLine(error.message);
        // Failed signals are reported here too; the process goes on then.
        if (child.pid === undefined) end(EXIT.internal, null);
      });
      let leave: NodeJS.Timeout | undefined;
      child.on('exit', (code, signal) => {
        leave = setTimeout(() => {
          child.stdout.destroy();
          child.stderr.destroy();
          end(code, signal);
        }, AFTER_EXIT_MS);
      });
      child.on('close', (code, signal) => {
        clearTimeout(leave);
        end(code, signal);
      });
    });
    const interrupt = (): void => {
      child.kill('SIGINT');
    };
    return { ended, interrupt, kill: () => killGroup(child.pid) } satisfies Child;
  };
}

function killGroup(id: number | undefined): void {
  if (id === undefined) return;
  try {
    process.kill(-id, 'SIGKILL');
  } catch {
    // It has ended.
  }
}
