import { ascii } from '../xlsx/bytes.js';
import { attributes } from '../xlsx/part-tokens.js';
import { DONE, START, XmlScanner } from '../xlsx/xml-scan.js';
import { decryptAes, fitted, fourBytes, hashOf, hmacOf } from './keys.js';

/** What is hashed with the password for each of the things that it unlocks ([MS-OFFCRYPTO] 2.3.4.13). */
const FOR_INPUT = Buffer.from('fea7d2763b4b9e79', 'hex');
const FOR_HASH = Buffer.from('d7aa0f6d3061344e', 'hex');
const FOR_KEY = Buffer.from('146e0be7abacd0d6', 'hex');
const FOR_MAC_KEY = Buffer.from('5fb2ad010cb9e1f6', 'hex');
const FOR_MAC = Buffer.from('a0677f02b22c8433', 'hex');
const SEGMENT = 4096;
const MAX_SPINS = 10_000_000;
const MAX_BLOCK = 4096;

/** The decrypted package, or why there is none. */
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
 * Decrypts what Excel since 2010 and LibreOffice encrypt ([MS-OFFCRYPTO] 2.3.4.10).
 * @param description the XML that says how it was encrypted
 * @param stream the package's size, and the package encrypted
 */
export function decryptAgile(description: Buffer, stream: Buffer, password: string): Decrypted {
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

/** undefined for a cipher that isn't AES in chained blocks, which nobody uses. */
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
