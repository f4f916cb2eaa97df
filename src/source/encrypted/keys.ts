import { createDecipheriv, createHash, createHmac } from 'node:crypto';

const HASHES: Readonly<Record<string, string>> = {
  SHA1: 'sha1',
  'SHA-1': 'sha1',
  SHA256: 'sha256',
  'SHA-256': 'sha256',
  SHA384: 'sha384',
  'SHA-384': 'sha384',
  SHA512: 'sha512',
  'SHA-512': 'sha512',
};
const KEY_BITS: ReadonlySet<number> = new Set([128, 192, 256]);
/** What fills up a hash that is shorter than the key or block wanted ([MS-OFFCRYPTO] 2.3.4.11). */
const FILLER = 0x36;

/** The hash of a workbook's encryption; undefined for one that isn't known. */
export function hashOf(name: string): ((...parts: readonly Uint8Array[]) => Buffer) | undefined {
  const algorithm = HASHES[name.toUpperCase()];
  if (algorithm === undefined) return undefined;
  return (...parts) => {
    const hash = createHash(algorithm);
    for (const part of parts) hash.update(part);
    return hash.digest();
  };
}

export function hmacOf(name: string, key: Uint8Array, bytes: Uint8Array): Buffer {
  return createHmac(HASHES[name.toUpperCase()] ?? '', key)
    .update(bytes)
    .digest();
}

/** Decrypts whole blocks. @throws RangeError for a key that AES doesn't have */
export function decryptAes(
  mode: 'cbc' | 'ecb',
  key: Uint8Array,
  iv: Uint8Array | null,
  bytes: Uint8Array,
): Buffer {
  const bits = key.length * 8;
  if (!KEY_BITS.has(bits) || bytes.length % 16 !== 0) throw new RangeError('no AES');
  const decipher = createDecipheriv(`aes-${bits}-${mode}`, key, iv).setAutoPadding(false);
  return Buffer.concat([decipher.update(bytes), decipher.final()]);
}

/** A number as the four bytes that are hashed. */
export function fourBytes(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

/** A hash cut or filled to so many bytes. */
export function fitted(hash: Buffer, length: number): Buffer {
  return Buffer.concat([hash, Buffer.alloc(Math.max(0, length - hash.length), FILLER)]).subarray(0, length);
}
