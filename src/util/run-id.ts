import { randomBytes } from 'node:crypto';

/** `20261121-020311-4f9a21`: UTC start, then randomness; sorts by time and is safe in file names. */
export function newRunId(now: number): string {
  const stamp = new Date(now).toISOString().replace(/[-:]/g, '').replace('T', '-').slice(0, 15);
  return `${stamp}-${randomBytes(3).toString('hex')}`;
}

/** The id of a run's step, counted from 1. */
export function stepRunId(whole: string, step: number): string {
  return `${whole}-${step}`;
}

/** The run that people know: of a step run the one that it belongs to. */
export function wholeRunOf(run: string): string {
  return /^(\d{8}-\d{6}-[0-9a-f]+)-\d+$/.exec(run)?.[1] ?? run;
}
