import type { EventEmitter } from 'node:events';
import type { Style, stream, Workbook, Worksheet } from 'exceljs';
import { withoutSeemingEscapes } from './spreadsheet-text.js';

/*
 * All uses of exceljs beyond its documented interface. The library writes a sheet's rows from objects, which is too
 * slow for a million rows, and supports neither charts nor notes of a given size, so the program writes these as XML
 * through the library's private parts. A newer version may change them without notice: the version is pinned, and
 * `test/dependencies.test.ts` fails if one of these parts is missing.
 */

export type Book = stream.xlsx.WorkbookWriter;

/** A part of the package, open for writing. */
export interface PartStream {
  /** Bytes that are passed on at once. */
  bufSize: number;
  /** Copies the bytes. */
  write(content: string | Buffer): unknown;
  end(): void;
  readonly pipes: readonly CompressingStream[];
}

/** A stream of an older library, which has no `writableLength`. */
interface CompressingStream extends EventEmitter {
  readonly _writableState: { readonly length: number };
}

export interface DefinedName {
  readonly name: string;
  readonly ranges: readonly string[];
  /** 0-based position of its sheet. */
  readonly localSheetId: number;
}

export interface StyleSheet {
  /** The number of a style; fast for an object that was passed before. */
  addStyleModel(style: Partial<Style>): number;
}

interface Relationship {
  readonly Type: string;
  readonly Target: string;
}

interface Zip {
  append(content: string, entry: { readonly name: string }): unknown;
  on(event: 'error', listener: (error: Error) => void): void;
  abort(): void;
}

interface PrivateBook {
  readonly zip: Zip;
  /** Adds a sheet's notes to the content types. */
  readonly commentRefs: { readonly commentName: string; readonly vmlDrawing: string }[];
  readonly styles: StyleSheet;
  _definedNames: { readonly model: readonly DefinedName[] };
  _openStream(part: string): PartStream;
}

interface PrivateSheet {
  readonly id: number;
  readonly stream: PartStream;
  /** Whether everything before the rows has been written. */
  startedData: boolean;
  _writeColumns(): void;
  _writeOpenSheetData(): void;
  readonly _sheetRelsWriter: {
    /** Links within the workbook, which need no relationship. */
    readonly _hyperlinks: { readonly address: string; readonly target: string }[];
    /** Returns the relationship's id. */
    addRelationship(relationship: Relationship): string;
  };
  /** Merged ranges, written as texts after the rows. */
  readonly _merges: string[];
  /** Writes drawings and notes, just before the end of the sheet. */
  _writeLegacyData(): void;
}

/** The class of workbooks in memory. Its own file is imported, as the index would load a hundred others. */
export async function loadWorkbook(): Promise<new () => Workbook> {
  return (await import('exceljs/lib/doc/workbook.js')).default;
}

/** The class of workbooks written row by row. */
export async function loadWorkbookWriter(): Promise<typeof stream.xlsx.WorkbookWriter> {
  return (await import('exceljs/lib/stream/xlsx/workbook-writer.js')).default;
}

function privateBook(book: Book): PrivateBook {
  return book as unknown as PrivateBook;
}

function privateSheet(sheet: Worksheet): PrivateSheet {
  return sheet as unknown as PrivateSheet;
}

export function zipOf(book: Book): Zip {
  return privateBook(book).zip;
}

export function stylesOf(book: Book): StyleSheet {
  return privateBook(book).styles;
}

/** Named ranges, written when the book is committed. */
export function defineNames(book: Book, model: readonly DefinedName[]): void {
  privateBook(book)._definedNames = { model };
}

/** Escapes names and formats that look escaped (`_x0041_`), so that they are read unchanged; the library does not. */
export function guardEscapes(book: Book): void {
  const zip = zipOf(book);
  const append = zip.append.bind(zip);
  zip.append = (content, entry) =>
    append(typeof content === 'string' ? withoutSeemingEscapes(content) : content, entry);
}

export interface ExtraPart {
  /** Within the package, without a slash before it. */
  readonly name: string;
  readonly content: string;
  /** Absent if the content type follows from the extension. */
  readonly type?: string;
}

const TYPES = '[Content_Types].xml';

/** Adds parts that the library does not know, before the book is committed, which writes the content types. */
export function addParts(book: Book, parts: readonly ExtraPart[]): void {
  const zip = zipOf(book);
  for (const { name, content } of parts) zip.append(content, { name });
  const types = parts
    .filter(({ type }) => type !== undefined)
    .map(({ name, type }) => `<Override PartName="/${name}" ContentType="${type}"/>`)
    .join('');
  const append = zip.append.bind(zip);
  zip.append = (content, entry) =>
    append(entry.name === TYPES ? content.replace('</Types>', `${types}</Types>`) : content, entry);
}

/** 1-based number of a sheet. */
export function sheetNumber(sheet: Worksheet): number {
  return privateSheet(sheet).id;
}

export function sheetStream(sheet: Worksheet): PartStream {
  return privateSheet(sheet).stream;
}

/** Opens the parts of a sheet's notes: texts and shapes. */
export function openNoteParts(book: Book, sheet: Worksheet): { texts: PartStream; shapes: PartStream } {
  const inner = privateBook(book);
  const id = sheetNumber(sheet);
  const texts = inner._openStream(`xl/comments${id}.xml`);
  const shapes = inner._openStream(`xl/drawings/vmlDrawing${id}.vml`);
  inner.commentRefs.push({ commentName: `comments${id}`, vmlDrawing: `vmlDrawing${id}` });
  return { texts, shapes };
}

/** Adds a relationship of a sheet; returns its id. */
export function addRelationship(sheet: Worksheet, relationship: Relationship): string {
  return privateSheet(sheet)._sheetRelsWriter.addRelationship(relationship);
}

/** Adds a link from a cell to a location in the workbook, such as `Results!D7`. */
export function addLink(sheet: Worksheet, address: string, target: string): void {
  privateSheet(sheet)._sheetRelsWriter._hyperlinks.push({ address, target });
}

/** Merges ranges, `C2:C4`. The library's own method would create rows for them, which are already written. */
export function mergeRanges(sheet: Worksheet, ranges: readonly string[]): void {
  for (const range of ranges) privateSheet(sheet)._merges.push(range);
}

/** Writes XML of rows, and all parts before the first row. */
export function writeRows(sheet: Worksheet, xml: Buffer): void {
  const inner = privateSheet(sheet);
  if (!inner.startedData) {
    inner._writeColumns();
    inner._writeOpenSheetData();
    inner.startedData = true;
  }
  inner.stream.write(xml);
}

/** Ends a sheet. `xml` is written at its end, where drawings and notes are referenced. */
export function commitSheet(sheet: Worksheet, xml: () => string): void {
  const inner = privateSheet(sheet);
  inner._writeLegacyData = () => {
    inner.stream.write(xml());
  };
  sheet.commit();
}
