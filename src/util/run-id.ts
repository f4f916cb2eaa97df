import { randomBytes } from 'node:crypto';

/** `20261121-020311-4f9a21`: UTC start, then randomness; sorts by time and is safe in file names. */
export function newRunId(now: number): string {
  const stamp = new Date(now).toISOString().replace(/[-:]/g, '').replace('T', '-').slice(0, 15);
  return `${stamp}-${randomBytes(3).toString('hex')}`;
}
