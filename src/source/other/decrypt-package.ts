import { createDecipheriv, createHash, createHmac } from 'node:crypto';
import { message } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';
import { attributes } from '../xlsx/xml-part.js';
import { DONE, START, XmlScanner } from '../xlsx/xml-scan.js';
import { ascii } from '../xlsx/xml-text.js';
import type { CompoundFile } from './compound-file.js';

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
/** Fills a hash that is shorter than the required key or block ([MS-OFFCRYPTO] 2.3.4.11). */
const FILLER = 0x36;

/** The hash of a workbook's encryption; undefined for an unknown one. */
function hashOf(name: string): ((...parts: readonly Uint8Array[]) => Buffer) | undefined {
  const algorithm = HASHES[name.toUpperCase()];
  if (algorithm === undefined) return undefined;
  return (...parts) => {
    const hash = createHash(algorithm);
    for (const part of parts) hash.update(part);
    return hash.digest();
  };
}

function hmacOf(name: string, key: Uint8Array, bytes: Uint8Array): Buffer {
  return createHmac(HASHES[name.toUpperCase()] ?? '', key)
    .update(bytes)
    .digest();
}

/** Decrypts whole blocks. @throws RangeError for a key length that AES does not support */
function decryptAes(mode: 'cbc' | 'ecb', key: Uint8Array, iv: Uint8Array | null, bytes: Uint8Array): Buffer {
  const bits = key.length * 8;
  if (!KEY_BITS.has(bits) || bytes.length % 16 !== 0) throw new RangeError('no AES');
  const decipher = createDecipheriv(`aes-${bits}-${mode}`, key, iv).setAutoPadding(false);
  return Buffer.concat([decipher.update(bytes), decipher.final()]);
}

