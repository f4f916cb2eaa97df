import type { Readable } from 'node:stream';

/**
 * Lines of a stream as they come, blank ones left out, without ever holding more than one; what is longer than
 * `longest` characters is left out too. What becomes of the stream otherwise is not told.
 */
export function eachLine(stream: Readable, longest: number, onLine: (line: string) => void): void {
  let begun = '';
  let tooLong = false;
  stream.setEncoding('utf8').on('data', (text: string) => {
    const [first = '', ...rest] = text.split('\n');
    begun += first;
    for (const next of rest) {
      if (!tooLong && begun.trim() !== '') onLine(begun.trimEnd());
      begun = next;
      tooLong = false;
    }
    if (begun.length <= longest) return;
    begun = '';
    tooLong = true;
  });
  stream.on('end', () => {
    if (!tooLong && begun.trim() !== '') onLine(begun.trimEnd());
  });
  // Errors of the pipe are ignored; the end of the process is what counts.
  stream.on('error', () => {});
}
