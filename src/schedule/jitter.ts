import { createHash } from 'node:crypto';

/**
 * By how much a start is put off, in milliseconds: from 0 to `jitterMs`, always the same for one job and time, and
 * never as late as the next time (`next`, absent where there is none).
 */
export function jitterOf(job: string, due: number, jitterMs: number, next?: number): number {
  const span = next === undefined ? jitterMs : Math.min(jitterMs, next - due - 1);
  if (span <= 0) return 0;
  const digest = createHash('sha256')
    .update(JSON.stringify([job, due]))
    .digest();
  return Math.floor((digest.readUInt32BE(0) / 2 ** 32) * (span + 1));
}
