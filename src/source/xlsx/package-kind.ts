import { open } from 'node:fs/promises';
import { message } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';

const HEAD = 1024;

/**
 * Refuses files that only have the extension of a workbook, each kind with its own advice.
 * @param path of the file; `file` is what messages call it.
 * @throws ProductError input: unreadable, empty, HTML, text, or no zip file.
 */
export async function checkKind(path: string, file: string): Promise<void> {
  const head = await firstBytes(path, file);
  if (head.length === 0) throw new ProductError('input', message('source.xlsx_empty_file', { file }));
  if (head[0] === 0x50 && head[1] === 0x4b) return;
  throw new ProductError('input', message(textKind(head), { file }));
}

async function firstBytes(path: string, file: string): Promise<Buffer> {
  try {
    const handle = await open(path, 'r');
    try {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD), 0, HEAD, 0);
      return buffer.subarray(0, bytesRead);
    } finally {
      await handle.close();
    }
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code ?? String(error);
    throw new ProductError('input', message('source.xlsx_unreadable', { file, reason }), { cause: error });
  }
}

function textKind(
  head: Buffer,
): 'source.xlsx_is_html' | 'source.xlsx_is_text' | 'source.xlsx_not_a_workbook' {
  // Zero bytes of UTF-16 are dropped. Text has no other control characters.
  const wide = (head[0] === 0xff && head[1] === 0xfe) || (head[0] === 0xfe && head[1] === 0xff);
  const text = (wide ? head.filter((byte) => byte !== 0) : head).toString('latin1');
  if (/^[^<]{0,4}\s*<(!doctype|html|head|body|table|\?xml|meta|!--)/i.test(text))
    return 'source.xlsx_is_html';
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what tells text from binary.
  return /[\x00-\x08\x0e-\x1f]/.test(text) ? 'source.xlsx_not_a_workbook' : 'source.xlsx_is_text';
}
