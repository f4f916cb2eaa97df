import { open } from 'node:fs/promises';

const MAX_BYTES = 65_536;

type PrivateFile =
  | { readonly kind: 'text'; readonly text: string }
  /** Others may read it. */
  | { readonly kind: 'open_to_others' }
  | { readonly kind: 'unreadable'; readonly reason: string }
  /** Not UTF-8, or with a byte order mark: what is in front of the secret, or within it, is no part of it. */
  | { readonly kind: 'unreadable'; readonly reason: string; readonly encoding: string };

/** Reads a file with a credential, without the line break at its end. Never rejects. */
export async function readPrivateFile(path: string): Promise<PrivateFile> {
  let bytes: Buffer;
  let openToOthers = false;
  try {
    const file = await open(path, 'r');
    try {
      // Checked on the open file, so that it can't be replaced before it is read.
      const { mode } = await file.stat();
      openToOthers = process.platform !== 'win32' && (mode & 0o077) !== 0;
      const { buffer, bytesRead } = await file.read(Buffer.alloc(MAX_BYTES), 0, MAX_BYTES, null);
      bytes = buffer.subarray(0, bytesRead);
    } finally {
      await file.close();
    }
  } catch (error) {
    return { kind: 'unreadable', reason: (error as NodeJS.ErrnoException).code ?? 'unreadable' };
  }
  if (openToOthers) return { kind: 'open_to_others' };
  const encoding = encodingOf(bytes);
  if (encoding !== undefined) return { kind: 'unreadable', reason: encoding, encoding };
  const value = bytes.toString('utf8').replace(/\r?\n$/u, '');
  return value === '' ? { kind: 'unreadable', reason: 'empty' } : { kind: 'text', text: value };
}

function encodingOf(bytes: Buffer): string | undefined {
  const hex = bytes.toString('hex', 0, 3);
  if (hex === 'efbbbf') return 'UTF-8 with BOM';
  return /^(fffe|feff)/.test(hex) || bytes.includes(0) ? 'UTF-16' : undefined;
}
