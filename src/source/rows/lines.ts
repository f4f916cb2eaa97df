import { damaged } from './format.js';

export interface Line {
  readonly text: string;
  /** Without its line end. */
  readonly bytes: Uint8Array;
}

/** A longer line can't be a stored row. */
const LINE_BYTES = 64 * 1024 * 1024;
const LINE_FEED = 0x0a;

/** The lines of a file, chunk by chunk. @throws ProductError input for a last line without an end */
export async function* linesOf(file: string, chunks: AsyncIterable<Buffer>): AsyncGenerator<readonly Line[]> {
  let rest: Buffer[] = [];
  let held = 0;
  let number = 0;
  for await (const chunk of chunks) {
    const lines: Line[] = [];
    let start = 0;
    for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, start)) {
      const part = chunk.subarray(start, end);
      const bytes = rest.length > 0 ? Buffer.concat([...rest, part]) : part;
      lines.push({ text: bytes.toString('utf8'), bytes });
      rest = [];
      held = 0;
      number += 1;
      start = end + 1;
    }
    if (start < chunk.length) {
      rest.push(chunk.subarray(start));
      held += chunk.length - start;
      if (held > LINE_BYTES) throw damaged(file, number + 1);
    }
    if (lines.length > 0) yield lines;
  }
  if (held > 0) throw damaged(file, number + 1);
}
