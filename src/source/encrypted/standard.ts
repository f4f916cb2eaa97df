import type { Decrypted } from './agile.js';
import { decryptAes, fourBytes, hashOf } from './keys.js';

const SPINS = 50_000;
const AES_IDS: ReadonlySet<number> = new Set([0, 0x660e, 0x660f, 0x6610]);
const SHA1_BYTES = 20;
const BLOCK = 64;

/**
 * Decrypts what Excel 2007 encrypts ([MS-OFFCRYPTO] 2.3.4.5).
 * @param info the stream that says how it was encrypted
 * @param stream the package's size, and the package encrypted
 */
export function decryptStandard(info: Buffer, stream: Buffer, password: string): Decrypted {
  const sha1 = hashOf('SHA1')!;
  const headerSize = info.readUInt32LE(8);
  const header = info.subarray(12, 12 + headerSize);
  const keyBytes = header.readUInt32LE(16) / 8;
  if (!AES_IDS.has(header.readUInt32LE(8)) || ![16, 24, 32].includes(keyBytes)) return { kind: 'unknown' };
  const verifier = info.subarray(12 + headerSize);
  const salt = verifier.subarray(4, 20);
  const expected = verifier.subarray(40, 72);
  let hashed = sha1(salt, Buffer.from(password, 'utf16le'));
  for (let i = 0; i < SPINS; i += 1) hashed = sha1(fourBytes(i), hashed);
  hashed = sha1(hashed, fourBytes(0));
  const derived = (pad: number): Buffer => {
    const block = Buffer.alloc(BLOCK, pad);
    for (let i = 0; i < hashed.length; i += 1) block[i]! ^= hashed[i]!;
    return sha1(block);
  };
  const key = Buffer.concat([derived(0x36), derived(0x5c)]).subarray(0, keyBytes);
  const input = decryptAes('ecb', key, null, verifier.subarray(20, 36));
  const hash = decryptAes('ecb', key, null, expected).subarray(0, SHA1_BYTES);
  if (!sha1(input).equals(hash)) return { kind: 'wrong_password' };
  const size = Number(stream.readBigUInt64LE(0));
  const data = stream.subarray(8);
  const whole = decryptAes('ecb', key, null, data.subarray(0, data.length - (data.length % 16)));
  return size > whole.length ? { kind: 'damaged' } : { kind: 'package', bytes: whole.subarray(0, size) };
}
