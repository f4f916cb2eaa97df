// The input files, made once and kept in bench/data/inputs.
import { createWriteStream, existsSync } from 'node:fs';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { CellDigest } from '../programs/digest.mjs';
import { writeCsv } from './csv.mjs';
import { LONG_HEADERS, longRows } from './long.mjs';
import { textOf } from './values.mjs';
import { WIDE_HEADERS, wideRows } from './wide.mjs';
import { WIRE_HEADERS, wireBodies, wireRows } from './wire.mjs';
import { writeXlsx } from './xlsx.mjs';

const KINDS = {
  wide: { headers: WIDE_HEADERS, rows: wideRows },
  long: { headers: LONG_HEADERS, rows: longRows },
  wire: { headers: WIRE_HEADERS, rows: wireRows },
};

export class Inputs {
  #folder;
  #say;

  /** @param say called when a file has to be created */
  constructor(folder, say) {
    this.#folder = folder;
    this.#say = say;
  }

  /**
   * A table of so many rows below its header; `truth` is what a reader that reads it rightly reads.
   * @param kind wide, long or wire
   * @param format xlsx or csv
   */
  async table(kind, count, format) {
    const { headers, rows } = KINDS[kind];
    const file = path.join(this.#folder, `orders-${kind}-${count}x${headers.length}.${format}`);
    const told = `${file}.json`;
    if (!existsSync(told)) {
      const digest = new CellDigest();
      const all = counted(headers, rows(count), digest);
      await this.#make(file, (part) =>
        format === 'csv' ? writeCsv(part, all) : writeXlsx(part, all, headers.length, count + 1),
      );
      await writeFile(told, JSON.stringify(digest.end()));
    }
    return { file, rows: count, truth: JSON.parse(await readFile(told, 'utf8')) };
  }

  /** The requests for the rows of the wire table, one a line. */
  async bodies(count) {
    const file = path.join(this.#folder, `bodies-${count}.ndjson`);
    if (!existsSync(file)) {
      await this.#make(file, (part) => pipeline(Readable.from(lines(count)), createWriteStream(part)));
    }
    return file;
  }

  /** The same requests, each in a file of its own named by its number. */
  async bodyFolder(count) {
    const folder = path.join(this.#folder, `bodies-${count}`);
    if (!existsSync(folder)) {
      await this.#make(folder, async (part) => {
        await mkdir(part, { recursive: true });
        let number = 0;
        for (const body of wireBodies(count)) {
          number += 1;
          await writeFile(path.join(part, String(number)), body);
        }
      });
    }
    return folder;
  }

  async #make(target, write) {
    this.#say(`making ${path.basename(target)}`);
    await mkdir(this.#folder, { recursive: true });
    const part = `${target}.part`;
    await write(part);
    await rename(part, target);
  }
}

function* lines(count) {
  for (const body of wireBodies(count)) yield `${body}\n`;
}

function* counted(headers, rows, digest) {
  digest.row(headers);
  yield headers;
  for (const row of rows) {
    digest.row(row.map(textOf));
    yield row;
  }
}
