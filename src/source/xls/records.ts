import { message } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';

/** Types of the records that are read ([MS-XLS] 2.3). */
export const BOF = 0x809;
export const EOF = 0x0a;
export const CONTINUE = 0x3c;

const NOTHING: readonly Buffer[] = [];

/** The records of a workbook's stream, one after the other. */
export class Records {
  readonly file: string;
  readonly stream: Buffer;
  /** Where the next record begins. */
  at: number;
  type = 0;
  /** Where the record begins that was read last. */
  start = 0;
  /** The record's bytes, without those of records that continue it. */
  data: Buffer = Buffer.alloc(0);

  constructor(stream: Buffer, at: number, file: string) {
    this.stream = stream;
    this.at = at;
    this.file = file;
  }

  /** @throws ProductError input when the stream ends: each part ends with a record that says so. */
  next(): void {
    const { stream, at } = this;
    if (at + 4 > stream.length) throw this.broken();
    const length = stream.readUInt16LE(at + 2);
    if (at + 4 + length > stream.length) throw this.broken();
    this.type = stream.readUInt16LE(at);
    this.start = at;
    this.data = stream.subarray(at + 4, at + 4 + length);
    this.at = at + 4 + length;
  }

  /** Takes the records that continue this one. */
  continued(): readonly Buffer[] {
    let found: Buffer[] | undefined;
    while (this.at + 4 <= this.stream.length && this.stream.readUInt16LE(this.at) === CONTINUE) {
      this.next();
      found ??= [];
      found.push(this.data);
    }
    return found ?? NOTHING;
  }

  /** @throws ProductError input when the record holds fewer bytes */
  need(bytes: number): void {
    if (this.data.length < bytes) throw this.broken();
  }

  broken(): ProductError {
    const params = { file: this.file, offset: this.start };
    return new ProductError('input', message('source.xls_record_broken', params));
  }
}
