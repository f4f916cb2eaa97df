import { randomFillSync } from 'node:crypto';

const BYTES = 16;
/** Asked for at once: the source is slow to call and quick to give. Each byte is used once. */
const RESERVE = Buffer.allocUnsafeSlow(256 * BYTES);
let used = RESERVE.length;

/** A fresh `g_nonce`: 128 bits from a cryptographic source, 32 hexadecimal digits (§4.1.4). One for each attempt. */
export function newNonce(): string {
  if (used === RESERVE.length) {
    randomFillSync(RESERVE);
    used = 0;
  }
  used += BYTES;
  return RESERVE.toString('hex', used - BYTES, used);
}
