import { crc32, deflateRawSync } from 'node:zlib';
import yauzl from 'yauzl';

export interface ZipPart {
  readonly name: string;
  readonly content: Uint8Array;
}

/** 1980-01-01 00:00, the earliest time of a zip, so that the file is deterministic. */
const DATE = (1 << 5) | 1;
const VERSION = 20;
const UTF8_NAMES = 0x0800;
const DEFLATED = 8;

/** A zip of the parts in their order. The same parts give the same bytes. */
export function packParts(parts: readonly ZipPart[]): Uint8Array {
  const files: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, content } of parts) {
    const title = Buffer.from(name, 'utf8');
    const packed = deflateRawSync(content, { level: 9 });
    const shared = Buffer.alloc(26);
    shared.writeUInt16LE(VERSION, 0);
    shared.writeUInt16LE(UTF8_NAMES, 2);
    shared.writeUInt16LE(DEFLATED, 4);
    shared.writeUInt16LE(DATE, 8);
    shared.writeUInt32LE(crc32(content), 10);
    shared.writeUInt32LE(packed.length, 14);
    shared.writeUInt32LE(content.length, 18);
    shared.writeUInt16LE(title.length, 22);
    files.push(Buffer.from('PK\u0003\u0004', 'latin1'), shared, title, packed);
    const entry = Buffer.alloc(14);
    entry.writeUInt32LE(offset, 10);
    directory.push(Buffer.from('PK\u0001\u0002', 'latin1'), shortOf(VERSION), shared, entry, title);
    offset += 30 + title.length + packed.length;
  }
  const index = Buffer.concat(directory);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(parts.length, 4);
  end.writeUInt16LE(parts.length, 6);
  end.writeUInt32LE(index.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...files, index, Buffer.from('PK\u0005\u0006', 'latin1'), end]);
}

function shortOf(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16LE(value);
  return bytes;
}

/** The parts of a zip in the order of its directory. @throws Error if the bytes are not a zip */
export async function unpackParts(bytes: Uint8Array): Promise<readonly ZipPart[]> {
  const zip = await yauzl.fromBufferPromise(Buffer.from(bytes));
  const parts: ZipPart[] = [];
  for await (const entry of zip.eachEntry()) {
    const chunks: Buffer[] = [];
    for await (const chunk of await zip.openReadStreamPromise(entry)) chunks.push(chunk as Buffer);
    parts.push({ name: entry.fileName, content: Buffer.concat(chunks) });
  }
  return parts;
}

/** True if two workbooks contain the same parts, however they were packed. False for bytes that are not a workbook. */
export async function sameParts(a: Uint8Array, b: Uint8Array): Promise<boolean> {
  if (Buffer.compare(a, b) === 0) return true;
  try {
    const [left, right] = [await unpackParts(a), await unpackParts(b)];
    const byName = new Map(right.map((it) => [it.name, it.content]));
    return (
      left.length === right.length &&
      left.every(({ name, content }) => {
        const counterpart = byName.get(name);
        return counterpart !== undefined && Buffer.compare(content, counterpart) === 0;
      })
    );
  } catch {
    return false;
  }
}
