import { pipeline, type Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { errorCode, errorDetail } from './network-error.js';

/** 10 MB, inflated: more than any reply that is one (reliability.md). */
export const MAX_REPLY_BYTES = 10_000_000;

export type BodyResult =
  | { readonly kind: 'text'; readonly text: string }
  | {
      readonly kind: 'broken';
      readonly reason: 'truncated' | 'oversize' | 'undecodable';
      readonly detail: string;
    };

const DECODERS: ReadonlyMap<string, () => NodeJS.ReadWriteStream & Readable> = new Map([
  ['gzip', createGunzip],
  ['x-gzip', createGunzip],
  ['deflate', createInflate],
  ['br', createBrotliDecompress],
]);

/**
 * Reads a reply's body to its end as UTF-8, in memory bounded by `limit` bytes (after decoding). Never throws; the
 * stream is destroyed when it isn't read to its end.
 */
export async function readBody(
  body: Readable,
  contentEncoding: string | undefined,
  limit: number,
): Promise<BodyResult> {
  const encodings = (contentEncoding ?? '')
    .split(',')
    .map((it) => it.trim().toLowerCase())
    .filter((it) => it !== '' && it !== 'identity');
  const makers = encodings.map((it) => DECODERS.get(it));
  // Each layer multiplies what a few bytes can blow up to; honest replies have one.
  if (makers.length > 1 || makers.some((it) => it === undefined)) {
    discard(body);
    return { kind: 'broken', reason: 'undecodable', detail: `content-encoding ${encodings.join(', ')}` };
  }
  const decoder = makers[0]?.();
  let wireError: unknown;
  body.once('error', (error) => {
    wireError = error;
  });
  if (decoder) pipeline(body, decoder, () => undefined);
  const stream: Readable = decoder ?? body;
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > limit) {
        discard(body);
        decoder?.destroy();
        return { kind: 'broken', reason: 'oversize', detail: `more than ${limit} bytes` };
      }
      chunks.push(chunk);
    }
  } catch (error) {
    discard(body);
    const cut = wireError !== undefined || !decoder || errorCode(error) === 'Z_BUF_ERROR';
    return {
      kind: 'broken',
      reason: cut ? 'truncated' : 'undecodable',
      detail: errorDetail(wireError ?? error),
    };
  }
  return { kind: 'text', text: new TextDecoder('utf-8').decode(Buffer.concat(chunks)) };
}

function discard(body: Readable): void {
  body.on('error', () => undefined);
  body.destroy();
}
