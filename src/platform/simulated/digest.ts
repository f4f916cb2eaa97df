import { createHash } from 'node:crypto';

/** 96 bits of SHA-256: short, as one is kept for every order, and still never the same for two texts by chance. */
export function digest(text: string): string {
  return createHash('sha256').update(text).digest().toString('base64url', 0, 12);
}
