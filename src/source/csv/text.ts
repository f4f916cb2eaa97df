import { message } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';
import { readBytes } from './bytes.js';

/**
 * The file's text in chunks, without a byte order mark. Bytes that don't fit the encoding stop the reading, and no
 * character is split between chunks.
 * @param end number of bytes to read; all when absent
 */
export async function* readText(file: string, encoding: string, end?: number): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding, { fatal: true });
  let offset = 0;
  let first = true;
  const decode = (chunk?: Buffer): string => {
    try {
      const text = chunk ? decoder.decode(chunk, { stream: true }) : decoder.decode();
      // The decoder leaves GB18030's byte order mark in the text.
      const whole = first && text.startsWith('\ufeff') ? text.slice(1) : text;
      if (text !== '') first = false;
      return whole;
    } catch {
      throw new ProductError('input', message('source.csv_undecodable', { file, encoding, offset }));
    }
  };
  for await (const chunk of readBytes(file, 0, end)) {
    const text = decode(chunk);
    offset += chunk.length;
    if (text !== '') yield text;
  }
  const rest = decode();
  if (rest !== '') yield rest;
}
