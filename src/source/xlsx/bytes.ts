/** The decoders behind `Buffer.toString`, called directly: millions of cells are decoded one by one. */
interface Decoding {
  latin1Slice(start: number, end: number): string;
  utf8Slice(start: number, end: number): string;
}

/** ASCII bytes (or Latin-1) as text. */
export function ascii(bytes: Buffer, start: number, end: number): string {
  return (bytes as unknown as Decoding).latin1Slice(start, end);
}

export function utf8(bytes: Buffer, start: number, end: number): string {
  return (bytes as unknown as Decoding).utf8Slice(start, end);
}

/** Whether the bytes at `at` are `wanted`, and lie before `end`. */
export function matches(bytes: Buffer, at: number, end: number, wanted: Uint8Array): boolean {
  if (at + wanted.length > end) return false;
  for (let i = 0; i < wanted.length; i += 1) if (bytes[at + i] !== wanted[i]) return false;
  return true;
}

/** Whether a range of bytes is white space. */
export function isBlankRange(bytes: Uint8Array, start: number, end: number): boolean {
  for (let p = start; p < end; p += 1) if (bytes[p]! > 0x20) return false;
  return true;
}
