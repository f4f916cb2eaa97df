import { damaged } from './format.js';

export interface Line {
  readonly text: string;
  /** Without its line end. */
  readonly bytes: Uint8Array;
}

/** A row of 16,384 cells of 32,767 characters is far beyond anything kept; more is no file of ours. */
const LINE_BYTES = 64 * 1024 * 1024;
const LINE_FEED = 0x0a;

/** The lines of a file, those of one chunk together. @throws ProductError input for a line that doesn't end */
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
