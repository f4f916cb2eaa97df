import type { PartPlace } from './place.js';
import { utf8Chunks } from './xml-encoding.js';
import { DONE, NEED, START, type Token, XmlScanner } from './xml-scan.js';
import { attributeText } from './xml-text.js';

/** Names are compared as bytes. */
export function name(local: string): Uint8Array {
  return Buffer.from(local, 'latin1');
}

/**
 * Scans a part from its first byte to its last, and shows every token.
 * @throws ProductError input when the part is not well-formed XML, or has a DTD.
 */
export async function eachToken(
  chunks: AsyncIterable<Buffer>,
  place: PartPlace,
  see: (token: Token, scanner: XmlScanner) => void,
): Promise<void> {
  const scanner = new XmlScanner(place);
  const drain = (): void => {
    for (let token = scanner.next(); token !== NEED && token !== DONE; token = scanner.next()) {
      see(token, scanner);
    }
  };
  for await (const chunk of utf8Chunks(chunks, place)) {
    scanner.feed(chunk);
    drain();
  }
  scanner.finish();
  drain();
}

/** A start tag's attributes by local name; of two alike but for their prefix, the one without stands. */
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

/** The local names of the open elements, outermost first, for parts that are small. */
export class ElementPath {
  readonly #names: string[] = [];

  /** Keeps up with a token; call it for each, before looking. */
  see(token: Token, scanner: XmlScanner): void {
    const { depth } = scanner;
    if (token === START) {
      this.#names.length = depth - 1;
      this.#names.push(scanner.bytes.toString('latin1', scanner.nameStart, scanner.nameEnd));
    } else if (this.#names.length > depth) {
      this.#names.length = depth;
    }
  }

  /** `/workbook/sheets/sheet`, without what wraps alternatives of the same content. */
  toString(): string {
    return this.#names
      .filter((it) => it !== 'AlternateContent' && it !== 'Choice')
      .reduce((path, it) => `${path}/${it}`, '');
  }
}
