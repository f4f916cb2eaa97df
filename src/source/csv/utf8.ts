import { isUtf8 } from 'node:buffer';

/** Checks a stream of bytes for strict UTF-8, chunk by chunk. */
export class Utf8Check {
  #carry: Buffer = Buffer.alloc(0);
  #seen = 0;
  /** Byte offset near which the first fault lies; undefined while all is well. */
  fault: number | undefined;

  add(chunk: Buffer): void {
    if (this.fault !== undefined) return;
    const joined = this.#carry.length === 0 ? chunk : Buffer.concat([this.#carry, chunk]);
    const whole = joined.length - unfinished(joined);
    if (!isUtf8(joined.subarray(0, whole))) {
      this.fault = this.#seen + firstFault(joined.subarray(0, whole));
      return;
    }
    this.#seen += whole;
    this.#carry = Buffer.from(joined.subarray(whole));
  }

  end(): void {
    if (this.#carry.length > 0) this.fault ??= this.#seen;
  }
}

/** How many bytes at the end begin a character that isn't complete yet. */
function unfinished(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back]!;
    if (byte < 0x80 || byte >= 0xf5) return 0;
    if (byte >= 0xc0) {
      const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
      return back < length ? back : 0;
    }
  }
  return 0;
}

function firstFault(bytes: Buffer): number {
  let good = 0;
  let bad = bytes.length;
  while (bad - good > 1) {
    const middle = (good + bad) >> 1;
    const prefix = bytes.subarray(0, middle);
    if (isUtf8(prefix.subarray(0, middle - unfinished(prefix)))) good = middle;
    else bad = middle;
  }
  return good;
}