/** A number as the four bytes that are hashed. */
function fourBytes(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

/** A hash cut or filled to the given number of bytes. */
function fitted(hash: Buffer, length: number): Buffer {
  return Buffer.concat([hash, Buffer.alloc(Math.max(0, length - hash.length), FILLER)]).subarray(0, length);
}

/** Block keys that are hashed with the password, by purpose ([MS-OFFCRYPTO] 2.3.4.13). */
const FOR_INPUT = Buffer.from('fea7d2763b4b9e79', 'hex');
const FOR_HASH = Buffer.from('d7aa0f6d3061344e', 'hex');
const FOR_KEY = Buffer.from('146e0be7abacd0d6', 'hex');
const FOR_MAC_KEY = Buffer.from('5fb2ad010cb9e1f6', 'hex');
const FOR_MAC = Buffer.from('a0677f02b22c8433', 'hex');
const SEGMENT = 4096;
const MAX_SPINS = 10_000_000;
const MAX_BLOCK = 4096;

/** The decrypted package, or the reason why there is none. */
export type Decrypted =
  | { readonly kind: 'package'; readonly bytes: Buffer }
  | { readonly kind: 'wrong_password' | 'unknown' | 'damaged' };

interface Cipher {
  readonly hashName: string;
  readonly hash: (...parts: readonly Uint8Array[]) => Buffer;
  readonly salt: Buffer;
  readonly keyBytes: number;
  readonly blockBytes: number;
  readonly hashBytes: number;
}

/**
 * Decrypts the encryption of Excel since 2010 and LibreOffice ([MS-OFFCRYPTO] 2.3.4.10).
 * @param description the XML that describes the encryption
 * @param stream the package's size, and the encrypted package
 */
function decryptAgile(description: Buffer, stream: Buffer, password: string): Decrypted {
  const elements = described(description);
  const keyData = elements.get('keyData');
  const encryptedKey = elements.get('encryptedKey');
  const [data, lock] = [cipherOf(keyData), cipherOf(encryptedKey)];
  const spins = Number(encryptedKey?.get('spinCount'));
  if (!data || !lock || !encryptedKey || !(spins >= 0 && spins <= MAX_SPINS)) return { kind: 'unknown' };
  let hashed = lock.hash(lock.salt, Buffer.from(password, 'utf16le'));
  for (let i = 0; i < spins; i += 1) hashed = lock.hash(fourBytes(i), hashed);
  const unlock = (name: string, purpose: Buffer): Buffer => {
    const key = fitted(lock.hash(hashed, purpose), lock.keyBytes);
    return decryptAes('cbc', key, fitted(lock.salt, lock.blockBytes), base64(encryptedKey.get(name)));
  };
  const input = unlock('encryptedVerifierHashInput', FOR_INPUT);
  const expected = unlock('encryptedVerifierHashValue', FOR_HASH).subarray(0, lock.hashBytes);
  if (!lock.hash(input).subarray(0, lock.hashBytes).equals(expected)) return { kind: 'wrong_password' };
  const key = unlock('encryptedKeyValue', FOR_KEY).subarray(0, data.keyBytes);

  const integrity = elements.get('dataIntegrity');
  if (integrity) {
    const open = (name: string, purpose: Buffer): Buffer => {
      const iv = fitted(data.hash(data.salt, purpose), data.blockBytes);
      return decryptAes('cbc', key, iv, base64(integrity.get(name))).subarray(0, data.hashBytes);
    };
    const mac = hmacOf(data.hashName, open('encryptedHmacKey', FOR_MAC_KEY), stream);
    if (!mac.equals(open('encryptedHmacValue', FOR_MAC))) return { kind: 'damaged' };
  }
  const size = Number(stream.readBigUInt64LE(0));
  const parts: Buffer[] = [];
  for (let at = 8, segment = 0; at < stream.length; at += SEGMENT, segment += 1) {
    const iv = fitted(data.hash(data.salt, fourBytes(segment)), data.blockBytes);
    const bytes = stream.subarray(at, at + SEGMENT);
    parts.push(decryptAes('cbc', key, iv, bytes.subarray(0, bytes.length - (bytes.length % 16))));
  }
  const whole = Buffer.concat(parts);
  return size > whole.length ? { kind: 'damaged' } : { kind: 'package', bytes: whole.subarray(0, size) };
}

type Element = ReadonlyMap<string, string>;

/** The attributes of each element, by its local name. */
function described(xml: Buffer): ReadonlyMap<string, Element> {
  const scanner = new XmlScanner({ file: '', part: 'EncryptionInfo' });
  const found = new Map<string, Element>();
  scanner.feed(xml);
  scanner.finish();
  for (let token = scanner.next(); token !== DONE; token = scanner.next()) {
    if (token !== START) continue;
    found.set(ascii(scanner.bytes, scanner.nameStart, scanner.nameEnd), attributes(scanner));
  }
  return found;
}

/** undefined for any cipher but AES with chained blocks; others are not in use. */
function cipherOf(element: Element | undefined): Cipher | undefined {
  const hashName = element?.get('hashAlgorithm') ?? '';
  const hash = hashOf(hashName);
  const [keyBits, blockBytes, hashBytes] = ['keyBits', 'blockSize', 'hashSize'].map((it) =>
    Number(element?.get(it)),
  );
  const isChained = element?.get('cipherChaining') === 'ChainingModeCBC';
  if (!hash || element?.get('cipherAlgorithm') !== 'AES' || !isChained) return undefined;
  if (blockBytes !== 16 || !(hashBytes! > 0 && hashBytes! <= MAX_BLOCK)) return undefined;
  const salt = base64(element.get('saltValue'));
  return { hashName, hash, salt, keyBytes: keyBits! / 8, blockBytes, hashBytes: hashBytes! };
}

function base64(text: string | undefined): Buffer {
  return Buffer.from(text ?? '', 'base64');
}

const SPINS = 50_000;
const AES_IDS: ReadonlySet<number> = new Set([0, 0x660e, 0x660f, 0x6610]);
const SHA1_BYTES = 20;
const BLOCK = 64;

/**
 * Decrypts the encryption of Excel 2007 ([MS-OFFCRYPTO] 2.3.4.5).
 * @param info the stream that describes the encryption
 * @param stream the package's size, and the encrypted package
 */
function decryptStandard(info: Buffer, stream: Buffer, password: string): Decrypted {
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

/** A password and its source, which messages name. */
export interface GivenPassword {
  readonly value: string;
  readonly from: string;
}

/**
 * Excel encrypts workbooks that are only protected against changes with this password, and opens them without a prompt.
 */
const EXCELS_OWN = 'VelvetSweatshop';

/**
 * The package of an encrypted workbook. It is in memory only.
 * @throws ProductError usage if the password is missing or wrong; input if the file is damaged, or its encryption is
 *   unknown
 */
export function decryptPackage(compound: CompoundFile, password: GivenPassword | undefined): Buffer {
  const { file } = compound;
  const result = decrypted(compound, password?.value ?? EXCELS_OWN);
  switch (result.kind) {
    case 'package':
      return result.bytes;
    case 'wrong_password':
      throw password
        ? new ProductError('usage', message('source.password_wrong', { file, from: password.from }))
        : new ProductError('usage', message('source.xlsx_encrypted', { file }));
    case 'unknown':
      throw new ProductError('input', message('source.encryption_unknown', { file }));
    case 'damaged':
      throw new ProductError('input', message('source.encryption_damaged', { file }));
  }
}

function decrypted(compound: CompoundFile, password: string): Decrypted {
  const info = compound.stream('EncryptionInfo');
  const stream = compound.stream('EncryptedPackage');
  if (!info || !stream || info.length < 8 || stream.length < 8) return { kind: 'damaged' };
  const [major, minor] = [info.readUInt16LE(0), info.readUInt16LE(2)];
  try {
    if (major === 4 && minor === 4) return decryptAgile(info.subarray(8), stream, password);
    if (minor === 2 && major >= 2 && major <= 4) return decryptStandard(info, stream, password);
    return { kind: 'unknown' };
  } catch (error) {
    // Lengths that do not fit, invalid XML.
    if (error instanceof RangeError || error instanceof ProductError) return { kind: 'damaged' };
    throw error;
  }
}
