import { open } from 'node:fs/promises';

/** Bytes at the end of a file that are searched for its end mark. */
const SEARCHED_BYTES = 64;
const LF = 0x0a;
const CR = 0x0d;
/** Ctrl-Z, with which programs of CP/M and DOS mark the end of a text file. */
const END_MARK = 0x1a;

interface FileEnd {
  /** Number of bytes before the end mark, or the file's size. */
  readonly end: number;
  /** The last line has a line end. False for an empty file, too. */
  readonly isLineEnded: boolean;
}

/** Looks at the last bytes of a text file. End marks and the line ends between and after them are no part of the text. */
export async function findFileEnd(file: string, encoding: string): Promise<FileEnd> {
  const handle = await open(file, 'r');
  try {
    const { size } = await handle.stat();
    // Even, so that no unit of two bytes is cut.
    const start = Math.max(0, size - SEARCHED_BYTES) & ~1;
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(size - start), 0, size - start, start);
    const units = unitsOf(buffer.subarray(0, bytesRead), encoding);
    const isAfterText = (at: number): boolean => units.values.slice(at).every(isLineEndOrMark);
    const mark = units.values.findIndex((unit, at) => unit === END_MARK && isAfterText(at));
    const count = mark === -1 ? units.values.length : mark;
    const last = units.values[count - 1];
    return {
      end: start + (mark === -1 ? bytesRead : mark * units.bytes),
      isLineEnded: last === LF || last === CR,
    };
  } finally {
    await handle.close();
  }
}

function unitsOf(tail: Buffer, encoding: string) {
  if (!encoding.startsWith('utf-16')) return { bytes: 1, values: [...tail] };
  const read = encoding === 'utf-16le' ? tail.readUInt16LE.bind(tail) : tail.readUInt16BE.bind(tail);
  const values = Array.from({ length: tail.length >> 1 }, (_, index) => read(2 * index));
  return { bytes: 2, values };
}

function isLineEndOrMark(unit: number): boolean {
  return unit === LF || unit === CR || unit === END_MARK;
}
