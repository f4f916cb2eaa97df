import { createHash, timingSafeEqual } from 'node:crypto';

/** What is kept of a token: nobody can sign in with it. */
export function digestOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

/** Compares without telling by its time how much of it was right. */
export function sameSecret(a: string, b: string): boolean {
  return timingSafeEqual(Buffer.from(digestOf(a)), Buffer.from(digestOf(b)));
}
