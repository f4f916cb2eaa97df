import { withoutSeemingEscapes } from '../../util/ooxml-escape.js';
import type { InnerBook } from './library.js';

export interface ExtraPart {
  /** Within the package, without a slash before it. */
  readonly name: string;
  readonly content: string;
  /** Absent for parts whose extension says it. */
  readonly type?: string;
}

/** Makes names and formats that look escaped stay what they are: the library writes them as they come. */
export function guardEscapes({ zip }: Pick<InnerBook, 'zip'>): void {
  const append = zip.append.bind(zip);
  zip.append = (content, entry) =>
    append(typeof content === 'string' ? withoutSeemingEscapes(content) : content, entry);
}

const TYPES = '[Content_Types].xml';

/** Adds parts that the library doesn't know: call before the book is committed, as that tells of all types. */
export function addParts({ zip }: Pick<InnerBook, 'zip'>, parts: readonly ExtraPart[]): void {
  for (const { name, content } of parts) zip.append(content, { name });
  const types = parts
    .filter(({ type }) => type !== undefined)
    .map(({ name, type }) => `<Override PartName="/${name}" ContentType="${type}"/>`)
    .join('');
  const append = zip.append.bind(zip);
  zip.append = (content, entry) =>
    append(entry.name === TYPES ? content.replace('</Types>', `${types}</Types>`) : content, entry);
}
