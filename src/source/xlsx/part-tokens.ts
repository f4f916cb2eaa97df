import { message } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';
import { ascii } from './bytes.js';
import type { PartPlace } from './place.js';
import { utf8Chunks } from './xml-encoding.js';
import { DONE, NEED, START, XmlScanner, type XmlToken } from './xml-scan.js';
import { attributeText } from './xml-text.js';
import type { PackagePart, ZipPackage } from './zip.js';

/** Names are compared as bytes. */
export function name(local: string): Uint8Array {
  return Buffer.from(local, 'latin1');
}

/** Parts that describe the workbook take a few megabytes at most. */
const LIMIT_MB = 64;

/**
 * Scans a part that describes the workbook, and calls `see` with every token.
 * @throws ProductError input when the part is not well-formed XML, has a DTD, or is far too large.
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

/** A start tag's attributes by local name. An attribute without a prefix outranks one with a prefix. */
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

/** The open elements by their local names, for parts that are small. */
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
    // Wrappers of alternative content don't count; the fallback keeps its own path, so that it is ignored.
    paths.push(local === 'AlternateContent' || local === 'Choice' ? outer : `${outer}/${local}`);
  }

  /** `/workbook/sheets/sheet`. */
  toString(): string {
    return this.#paths.at(-1) ?? '';
  }
}
