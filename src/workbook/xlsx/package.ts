import type { InnerBook } from './library.js';

export interface ExtraPart {
  /** Within the package, without a slash before it. */
  readonly name: string;
  readonly content: string;
  /** Absent for parts whose extension says it. */
  readonly type?: string;
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
