import { randomBytes } from 'node:crypto';

/** A fresh `g_nonce`: 128 bits from a cryptographic source, 32 hexadecimal digits (§4.1.4). One for each attempt. */
export function newNonce(): string {
  return randomBytes(16).toString('hex');
}
