import { message } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';
import type { PartPlace } from '../xlsx/place.js';
import type { PackagePart, ZipPackage } from '../xlsx/zip.js';

/** The longest record that anything is read of; a cell's text takes 64 KB. */
const MAX_RECORD = 16 * 1024 ** 2;
const LONE_SURROGATE = /[\ud800-\udfff]/gu;

/** A record of a part of an .xlsb file ([MS-XLSB] 2.1.4). */
export class BinaryRecord {
  type = 0;
  data: Buffer = Buffer.alloc(0);
  /** Where it begins in the part. */
  offset = 0;
  readonly #place: PartPlace;

  constructor(place: PartPlace) {
    this.#place = place;
  }

  broken(): ProductError {
    const params = { ...this.#place, offset: this.offset };
    return new ProductError('input', message('source.xlsb_record_broken', params));
  }

  /** @throws ProductError input when the record holds fewer bytes */
  need(bytes: number): void {
    if (this.data.length < bytes) throw this.broken();
  }

  u16(at: number): number {
    this.need(at + 2);
    return this.data.readUInt16LE(at);
  }

  u32(at: number): number {
    this.need(at + 4);
    return this.data.readUInt32LE(at);
  }

  /** A text that begins with its length. */
  text(at: number): string {
    const end = this.textEnd(at);
    const text = this.data.toString('utf16le', at + 4, end);
    return text.replace(LONE_SURROGATE, '\ufffd');
  }

  /** Where the bytes of a text end. One that isn't there has no characters. */
  textEnd(at: number): number {
    const count = this.u32(at);
    const end = at + 4 + (count === 0xffffffff ? 0 : 2 * count);
    this.need(end);
    return end;
  }
}

/**
 * The records of a part, in order. The object is the same each time.
 * @param last type of the record that every such part ends with
 * @throws ProductError input when the part ends before that record, or within one
 */
export async function* partRecords(
  zip: ZipPackage,
  part: PackagePart,
  last: number,
): AsyncGenerator<BinaryRecord> {
  const record = new BinaryRecord({ file: zip.file, part: part.name });
  let rest: Buffer = Buffer.alloc(0);
  let offset = 0;
  let ended = false;
  for await (const chunk of zip.chunks(part)) {
    // Copied, as a chunk is only valid until the next.
    const bytes = Buffer.concat([rest, chunk]);
    let at = 0;
    for (let next = headAt(bytes, at); next; next = headAt(bytes, at)) {
      record.offset = offset + at;
      if (next.length > MAX_RECORD) throw record.broken();
      if (next.start + next.length > bytes.length) break;
      record.type = next.type;
      record.data = bytes.subarray(next.start, next.start + next.length);
      at = next.start + next.length;
      ended ||= next.type === last;
      yield record;
    }
    rest = bytes.subarray(at);
    offset += at;
  }
  record.offset = offset;
  if (rest.length > 0 || !ended) throw record.broken();
}

interface Head {
  readonly type: number;
  readonly start: number;
  readonly length: number;
}

/** Type and length, seven bits a byte; undefined where more bytes are needed. */
function headAt(bytes: Buffer, at: number): Head | undefined {
  let p = at;
  if (p >= bytes.length) return undefined;
  let type = bytes[p++]!;
  if (type & 0x80) {
    if (p >= bytes.length) return undefined;
    type = (type & 0x7f) | ((bytes[p++]! & 0x7f) << 7);
  }
  let length = 0;
  for (let i = 0; i < 4; i += 1) {
    if (p >= bytes.length) return undefined;
    const byte = bytes[p++]!;
    length |= (byte & 0x7f) << (7 * i);
    if ((byte & 0x80) === 0) break;
  }
  return { type, start: p, length };
}
