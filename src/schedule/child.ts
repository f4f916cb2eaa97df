import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { EXIT } from '../model/run-outcome.js';
import { eachLine } from '../util/streams.js';
import type { StartOrder } from './decide.js';
import type { ScheduledJob } from './scheduled-job.js';

/** The used fields of the JSON summary that a run's process printed. */
export interface RunSummary {
  /** The last run, if there were several. */
  readonly run?: string;
  /** The number of runs, if every file of a folder was one. */
  readonly runs?: number;
  readonly status?: string;
  readonly rows?: number;
  readonly counts: Readonly<Record<string, number>>;
  readonly output?: string;
  readonly reason?: string;
  readonly error?: { readonly code: string; readonly message: string };
}

export interface ChildEnd {
  /** As a shell shows it: 128 plus the signal's number if a signal ended it. */
  readonly exitCode: number;
  readonly signal?: string;
  /** Absent if it printed no summary. */
  readonly summary?: RunSummary;
}

/** A run's process. */
export interface Child {
  /** Never rejects: a process that could not be started ends with exit code 5. */
  readonly ended: Promise<ChildEnd>;
  /** The first call stops dispatching and lets it end in order; the second makes it exit at once (contract section 7). */
  interrupt(): void;
  kill(): void;
}

/**
 * Starts the program with these arguments.
 * @param onLine called with each line that it writes to stderr
 */
export type StartChild = (args: readonly string[], onLine: (line: string) => void) => Child;

/** Parses a printed line as a summary; undefined if it is not one. */
function readSummary(line: string): RunSummary | undefined {
  const found = parsed(line);
  if (!found) return undefined;
  const { status, rows, counts, output, reason, error } = found;
  const errorFields = asRecord(error);
  const runs = Array.isArray(found.runs) ? found.runs : undefined;
  const run = runs ? asRecord(runs.at(-1))?.run : found.run;
  return {
    run: textOf(run),
    runs: runs?.length,
    status: textOf(status),
    rows: typeof rows === 'number' ? rows : undefined,
    counts: Object.fromEntries(Object.entries(asRecord(counts) ?? {}).filter(isCount)),
    output: textOf(output),
    reason: textOf(reason),
    error: errorFields && {
      code: String(errorFields.code ?? ''),
      message: String(errorFields.message ?? ''),
    },
  };
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function parsed(line: string): Record<string, unknown> | undefined {
  try {
    return asRecord(JSON.parse(line));
  } catch {
    return undefined;
  }
}

function asRecord(value: unknown): Record<string, unknown> | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : undefined;
}

function isCount(entry: [string, unknown]): entry is [string, number] {
  return typeof entry[1] === 'number';
}

/** A longer line cannot be a summary and is dropped. */
const LONGEST_LINE = 1024 * 1024;
const LONGEST_PASSED_LINE = 2000;
const LINES_PASSED = 500;
/** How long the output may stay open after the exit: a process that the run started may keep it open. */
const AFTER_EXIT_MS = 1000;

/**
 * Starts runs as child processes.
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
    let lines = 0;
    eachLine(child.stderr, LONGEST_LINE, (line) => {
      lines += 1;
      if (lines <= LINES_PASSED) onLine(line.slice(0, LONGEST_PASSED_LINE));
      else if (lines === LINES_PASSED + 1) onLine('…');
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
        // Failed signals are reported here too; then the process continues.
        if (child.pid === undefined) end(EXIT.internal, null);
      });
      let closing: NodeJS.Timeout | undefined;
      child.on('exit', (code, signal) => {
        closing = setTimeout(() => {
          child.stdout.destroy();
          child.stderr.destroy();
          end(code, signal);
        }, AFTER_EXIT_MS);
      });
      child.on('close', (code, signal) => {
        clearTimeout(closing);
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
    // It has already ended.
  }
}

/** How long a run may take to exit after the second signal. */
const LEAVE_MS = 5_000;

/** The processes that are running, so that all can be stopped. */
export class Children {
  readonly #going = new Set<Child>();

  get count(): number {
    return this.#going.size;
  }

  /** Waits for the end of a process that was just started. */
  async watch(child: Child): Promise<ChildEnd> {
    this.#going.add(child);
    try {
      return await child.ended;
    } finally {
      this.#going.delete(child);
    }
  }

  /** Stops dispatching; requests in flight are finished. */
  interrupt(): void {
    for (const child of this.#going) child.interrupt();
  }

  /** Makes them exit at once. Call `interrupt` before. */
  leave(): void {
    this.interrupt();
    const late = setTimeout(() => {
      for (const child of this.#going) child.kill();
    }, LEAVE_MS);
    late.unref();
  }
}

/** Flags of the scheduler that are passed to its runs. */
export interface PassedFlags {
  readonly connection?: string;
  readonly logFile?: string;
  readonly metricsFile?: string;
  /** Run the actions of reconciliations. */
  readonly apply?: boolean;
  readonly yes?: boolean;
}

/** The program's arguments for one due time of a job, without the flags for its output. */
export function jobArgs(job: ScheduledJob, file: string, passed: PassedFlags): readonly string[] {
  const apply = job.kind === 'reconcile' && job.hasActions && passed.apply === true;
  return [
    job.kind,
    file,
    ...(apply ? ['--apply'] : []),
    ...(passed.connection === undefined ? [] : ['--connection', passed.connection]),
    ...common(passed),
  ];
}

/** The program's arguments for a start order. `ledger`: the address of the one with the run to resume. */
export function orderArgs(
  job: ScheduledJob,
  order: StartOrder,
  passed: PassedFlags,
  ledger: string,
): readonly string[] {
  const args = order.resume
    ? ['resume', order.resume.id, '--ledger', ledger, ...common(passed)]
    : jobArgs(job, job.file, passed);
  return [...args, '--json', '--quiet'];
}

function common({ logFile, metricsFile, yes }: PassedFlags): readonly string[] {
  return [
    ...(yes === true ? ['--yes'] : []),
    ...(logFile === undefined ? [] : ['--log-file', logFile]),
    ...(metricsFile === undefined ? [] : ['--metrics-file', metricsFile]),
  ];
}
