import type { Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { errorCode, errorDetail } from '../../util/error-detail.js';

/** 10 MB, inflated: more than any reply that is one (promises). */
export const MAX_REPLY_BYTES = 10_000_000;

export type BodyResult =
  | { readonly kind: 'text'; readonly text: string }
  | {
      readonly kind: 'broken';
      readonly reason: 'truncated' | 'oversize' | 'undecodable';
      readonly detail: string;
    };

/** Takes a body as it arrives. After the result nothing more is wanted; what comes nevertheless is passed over. */
export interface BodyReader {
  /** False: wait until `drained` before the next. */
  add(chunk: Buffer): boolean;
  end(): void;
  /** The connection broke within the body. */
  cut(error: unknown): void;
}

interface BodyWishes {
  /** Bytes, after decoding, that are held at most. */
  readonly limit: number;
  /** Called once, with what became of the body. */
  readonly result: (result: BodyResult) => void;
  readonly drained: () => void;
  /** The header `content-type`, whose charset counts. */
  readonly contentType?: string | undefined;
}

const DECODERS: ReadonlyMap<string, () => Transform> = new Map<string, () => Transform>([
  ['gzip', createGunzip],
  ['x-gzip', createGunzip],
  ['deflate', createInflate],
  ['br', createBrotliDecompress],
]);

/** Reads a reply's body in its charset (UTF-8 if it names none), in bounded memory. An encoding that can't be read is told at once. Never throws. */
export function readBody(contentEncoding: string | undefined, wishes: BodyWishes): BodyReader {
  if (contentEncoding === undefined) return new PlainBody(wishes);
  const encodings = contentEncoding
    .split(',')
    .map((it) => it.trim().toLowerCase())
    .filter((it) => it !== '' && it !== 'identity');
  const makers = encodings.map((it) => DECODERS.get(it));
  const plain = new PlainBody(wishes);
  // Each layer multiplies what a few bytes can blow up to; honest replies have one.
  if (makers.length > 1 || makers.some((it) => it === undefined)) {
    plain.broken('undecodable', `content-encoding ${encodings.join(', ')}`);
  }
  const decoder = makers.length === 1 ? makers[0]?.() : undefined;
  return decoder ? decoded(decoder, plain, wishes) : plain;
}

class PlainBody implements BodyReader {
  readonly #wishes: BodyWishes;
  readonly #chunks: Buffer[] = [];
  #size = 0;
  #over = false;

  constructor(wishes: BodyWishes) {
    this.#wishes = wishes;
  }

  get over(): boolean {
    return this.#over;
  }

  add(chunk: Buffer): boolean {
    if (this.#over) return true;
    const { limit } = this.#wishes;
    this.#size += chunk.length;
    if (this.#size > limit) this.broken('oversize', `more than ${limit} bytes`);
    else this.#chunks.push(chunk);
    return true;
  }

  end(): void {
    const [only] = this.#chunks;
    const whole = only && this.#chunks.length === 1 ? only : Buffer.concat(this.#chunks);
    this.#tell({ kind: 'text', text: decodeText(whole, this.#wishes.contentType) });
  }

  cut(error: unknown): void {
    this.broken('truncated', errorDetail(error));
  }

  broken(reason: Extract<BodyResult, { kind: 'broken' }>['reason'], detail: string): void {
    this.#tell({ kind: 'broken', reason, detail });
  }

  #tell(result: BodyResult): void {
    if (this.#over) return;
    this.#over = true;
    this.#wishes.result(result);
  }
}

/**
 * A body as text: by its byte order mark, otherwise by its charset, otherwise as UTF-8. Servers name ISO-8859-1 without
 * being asked, and send UTF-8: what can be read as that is.
 */
function decodeText(bytes: Buffer, contentType: string | undefined): string {
  const named = /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(contentType ?? '')?.[1];
  const decoder = markedDecoder(bytes) ?? decoderNamed(named) ?? new TextDecoder();
  if (decoder.encoding === 'windows-1252') {
    try {
      return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    } catch {
      // It is what it says it is.
    }
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

/** Undefined for a charset that is not known. */
function decoderNamed(charset: string | undefined): Decoder | undefined {
  if (charset === undefined) return undefined;
  try {
    return new TextDecoder(charset);
  } catch {
    return undefined;
  }
}

function decoded(decoder: Transform, plain: PlainBody, { drained }: BodyWishes): BodyReader {
  decoder.on('data', (chunk: Buffer) => {
    plain.add(chunk);
    if (plain.over) decoder.destroy();
  });
  decoder.on('end', () => plain.end());
  decoder.on('drain', drained);
  decoder.on('error', (error) => {
    // An end in the middle of what was compressed is the sender's, as far as anyone can see.
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
