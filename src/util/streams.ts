import type { WriteStream } from 'node:fs';
import type { Readable } from 'node:stream';

/**
 * Calls `onLine` for each line of a stream as it arrives, with at most one line in memory. Blank lines and lines of
 * more than `longest` characters are skipped. Errors of the stream are ignored.
 */
export function eachLine(stream: Readable, longest: number, onLine: (line: string) => void): void {
  let partial = '';
  let tooLong = false;
  stream.setEncoding('utf8').on('data', (text: string) => {
    const [first = '', ...rest] = text.split('\n');
    partial += first;
    for (const next of rest) {
      if (!tooLong && partial.trim() !== '') onLine(partial.trimEnd());
      partial = next;
      tooLong = false;
    }
    if (partial.length <= longest) return;
    partial = '';
    tooLong = true;
  });
  stream.on('end', () => {
    if (!tooLong && partial.trim() !== '') onLine(partial.trimEnd());
  });
  // Errors of the pipe are ignored: the caller waits for the process to exit.
  stream.on('error', () => {});
}

/** The stream that a result file is written to. */
export type Sink = WriteStream;

/** Writes, and waits while the disk is slow, so that memory is bounded. */
export async function write(sink: Sink, text: string | Uint8Array): Promise<void> {
  if (sink.write(text)) return;
  await new Promise<void>((resolve, reject) => {
    const onDrain = (): void => {
      sink.off('error', onError);
      resolve();
    };
    const onError = (error: Error): void => {
      sink.off('drain', onDrain);
      reject(error);
    };
    sink.once('drain', onDrain);
    sink.once('error', onError);
  });
}
