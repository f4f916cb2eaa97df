import { utf8Chunks } from '../xlsx/xml-part.js';
import { CDATA, DONE, NEED, START, TEXT, XmlScanner, type XmlToken } from '../xlsx/xml-scan.js';
import { ascii, attributeText, TextBytes, textOf } from '../xlsx/xml-text.js';
import type { PackagePart, ZipPackage } from '../xlsx/zip.js';

/** Elements that only group their content: rows and columns are found in any group. */
const GROUPS: ReadonlySet<string> = new Set([
  'table-row-group',
  'table-header-rows',
  'table-rows',
  'table-column-group',
  'table-header-columns',
  'table-columns',
]);
/** `urn:oasis:names:tc:opendocument:xmlns:table:1.0`, and the same for LibreOffice's own names. */
const NAMESPACE = /:xmlns:([\w-]+):1\.0$/;
/** Namespaces whose usual prefix differs from the word in their address. */
const PREFIXES: Readonly<Record<string, string>> = { datastyle: 'number' };

/** Attributes by name with the usual prefix: `office:value`. */
export type Attributes = ReadonlyMap<string, string>;

/** Calls for a part of an OpenDocument file. Paths consist of local names, without groups of rows: `/a/b`. */
export interface OdsVisitor {
  open(path: string, attributes: () => Attributes): void;
  text(path: string, text: string): void;
  close(path: string): void;
}

/**
 * Scans a part from start to end, and yields after each chunk of it.
 * @throws ProductError input if it is not well-formed XML, or has a DTD
 */
export async function* scanPart(
  zip: ZipPackage,
  part: PackagePart,
  visitor: OdsVisitor,
): AsyncGenerator<undefined> {
  const place = { file: zip.file, part: part.name };
  const scanner = new XmlScanner(place);
  const walk = new Walk(scanner, visitor);
  for await (const chunk of utf8Chunks(zip.chunks(part), place)) {
    scanner.feed(chunk);
    walk.drain();
    yield;
  }
  scanner.finish();
  walk.drain();
  yield;
}

class Walk {
  readonly #scanner: XmlScanner;
  readonly #visitor: OdsVisitor;
  readonly #paths: string[] = [];
  readonly #texts = new TextBytes(1 << 12);
  /** The usual prefix for each prefix of the document. */
  #prefixes = new Map<string, string>();

  constructor(scanner: XmlScanner, visitor: OdsVisitor) {
    this.#scanner = scanner;
    this.#visitor = visitor;
  }

  drain(): void {
    const scanner = this.#scanner;
    for (let token = scanner.next(); token !== NEED && token !== DONE; token = scanner.next())
      this.#see(token);
  }

  #see(token: XmlToken): void {
    const scanner = this.#scanner;
    const paths = this.#paths;
    if (token === START) {
      const outer = paths.at(-1) ?? '';
      const local = ascii(scanner.bytes, scanner.nameStart, scanner.nameEnd);
      const path = GROUPS.has(local) ? outer : `${outer}/${local}`;
      paths.push(path);
      if (paths.length === 1) this.#prefixes = this.#declared();
      else if (path !== outer) this.#visitor.open(path, () => this.#attributes());
    } else if (token === TEXT || token === CDATA) {
      this.#visitor.text(paths.at(-1) ?? '', this.#text(token === CDATA));
    } else {
      const path = paths.pop() ?? '';
      if (path !== (paths.at(-1) ?? '')) this.#visitor.close(path);
    }
  }

  #text(cdata: boolean): string {
    const { bytes, textStart, textEnd, place, offset } = this.#scanner;
    this.#texts.length = 0;
    const flags = this.#texts.append(bytes, textStart, textEnd, cdata, place, offset);
    // The escapes of .xlsx texts have no meaning here.
    return textOf(this.#texts.bytes, 0, this.#texts.length, flags & 1);
  }

  /** The root's declarations of namespaces. */
  #declared(): Map<string, string> {
    const found = new Map<string, string>();
    for (const [name, value] of this.#attributes()) {
      if (!name.startsWith('xmlns:')) continue;
      const word = NAMESPACE.exec(value)?.[1];
      if (word !== undefined) found.set(name.slice(6), PREFIXES[word] ?? word);
    }
    return found;
  }

  #attributes(): Attributes {
    const scanner = this.#scanner;
    const found = new Map<string, string>();
    while (scanner.nextAttribute()) {
      const { bytes, attributeStart, attributeEnd, place } = scanner;
      const local = ascii(bytes, attributeStart, attributeEnd);
      const name = scanner.attributeHasPrefix ? `${this.#prefix(bytes, attributeStart - 1)}:${local}` : local;
      found.set(name, attributeText(bytes, scanner.valueStart, scanner.valueEnd, place));
    }
    return found;
  }

  /** The prefix that ends at a colon. */
  #prefix(bytes: Buffer, colon: number): string {
    let start = colon;
    while (start > 0 && bytes[start - 1]! > 0x20) start -= 1;
    const prefix = ascii(bytes, start, colon);
    return this.#prefixes.get(prefix) ?? prefix;
  }
}
