import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { DatabaseSync } from '@photostructure/sqlite';
import { type Entry, fromBuffer, type ZipFile } from 'yauzl';

/** One place where something may have been written, with its bytes. */
export interface Piece {
  readonly place: string;
  readonly bytes: Buffer;
}

/**
 * All that is in a folder: each file as it is, the entries of workbooks unpacked, and the values in databases (a value may be in
 * several pieces in the file itself).
 */
export async function* leftBehind(folder: string): AsyncGenerator<Piece> {
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const place = path.join(entry.parentPath, entry.name);
    const bytes = await readFile(place);
    yield { place, bytes };
    yield { place: `name of ${place}`, bytes: Buffer.from(place) };
    if (bytes.subarray(0, 2).toString('latin1') === 'PK') yield* unpacked(place, bytes);
    if (bytes.subarray(0, 15).toString('latin1') === 'SQLite format 3') yield* values(place);
  }
}

async function* unpacked(place: string, bytes: Buffer): AsyncGenerator<Piece> {
  const zip = await new Promise<ZipFile>((resolve, reject) => {
    fromBuffer(bytes, { lazyEntries: true, autoClose: false }, (error, opened) =>
      error ? reject(error) : resolve(opened),
    );
  });
  const entries = await new Promise<Entry[]>((resolve, reject) => {
    const found: Entry[] = [];
    zip.on('entry', (entry: Entry) => {
      found.push(entry);
      zip.readEntry();
    });
    zip.on('end', () => resolve(found)).on('error', reject);
    zip.readEntry();
  });
  for (const entry of entries) {
    const stream = await new Promise<Readable>((resolve, reject) => {
      zip.openReadStream(entry, (error, opened) => (error ? reject(error) : resolve(opened)));
    });
    const chunks: Buffer[] = [];
    for await (const chunk of stream) chunks.push(chunk as Buffer);
    yield { place: `${place}!${entry.fileName}`, bytes: Buffer.concat(chunks) };
  }
}

function* values(place: string): Generator<Piece> {
  const db = new DatabaseSync(place, { readOnly: true });
  try {
    const tables = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all() as {
      name: string;
    }[];
    for (const { name } of tables) {
      for (const row of db.prepare(`SELECT * FROM "${name}"`).all() as Record<string, unknown>[]) {
        const texts = Object.values(row).map((it) =>
          it instanceof Uint8Array ? Buffer.from(it) : String(it),
        );
        yield { place: `${place}!${name}`, bytes: Buffer.from(texts.join('\n')) };
      }
    }
  } finally {
    db.close();
  }
}

/** Places where a secret stands, in any of the ways in which text is commonly written. */
export async function placesOf(
  secret: string,
  pieces: AsyncIterable<Piece> | Iterable<Piece>,
): Promise<string[]> {
  const forms = [
    Buffer.from(secret),
    Buffer.from(secret, 'utf16le'),
    Buffer.from(encodeURIComponent(secret)),
    Buffer.from(JSON.stringify(secret).slice(1, -1)),
    Buffer.from(secret.replace(/[=+&]/g, (it) => `\\u00${it.charCodeAt(0).toString(16)}`)),
    Buffer.from(secret.replaceAll('&', '&amp;')),
  ];
  const found: string[] = [];
  for await (const { place, bytes } of pieces) {
    if (forms.some((form) => bytes.includes(form))) found.push(place);
  }
  return found;
}
