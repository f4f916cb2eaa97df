import { deflateRawSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { canInflateInPlace, inflateByStream, inflateInPlace } from '../../src/source/xlsx/inflate.js';

type Inflate = (packed: AsyncIterable<Buffer>) => AsyncGenerator<Buffer>;

const WAYS: readonly (readonly [name: string, inflate: Inflate])[] = [
  ['in place', inflateInPlace],
  ['by stream', inflateByStream],
];

async function* pieces(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function all(chunks: AsyncIterable<Buffer>): Promise<Buffer> {
  const copies: Buffer[] = [];
  for await (const chunk of chunks) copies.push(Buffer.from(chunk));
  return Buffer.concat(copies);
}

/** Neither quite regular nor quite random. */
function content(length: number): Buffer {
  const bytes = Buffer.alloc(length);
  let state = 7;
  for (let i = 0; i < length; i += 1) {
    state = (state * 1_103_515_245 + 12_345) & 0x7fffffff;
    bytes[i] = i % 50 < 30 ? 65 + (i % 26) : state >> 16;
  }
  return bytes;
}

describe.each(WAYS)('inflating %s', (_, inflate) => {
  it.each([0, 1, 65_535, 65_536, 65_537, 1_000_000])('gives back %i bytes', async (length) => {
    const bytes = content(length);
    const packed = deflateRawSync(bytes);
    for (const size of [1000, packed.length]) {
      expect((await all(inflate(pieces(packed, size)))).equals(bytes)).toBe(true);
    }
  });

  it('ignores what follows the end', async () => {
    const packed = Buffer.concat([deflateRawSync(content(5000)), Buffer.alloc(3000, 0x55)]);
    expect((await all(inflate(pieces(packed, 400)))).equals(content(5000))).toBe(true);
  });

  it('reports data that end too early', async () => {
    const packed = deflateRawSync(content(300_000));
    for (const length of [0, 10, packed.length - 1]) {
      await expect(all(inflate(pieces(packed.subarray(0, length), 999)))).rejects.toMatchObject({
        code: 'Z_BUF_ERROR',
      });
    }
  });

  it('reports data that are no deflate data', async () => {
    await expect(all(inflate(pieces(Buffer.alloc(100, 0xff), 10)))).rejects.toMatchObject({
      code: 'Z_DATA_ERROR',
    });
  });

  it('passes on what reading throws', async () => {
    async function* broken(): AsyncGenerator<Buffer> {
      yield deflateRawSync(content(1000)).subarray(0, 100);
      throw new Error('no more');
    }
    await expect(all(inflate(broken()))).rejects.toThrow('no more');
  });

  it('lets the rest of the process have its turns, however much one piece holds', async () => {
    const packed = deflateRawSync(Buffer.alloc(30_000_000));
    expect(packed.length).toBeLessThan(64 * 1024);
    let turns = 0;
    const timer = setInterval(() => {
      turns += 1;
    }, 0);
    for await (const chunk of inflate(pieces(packed, packed.length))) {
      for (const until = performance.now() + (chunk.length / 1e6) * 2; performance.now() < until; );
    }
    clearInterval(timer);
    expect(turns).toBeGreaterThan(5);
  });
});

it('this Node inflates in place', () => expect(canInflateInPlace()).toBe(true));
