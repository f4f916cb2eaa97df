import { message } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';

/** Encodings of texts in workbooks before Excel 97, by the number that the workbook gives. */
const ENCODINGS: Readonly<Record<number, string>> = {
  866: 'ibm866',
  874: 'windows-874',
  932: 'shift_jis',
  936: 'gbk',
  949: 'euc-kr',
  950: 'big5',
  10000: 'macintosh',
  10007: 'x-mac-cyrillic',
  32768: 'macintosh',
  32769: 'windows-1252',
  54936: 'gb18030',
  65001: 'utf-8',
};

/** Decodes texts of one byte or more a character. */
export class CodePage {
  readonly #file: string;
  readonly #number: number | undefined;
  readonly #decode: ((bytes: Buffer) => string) | undefined;

  /** @param number as the workbook names it; undefined if it names none */
  constructor(number: number | undefined, file: string) {
    this.#file = file;
    this.#number = number;
    const windows =
      number !== undefined && number >= 1250 && number <= 1258 ? `windows-${number}` : undefined;
    const name = windows ?? ENCODINGS[number ?? 0];
    if (name === undefined) return;
    const decoder = new TextDecoder(name, { fatal: true, ignoreBOM: true });
    this.#decode = (bytes) => decoder.decode(bytes);
  }

  /** @throws ProductError input where the bytes are no text of the code page, or it is unknown and they aren't ASCII */
  text(bytes: Buffer): string {
    if (bytes.every((byte) => byte < 0x80)) return bytes.toString('latin1');
    try {
      if (this.#decode) return this.#decode(bytes);
    } catch {
      // Told below.
    }
    const params = { file: this.#file, number: this.#number ?? '-' };
    throw new ProductError('input', message('source.xls_code_page', params));
  }
}
