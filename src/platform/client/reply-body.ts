import type { Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { errorCode, errorDetail } from '../../util/error-detail.js';

/** 10 MB, decompressed: more than any valid reply (promises). */
export const MAX_REPLY_BYTES = 10_000_000;

export type BodyResult =
  | { readonly kind: 'text'; readonly text: string }
  | {
      readonly kind: 'broken';
      readonly reason: 'truncated' | 'oversize' | 'undecodable';
      readonly detail: string;
    };

/** Receives a body as it arrives. Data after the result is ignored. */
export interface BodyReader {
  /** False: wait for `drained` before the next chunk. */
  add(chunk: Buffer): boolean;
  end(): void;
  /** The connection broke within the body. */
  cut(error: unknown): void;
}

interface BodyOptions {
  /** Maximum size in bytes, after decoding. */
  readonly limit: number;
  /** Called once. */
  readonly result: (result: BodyResult) => void;
  readonly drained: () => void;
  /** The header `content-type`; its charset is used. */
  readonly contentType?: string | undefined;
}

const DECODERS: ReadonlyMap<string, () => Transform> = new Map<string, () => Transform>([
  ['gzip', createGunzip],
  ['x-gzip', createGunzip],
  ['deflate', createInflate],
  ['br', createBrotliDecompress],
]);

/**
 * Reads a reply's body in its charset (default UTF-8), in bounded memory. An unsupported encoding is reported at once.
 * Never throws.
 */
export function readBody(contentEncoding: string | undefined, options: BodyOptions): BodyReader {
  if (contentEncoding === undefined) return new PlainBody(options);
  const encodings = contentEncoding
    .split(',')
    .map((it) => it.trim().toLowerCase())
    .filter((it) => it !== '' && it !== 'identity');
  const makers = encodings.map((it) => DECODERS.get(it));
  const plain = new PlainBody(options);
  // Each layer multiplies the decompressed size; legitimate replies have one.
  if (makers.length > 1 || makers.some((it) => it === undefined)) {
    plain.broken('undecodable', `content-encoding ${encodings.join(', ')}`);
  }
  const decoder = makers.length === 1 ? makers[0]?.() : undefined;
  return decoder ? decoded(decoder, plain, options) : plain;
}

class PlainBody implements BodyReader {
  readonly #options: BodyOptions;
  readonly #chunks: Buffer[] = [];
  #size = 0;
  #over = false;

  constructor(options: BodyOptions) {
    this.#options = options;
  }

  get over(): boolean {
    return this.#over;
  }

  add(chunk: Buffer): boolean {
    if (this.#over) return true;
    const { limit } = this.#options;
    this.#size += chunk.length;
    if (this.#size > limit) this.broken('oversize', `more than ${limit} bytes`);
    else this.#chunks.push(chunk);
    return true;
  }

  end(): void {
    const [only] = this.#chunks;
    const body = only && this.#chunks.length === 1 ? only : Buffer.concat(this.#chunks);
    this.#report({ kind: 'text', text: decodeText(body, this.#options.contentType) });
  }

  cut(error: unknown): void {
    this.broken('truncated', errorDetail(error));
  }

  broken(reason: Extract<BodyResult, { kind: 'broken' }>['reason'], detail: string): void {
    this.#report({ kind: 'broken', reason, detail });
  }

  #report(result: BodyResult): void {
    if (this.#over) return;
    this.#over = true;
    this.#options.result(result);
  }
}

/**
 * Decodes a body: by its byte order mark, otherwise by its charset, otherwise as UTF-8. Servers declare ISO-8859-1 by
 * default and send UTF-8, so valid UTF-8 is read as UTF-8.
 */
function decodeText(bytes: Buffer, contentType: string | undefined): string {
  const named = /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(contentType ?? '')?.[1];
  const decoder = markedDecoder(bytes) ?? decoderNamed(named) ?? new TextDecoder();
  if (decoder.encoding === 'windows-1252') {
    try {
      return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    } catch {}
  }
  return decoder.decode(bytes);
}

type Decoder = InstanceType<typeof TextDecoder>;

function markedDecoder(bytes: Buffer): Decoder | undefined {
  const hex = bytes.toString('hex', 0, 3);
  if (hex === 'efbbbf') return new TextDecoder();
  if (hex.startsWith('fffe')) return new TextDecoder('utf-16le');
  return hex.startsWith('feff') ? new TextDecoder('utf-16be') : undefined;
}

/** Undefined for an unknown charset. */
function decoderNamed(charset: string | undefined): Decoder | undefined {
  if (charset === undefined) return undefined;
  try {
    return new TextDecoder(charset);
  } catch {
    return undefined;
  }
}

function decoded(decoder: Transform, plain: PlainBody, { drained }: BodyOptions): BodyReader {
  decoder.on('data', (chunk: Buffer) => {
    plain.add(chunk);
    if (plain.over) decoder.destroy();
  });
  decoder.on('end', () => plain.end());
  decoder.on('drain', drained);
  decoder.on('error', (error) => {
    // Compressed data that ends early is attributed to the sender.
    if (errorCode(error) === 'Z_BUF_ERROR') plain.cut(error);
    else plain.broken('undecodable', errorDetail(error));
  });
  return {
    add: (chunk) => plain.over || decoder.write(chunk),
    end: () => {
      decoder.end();
    },
    cut: (error) => {
      plain.cut(error);
      decoder.destroy();
    },
  };
}
