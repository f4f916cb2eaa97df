/** What is used of the JSON summary that a run's process printed. */
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
  /** Absent when it printed no summary. */
  readonly summary?: RunSummary;
}

/** A run's process. */
export interface Child {
  /** Never rejects: a process that could not be started ends with exit code 5. */
  readonly ended: Promise<ChildEnd>;
  /**
   * The first call stops dispatching and lets it end in order; the second makes it leave at once (contract section 7).
   */
  interrupt(): void;
  /** Kills it. */
  kill(): void;
}

/**
 * Starts the program with these arguments.
 * @param onLine told each line that it writes to stderr
 */
export type StartChild = (args: readonly string[], onLine: (line: string) => void) => Child;

/** The summary on a line that a run printed; undefined when the line is none. */
export function readSummary(line: string): RunSummary | undefined {
  const found = parsed(line);
  if (!found) return undefined;
  const { status, rows, counts, output, reason, error } = found;
  const told = asRecord(error);
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
    error: told && { code: String(told.code ?? ''), message: String(told.message ?? '') },
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
