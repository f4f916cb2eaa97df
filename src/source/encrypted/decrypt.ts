import { message } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';
import type { CompoundFile } from '../other/compound.js';
import { type Decrypted, decryptAgile } from './agile.js';
import { decryptStandard } from './standard.js';

/** A password and where it came from, which is what messages name. */
export interface GivenPassword {
  readonly value: string;
  readonly from: string;
}

/** With this one Excel encrypts what is only protected against changes, and opens it without asking. */
const EXCELS_OWN = 'VelvetSweatshop';

/**
 * The package of an encrypted workbook. It is in memory only.
 * @throws ProductError usage when the password is missing or wrong; input when the file is damaged, or encrypted in a way
 *   that isn't known.
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
    // Lengths that don't fit, no XML.
    if (error instanceof RangeError || error instanceof ProductError) return { kind: 'damaged' };
    throw error;
  }
}
