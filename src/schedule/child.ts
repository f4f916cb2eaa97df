/** What a run's process printed as its one JSON object, as far as anything is told of it. */
export interface RunSummary {
  /** The last one, of several. */
  readonly run?: string;
  /** How many, where every file of a folder is a run of its own. */
  readonly runs?: number;
  readonly status?: string;
  readonly rows?: number;
  readonly counts: Readonly<Record<string, number>>;
  readonly output?: string;
  readonly reason?: string;
  readonly error?: { readonly code: string; readonly message: string };
}

export interface ChildEnd {
  /** As a shell tells it: 128 and the signal's number where a signal ended it. */
  readonly exitCode: number;
  readonly signal?: string;
  /** Absent where it printed nothing of the kind. */
  readonly summary?: RunSummary;
}

/** A run's process. */
export interface Child {
  /** Never rejects: a process that could not be started ends with exit code 5. */
  readonly ended: Promise<ChildEnd>;
  /** The first time it stops dispatching and ends in order, the second time it leaves at once (contract section 7). */
  interrupt(): void;
  /** Ends it whatever it does. */
  kill(): void;
}

/**
 * Starts the program with these arguments.
 * @param onLine told each line that it writes to stderr
 */
export type StartChild = (args: readonly string[], onLine: (line: string) => void) => Child;

/** The JSON object on a line that a run printed; undefined where it holds none. */
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
