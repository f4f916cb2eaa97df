import type { MapBranch, Position } from './map.js';
import type { OperationName } from './operation.js';

/** A job file, checked, with every default filled in and paths made absolute. */
export interface Job {
  /** Absolute path of the job file. */
  readonly file: string;
  /** Of the job file's bytes, hex. */
  readonly sha256: string;
  readonly name: string;
  readonly description?: string;
  readonly operation: OperationName;
  readonly connection?: string;
  readonly source: JobSource;
  /** Absent: headers are field names or paths. */
  readonly map?: MapBranch;
  readonly batch: { readonly size?: number };
  readonly run: JobRun;
  readonly safety: JobSafety;
  readonly output: { readonly file: string };
  readonly schedule?: JobSchedule;
}

export interface JobSource {
  /** Absolute; `--input` overrides. */
  readonly file: string;
  readonly sheet?: string | number;
  readonly headerRow: number;
  /** `auto` or an encoding name. */
  readonly encoding: string;
  /** `auto` or one character. */
  readonly delimiter: string;
  readonly where?: { readonly source: string; readonly at: Position };
  readonly hiddenRows: 'include' | 'skip' | 'refuse';
}

export interface JobRun {
  readonly concurrency: number;
  readonly requestsPerSecond?: number;
  readonly timeoutMs: number;
  readonly retries: number;
  readonly onInvalid: 'abort' | 'skip';
  readonly stopAfterFailures: number;
}

export interface JobSafety {
  readonly maxItems: number;
  readonly maxDeletes: number;
  readonly allowDeleteFromAllOrders: boolean;
  readonly duplicates: 'skip' | 'send' | 'abort';
}

export interface JobSchedule {
  readonly cron: string;
  readonly timezone?: string;
  readonly onMissed: 'run' | 'skip';
  readonly onOverlap: 'skip' | 'queue';
}
