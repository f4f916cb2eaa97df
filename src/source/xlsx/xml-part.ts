import { isUtf8 } from 'node:buffer';
import { TextDecoder } from 'node:util';
import { message } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';
import { DONE, NEED, START, XmlScanner, type XmlToken } from './xml-scan.js';
import { ascii, attributeText, type PartPlace } from './xml-text.js';
import type { PackagePart, ZipPackage } from './zip.js';

/** Bytes that contain an XML declaration, if there is one. */
const HEAD = 256;

/**
 * An XML part's bytes as UTF-8 without a byte order mark. Its encoding is determined by the mark, the first bytes, or
 * the declaration.
 * @throws ProductError input if bytes are invalid in the encoding: text must never change silently.
 */
export async function* utf8Chunks(chunks: AsyncIterable<Buffer>, place: PartPlace): AsyncGenerator<Buffer> {
  let head: Buffer | undefined = Buffer.alloc(0);
  let convert: Convert = checkedUtf8(place);
  for await (const chunk of chunks) {
    if (head === undefined) {
      yield convert(chunk, false);
      continue;
    }
    // Copied, as a chunk is only valid until the next.
    head = Buffer.concat([head, chunk]);
    if (head.length < HEAD) continue;
    convert = converter(head, place);
    yield convert(withoutMark(head), false);
    head = undefined;
  }
  if (head !== undefined && head.length > 0) {
    convert = converter(head, place);
    yield convert(withoutMark(head), false);
  }
  yield convert(Buffer.alloc(0), true);
}

type Convert = (chunk: Buffer, last: boolean) => Buffer;

function converter(head: Buffer, place: PartPlace): Convert {
  const encoding = encodingOf(head);
  if (/^(utf-?8|us-ascii|ascii)$/i.test(encoding)) return checkedUtf8(place);
  let decoder: TextDecoder;
  try {
    decoder = new TextDecoder(encoding, { fatal: true, ignoreBOM: true });
  } catch {
    throw invalidEncoding(place, encoding);
  }
  return (chunk, last) => {
    try {
      return Buffer.from(decoder.decode(chunk, { stream: !last }), 'utf8');
    } catch {
      throw invalidEncoding(place, encoding);
    }
  };
}

function encodingOf(head: Buffer): string {
  const [first, second, third] = head;
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0 && second === 0x3c) return 'utf-16be';
  if (first === 0x3c && second === 0) return 'utf-16le';
  const declaration = /^\s*<\?xml[^>]*?encoding\s*=\s*["']([A-Za-z0-9._:-]+)["']/.exec(
    head.toString('latin1', 0, HEAD),
  );
  const declared = declaration?.[1] ?? 'utf-8';
  // The declaration was read as single bytes, so the part cannot be UTF-16, whatever it declares; it is UTF-8.
  return /^utf-?16/i.test(declared) ? 'utf-8' : declared;
}

function withoutMark(head: Buffer): Buffer {
  if (head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf) return head.subarray(3);
  const wide = (head[0] === 0xfe && head[1] === 0xff) || (head[0] === 0xff && head[1] === 0xfe);
  return wide ? head.subarray(2) : head;
}

/** Passes UTF-8 through and checks it. A character split between chunks is checked with the second. */
function checkedUtf8(place: PartPlace): Convert {
  let open = Buffer.alloc(0);
  return (chunk, last) => {
    let from = 0;
    if (open.length > 0) {
      from = Math.min(chunk.length, sequenceLength(open[0]!) - open.length);
      open = Buffer.concat([open, chunk.subarray(0, from)]);
      if (open.length === sequenceLength(open[0]!) || last) {
        if (!isUtf8(open)) throw invalidEncoding(place, 'UTF-8');
        open = Buffer.alloc(0);
      }
    }
    const to = Math.max(from, completeLength(chunk));
    if (!isUtf8(chunk.subarray(from, to))) throw invalidEncoding(place, 'UTF-8');
    if (to < chunk.length) open = Buffer.from(chunk.subarray(to));
    return chunk;
  };
}

/** Length of the chunk without an incomplete character at its end. */
function completeLength(chunk: Buffer): number {
  for (let back = 1; back <= Math.min(3, chunk.length); back += 1) {
    const byte = chunk[chunk.length - back]!;
    if (byte < 0x80) return chunk.length;
    if (byte >= 0xc0) return sequenceLength(byte) > back ? chunk.length - back : chunk.length;
  }
  return chunk.length;
}

function sequenceLength(lead: number): number {
  if (lead >= 0xf0) return 4;
  if (lead >= 0xe0) return 3;
  return lead >= 0xc0 ? 2 : 1;
}

function invalidEncoding(place: PartPlace, encoding: string): ProductError {
  return new ProductError('input', message('source.xlsx_encoding', { ...place, encoding }));
}

/** Names are compared as bytes. */
export function name(local: string): Uint8Array {
  return Buffer.from(local, 'latin1');
}

/** Parts that describe the workbook have a few megabytes at most. */
const LIMIT_MB = 64;

/**
 * Scans a part that describes the workbook, and calls `see` with every token.
 * @throws ProductError input if the part is not well-formed XML, has a DTD, or is far too large.
 */
export async function eachToken(
  zip: ZipPackage,
  part: PackagePart,
  see: (token: XmlToken, scanner: XmlScanner) => void,
): Promise<void> {
  const place: PartPlace = { file: zip.file, part: part.name };
  if (part.size > LIMIT_MB * 1024 ** 2) {
    throw new ProductError('input', message('source.xlsx_part_too_large', { ...place, limit: LIMIT_MB }));
  }
  const scanner = new XmlScanner(place);
  const drain = (): void => {
    for (let token = scanner.next(); token !== NEED && token !== DONE; token = scanner.next()) {
      see(token, scanner);
    }
  };
  for await (const chunk of utf8Chunks(zip.chunks(part), place)) {
    scanner.feed(chunk);
    drain();
  }
  scanner.finish();
  drain();
}

/** A start tag's attributes by local name. An attribute without a prefix has priority over one with a prefix. */
export function attributes(scanner: XmlScanner): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  while (scanner.nextAttribute()) {
    const { bytes, place } = scanner;
    const local = attributeText(bytes, scanner.attributeStart, scanner.attributeEnd, place);
    if (scanner.attributeHasPrefix && found.has(local)) continue;
    found.set(local, attributeText(bytes, scanner.valueStart, scanner.valueEnd, place));
  }
  return found;
}

/** The paths of open elements by their local names, for small parts. */
export class ElementPath {
  /** One path for each open element, the innermost last. */
  readonly #paths: string[] = [];

  /** Call it for every token, before the path is read. */
  see(token: XmlToken, scanner: XmlScanner): void {
    const paths = this.#paths;
    const { depth } = scanner;
    if (token !== START) {
      if (paths.length > depth) paths.length = depth;
      return;
    }
    paths.length = depth - 1;
    const outer = paths.at(-1) ?? '';
    const local = ascii(scanner.bytes, scanner.nameStart, scanner.nameEnd);
    // Wrappers of alternative content are not part of paths; the fallback has its own path, so that it is ignored.
    paths.push(local === 'AlternateContent' || local === 'Choice' ? outer : `${outer}/${local}`);
  }

  /** `/workbook/sheets/sheet`. */
  toString(): string {
    return this.#paths.at(-1) ?? '';
  }
}
