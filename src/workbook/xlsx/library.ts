import type { EventEmitter } from 'node:events';
import type { Style, stream, Worksheet } from 'exceljs';

export type Book = stream.xlsx.WorkbookWriter;

/** A part of the package that is being written. */
export interface PartStream {
  /** Bytes that are passed on at once. */
  bufSize: number;
  /** Bytes are copied. */
  write(content: string | Buffer): unknown;
  end(): void;
  readonly pipes: readonly WaitingStream[];
}

/** Of an older stream library, which has no `writableLength`. */
export interface WaitingStream extends EventEmitter {
  readonly _writableState: { readonly length: number };
}

export interface DefinedName {
  readonly name: string;
  readonly ranges: readonly string[];
  /** 0-based place of the sheet that it is for. */
  readonly localSheetId: number;
}

export interface StyleSheet {
  /** Gives the style's number; of a look that it was given before, at once. */
  addStyleModel(look: Partial<Style>): number;
}

/** What the library's workbook keeps to itself: parts that it can't write are written through these. */
export interface InnerBook {
  readonly zip: {
    append(content: string, entry: { readonly name: string }): unknown;
    on(event: 'error', told: (error: Error) => void): void;
    abort(): void;
  };
  /** Makes the content types tell of a sheet's notes. */
  readonly commentRefs: { readonly commentName: string; readonly vmlDrawing: string }[];
  readonly styles: StyleSheet;
  _definedNames: { readonly model: readonly DefinedName[] };
  _openStream(part: string): PartStream;
}

/** The same of a sheet. */
export interface InnerSheet {
  readonly id: number;
  readonly stream: PartStream;
  /** Whether what comes before the rows is written. */
  startedData: boolean;
  _writeColumns(): void;
  _writeOpenSheetData(): void;
  readonly _sheetRelsWriter: {
    /** Links within the workbook need no relationship. */
    readonly _hyperlinks: { readonly address: string; readonly target: string }[];
    /** Gives the relationship's id. */
    addRelationship(relationship: { readonly Type: string; readonly Target: string }): string;
  };
  /** Called where drawings and notes are told of, right before the end of the sheet. */
  _writeLegacyData(): void;
}

export function innerBook(book: Book): InnerBook {
  return book as unknown as InnerBook;
}

export function innerSheet(sheet: Worksheet): InnerSheet {
  return sheet as unknown as InnerSheet;
}
