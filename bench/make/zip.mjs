// A zip archive written part by part. Compressed parts stay in memory until their sizes are known, as spreadsheet
// programs write sizes before the data.
import { createWriteStream } from 'node:fs';
import { finished } from 'node:stream/promises';
import { crc32, createDeflateRaw } from 'node:zlib';

const VERSION = 20;
const DEFLATED = 8;
/** 2026-11-01, so that every making gives the same file. */
const DATE = ((2026 - 1980) << 9) | (11 << 5) | 1;

export class ZipWriter {
  #out;
  #at = 0;
  #entries = [];

  constructor(file) {
    this.#out = createWriteStream(file);
  }

  /** @param pieces an iterable of texts */
  async add(name, pieces) {
    const deflate = createDeflateRaw({ level: 6 });
    const packed = [];
    let length = 0;
    deflate.on('data', (it) => {
      packed.push(it);
      length += it.length;
    });
    let crc = 0;
    let size = 0;
    for (const text of pieces) {
      const bytes = Buffer.from(text, 'utf8');
      crc = crc32(bytes, crc);
      size += bytes.length;
      if (!deflate.write(bytes)) await new Promise((resolve) => deflate.once('drain', resolve));
    }
    deflate.end();
    await finished(deflate);
    const entry = { name: Buffer.from(name, 'utf8'), crc, size, length, at: this.#at };
    this.#entries.push(entry);
    this.#write(Buffer.concat([header(0x04034b50, 0, entry, 30), entry.name]));
    for (const it of packed) this.#write(it);
  }

  async end() {
    const start = this.#at;
    for (const entry of this.#entries) {
      const head = header(0x02014b50, 2, entry, 46);
      head.writeUInt16LE(VERSION, 4);
      head.writeUInt32LE(entry.at, 42);
      this.#write(Buffer.concat([head, entry.name]));
    }
    const end = Buffer.alloc(22);
    end.writeUInt32LE(0x06054b50, 0);
    end.writeUInt16LE(this.#entries.length, 8);
    end.writeUInt16LE(this.#entries.length, 10);
    end.writeUInt32LE(this.#at - start, 12);
    end.writeUInt32LE(start, 16);
    this.#write(end);
    this.#out.end();
    await finished(this.#out);
  }

  #write(bytes) {
    this.#out.write(bytes);
    this.#at += bytes.length;
  }
}

/** Local and central headers hold the same fields, the central ones two bytes further on. */
function header(signature, shift, { name, crc, size, length }, total) {
  const head = Buffer.alloc(total);
  head.writeUInt32LE(signature, 0);
  head.writeUInt16LE(VERSION, 4 + shift);
  head.writeUInt16LE(DEFLATED, 8 + shift);
  head.writeUInt16LE(DATE, 12 + shift);
  head.writeUInt32LE(crc, 14 + shift);
  head.writeUInt32LE(length, 18 + shift);
  head.writeUInt32LE(size, 22 + shift);
  head.writeUInt16LE(name.length, 26 + shift);
  return head;
}
