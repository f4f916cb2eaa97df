import { randomBytes } from 'node:crypto';

/** `20261121-020311-4f9a21`: UTC start, then random digits; sorts by time and is safe in file names. */
export function newRunId(now: number): string {
  const stamp = new Date(now).toISOString().replace(/[-:]/g, '').replace('T', '-').slice(0, 15);
  return `${stamp}-${randomBytes(3).toString('hex')}`;
}

/** Id of a run, or of a step of one. */
export function isRunId(text: string): boolean {
  return /^\d{8}-\d{6}-[0-9a-f]{6}(-\d+)?$/.test(text);
}

/** The id of a run's step, counted from 1. */
export function stepRunId(runId: string, step: number): string {
  return `${runId}-${step}`;
}

/** The run id that users see: for a step run, the id of its run. */
export function wholeRunOf(run: string): string {
  return /^(\d{8}-\d{6}-[0-9a-f]+)-\d+$/.exec(run)?.[1] ?? run;
}
